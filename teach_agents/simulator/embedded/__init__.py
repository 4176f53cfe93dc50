"""The embedded simulator: the 120 iTHOR rooms and TEACh's stored states, without Unity and without a GPU.

The package itself imports nothing: parts of it need each other's modules without the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from teach_agents.simulator.embedded.rooms import ROOM_NAMES
    from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
    from teach_agents.simulator.embedded.solvability import Generated, generate

__all__ = ["ROOM_NAMES", "EmbeddedSimulator", "Generated", "generate"]

_HOMES = {
    "ROOM_NAMES": "rooms",
    "EmbeddedSimulator": "simulator",
    "Generated": "solvability",
    "generate": "solvability",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
