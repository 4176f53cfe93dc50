"""What is registered: built-ins and plugins by kind and name, checked when they come in."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import cast

import pluggy

from teach_agents.core.errors import PluginError, SpecError
from teach_agents.core.plugins import ENTRY_POINT_GROUP, HookSpecs, Target

__all__ = ["KINDS", "NAME", "Entry", "Registry", "default_registry", "load_target"]

KINDS: Mapping[str, str] = {
    "agent": "agents",
    "simulator": "simulators",
    "task": "tasks",
    "benchmark": "benchmarks",
    "model": "models",
    "dialogue_hook": "dialogue_hooks",
    "vision_encoder": "vision_encoders",
    "detector": "detectors",
    "depth_estimator": "depth_estimators",
    "text_encoder": "text_encoders",
}
"""What can be registered, and the hook that registers it."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""What a registered name looks like."""

_ADDRESS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_ROLES = ("commander", "follower")


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered name: its kind, the plugin it came from, and where its factory is."""

    kind: str
    name: str
    plugin: str
    target: Target | Mapping[str, Target]

    @property
    def roles(self) -> tuple[str, ...]:
        """The chairs an agent can take; empty for other kinds."""
        if self.kind != "agent":
            return ()
        return tuple(self.target) if isinstance(self.target, Mapping) else _ROLES

    def factory(self, role: str | None = None) -> Callable[..., object]:
        """The callable that makes it, imported now if need be.

        Raises `SpecError` for a chair it cannot take and `PluginError` when it cannot be imported.
        """
        target = self.target
        if isinstance(target, Mapping):
            if role is None or role not in target:
                problem = f"the agent {self.name!r} needs a chair it can take"
                raise SpecError("role", problem, value=role, valid=tuple(target))
            target = target[role]
        if isinstance(target, str):
            return load_target(target, f"plugin {self.plugin!r}, {self.kind} {self.name!r}")
        return target


def load_target(address: str, where: str) -> Callable[..., object]:
    """Import `module:attribute`. Raises `PluginError` saying `where` the address came from and why it failed."""
    module, _, path = address.partition(":")
    try:
        found: object = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # a plugin's import can raise anything, and even try to leave
        raise PluginError(f"{where}: cannot import {address!r}: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise PluginError(f"{where}: {address!r} is not callable but {found!r}")
    return cast(Callable[..., object], found)


def _check_target(target: object) -> str | None:
    if isinstance(target, str):
        if not _ADDRESS.fullmatch(target):
            return f"the address {target!r} is not of the form 'module:attribute'"
        return None
    return None if callable(target) else f"{target!r} is neither callable nor an address 'module:attribute'"


def _check(kind: str, name: object, target: object) -> str | None:
    """What is wrong with one registration, or `None`."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return f"{name!r} is no name (letters, digits, '_', '-', '.')"
    if kind != "agent" or not isinstance(target, Mapping):
        return _check_target(target)
    wrong = [role for role in target if role not in _ROLES]
    if wrong or not target:
        return f"the chairs are {_ROLES}, got {wrong!r}"
    return next((problem for one in target.values() if (problem := _check_target(one))), None)


