"""Agents in the chairs of a live session: when each is asked, how long it may take, what becomes of its answers."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.agents.runner import LateError, RaisedError, Runner
from teach_agents.core.control import NOT_DONE
from teach_agents.core.dialogue import Act
from teach_agents.core.json_types import JsonObject
from teach_agents.core.session.context import Timeouts, agent_seed
from teach_agents.core.session.episode import Answer
from teach_agents.core.session.seats import Seated
from teach_agents.errors import explained, trace_of
from teach_agents.live.control_hold import Hold
from teach_agents.live.events import EventKind, Told
from teach_agents.live.ledger import Deed
from teach_agents.live.setting import HUMAN, LiveError, LiveSetting
from teach_agents.observations import Observation, Privilege
from teach_agents.session.codec import TEACH

if TYPE_CHECKING:
    from teach_agents.live.play import Play

_LOG = logging.getLogger(__name__)
_SOON_S = 0.3
"""From then on it is told that an agent thinks, or gets ready; at the beginning both together may take so long."""
_PATIENT = 10
"""So many times an agent is asked in vain before the time between doubles."""
_LONGEST = 16
"""How many times longer than at first the time between becomes at most."""
_FUMBLES = 5
"""After so many failed actions in a row an agent rests between them."""


@dataclass(frozen=True, slots=True)
class Habits:
    """When agents are asked: `idle_s` after they last waited, at least `pace_s` after they last acted, seconds.

    Words behind words of their own, with nothing done about them, they hold back for `reply_s`.
    """

    timeouts: Timeouts
    pace_s: float
    idle_s: float
    reply_s: float = 0.0


class _Failed(Exception):
    """The agent failed: how, and what the log is told of it, which is nothing that anybody said."""


class Driver:
    """Asks an agent when something happened since it last looked, else a while after it chose to wait.

    `make` builds the agent, in the agent's own thread. An agent that fails is left alone until `retry`, which makes
    another. Belongs to one event loop.
    """

    def __init__(self, make: Callable[[], Agent], briefing: Briefing, session: Play, habits: Habits) -> None:
        self._make = make
        self._briefing = briefing
        self._role = briefing.role
        self._session = session
        self._habits = habits
        self._runner: Runner | None = None
        self.news = asyncio.Event()
        """Set when something happened that the agent should see."""
        self.again = asyncio.Event()
        """Set when an agent that has failed is to be tried again."""
        self.replied = asyncio.Event()
        """Set when something was done, by the partner or where it sees it, since the agent last spoke."""
        self._said_at = self._seated_at = -math.inf
        self.ready = False
        """Whether the agent has taken its chair and has not failed."""
        self.thinks = False
        """Whether the agent has been thinking for a while."""
        self._waits = False
        self.asked = 0
        """How often it was asked; its observations count by this."""
        self.heard = 0
        """How many utterances there were when it answered last, or when it took its chair."""
        self.problem = ""
        """Why its chair stands still, if it does."""
        self.hold = Hold()
        """Whether the agent may act, by what a person said to it."""
        self._dropped: Action | None = None
        """What the agent chose last, where it was not done."""

    @property
    def idle(self) -> bool:
        """Whether the agent chose to wait and nothing has happened since that it should see, or its chair stands
        still."""
        return bool(self.problem) or (self._waits and not self.news.is_set())

    def stop(self) -> None:
        """Let the agent's thread end; whoever runs `run` cancels it."""
        if self._runner:
            self._runner.stop()

    async def run(self) -> None:
        """Drive the agent until the session ends or this is cancelled."""
        resumed = self._briefing.resumed
        while True:
            self._runner = Runner(f"{self._role} of {self._briefing.session_id}")
            try:
                await self._drive(self._runner, resumed)
            except LiveError:
                return  # the session is over
            except _Failed as failed:
                self._tell_failed(*failed.args)
            except Exception as error:  # noqa: BLE001  # whatever it is, the session goes on without this agent
                self._tell_failed(f"could not be driven: {explained(error)}", trace_of(error))
            finally:
                self.thinks = self._waits = self.ready = False
                self._runner.stop()
            self.again.clear()
            await self.again.wait()
            self.problem, resumed = "", True

    def _tell_failed(self, problem: str, details: str) -> None:
        _LOG.warning("the %s of %s failed: %s", self._role, self._briefing.session_id, details)
        self.problem = problem
        self._session.tell(Told(EventKind.FAILED, self._role, {"problem": problem}))

    async def _drive(self, runner: Runner, resumed: bool) -> NoReturn:
        """Ask and do, until something is raised: `LiveError` when the session is over."""
        self._seated_at = monotonic()
        seated = await self._ready(runner, resumed)
        privileges = seated.agent.privileges
        quiet = fumbles = 0
        first = True
        while True:
            await self._session.going.wait()
            quiet = 0 if self.news.is_set() else quiet
            self.news.clear()
            self._waits = False
            started, interruptions = monotonic(), self.hold.interruptions
            seen = await self._observed(privileges)
            if first and len(seen.dialogue) > self.heard:  # a person was quicker; what agents find is no news to them
                seen = replace(seen, dialogue=seen.dialogue[: self.heard])
                self.news.set()
            answer = await self._session.chosen(self._role, seen, await self._answer(runner, seated, seen, first))
            first, self.heard = False, len(seen.dialogue)
            self.asked += 1
            waits = answer.action == Action.wait()
            deed = Deed(self._role, answer, answers_ms=self._answered(seen))
            succeeded = None if waits else await self._done(deed, monotonic() - started, interruptions)
            if succeeded is None:
                self._waits = True
                self._tell_waiting(answer.thought, monotonic() - started)
                await until(self.news, self._idle(quiet))
                quiet += 1
                continue
            fumbles = 0 if succeeded else fumbles + 1
            if answer.action == Action.stop():
                self._waits = True
                await self.news.wait()
            await asyncio.sleep(self._habits.pace_s if fumbles <= _FUMBLES else self._idle(0))

    async def _observed(self, privileges: frozenset[Privilege]) -> Observation:
        """What the agent sees now; where its last action was dropped, with that."""
        seen = await self._session.observe(self._role, privileges, self.asked)
        dropped, self._dropped = self._dropped, None
        if dropped is None:
            return seen
        return replace(seen, last_action=dropped, last_result=ActionResult(False, NOT_DONE))

    def _idle(self, quiet: int) -> float:
        return self._habits.idle_s * min(1 << quiet // _PATIENT, _LONGEST)

    async def _ready(self, runner: Runner, resumed: bool) -> Seated:
        state = self._session.publisher.state_of(self._role) if resumed else None
        briefing = replace(self._briefing, resumed=resumed, state=state)
        limit_s, late = self._habits.timeouts.begin_s, "was not ready"

        def begin() -> Seated:
            made = Seated(runner.call(self._make, limit_s, late), self._role, runner, TEACH)
            made.begin(briefing, limit_s)
            return made

        news = Told(EventKind.GETTING_READY, self._role, {})
        soon = asyncio.get_running_loop().call_later(_SOON_S, self._session.tell, news)
        try:
            seated: Seated = await self._called(runner, begin)
        finally:
            soon.cancel()
        self._session.seated(self._role, seated.agent)
        self.ready = True
        return seated

    async def _answer(self, runner: Runner, seated: Seated, seen: Observation, first: bool) -> Answer:
        left_s = self._seated_at + _SOON_S - monotonic()
        soon_s = left_s if first and left_s > 0 else _SOON_S
        soon = asyncio.get_running_loop().call_later(soon_s, self._tell_thinking, first)
        try:
            answer: Answer = await self._called(runner, lambda: seated.answer(seen, self._habits.timeouts.act_s))
        finally:
            soon.cancel()
        return answer

    async def _called(self, runner: Runner, work: Callable[[], Any]) -> Any:
        try:
            return await runner.arun(work)
        except RaisedError as raised:
            raise _Failed(f"raised {explained(raised.error)}", trace_of(raised.error)) from None
        except LateError as late:
            raise _Failed(str(late), str(late)) from None

    def _tell_thinking(self, first: bool) -> None:
        self.thinks = True
        self._session.tell(Told(EventKind.THINKING, self._role, {"first": True} if first else {}))

    def _tell_waiting(self, thought: Any, seconds: float) -> None:
        """An agent that was told to be thinking chose to wait, or tells why it waits."""
        if self.thinks or thought is not None:
            data = {"turn": None, "seconds": round(seconds, 3), "thought": dict(thought or {})}
            self._session.tell(Told(EventKind.THOUGHT, self._role, data))
        self.thinks = False

    def _void(self, action: Action | None, interruptions: int) -> bool:
        """Whether what was chosen behind so many interruptions may not be done: words may always be said."""
        speaks = action is not None and action.name == "Text"
        return not speaks and (self.hold.bars(action) or self.hold.interruptions > interruptions)

    def _answered(self, seen: Observation) -> int | None:
        """When what was said to the agent last was said, of what it has heard."""
        return next((said.time_ms for said in reversed(seen.dialogue) if said.speaker is self._role.partner), None)

    async def _done(self, deed: Deed, seconds: float, interruptions: int) -> bool | None:
        """Do what the agent chose, once the session is not paused; whether it succeeded.

        `None` where the agent was told to stop or to wait since it was asked, behind so many interruptions, and nothing
        was done.
        """
        thought, self.thinks = self.thinks, False
        answer = deed.answer
        deed = replace(deed, seconds=round(seconds, 3) if thought or answer.thought is not None else None)
        while True:
            if answer.action and answer.action.name == "Text":
                await until(self.replied, self._said_at + self._habits.reply_s - monotonic())
            await self._session.going.wait()
            try:
                event = await self._session.carry_out(deed, lambda: self._void(answer.action, interruptions))
            except LiveError as error:
                if error.kind == "dropped":
                    self._dropped, self.thinks = answer.action, thought
                    return None
                if error.kind != "paused":
                    raise
            else:
                if event.kind is not EventKind.UTTERANCE:
                    return bool(event.data["result"]["success"])
                if self._session.ledger.utterances == self.heard + 1:  # else somebody spoke meanwhile, and waits
                    self.replied.clear()
                self._said_at = monotonic()
                return True


async def until(event: asyncio.Event, limit_s: float) -> None:
    """Wait until something happens, or the time is up."""
    if limit_s >= 0:
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await event.wait()


class Chairs:
    """Drivers of the agents, by chair. `make` builds the agent of one. Belongs to one event loop."""

    def __init__(self, setting: LiveSetting, make: Callable[[Role], Agent]) -> None:
        self._setting = setting
        self._make = make
        self._drivers: dict[Role, Driver] = {}
        self._driving: list[asyncio.Task[None]] = []

    def seat(self, session: Play, habits: Habits, *, resumed: bool) -> None:
        """Have agents get ready and be asked."""
        for role in Role:
            if self._setting.chairs[role] != HUMAN:
                seed = agent_seed(self._setting.scenario.seed, role)
                attended = self._setting.chairs[role.partner] == HUMAN
                briefing = Briefing(self._setting.session_id, role, seed, resumed, person=attended)
                driver = self._drivers[role] = Driver(partial(self._make, role), briefing, session, habits)
                driver.asked, driver.heard = len(session.ledger.turns), session.ledger.utterances
                driver.hold.take_up(session.publisher.events)
                name = f"{role} of {self._setting.session_id}"
                self._driving.append(asyncio.create_task(driver.run(), name=name))

    def interrupt(self, role: Role, text: str) -> None:
        """A person is about to speak to a chair: a stop or a wait makes void what its agent chose before."""
        driver = self._drivers.get(role)
        if driver:
            driver.hold.interrupt(text)

    def controlled(self, role: Role, text: str) -> Act | None:
        """A person has spoken to a chair: what its agent may do now, where that changes; see `Hold.hear`."""
        driver = self._drivers.get(role)
        return driver.hold.hear(text) if driver else None

    def heard(self, deed: Deed) -> None:
        """Let the partner look, if it can see or hear what was done; who had spoken may go on."""
        partner = self._drivers.get(deed.role.partner)
        action = deed.answer.action
        said = action is not None and action.name == "Text"
        for role, driver in self._drivers.items():
            if role is not deed.role or (role is Role.FOLLOWER and not said):
                driver.replied.set()
        if partner and (said or deed.role is Role.FOLLOWER):
            partner.news.set()

    def idle(self, role: Role) -> bool:
        """Whether a chair's agent, if it has one, has nothing more to do about what happened so far."""
        driver = self._drivers.get(role)
        return driver is None or driver.idle

    def ready(self, role: Role) -> bool:
        """Whether a chair's agent has taken it, and has not failed."""
        driver = self._drivers.get(role)
        return driver is not None and driver.ready

    def retry(self, role: Role | None) -> None:
        """Try agents again that have failed, of one chair or of both."""
        for chair, driver in self._drivers.items():
            if driver.problem and role in (None, chair):
                driver.again.set()

    def shown(self, *, problems: bool) -> JsonObject:
        """Who sits where and how the agents do, for a screen; why they failed, only where `problems` may be told."""
        drivers = self._drivers.items()
        return {
            "chairs": self._setting.sitters,
            "ready": {role.value: driver.ready for role, driver in drivers},
            "waiting": [role.value for role, driver in drivers if driver.thinks],
            "failed": {role.value: driver.problem if problems else "" for role, driver in drivers if driver.problem},
        }

    def dismiss(self) -> None:
        """Ask the agents nothing more. One of them may be who asks for this."""
        for driver in self._drivers.values():
            driver.stop()
        for task in self._driving:
            if task is not asyncio.current_task():
                task.cancel()

    async def empty(self) -> None:
        """Wait until nobody is driven any more."""
        await asyncio.gather(*self._driving, return_exceptions=True)
