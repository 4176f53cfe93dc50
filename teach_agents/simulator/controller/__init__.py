"""AI2-THOR's Python interface without Unity: `Controller` and `Event` over the embedded simulator.

`Controller` is loaded when first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from teach_agents.simulator.controller.controller import Controller
    from teach_agents.simulator.controller.event import Event

__all__ = ["Controller", "Event"]

_HOMES = {"Controller": "controller", "Event": "event"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
