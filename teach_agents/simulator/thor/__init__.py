"""`ThorSimulator`: Unity's AI2-THOR, or anything that the `ai2thor` package can start, as a `Simulator`.

Needs the extra `thor`. The package itself is imported when the first scene is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from teach_agents.simulator.thor.simulator import ThorSimulator

__all__ = ["ThorSimulator"]


def __getattr__(name: str) -> object:
    if name == "ThorSimulator":
        from teach_agents.simulator.thor.simulator import ThorSimulator

        return ThorSimulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
