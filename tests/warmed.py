"""What a warm process has done before a program begins in it (`tests/warm.py`): imports, and kernels in memory.

No session: forks must not be made of a process with threads.
"""

from __future__ import annotations

import teach_agents.agents.planner
import teach_agents.cli.main  # noqa: F401  # only to have it
from teach_agents import Action, EmbeddedSimulator, Household, Role, Scenario, Scene

_household = Household(EmbeddedSimulator())
_household.reset(Scenario("warm", "Coffee", (), Scene("FloorPlan7")))
_household.act(Role.FOLLOWER, Action("Forward"))
_seen = _household.observe(Role.FOLLOWER).view.rgb
