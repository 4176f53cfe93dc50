"""`python -m teach_agents.simulator.double`."""

from __future__ import annotations

from teach_agents.simulator.double.process import main

main()
