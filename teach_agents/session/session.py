"""One session: two agents, a household, and the turns they take until one of them, a limit or a mishap ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Self

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import Agent, as_agent
from teach_agents.core.bus import MemoryBus, MessageBus
from teach_agents.errors import InputError, RecordError, TeachAgentsError
from teach_agents.household import Household, Limits, Scenario
from teach_agents.observations import Observation
from teach_agents.session.conduct import Conduct
from teach_agents.session.hooks import DialogueHook
from teach_agents.session.host import AgentHost
from teach_agents.session.keeping import FileKeeper
from teach_agents.session.post import Post
from teach_agents.session.record import RecordWriter, check_resumable, read_record
from teach_agents.session.replay import reenact
from teach_agents.session.result import SessionResult
from teach_agents.session.setting import Setting
from teach_agents.session.timing import Clock, Timeouts, TurnClock

__all__ = ["AgentLike", "Session", "resume_session", "run_session"]

AgentLike = Agent | Callable[[Observation], Action | Awaitable[Action]]
"""What can take a chair: an agent, or a plain or async function."""

_STANDARD = Limits()
_PATIENT = Timeouts()


class Session:
    """Brings a Commander and a Follower together in a household. May run any number of scenarios, one at a time.

    A turn asks the Commander, then the Follower, on the same observation, then executes the Commander's action and the
    Follower's. Finish or Stop ends the session when its turn is over; the final state decides. An agent that raises or
    hangs ends it as crashed or timed out; an answer that is no action is a failed action. Agents answer over `bus`
    (its own `MemoryBus` by default), on which every event is published too. `record` is the file that is written turn
    by turn; a file that exists is replaced, or gone on with by `resume`.
    """

    def __init__(
        self,
        household: Household,
        commander: AgentLike,
        follower: AgentLike,
        *,
        limits: Limits = _STANDARD,
        timeouts: Timeouts = _PATIENT,
        record: str | Path | None = None,
        bus: MessageBus | None = None,
    ) -> None:
        self.household = household
        self.limits = limits
        self.timeouts = timeouts
        self.record = None if record is None else Path(record)
        self._bus = bus
        self._agents = {Role.COMMANDER: as_agent(commander), Role.FOLLOWER: as_agent(follower)}
        self._hooks: tuple[tuple[str, DialogueHook], ...] = ()
        self._clock: Clock = TurnClock()

    def with_hook(self, hook: DialogueHook, name: str = "") -> Self:
        """Add a dialogue hook after those there are; `name`, by default its SPEC or class, is what results call it."""
        self._hooks += ((name or hook.spec or type(hook).__name__, hook),)
        return self

    def with_clock(self, clock: Clock) -> Self:
        """Stamp what happens by another clock than `TurnClock`, for example `RealClock` in live use."""
        self._clock = clock
        return self

    async def run(self, scenario: Scenario, *, session_id: str = "") -> SessionResult:
        """Run one scenario to its end.

        Whatever agents, hooks or the simulator do, there is a result and a complete record. What is wrong with the
        scenario is raised before anything begins (`SceneError`, `DefinitionError`). A cancelled session (Ctrl-C) leaves
        a record that `resume` goes on with. `session_id` is the scenario's id by default; give one where several
        sessions of a scenario share a bus.
        """
        self.household.reset(scenario)
        setting = self._setting(session_id or scenario.scenario_id)
        writer = None if self.record is None else RecordWriter(self.record)
        if writer is not None:
            writer.begin(setting.header())
        return await self._conduct(setting, Conduct(setting, None if writer is None else FileKeeper(writer)))

    async def resume(self) -> SessionResult:
        """Go on with the unfinished session in `record`, where it was cut off.

        Its turns are carried out again and must lead to the recorded states. The agents are told that the session is
        resumed and find the dialogue so far in their first observation. Raises `RecordError` when there is nothing to
        resume, when agents or simulator are not those of the record, or when its turns now lead elsewhere.
        """
        if self.record is None:
            raise InputError("resume", "the session has no record: give Session(..., record=FILE)")
        record = read_record(self.record)
        if record.result is not None:
            problem = "the session has ended already; it can be replayed, not resumed"
            raise RecordError(str(self.record), problem, value=record.result.get("end_reason"))
        self.household.reset(record.header.scenario)
        setting = self._setting(record.header.session_id)
        check_resumable(record, setting.header())
        conduct = Conduct(setting, FileKeeper(RecordWriter(self.record)))
        differences = reenact(self.household, record)
        if differences:
            raise RecordError(str(self.record), f"cannot be resumed: {differences[0]}")
        conduct.take_up(record)
        return await self._conduct(setting, conduct)

    def _setting(self, session_id: str) -> Setting:
        return Setting(session_id, self.household, self._agents, self.limits, self.timeouts, self._clock, self._hooks)

    async def _conduct(self, setting: Setting, conduct: Conduct) -> SessionResult:
        bus, session_id = self._bus or MemoryBus(), setting.session_id
        hosts = [AgentHost(agent, role, bus, session_id) for role, agent in setting.agents.items()]
        try:
            return await conduct.run(Post(bus, session_id), hosts)
        finally:
            if self._bus is None:
                await bus.close()


def run_session(
    household: Household,
    commander: AgentLike,
    follower: AgentLike,
    scenario: Scenario,
    *,
    limits: Limits = _STANDARD,
    timeouts: Timeouts = _PATIENT,
    record: str | Path | None = None,
) -> SessionResult:
    """Run one session from plain code; see `Session` and `Session.run`.

    Raises `TeachAgentsError` inside a running event loop (a notebook, a server): `await Session(...).run(...)` there.
    """
    _no_loop("run_session", "run(scenario)")
    session = Session(household, commander, follower, limits=limits, timeouts=timeouts, record=record)
    return asyncio.run(session.run(scenario))


def resume_session(
    household: Household,
    commander: AgentLike,
    follower: AgentLike,
    record: str | Path,
    *,
    limits: Limits = _STANDARD,
    timeouts: Timeouts = _PATIENT,
) -> SessionResult:
    """Go on with a recorded session from plain code; see `Session.resume`."""
    _no_loop("resume_session", "resume()")
    session = Session(household, commander, follower, limits=limits, timeouts=timeouts, record=record)
    return asyncio.run(session.resume())


def _no_loop(function: str, instead: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise TeachAgentsError(f"{function} was called inside a running event loop; use: await Session(...).{instead}")
