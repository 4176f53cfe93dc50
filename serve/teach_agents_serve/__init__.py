"""Agents over HTTP (extra `serve`).

`create_app` makes an application for any ASGI server, `teach-agents serve` runs it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from teach_agents.errors import MissingExtraError

__all__ = ["Limits", "__version__", "create_app"]

__version__ = version("teach-agents")


def __getattr__(name: str) -> Any:
    if name == "Limits":
        from teach_agents_serve.limits import Limits

        return Limits
    if name == "create_app":
        try:
            from teach_agents_serve.app import create_app
        except ModuleNotFoundError as missing:
            raise MissingExtraError(missing.name or "fastapi", "serve") from missing
        return create_app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
