"""What is registered: built-ins and plugins by kind and name, checked when they come in."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, cast

import pluggy

from teach_agents.core.context import parameters_of
from teach_agents.core.errors import PluginError, SpecError
from teach_agents.core.plugins import AGENT, CORE_KINDS, ENTRY_POINT_GROUP, WORLD, Kind, Target

if TYPE_CHECKING:
    from teach_agents.core.world import World

__all__ = ["BUILT_IN", "NAME", "Entry", "Registry", "default_registry", "load_target", "parameters_of"]

BUILT_IN = "built-in"
"""The entry point of what comes with the package."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""What a registered name looks like; seats look the same."""

_ADDRESS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_hookspec = pluggy.HookspecMarker(ENTRY_POINT_GROUP)


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered name: its kind, the plugin it came from, where its factory is, and the world whose own it is."""

    kind: str
    name: str
    plugin: str
    target: Target | Mapping[str, Target]
    world: str = ""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that it is for; empty for any."""
        return tuple(self.target) if isinstance(self.target, Mapping) else ()

    def factory(self, seat: str | None = None) -> Callable[..., object]:
        """The callable that makes it, imported now if need be.

        Raises `SpecError` for a seat it cannot take and `PluginError` when it cannot be imported.
        """
        target = self.target
        if isinstance(target, Mapping):
            if seat is None or seat not in target:
                raise SpecError(
                    "seat", f"the {self.kind} {self.name!r} needs a seat it can take", value=seat, valid=target
                )
            target = target[seat]
        if isinstance(target, str):
            return load_target(target, f"plugin {self.plugin!r}, {self.kind} {self.name!r}")
        return target


@contextmanager
def blamed(failed: str, *passed_on: type[Exception]) -> Iterator[None]:
    """Whatever a plugin raises, or its import that tries to leave, as a `PluginError` that says what `failed`.

    What is `passed_on` stays as it is.
    """
    try:
        yield
    except passed_on:
        raise
    except (Exception, SystemExit) as error:
        raise PluginError(f"{failed} {type(error).__name__}: {error}") from error


def load_target(address: str, where: str) -> Callable[..., object]:
    """Import `module:attribute`. Raises `PluginError` saying `where` the address came from and why it failed."""
    module, _, path = address.partition(":")
    with blamed(f"{where}: cannot import {address!r}:"):
        found: object = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    if not callable(found):
        raise PluginError(f"{where}: {address!r} is not callable but {found!r}")
    return cast(Callable[..., object], found)


def _check_target(target: object) -> str | None:
    if isinstance(target, str):
        return None if _ADDRESS.fullmatch(target) else f"the address {target!r} is not of the form 'module:attribute'"
    return None if callable(target) else f"{target!r} is neither callable nor an address 'module:attribute'"


