"""Tasks that plugins register, and definitions a user adds, are tasks like any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from teach_agents import builtins
from teach_agents.benchmarks.tatc.instances import generated_instances
from teach_agents.core.plugins import hookimpl
from teach_agents.core.registry import Registry
from teach_agents.errors import InputError, PluginError
from teach_agents.installed import installed_tasks
from teach_agents.tasks import FREE_PLAY, TaskLibrary, builtin_folder


class _Wrong:
    """A plugin whose task is no path."""

    @hookimpl
    def tasks(self) -> dict[str, Callable[[], object]]:
        return {"wrong": lambda: 5}


def _registry(plugin: object) -> Registry:
    registry = Registry()
    registry.register(builtins, "built-in")
    registry.register(plugin, "theirs")
    return registry


class _Right:
    """A plugin with a folder of one task."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @hookimpl
    def tasks(self) -> dict[str, Callable[[], object]]:
        return {"right": lambda: self._folder}


def _second_coffee(folder: Path) -> Path:
    text = (builtin_folder() / "102__coffee.json").read_text()
    changed = text.replace('"Coffee"', '"Second Coffee"').replace("102", "9102")
    (folder / "9102__second_coffee.json").write_text(changed)
    return folder


def test_a_plugins_task_joins_teachs(tmp_path: Path) -> None:
    names = installed_tasks(registry=_registry(_Right(_second_coffee(tmp_path)))).names
    assert names == [*TaskLibrary.builtin().names, FREE_PLAY, "Second Coffee"]


def test_a_plugin_whose_definitions_are_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="plugin 'theirs', task 'right'.*nowhere: does not exist"):
        installed_tasks(registry=_registry(_Right(tmp_path / "nowhere")))
    (tmp_path / "a.json").write_text((builtin_folder() / "102__coffee.json").read_text())
    with pytest.raises(PluginError, match="plugin 'theirs', task 'right'.*already that of 'Coffee'"):
        installed_tasks(registry=_registry(_Right(tmp_path)))


def test_a_plugin_that_gives_no_path_is_named() -> None:
    with pytest.raises(PluginError, match="task 'wrong'"):
        installed_tasks(registry=_registry(_Wrong()))


def test_added_definitions_can_be_generated(tmp_path: Path) -> None:
    library = installed_tasks([_second_coffee(tmp_path)])
    (instance,) = generated_instances(1, tasks=["Second Coffee"], rooms=["FloorPlan3"], library=library)
    assert instance.task_name == "Second Coffee"
    with pytest.raises(InputError, match="unknown task"):
        generated_instances(1, tasks=["Second Coffee"])


def test_free_play_asks_for_nothing_and_is_never_done() -> None:
    progress = installed_tasks().task(FREE_PLAY).check([])
    assert (progress.success, progress.goal_conditions_total, progress.subgoals) == (False, 0, ())
