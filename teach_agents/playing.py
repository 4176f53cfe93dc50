"""The shortest way to a session: a task, a room, two agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.core.agents.contract import as_agent
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.household import Household, Scenario
from teach_agents.installed import installed_tasks
from teach_agents.kinds import AGENT, SIMULATOR
from teach_agents.session import AgentLike, SessionResult, run_session
from teach_agents.simulator.contract import Scene
from teach_agents.tasks import TaskLibrary

__all__ = ["furnished", "play"]


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
) -> SessionResult:
    """Play one session of a task in an iTHOR room on the embedded simulator, and say how it went.

    The room is furnished at random by `seed` so that the task can be solved. Agents are objects, plain or async
    functions, or SPECs. `record` is a file that `teach-agents replay` can show. `library` holds the task: by default
    TEACh's and those of installed plugins.

    Raises `SceneError` for an unknown room, `DefinitionError` for an unknown task or wrong parameters, `SpecError` for
    an unknown agent, and `InputError` when the room has no state in which the task can be solved, or for a seed or
    agent that is none.
    """
    library = library or installed_tasks()
    scenario = furnished(task, params, room=room, seed=seed, library=library)
    simulator = build(SIMULATOR, "embedded")
    chairs = {Role.COMMANDER: commander, Role.FOLLOWER: follower}
    seated = {role: _seated(agent, role) for role, agent in chairs.items()}
    household = Household(simulator, library)
    return run_session(household, seated[Role.COMMANDER], seated[Role.FOLLOWER], scenario, record=record)


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
        return as_agent(agent)
    return build(AGENT, agent, allow_import=True, role=role)
