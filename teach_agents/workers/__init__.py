"""One session over several processes: environment, Commander, Follower and recorder meet on a bus.

Each of the four may die and be replaced at any moment; see docs/bus.md.
"""

from __future__ import annotations

from teach_agents.workers.plan import Plan
from teach_agents.workers.running import reach, run_agent, run_environment, run_recorder
from teach_agents.workers.supervisor import Supervisor

__all__ = ["Plan", "Supervisor", "reach", "run_agent", "run_environment", "run_recorder"]
