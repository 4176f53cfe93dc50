"""The shortest way to a session: a task, a room, two agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from teach_agents.actions import Action, Role
from teach_agents.core.agents.contract import as_agent
from teach_agents.core.environment import Environment
from teach_agents.core.session.session import Session
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.household import Household, Limits, Scenario
from teach_agents.installed import installed_tasks
from teach_agents.kinds import AGENT, DIALOGUE_HOOK, SIMULATOR
from teach_agents.observations import Observation
from teach_agents.session import AgentLike, DialogueHook, SessionResult
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.simulator.contract import Scene, Simulator
from teach_agents.tasks import TaskLibrary

_STANDARD = Limits()


def play(  # noqa: PLR0913  # everything but the task has a default
    task: str,
    params: Sequence[str] = (),
    *,
    room: str = "FloorPlan1",
    commander: AgentLike | str = "planner",
    follower: AgentLike | str = "planner",
    seed: int = 0,
    record: str | Path | None = None,
    library: TaskLibrary | None = None,
    hooks: Sequence[DialogueHook | str] = (),
    limits: Limits = _STANDARD,
    simulator: Simulator | str = "embedded",
    environment: Environment[Scenario, Action, Observation] | None = None,
) -> SessionResult:
    """Play one session of a task in an iTHOR room, and say how it went; in a notebook too.

    The room is furnished at random by `seed` so that the task can be solved. Agents, dialogue `hooks` and `simulator`
    are objects or SPECs; agents may be plain or async functions. `record` is a file that `teach-agents replay` can
    show. `library` holds the task: by default TEACh's and those of installed plugins. An `environment` of one's own, a
    `HouseholdEnvironment` or what goes around one, stands for simulator and limits.

    Raises `SceneError` for an unknown room, `DefinitionError` for an unknown task or wrong parameters, `SpecError` for
    an unknown agent, and `InputError` when the room has no state in which the task can be solved, or for a seed or
    agent that is none.
    """
    if not isinstance(limits, Limits):
        raise InputError("play", "limits must be Limits(...)", value=limits)
    if not isinstance(simulator, Simulator | str):
        raise InputError("play", "simulator must be a Simulator or a SPEC", value=simulator)
    if isinstance(hooks, str):
        raise InputError("play", f"hooks must be a list, for example [{hooks!r}]", value=hooks)
    library = library or installed_tasks()
    scenario = furnished(task, params, room=room, seed=seed, library=library)
    if environment is None:
        made = build(SIMULATOR, simulator, allow_import=True) if isinstance(simulator, str) else simulator
        environment = HouseholdEnvironment(Household(made, library), limits)
    chairs = {Role.COMMANDER: commander, Role.FOLLOWER: follower}
    seated = {role: _seated(agent, role) for role, agent in chairs.items()}
    session = Session(environment, seated, record=record)
    for hook in hooks:
        if isinstance(hook, str):
            session.with_hook(build(DIALOGUE_HOOK, hook, allow_import=True), hook)
        else:
            session.with_hook(hook)
    result: SessionResult = session.play(scenario, seed=scenario.seed, session_id=scenario.scenario_id)
    return result


def furnished(
    task: str, params: Sequence[str] = (), *, room: str = "FloorPlan1", seed: int = 0, library: TaskLibrary
) -> Scenario:
    """A task in a room that is furnished at random by `seed` so that the task can be solved.

    Raises what `play` raises.
    """
    from teach_agents.simulator.embedded.solvability import generate

    if isinstance(params, str):
        raise InputError("play", f"params must be a list of texts, for example [{params!r}]", value=params)
    if not isinstance(seed, int):
        raise InputError("play", "seed must be a whole number", value=seed)
    state = generate(room, library.task(task, list(params)), seed)
    scene = Scene(room=state.room, randomize=True)
    return Scenario(f"{task} in {state.room}", task, tuple(params), scene, state.seed)


def _seated(agent: AgentLike | str, role: Role) -> AgentLike:
    if not isinstance(agent, str):
        return as_agent(agent, seat=role)
    return build(AGENT, agent, allow_import=True, role=role)