class Registry:
    """Names by kind. Plugins are checked at registration; one that fails is not registered in part."""

    def __init__(self) -> None:
        self._manager = pluggy.PluginManager(ENTRY_POINT_GROUP)
        self._manager.add_hookspecs(HookSpecs)
        self._entries: dict[str, dict[str, Entry]] = {kind: {} for kind in KINDS}
        self._problems: dict[str, PluginError] = {}

    @property
    def problems(self) -> Mapping[str, PluginError]:
        """Installed plugins that could not be loaded, and why."""
        return dict(self._problems)

    @property
    def plugins(self) -> tuple[str, ...]:
        """The registered plugins, in order of registration."""
        return tuple(name for name, _ in self._manager.list_name_plugin())

    def register(self, plugin: object, name: str | None = None) -> None:
        """Register a module or object with `@hookimpl` functions.

        Raises `PluginError` naming the plugin when it has no hook, for a hook that nobody declared, a hook that raises
        or returns something else than a mapping from names to factories, a name that is already taken, or a second
        registration.
        """
        name = name or getattr(plugin, "__name__", None) or type(plugin).__name__
        try:
            self._manager.register(plugin, name=name)
            self._manager.check_pending()
            new = self._collect(plugin, name)
        except (pluggy.PluginValidationError, ValueError) as error:
            self._remove(plugin, name)
            raise PluginError(f"plugin {name!r}: {' '.join(str(error).split())}") from error
        except PluginError:
            self._remove(plugin, name)
            raise
        for entry in new:
            self._entries[entry.kind][entry.name] = entry

    def discover(self) -> None:
        """Register every installed package's entry point of our group.

        A plugin that fails is kept in `problems`, so that the others go on working; asking for a name that nobody
        registered raises its error.
        """
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
            try:
                self.register(self._load(point), point.name)
            except PluginError as error:
                self._problems[point.name] = error

    def entries(self, kind: str) -> Mapping[str, Entry]:
        """Everything of one kind by name, sorted. Raises `SpecError` for an unknown kind."""
        if kind not in KINDS:
            raise SpecError("kind", "nothing of this kind can be registered", value=kind, valid=KINDS)
        return dict(sorted(self._entries[kind].items()))

    def entry(self, kind: str, name: str) -> Entry:
        """One registered name. Raises `SpecError` with the near ones, or the error of a plugin that failed to load."""
        entries = self.entries(kind)
        if name in entries:
            return entries[name]
        try:
            raise SpecError(f"{kind} SPEC", f"no {kind} of this name is registered", value=name, valid=entries)
        except SpecError as unknown:
            if self._problems:
                failed = "; ".join(str(problem) for problem in self._problems.values())
                raise PluginError(f"{unknown}; or it belongs to a plugin that failed to load: {failed}") from unknown
            raise

    def _load(self, point: EntryPoint) -> object:
        try:
            return point.load()
        except (Exception, SystemExit) as error:  # a plugin's import can raise anything, and even try to leave
            why = f"{type(error).__name__}: {error}"
            raise PluginError(f"plugin {point.name!r} ({point.value}) cannot be imported: {why}") from error

    def _remove(self, plugin: object, name: str) -> None:
        if self._manager.get_plugin(name) is plugin:
            self._manager.unregister(plugin)

    def _collect(self, plugin: object, name: str) -> list[Entry]:
        kinds = {hook: kind for kind, hook in KINDS.items()}
        callers = self._manager.get_hookcallers(plugin)
        if not callers:
            hooks = ", ".join(KINDS.values())
            raise PluginError(f"plugin {name!r}: implements no hook; mark functions with @hookimpl (hooks: {hooks})")
        new = []
        for caller in callers:
            for implementation in caller.get_hookimpls():
                if implementation.plugin is plugin:
                    new += self._call(kinds[caller.name], name, implementation.function)
        return new

    def _call(self, kind: str, plugin: str, function: Callable[..., object]) -> list[Entry]:
        where = f"plugin {plugin!r}, hook {KINDS[kind]!r}"
        try:
            given = function()
        except (Exception, SystemExit) as error:  # a plugin's hook can raise anything
            raise PluginError(f"{where}: raised {type(error).__name__}: {error}") from error
        if not isinstance(given, Mapping):
            raise PluginError(f"{where}: must return a mapping from names to factories, got {given!r}")
        for name, target in given.items():
            if problem := _check(kind, name, target):
                raise PluginError(f"{where}: {problem}")
            if taken := self._entries[kind].get(name):
                raise PluginError(f"{where}: the name {name!r} is already registered by plugin {taken.plugin!r}")
        return [Entry(kind, name, plugin, target) for name, target in given.items()]


def parameters_of(factory: Callable[..., object]) -> Mapping[str, inspect.Parameter] | None:
    """The factory's parameters by name, or `None` when it does not say (or takes any)."""
    try:
        found = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return None
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in found.values())
    return None if takes_any else found


@functools.cache
def default_registry() -> Registry:
    """The built-ins and every installed plugin; made once per process."""
    from teach_agents import builtins

    registry = Registry()
    registry.register(builtins, "built-in")
    registry.discover()
    return registry
