"""TEACh's household as a registered world: its codec, and the agents that play there and nowhere else."""

from __future__ import annotations

from teach_agents.core.world import World
from teach_agents.session.codec import TEACH

_LOTS = "teach_agents.agents.random_agents"
_TEACH = World(
    TEACH,
    agents={
        "demonstration": "teach_agents.agents.demonstration:DemonstrationAgent",
        "episodic": {"follower": "teach_agents.agents.episodic.follower:episodic_follower"},
        "idle": {"follower": "teach_agents.benchmarks.solo.recorded:IdleFollower"},
        "lm": {
            "commander": "teach_agents.agents.lm.commander:lm_commander",
            "follower": "teach_agents.agents.lm.follower:lm_follower",
        },
        "planner": {
            "commander": "teach_agents.agents.planner:planner_commander",
            "follower": "teach_agents.agents.planner:planner_follower",
        },
        "random": {"commander": f"{_LOTS}:RandomCommander", "follower": f"{_LOTS}:RandomFollower"},
        "recorded": {"follower": "teach_agents.benchmarks.solo.recorded:RecordedFollower"},
        "silent": {"commander": f"{_LOTS}:SilentCommander"},
        "tatc-model": "teach_agents.conventions.tatc_model:tatc_model",
        "teach-model": {"follower": "teach_agents.conventions.teach_model:teach_model"},
        "teach-remote": {"follower": "teach_agents.conventions.remote_model:teach_remote"},
    },
    scaffold="teach_agents.agents.lm.scaffold:HouseholdScaffold",
    wire="teach_agents.conventions.observation_wire:TeachWire",
)


def teach_world() -> World:
    """The household, with a Commander and a Follower."""
    return _TEACH
