from __future__ import annotations

from collections.abc import Mapping

import pytest

from teach_agents.core.plugins import Target, hookimpl
from teach_agents.core.registry import Registry, default_registry
from teach_agents.errors import PluginError


class Good:
    @hookimpl
    def tasks(self) -> Mapping[str, Target]:
        return {"mine": "nowhere.yet:path"}


class UnknownHook:
    @hookimpl
    def agnets(self) -> Mapping[str, Target]:
        return {}

    @hookimpl
    def tasks(self) -> Mapping[str, Target]:
        return {"other": "nowhere.yet:path"}


class Raising:
    @hookimpl
    def tasks(self) -> Mapping[str, Target]:
        raise RuntimeError("no disk")


class Leaving:
    @hookimpl
    def tasks(self) -> Mapping[str, Target]:
        raise SystemExit(3)


class NoMapping:
    @hookimpl
    def tasks(self) -> Mapping[str, Target]:
        return ["mine"]  # type: ignore[return-value]  # the mistake under test


class BadName:
    @hookimpl
    def models(self) -> Mapping[str, Target]:
        return {"a:b": dict}


class BadAddress:
    @hookimpl
    def models(self) -> Mapping[str, Target]:
        return {"a": "no colon"}


class BadChair:
    @hookimpl
    def agents(self) -> Mapping[str, Target | Mapping[str, Target]]:
        return {"a": {"at the window": dict}}


class Argument:
    @hookimpl
    def tasks(self, config: object) -> Mapping[str, Target]:
        return {}


@pytest.mark.parametrize(
    ("plugin", "says"),
    [
        (UnknownHook(), "agnets"),
        (Raising(), "hook 'tasks': raised RuntimeError: no disk"),
        (Leaving(), "hook 'tasks': raised SystemExit: 3"),
        (NoMapping(), "must return a mapping"),
        (BadName(), "'a:b' is no name"),
        (object(), "implements no hook; mark functions with @hookimpl"),
        (BadAddress(), "'no colon' is not of the form 'module:attribute'"),
        (BadChair(), "got \\['at the window'\\]"),
        (Argument(), "config"),
        (Good(), "'mine' is already registered by plugin 'good'"),
    ],
)
def test_a_faulty_plugin_is_refused_by_name_and_leaves_nothing_behind(plugin: object, says: str) -> None:
    registry = Registry()
    registry.register(Good(), "good")
    before = {kind: registry.entries(kind) for kind in registry.kinds}
    with pytest.raises(PluginError, match=f"plugin 'faulty'.*{says}"):
        registry.register(plugin, "faulty")
    assert {kind: registry.entries(kind) for kind in registry.kinds} == before
    assert registry.plugins == ("good",)


def test_a_plugin_registers_once() -> None:
    registry = Registry()
    registry.register(Good(), "good")
    with pytest.raises(PluginError, match="plugin 'good'"):
        registry.register(Good(), "good")
    assert registry.plugins == ("good",)
    assert list(registry.entries("task")) == ["mine"]


def test_the_built_ins_come_through_the_same_door() -> None:
    registry = default_registry()
    assert "built-in" in registry.plugins
    assert registry.entry("simulator", "embedded").plugin == "built-in"
    assert registry.entry("agent", "silent").seats == ("commander",)
