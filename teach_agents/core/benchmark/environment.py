"""What a run is carried out with: versions of Python, of packages that results can depend on, and of plugins."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any

from teach_agents.core.plugins import ENTRY_POINT_GROUP

__all__ = ["environment"]

_PACKAGES = (
    "teach-agents",
    "ai2thor",
    "jinja2",
    "langchain-core",
    "numba",
    "numpy",
    "peft",
    "pillow",
    "pydantic",
    "ray",
    "torch",
    "transformers",
)


def environment() -> dict[str, Any]:
    """The present environment as JSON: no names of machines, people or folders but that of tables which replace ours.

    Packages that are not installed are left out.
    """
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
        "plugins": {
            point.dist.name: point.dist.version for point in entry_points(group=ENTRY_POINT_GROUP) if point.dist
        },
        "tables": os.environ.get("TEACH_AGENTS_TABLES", ""),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
