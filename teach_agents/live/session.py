"""The door to a live session: two chairs, each a person's or an agent's; everybody acts and talks when they like."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Agent
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.plugins import DIALOGUE_HOOK
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.episode import Answer
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.record import SessionRecord
from teach_agents.core.specs import build
from teach_agents.kinds import AGENT
from teach_agents.live.driver import Habits
from teach_agents.live.events import EventKind, LiveEvent, Told
from teach_agents.live.ledger import Deed, Line, household_for, write_record
from teach_agents.live.play import Play, Status
from teach_agents.live.screens import screen_of, targets_of
from teach_agents.live.setting import HUMAN, Journal, LiveError, LiveSetting
from teach_agents.observations import Observation, Privilege
from teach_agents.tasks import TaskLibrary

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


_T = TypeVar("_T")
_PATIENT = Timeouts()


def hook_of(spec: str, *, allow_import: bool = False) -> DialogueHook:
    """A dialogue hook by its SPEC. Raises what `build` raises."""
    return build(DIALOGUE_HOOK, spec, allow_import=allow_import)


class LiveSession:
    """One room, one task, two chairs. Every method belongs to one event loop.

    `journal` is told of everything before anybody else. `build_agent` makes the agent of a chair, by what the setting
    calls it, in a thread of the agent's own; by default that is a SPEC of a registered agent, or an address. An agent
    has `timeouts` to get ready and to answer; it is asked when something happened that it can see or hear, and `idle_s`
    after it chose to wait (more rarely where nothing happens for long). `build_hook` makes the dialogue hooks, by
    their SPECs. They change what agents do and what anybody says, hear of everything, and hint; one that raises ends
    the session as crashed, by its name.
    """

    def __init__(  # all but the setting have a default
        self,
        setting: LiveSetting,
        journal: Journal | None = None,
        build_agent: Callable[[Role, str], Agent] | None = None,
        *,
        build_hook: Callable[[str], DialogueHook] = hook_of,
        timeouts: Timeouts = _PATIENT,
        idle_s: float = 1.0,
        library: TaskLibrary | None = None,
    ) -> None:
        self.setting = setting
        self.present: Counter[Role | None] = Counter()
        """How many people look on from each chair, and (`None`) without one."""
        self._journal = journal
        self._build = build_agent or (lambda role, spec: build(AGENT, spec, role=role))
        self._build_hook = build_hook
        self._habits = Habits(timeouts, setting.pace_s, idle_s, setting.reply_s if setting.attended else 0.0)
        self._library = library
        self._begun = False
        self._play: Play | None = None
        self._acts: dict[tuple[Role, str], asyncio.Future[LiveEvent]] = {}
        self._under_way: set[asyncio.Future[LiveEvent]] = set()

    async def start(self, past: Sequence[JsonMapping] = ()) -> None:
        """Furnish the room and seat the agents; or go on behind the lines that a journal was given earlier.

        Raises `SceneError` or `DefinitionError` when the scenario cannot be set up here, `SpecError` for an unknown
        simulator or hook, and `RecordError` when the past turns lead elsewhere now. An agent that cannot be made has
        failed like any other: the session lives.
        """
        if self._begun:
            raise LiveError("bad_action", "the session has begun already")
        self._begun = True
        lines = [Line.from_json(line) for line in past]
        loop = asyncio.get_running_loop()
        self._play = await loop.run_in_executor(None, self._furnished)
        for line in lines:
            if line.role:
                known = self._acts[line.role, line.key] = loop.create_future()
                known.set_result(line.events[0])
        await self._play.begin(lines, self._habits)

    def _furnished(self) -> Play:
        setting = self.setting
        hooks = [self._build_hook(spec) for spec in setting.hooks]
        household = household_for(setting, self._library)
        household.reset(setting.scenario)
        return Play(setting, household, self._journal, lambda role: self._build(role, setting.chairs[role]), hooks)

    @property
    def _now(self) -> Play:
        if self._play is None:
            raise LiveError("paused", "the session has not begun yet")
        return self._play

    @property
    def status(self) -> Status:
        """Whether it goes on; "paused" before it has begun. One that was closed has its last."""
        return self._play.status if self._play else "paused"

    @property
    def events(self) -> Sequence[LiveEvent]:
        """All events so far; read-only. An event's number is its index."""
        return self._play.publisher.events if self._play else ()

    async def act(self, role: Role, action: Action, key: str = "") -> LiveEvent:
        """Do what the person in a chair wants; the event that tells of it.

        The same key again is the same event, done once, after a restart too. Raises `LiveError` for a chair that is no
        person's (`not_yours`), for what nobody in it can do (`bad_action`), and where the session does not go on
        (`ended`, `paused`, `closed`, `broken`).
        """
        if self.setting.chairs[role] != HUMAN:
            raise LiveError("not_yours", f"the {role} is an agent: {self.setting.chairs[role]}")
        known = self._acts.get((role, key)) if key else None
        if known is None:
            _check(role, action)
            known = asyncio.ensure_future(self._now.carry_out(Deed(role, Answer(action, action), key)))
            self._under_way.add(known)
            if key:
                self._acts[role, key] = known
            known.add_done_callback(lambda done: self._settled(role, key, done))
        return await asyncio.shield(known)

    def _settled(self, role: Role, key: str, done: asyncio.Future[LiveEvent]) -> None:
        """What was refused may be asked for again by the same key."""
        self._under_way.discard(done)
        if done.cancelled() or done.exception():
            self._acts.pop((role, key), None)

    async def say(self, role: Role, text: str, key: str = "") -> LiveEvent:
        """Say something from a person's chair; as `act`."""
        return await self.act(role, Action.say(text), key)

    def pause(self) -> None:
        """Let nobody act until `resume`. Raises `LiveError` when the session is over."""
        self._now.pause()

    def resume(self) -> None:
        """Go on after `pause`. Raises `LiveError` when the session is over."""
        self._now.resume()

    async def end(self, reason: str = "it was ended") -> None:
        """End the session, for a reason in words; the state as it is then decides.

        Raises `LiveError` when it is over already.
        """
        await self._now.end(reason)

    async def close(self) -> None:
        """Hold the session here no longer, without ending it: `start(past=...)` goes on with it elsewhere or later."""
        if self._play:
            await self._play.close()

    async def retry(self, role: Role | None = None) -> None:
        """Try agents again that have failed (of one chair, or of both): a new one each, told that it resumes."""
        self._now.check_open()
        self._now.chairs.retry(role)

    async def join(self, role: Role | None = None) -> None:
        """Somebody looks on from a chair, or without one."""
        await self._look_on(role, EventKind.JOINED, 1)

    async def leave(self, role: Role | None = None) -> None:
        """Somebody looks on no more."""
        await self._look_on(role, EventKind.LEFT, -1)

    async def _look_on(self, role: Role | None, kind: EventKind, more: int) -> None:
        self.present[role] += more
        told = self._now.tell(Told(kind, role, {"present": self.present[role]}))
        if told:
            await asyncio.shield(told)

    async def follow(self, after: int = -1) -> AsyncIterator[LiveEvent]:
        """The events with numbers above `after`, then those to come, until the session is over."""
        async for event in self._now.publisher.follow(after):
            yield event

    async def observe(self, role: Role, privileges: Collection[Privilege] = ()) -> Observation:
        """What a role sees now, as agents get it, for people who have skills act for them.

        Privileged parts are made at once; pictures are drawn when looked at, and show the room as it is by then.
        Records and results state the privileges. Raises `LiveError` when the session is over.
        """
        self._now.grant(role, frozenset(privileges))
        return await self._now.observe(role, privileges, len(self._now.ledger.turns))

    def idle(self, role: Role) -> bool:
        """Whether a chair has nothing more to do about what happened so far.

        So it is with a person's, and with that of an agent that chose to wait, or failed.
        """
        return self._now.chairs.idle(role)

    def at_work(self, role: Role) -> bool:
        """Whether a chair's agent is ready, and has something to do about what happened so far."""
        return self.status == "running" and self._now.chairs.ready(role) and not self.idle(role)

    async def picture(self, name: str, role: Role | None, size: int) -> ByteArray:
        """A role's picture of the present moment, uint8 size x size x 3; without a role, the Commander's.

        `name` is `view`, `overhead` (the room from above), `map` (the same with marks where everybody is), and for the
        Commander `follower_view`, `target_view` and `target_lit`. Raises `LiveError` (`no_picture`) for one that the
        role has not, or not yet, and `InputError` for a size that is none.
        """
        return await self.made_of_picture(name, role, size, lambda rgb: rgb)

    async def made_of_picture(self, name: str, role: Role | None, size: int, made: Callable[[ByteArray], _T]) -> _T:
        """What is made of a `picture`, for example a file, in the thread that draws it."""
        return await self._now.stage.picture(name, role or Role.COMMANDER, size, made)

    async def screen(self, role: Role | None = None) -> JsonObject:
        """What a role's screen shows besides pictures, as JSON; without a role, everything."""
        play = self._now
        seq, room_map = len(play.publisher.events) - 1, play.stage.room_map
        shown = await play.stage.run(lambda household: screen_of(household, play.ledger, room_map, role), brief=True)
        present = {"watching": self.present[None], **{one.value: self.present[one] for one in Role}}
        chairs = play.chairs.shown(problems=role is not Role.FOLLOWER)
        return {**shown, **chairs, "seq": seq, "status": play.status, "present": present}

    async def targets(self, action_name: str = "") -> list[JsonObject]:
        """Where a click of the Follower's could act now, with one action or with any; see `screens.targets_of`."""
        return await self._now.stage.run(lambda household: targets_of(household, action_name))

    def record(self) -> SessionRecord:
        """The session so far, as `read_record` would read it; with a result once it has ended."""
        return self._now.ledger.record(self._now.result)

    def write_record(self, path: str | Path) -> None:
        """Write `record`, whole or not at all. Raises `RecordError` where no file can be written."""
        write_record(self.record(), Path(path))


def _check(role: Role, action: Action) -> None:
    """Refuse what nobody in a chair can do."""
    if not isinstance(action, Action) or not action.allowed_for(role):
        raise LiveError("bad_action", f"{getattr(action, 'name', action)!r} is no action of the {role}")
    if action == Action.wait():
        raise LiveError("bad_action", "nobody has to say that they wait")
    if action.name == "Text" and not action.utterance.strip():
        raise LiveError("bad_action", "there is nothing to be said")
