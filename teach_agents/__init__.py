"""Commander and Follower agents that talk while they act: TEACh self-play in AI2-THOR's rooms.

Everything public is listed in `__all__` and imported when it is first used, so that `import teach_agents` costs next to
nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from teach_agents.moved import find_moved

if TYPE_CHECKING:
    from teach_agents.actions import Action, ActionResult, Role
    from teach_agents.agents.demonstration import DemonstrationAgent
    from teach_agents.agents.history import History
    from teach_agents.agents.planner import PlannerCommander, PlannerFollower
    from teach_agents.agents.random_agents import RandomCommander, RandomFollower, SilentCommander
    from teach_agents.agents.scripted import ScriptedAgent
    from teach_agents.conventions.skill_tools import skills_as_tools
    from teach_agents.core.agents.contract import Agent, Briefing
    from teach_agents.core.benchmark.contract import Benchmark
    from teach_agents.core.bus import MemoryBus, MessageBus
    from teach_agents.core.context import takes
    from teach_agents.core.messages import Message
    from teach_agents.core.plugins import hookimpl
    from teach_agents.core.registry import Registry
    from teach_agents.core.specs import build
    from teach_agents.data import Game, iter_games, read_game, write_game
    from teach_agents.errors import TeachAgentsError
    from teach_agents.household import Household, Limits, Scenario
    from teach_agents.installed import installed_tasks
    from teach_agents.models import LanguageModel, ScriptedModel, load_model
    from teach_agents.observations import Observation, Pose, Privilege, Utterance, Vec3
    from teach_agents.playing import play
    from teach_agents.session import (
        DialogueHook,
        EndReason,
        Session,
        SessionResult,
        Timeouts,
        read_record,
        resume_session,
        run_session,
        to_game,
    )
    from teach_agents.session.record import replay
    from teach_agents.simulator.contract import Scene, Simulator
    from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
    from teach_agents.tasks import Progress, Task, TaskLibrary

__all__ = [
    "Action",
    "ActionResult",
    "Agent",
    "Benchmark",
    "Briefing",
    "DemonstrationAgent",
    "DialogueHook",
    "EmbeddedSimulator",
    "EndReason",
    "Game",
    "History",
    "Household",
    "LanguageModel",
    "Limits",
    "MemoryBus",
    "Message",
    "MessageBus",
    "Observation",
    "PlannerCommander",
    "PlannerFollower",
    "Pose",
    "Privilege",
    "Progress",
    "RandomCommander",
    "RandomFollower",
    "Registry",
    "Role",
    "Scenario",
    "Scene",
    "ScriptedAgent",
    "ScriptedModel",
    "Session",
    "SessionResult",
    "SilentCommander",
    "Simulator",
    "Task",
    "TaskLibrary",
    "TeachAgentsError",
    "Timeouts",
    "Utterance",
    "Vec3",
    "build",
    "hookimpl",
    "installed_tasks",
    "iter_games",
    "load_model",
    "play",
    "read_game",
    "read_record",
    "replay",
    "resume_session",
    "run_session",
    "skills_as_tools",
    "takes",
    "to_game",
    "write_game",
]

_HOMES = {
    "actions": "Action ActionResult Role",
    "core.agents.contract": "Agent Briefing",
    "agents.demonstration": "DemonstrationAgent",
    "agents.history": "History",
    "agents.planner": "PlannerCommander PlannerFollower",
    "agents.random_agents": "RandomCommander RandomFollower SilentCommander",
    "agents.scripted": "ScriptedAgent",
    "core.benchmark.contract": "Benchmark",
    "core.bus": "MemoryBus MessageBus",
    "conventions.skill_tools": "skills_as_tools",
    "core.context": "takes",
    "data": "Game iter_games read_game write_game",
    "errors": "TeachAgentsError",
    "household": "Household Limits Scenario",
    "installed": "installed_tasks",
    "core.messages": "Message",
    "models": "LanguageModel ScriptedModel load_model",
    "observations": "Observation Pose Privilege Utterance Vec3",
    "playing": "play",
    "core.plugins": "hookimpl",
    "core.registry": "Registry",
    "session": "DialogueHook EndReason Session SessionResult Timeouts read_record resume_session run_session to_game",
    "session.record": "replay",
    "simulator.contract": "Scene Simulator",
    "simulator.embedded.simulator": "EmbeddedSimulator",
    "core.specs": "build",
    "tasks": "Progress Task TaskLibrary",
}
"""Where what is public lies, by module."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

find_moved()


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
