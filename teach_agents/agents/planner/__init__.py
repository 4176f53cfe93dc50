"""The planner pair: a Commander and a Follower that complete household tasks by talking and acting.

`planner` in a SPEC names either chair. `mode=language` (the default) speaks English; `mode=low` is the paper's
rule-based protocol, in which the Commander dictates primitive actions (TEACh paper, appendix D). `style=natural` (the
default) has the Commander talk as people do, `style=plain` in the controlled English and of nothing but the steps.
Where a Follower is alone and its factory is told the task that is judged, it plays both chairs (`oracle`).
"""

from __future__ import annotations

from teach_agents.agents.perceiving.perceived import Perceived
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.agents.planner.commander import STYLES, PlannerCommander
from teach_agents.agents.planner.follower import PlannerFollower
from teach_agents.agents.planner.lowlevel.commander import LowLevelCommander
from teach_agents.agents.planner.lowlevel.protocol import LowLevelFollower
from teach_agents.agents.planner.oracle import PlannerOracle
from teach_agents.core.agents.contract import Agent
from teach_agents.core.context import takes
from teach_agents.errors import SpecError
from teach_agents.household import Household
from teach_agents.tasks import Task
from teach_agents.understanding.reader import Reader

__all__ = [
    "MODES",
    "STYLES",
    "LowLevelCommander",
    "LowLevelFollower",
    "PlannerCommander",
    "PlannerFollower",
    "PlannerOracle",
    "planner_commander",
    "planner_follower",
]

MODES = ("language", "low")
"""How the pair talks: in sentences, or in primitive actions."""


def planner_commander(mode: str = "language", style: str = "natural", understanding: str | Reader = "hybrid") -> Agent:
    """The planner's Commander. Raises `SpecError` for an unknown mode or style.

    `understanding` reads what a person says to it, a SPEC of `teach_agents.understanding`.
    """
    _check(mode, style)
    if mode != "language":
        return LowLevelCommander()
    return PlannerCommander(style=style, understanding=understanding)


@takes("task", "household")
def planner_follower(
    mode: str = "language",
    style: str = "natural",
    perception: str = "",
    understanding: str | Reader = "hybrid",
    allow_import: bool = False,
    household: Household | None = None,
    task: Task | None = None,
) -> Agent:
    """The planner's Follower. It understands every style. Raises `SpecError` for an unknown mode, style or perception.

    `understanding` reads what is said to it, a SPEC of `teach_agents.understanding`. With a `perception` (a tier of
    `perceiving`) it knows of the room what it has seen, and looks around first. Told a `task` to work towards in a
    `household`, it has a Commander of its own and needs no other (`PlannerOracle`): so EDH and TfD make it, where a
    Follower is alone.
    """
    _check(mode, style)
    follower: Agent = PlannerFollower(understanding=understanding) if mode == "language" else LowLevelFollower()
    if perception:
        follower = Perceived(follower, perception_of(perception, allow_import=allow_import))
    if household is None or task is None:
        return follower
    return PlannerOracle(household, task, planner_commander(mode, "plain"), follower)


def _check(mode: str, style: str) -> None:
    SpecError.check("agent SPEC 'planner', option 'mode'", mode, MODES, "mode")
    SpecError.check("agent SPEC 'planner', option 'style'", style, STYLES, "style")
