"""Agents and sessions over HTTP.

Nothing is served yet: this source root only keeps the package's name and place. The application comes with a later
release and will stand on the public API of `teach_agents` alone.
"""

from __future__ import annotations

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("teach-agents")
