"""The door to a live session: two chairs, each a person's or an agent's; everybody acts and talks when they like."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teach_agents.actions import Action, Role
from teach_agents.agents.contract import Agent
from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.live.driver import Habits
from teach_agents.live.events import EventKind, LiveEvent, Told
from teach_agents.live.keeping import write_record
from teach_agents.live.ledger import Deed, Written
from teach_agents.live.play import Play, Status
from teach_agents.live.screens import screen_of, targets_of
from teach_agents.live.setting import HUMAN, Journal, LiveError, LiveSetting
from teach_agents.session.record import SessionRecord
from teach_agents.session.timing import Timeouts
from teach_agents.simulator.contract import Simulator
from teach_agents.specs import build
from teach_agents.tasks import TaskLibrary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LiveSession"]

_PATIENT = Timeouts()


class LiveSession:
    """One room, one task, two chairs. Every method belongs to one event loop.

    `journal` is told of every turn before anybody else. `build_agent` makes the agent of a chair, by its SPEC, in a
    thread of the agent's own; by default SPECs of registered agents and addresses. An agent has `timeouts` to get
    ready and to answer; it is asked when something happened that it can see or hear, and `idle_s` after it chose to
    wait (more rarely where nothing happens for long).
    """

    def __init__(  # all but the setting have a default
        self,
        setting: LiveSetting,
        journal: Journal | None = None,
        build_agent: Callable[[Role, str], Agent] | None = None,
        *,
        timeouts: Timeouts = _PATIENT,
        idle_s: float = 1.0,
        library: TaskLibrary | None = None,
    ) -> None:
        self.setting = setting
        self.present: Counter[Role | None] = Counter()
        """How many people look on from each chair, and (`None`) without one."""
        self._journal = journal
        self._build = build_agent or _built
        self._habits = Habits(timeouts, setting.pace_s, idle_s)
        self._library = library
        self._play: Play | None = None
        self._acts: dict[tuple[Role, str], asyncio.Future[LiveEvent]] = {}
        self._under_way: set[asyncio.Future[LiveEvent]] = set()

    async def start(self, past: Sequence[Mapping[str, Any]] = ()) -> None:
        """Furnish the room and seat the agents; or go on behind the lines that a journal was given earlier.

        Raises `SceneError` or `DefinitionError` when the scenario cannot be set up here, `SpecError` for an unknown
        simulator, and `RecordError` when the past turns lead elsewhere now. An agent that cannot be made has failed
        like any other: the session lives.
        """
        if self._play is not None:
            raise LiveError("bad_action", "the session has begun already")
        turns = [Written.from_json(line) for line in past]
        play = self._play = await asyncio.get_running_loop().run_in_executor(None, self._furnished)
        for written, event in zip(turns, await play.begin(turns, self._habits), strict=True):
            if written.key and event.role is not None:
                known = self._acts[event.role, written.key] = asyncio.get_running_loop().create_future()
                known.set_result(event)

    def _furnished(self) -> Play:
        setting = self.setting
        simulator = build("simulator", setting.simulator)
        assert isinstance(simulator, Simulator)
        household = Household(simulator, self._library or installed_tasks(), view_size=setting.view_size)
        household.reset(setting.scenario)
        return Play(setting, household, self._journal, lambda role: self._build(role, setting.chairs[role]))

    @property
    def _now(self) -> Play:
        if self._play is None:
            raise LiveError("paused", "the session has not begun yet")
        return self._play

    @property
    def status(self) -> Status:
        """Whether it goes on; "paused" before it has begun."""
        return "paused" if self._play is None else self._play.status

    @property
    def events(self) -> Sequence[LiveEvent]:
        """All events so far; read-only."""
        return () if self._play is None else self._play.telling.events

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
            known = asyncio.ensure_future(self._now.carry_out(Deed(role, action, key)))
            self._under_way.add(known)
            if key:
                self._acts[role, key] = known
            known.add_done_callback(lambda done: self._settled(role, key, done))
        return await asyncio.shield(known)

    def _settled(self, role: Role, key: str, done: asyncio.Future[LiveEvent]) -> None:
        """What was refused may be asked for again by the same key."""
        self._under_way.discard(done)
        if done.cancelled() or done.exception() is not None:
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
        if self._play is not None:
            await self._play.close()

    def retry(self, role: Role | None = None) -> None:
        """Try agents again that have failed (of one chair, or of both): a new one each, told that it resumes."""
        self._now.check_open()
        for chair, driver in self._now.drivers.items():
            if role in (None, chair):
                driver.retry()

    def join(self, role: Role | None = None) -> None:
        """Somebody looks on from a chair, or without one."""
        self.present[role] += 1
        self._now.tell(Told(EventKind.JOINED, role, {"present": self.present[role]}))

    def leave(self, role: Role | None = None) -> None:
        """Somebody looks on no more."""
        self.present[role] -= 1
        self._now.tell(Told(EventKind.LEFT, role, {"present": self.present[role]}))

    async def follow(self, after: int = -1) -> AsyncIterator[LiveEvent]:
        """The events with numbers above `after`, then those to come, until the session is over."""
        async for event in self._now.telling.follow(after):
            yield event

    async def picture(self, name: str, role: Role, size: int) -> NDArray[np.uint8]:
        """A role's picture of the present moment, uint8 size x size x 3.

        `name` is `view`, `overhead`, and for the Commander `follower_view`, `target_view` and `target_lit`. Raises
        `LiveError` (`no_picture`) for one that the role has not, or not yet, and `InputError` for a size that is none.
        """
        return await self._now.stage.picture(name, role, size)

    async def screen(self, role: Role | None = None) -> dict[str, Any]:
        """What a role's screen shows besides pictures, as JSON; without a role, everything."""
        play = self._now
        shown = await play.stage.run(lambda household: screen_of(household, play.ledger, play.room_map, role))
        chairs = {one.value: self._chair(one, to=role) for one in Role}
        return {**shown, "status": play.status, "chairs": chairs, "watching": self.present[None]}

    def _chair(self, role: Role, *, to: Role | None) -> dict[str, Any]:
        """Who sits in a chair, and how they do."""
        driver = self._now.drivers.get(role)
        if driver is None:
            return {"who": self.setting.chairs[role], "state": "there" if self.present[role] else "away"}
        problem = driver.problem if to is not Role.FOLLOWER else ""
        return {"who": self.setting.chairs[role], "state": driver.state, "problem": problem}

    async def targets(self, action_name: str) -> list[dict[str, Any]]:
        """Where a click of the Follower's could act now; see `screens.targets_of`."""
        return await self._now.stage.run(lambda household: targets_of(household, action_name))

    def record(self) -> SessionRecord:
        """The session so far, as `read_record` would read it; with a result once it has ended."""
        return self._now.ledger.record(self._now.result)

    def write_record(self, path: str | Path) -> None:
        """Write `record`, whole or not at all. Raises `RecordError` where no file can be written."""
        write_record(self.record(), Path(path))


def _built(role: Role, spec: str) -> Agent:
    made = build("agent", spec, role=role)
    assert isinstance(made, Agent)
    return made


def _check(role: Role, action: Action) -> None:
    """Refuse what nobody in a chair can do."""
    if not isinstance(action, Action) or not action.allowed_for(role):
        raise LiveError("bad_action", f"{getattr(action, 'name', action)!r} is no action of the {role}")
    if action == Action.wait():
        raise LiveError("bad_action", "nobody has to say that they wait")
    if action.name == "Text" and not action.utterance.strip():
        raise LiveError("bad_action", "there is nothing to be said")
