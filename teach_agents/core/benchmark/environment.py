"""What a run is carried out with: versions of Python, of packages that results can depend on, and of plugins."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any

from teach_agents.core.plugins import ENTRY_POINT_GROUP
from teach_agents.core.values import NOTHING

_PACKAGES = (
    "teach-agents",
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


def environment(packages: Iterable[str] = (), variables: Mapping[str, str] = NOTHING) -> dict[str, Any]:
    """The present environment as JSON: no names of machines, people or folders but what `variables` hold.

    Packages that are not installed are left out. `packages` are noted besides those that anything can depend on,
    `variables` are variables of the system's environment, by what they are noted as.
    """
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: found for name in sorted((*_PACKAGES, *packages)) if (found := _version(name))},
        "plugins": {
            point.dist.name: point.dist.version
            for point in entry_points(group=ENTRY_POINT_GROUP)
            if point.dist and point.dist.name != _PACKAGES[0]
        },
        **{name: os.environ.get(variable, "") for name, variable in variables.items()},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
