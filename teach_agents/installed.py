"""What is installed beside our own: the task library with every plugin's tasks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from teach_agents.core.registry import Registry, default_registry
from teach_agents.core.specs import build
from teach_agents.errors import DefinitionError, PluginError
from teach_agents.kinds import TASK
from teach_agents.tasks import TaskLibrary

_OURS = "teach"


def installed_tasks(more: Iterable[str | Path] = (), *, registry: Registry | None = None) -> TaskLibrary:
    """TEACh's 25 tasks, those that plugins register, and those in `more` files and folders.

    Raises `DefinitionError` for definitions in `more` that are wrong or clash in name or id, and `PluginError`, naming
    the plugin, for such definitions of a plugin or one that registers as a task what is no path.
    """
    registry = registry or default_registry()
    library = TaskLibrary.builtin()
    for name, entry in registry.entries("task").items():
        if name != _OURS:
            path = build(TASK, name, registry=registry)
            if not isinstance(path, str | Path):
                problem = f"a plugin must give the path of a definition file or folder, gave {path!r}"
                raise PluginError(f"task {name!r}: {problem}")
            try:
                library = library.extended([Path(path)])
            except DefinitionError as error:
                raise PluginError(f"plugin {entry.plugin!r}, task {name!r}: {error}") from error
    paths = [Path(path) for path in more]
    return library.extended(paths) if paths else library