def _check(kind: Kind[Any], name: object, target: object) -> str | None:
    """What is wrong with one registration, or `None`."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return f"{name!r} is no name (letters, digits, '_', '-', '.')"
    if not kind.seated or not isinstance(target, Mapping):
        return _check_target(target)
    wrong = [seat for seat in target if not isinstance(seat, str) or not NAME.fullmatch(seat)]
    if wrong or not target:
        return f"seats are names, and there must be one; got {wrong!r}"
    return next((problem for one in target.values() if (problem := _check_target(one))), None)


class Registry:
    """Names by kind. Plugins are checked at registration; one that fails is not registered in part.

    It knows the kinds that it is given, by default those of `default_registry`; plugins may declare more.
    """

    def __init__(self, kinds: Iterable[Kind[Any]] | None = None) -> None:
        self._manager = pluggy.PluginManager(ENTRY_POINT_GROUP)
        self._kinds: dict[str, Kind[Any]] = {}
        self._entries: dict[str, dict[str, Entry]] = {}
        self._problems: dict[str, PluginError] = {}
        self._specify("kinds")
        for kind in default_registry().kinds.values() if kinds is None else kinds:
            self._declare(kind)

    @property
    def kinds(self) -> Mapping[str, Kind[Any]]:
        """What can be registered, by name."""
        return dict(self._kinds)

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
        before = dict(self._kinds)
        try:
            for kind in self._kinds_of(plugin, name):
                self._declare(kind)
            self._manager.register(plugin, name=name)
            self._manager.check_pending()
            new = self._collect(plugin, name)
        except (pluggy.PluginValidationError, ValueError, PluginError) as error:
            self._remove(plugin, name, before)
            if isinstance(error, PluginError):
                raise
            raise PluginError(f"plugin {name!r}: {' '.join(str(error).split())}") from error
        for entry in new:
            self._entries[entry.kind][entry.name] = entry

    def discover(self) -> None:
        """Register every installed package's entry point of our group: our own first, then who declares kinds.

        A plugin that fails is kept in `problems`, so that the others go on working; asking for a name that nobody
        registered raises its error.
        """
        points = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name != BUILT_IN, point.name))
        loaded = {}
        for point in points:
            with self._noting(point.name), blamed(f"plugin {point.name!r} ({point.value}) cannot be imported:"):
                loaded[point.name] = point.load()
        if all(point.name != BUILT_IN for point in points):
            problem = "is not installed: the package's metadata are older than its code; install it again"
            self._problems[BUILT_IN] = PluginError(f"plugin {BUILT_IN!r} {problem}")
        for name, plugin in sorted(loaded.items(), key=lambda one: not _declares_kinds(one[1])):
            with self._noting(name):
                self.register(plugin, name)

    def kind(self, kind: str | Kind[Any]) -> Kind[Any]:
        """A kind that can be registered here. Raises `SpecError` for any other."""
        name = kind if isinstance(kind, str) else kind.name
        if name not in self._kinds:
            raise SpecError("kind", "nothing of this kind can be registered", value=name, valid=self._kinds)
        return self._kinds[name]

    def world(self, world: World | str | None = None) -> World | None:
        """A world, by its name too; where none is stated, the one that was registered first: the package's own."""
        if world is None:
            world = next(iter(self._entries.get(WORLD.name, ())), None)
        return cast("World | None", self.entry(WORLD, world).factory()() if isinstance(world, str) else world)

    def entries(self, kind: str | Kind[Any], world: World | str | None = None) -> Mapping[str, Entry]:
        """Everything of one kind by name, sorted; of two agents of one name that of the `world`.

        Raises `SpecError` for an unknown kind.
        """
        kind = self.kind(kind)
        found = dict(self._entries[kind.name])
        if kind == AGENT and (there := self.world(world)) is not None:
            found |= self._own_agents(there)
        return dict(sorted(found.items()))

    def _own_agents(self, world: World) -> dict[str, Entry]:
        of = world.codec.world
        known = self._entries[WORLD.name].get(of)
        plugin = of if known is None else known.plugin
        return {name: Entry(AGENT.name, name, plugin, target, of) for name, target in world.agents.items()}

    def everything(self) -> list[Entry]:
        """All entries, by kind and name; the agents of every world. `problems` keeps why a world could not be made."""
        found = {kind: [*entries.values()] for kind, entries in self._entries.items()}
        for name in self._entries.get(WORLD.name, ()):
            with self._noting(name):
                found[AGENT.name] += self._own_agents(cast("World", self.world(name))).values()
        return [one for entries in found.values() for one in sorted(entries, key=lambda one: (one.name, one.world))]

    def entry(self, kind: str | Kind[Any], name: str, world: World | str | None = None) -> Entry:
        """One registered name. Raises `SpecError` with the near ones, or the error of a plugin that failed to load."""
        entries, what = self.entries(kind, world), self.kind(kind).name
        if name in entries:
            return entries[name]
        unknown = SpecError(f"{what} SPEC", f"no {what} of this name is registered", value=name, valid=entries)
        if self._problems:
            failed = "; ".join(str(problem) for problem in self._problems.values())
            raise PluginError(f"{unknown}; or it belongs to a plugin that failed to load: {failed}") from unknown
        raise unknown

    @contextmanager
    def _noting(self, name: str) -> Iterator[None]:
        """Keep what is wrong with a plugin."""
        try:
            yield
        except PluginError as error:
            self._problems[name] = error

    def _specify(self, hook: str) -> None:
        def listed(self: object) -> object:
            """A hook takes nothing, and answers with what there is."""

        self._manager.add_hookspecs(type("Hooks", (), {hook: _hookspec(listed)}))

    def _kinds_of(self, plugin: object, name: str) -> list[Kind[Any]]:
        """The kinds that a plugin declares."""
        if not _declares_kinds(plugin):
            return []
        with blamed(f"plugin {name!r}, hook 'kinds': raised"):
            declared = list(plugin.kinds())  # type: ignore[attr-defined]  # it has
        for kind in declared:
            if not isinstance(kind, Kind):
                raise PluginError(f"plugin {name!r}, hook 'kinds': {kind!r} is no Kind")
            others = (one.hook for one in self._kinds.values() if one.name != kind.name)
            if self._kinds.get(kind.name, kind) != kind or kind.hook in ("kinds", *others):
                raise PluginError(f"plugin {name!r}, hook 'kinds': there is a kind or hook like {kind!r} already")
        return declared

    def _declare(self, kind: Kind[Any]) -> None:
        if kind.name not in self._kinds:
            self._specify(kind.hook)
            self._kinds[kind.name] = kind
            self._entries[kind.name] = {}

    def _remove(self, plugin: object, name: str, kinds: Mapping[str, Kind[Any]]) -> None:
        if self._manager.get_plugin(name) is plugin:
            self._manager.unregister(plugin)
        for kind in [one for one in self._kinds.values() if one.name not in kinds]:
            delattr(self._manager.hook, kind.hook)
            del self._kinds[kind.name], self._entries[kind.name]

    def _collect(self, plugin: object, name: str) -> list[Entry]:
        kinds = {kind.hook: kind for kind in self._kinds.values()}
        callers = self._manager.get_hookcallers(plugin)
        if not callers:
            hooks = ", ".join(kinds)
            raise PluginError(f"plugin {name!r}: implements no hook; mark functions with @hookimpl (hooks: {hooks})")
        return [
            entry
            for caller in callers
            for implementation in caller.get_hookimpls()
            if implementation.plugin is plugin and caller.name in kinds
            for entry in self._call(kinds[caller.name], name, implementation.function)
        ]

    def _call(self, kind: Kind[Any], plugin: str, function: Callable[..., object]) -> list[Entry]:
        where = f"plugin {plugin!r}, hook {kind.hook!r}"
        with blamed(f"{where}: raised"):
            given = function()
        if not isinstance(given, Mapping):
            raise PluginError(f"{where}: must return a mapping from names to factories, got {given!r}")
        for name, target in given.items():
            if problem := _check(kind, name, target):
                raise PluginError(f"{where}: {problem}")
            if taken := self._entries[kind.name].get(name):
                raise PluginError(f"{where}: the name {name!r} is already registered by plugin {taken.plugin!r}")
        return [Entry(kind.name, name, plugin, target) for name, target in given.items()]


def _declares_kinds(plugin: object) -> bool:
    return hasattr(getattr(plugin, "kinds", None), f"{ENTRY_POINT_GROUP}_impl")


@functools.cache
def default_registry() -> Registry:
    """What comes with the package and every installed plugin; made once per process."""
    registry = Registry(CORE_KINDS)
    registry.discover()
    return registry
