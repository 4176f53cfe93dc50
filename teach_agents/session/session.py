"""One household session: two agents, and the turns they take until one of them, a limit or a mishap ends it."""

from __future__ import annotations

from pathlib import Path

from teach_agents.actions import Role
from teach_agents.core.agents.contract import AgentLike
from teach_agents.core.bus import MessageBus
from teach_agents.core.json_types import JsonObject
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.session import Session as CoreSession
from teach_agents.household import Household, Limits, Scenario
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.session.format import SessionResult

_STANDARD = Limits()
_PATIENT = Timeouts()


class Session(CoreSession):
    """Brings a Commander and a Follower together in a household. May run any number of scenarios, one at a time.

    A turn asks the Commander, then the Follower, on the same observation, then executes the Commander's action and the
    Follower's. Finish or Stop ends the session when its turn is over; the final state decides. An agent that raises or
    hangs ends it as crashed or timed out; an answer that is no action is a failed action. Everything that happens is
    published on `bus`, if there is one. `record` is the file that is written turn by turn; a file that exists is
    replaced, or gone on with by `resume`.
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
        environment = HouseholdEnvironment(household, limits)
        agents = {Role.COMMANDER: commander, Role.FOLLOWER: follower}
        super().__init__(environment, agents, timeouts=timeouts, record=record, bus=bus)
        self.household = household
        self.limits = limits

    async def run(self, instance: Scenario, *, seed: int | None = None, session_id: str = "") -> SessionResult:
        """Run one scenario to its end, by its own seed unless another is given; see `core.session.Session.run`.

        What is wrong with the scenario is raised before anything begins (`SceneError`, `DefinitionError`).
        """
        return await super().run(instance, **_named(instance, seed, session_id))  # type: ignore[no-any-return]  # TEACh's

    def play(self, instance: Scenario, *, seed: int | None = None, session_id: str = "") -> SessionResult:
        """`run` for plain code."""
        return super().play(instance, **_named(instance, seed, session_id))  # type: ignore[no-any-return]  # TEACh's


def _named(scenario: Scenario, seed: int | None, session_id: str) -> JsonObject:
    return {"seed": scenario.seed if seed is None else seed, "session_id": session_id or scenario.scenario_id}


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
    """Run one session from plain code, also inside a running event loop (a notebook); see `Session`."""
    return Session(household, commander, follower, limits=limits, timeouts=timeouts, record=record).play(scenario)


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
    found: SessionResult = Session(
        household, commander, follower, limits=limits, timeouts=timeouts, record=record
    ).play_on()
    return found
