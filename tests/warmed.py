"""What a warm process has done before a program begins in it (`tests/warm.py`): imports, and kernels in memory.

No session: forks must not be made of a process with threads.
"""

from __future__ import annotations

from pydantic import TypeAdapter  # noqa: F401  # only to have it, as all that has no name here

import teach_agents.agents.planner
import teach_agents.benchmarks.fidelity.running
import teach_agents.benchmarks.solo.run
import teach_agents.benchmarks.tatc.run
import teach_agents.builtins
import teach_agents.cli.main
import teach_agents.core.benchmark.stored
import teach_agents.session  # noqa: F401
from teach_agents import Action, EmbeddedSimulator, Household, Role, Scenario, Scene

_household = Household(EmbeddedSimulator())
_household.reset(Scenario("warm", "Coffee", (), Scene("FloorPlan7")))
_household.act(Role.FOLLOWER, Action("Forward"))
_seen = _household.observe(Role.FOLLOWER).view.rgb
