"""The planner pair: a Commander and a Follower that complete household tasks by talking and acting.

`planner` in a SPEC names either chair. `mode=language` (the default) speaks plain English; `mode=low` is the paper's
rule-based protocol, in which the Commander dictates primitive actions (TEACh paper, appendix D).
"""

from __future__ import annotations

from teach_agents.agents.contract import Agent
from teach_agents.agents.planner.commander import PlannerCommander
from teach_agents.agents.planner.follower import PlannerFollower
from teach_agents.agents.planner.lowlevel.commander import LowLevelCommander
from teach_agents.agents.planner.lowlevel.follower import LowLevelFollower
from teach_agents.errors import SpecError

__all__ = [
    "MODES",
    "LowLevelCommander",
    "LowLevelFollower",
    "PlannerCommander",
    "PlannerFollower",
    "planner_commander",
    "planner_follower",
]

MODES = ("language", "low")
"""How the pair talks."""


def planner_commander(mode: str = "language") -> Agent:
    """The planner's Commander. Raises `SpecError` for an unknown mode."""
    _check(mode)
    return PlannerCommander() if mode == "language" else LowLevelCommander()


def planner_follower(mode: str = "language") -> Agent:
    """The planner's Follower. Raises `SpecError` for an unknown mode."""
    _check(mode)
    return PlannerFollower() if mode == "language" else LowLevelFollower()


def _check(mode: str) -> None:
    if mode not in MODES:
        raise SpecError("agent SPEC 'planner', option 'mode'", "there is no such mode", value=mode, valid=MODES)
