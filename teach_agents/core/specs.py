"""SPEC: one grammar that names anything a user chooses.

| form | meaning |
|---|---|
| `name` | what is registered under that name |
| `name:key=value,...` | the same, with parameters |
| `name:value,key=value,...` | models of every kind only: the first parameter needs no key, as in `hf:FOLDER` |
| `module:Class` | imported; on the command line and in Python only |
| `http://...`, `https://...` | something remote |

Values: `true`, `false`, whole numbers, decimal numbers, anything else is text. Quotes (`"` or `'`, backslash escapes)
make any value text and protect commas and spaces: `lm:prompt="a, b",temperature=0.7`.
"""

from __future__ import annotations

import importlib
import inspect
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

from teach_agents.core.context import GROUND_TRUTH, arguments, is_open, parameters_of
from teach_agents.core.errors import SpecError, TeachAgentsError
from teach_agents.core.plugins import AGENT, CONVENTION, Kind
from teach_agents.core.registry import NAME, Registry, blamed, default_registry, load_target

if TYPE_CHECKING:
    from teach_agents.core.agents.contract import Agent
    from teach_agents.core.benchmark.contract import Benchmark
    from teach_agents.core.world import World


Value = bool | int | float | str

MadeT = TypeVar("MadeT")

_KEY = re.compile(r"[A-Za-z_]\w*")
_KEYED = re.compile(r"\s*[A-Za-z_]\w*\s*=")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
_BARE = re.compile(r"[^,\"']*")
_IMPORT = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_INTEGER = re.compile(r"[+-]?\d+")
_DECIMAL = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")
_WORDS: Mapping[str, bool] = {"true": True, "false": False}
_FORM = "name, name:key=value,..., module:Class or http(s)://..."


class SpecForm(StrEnum):
    """What a SPEC names."""

    REGISTERED = "registered"
    IMPORTED = "imported"
    REMOTE = "remote"


@dataclass(frozen=True, slots=True)
class Spec:
    """A SPEC that was read. `name` is the registered name, the `module:Class`, or the address.

    `value` is the first parameter's where it was given without a key.
    """

    form: SpecForm
    name: str
    parameters: Mapping[str, Value] = field(default_factory=dict)
    value: str | None = None

    def __str__(self) -> str:
        """The SPEC as text that reads back equal."""
        first = [] if self.value is None else [_write(self.value, first=True)]
        written = [*first, *(f"{key}={_write(value)}" for key, value in self.parameters.items())]
        return ":".join((self.name, ",".join(written))) if written else self.name


def _read(text: str) -> Value:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    number = float(text) if _DECIMAL.fullmatch(text) else math.inf
    return number if math.isfinite(number) else text


def _write(value: Value, *, first: bool = False) -> str:
    """A value that reads back equal; the `first` stands without its key."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return repr(value)
    unclear = _KEYED.match(value) if first else _read(value) is not value
    if value and value == value.strip() and not unclear and not re.search(r"[,\"'\\]", value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _value(where: str, text: str, at: int) -> tuple[Value, int]:
    """The value that begins at `at`, and where it ends: at a comma, or with the text."""
    at += len(text[at:]) - len(text[at:].lstrip())
    quoted = _QUOTED.match(text, at)
    if quoted:
        end = quoted.end()
        if text[end : end + 1] not in ("", ","):
            raise SpecError(where, "expected a comma between parameters", value=text[end:])
        return re.sub(r"\\(.)", r"\1", quoted.group()[1:-1], flags=re.DOTALL), end
    bare = _BARE.match(text, at)
    assert bare is not None
    if bare.end() < len(text) and text[bare.end()] != ",":
        raise SpecError(where, "a quote must enclose the whole value and be closed", value=text[at:])
    if not bare.group().strip():
        raise SpecError(where, "a parameter needs a value after '='; write \"\" for empty text", value=text)
    return _read(bare.group().strip()), bare.end()


def _parameters(where: str, text: str) -> dict[str, Value]:
    found: dict[str, Value] = {}
    at = 0
    while True:
        equals = text.find("=", at)
        key = text[at:equals].strip() if equals >= 0 else ""
        if not _KEY.fullmatch(key):
            raise SpecError(where, "expected key=value", value=text[at:], valid=(_FORM,))
        if key in found:
            raise SpecError(where, f"parameter {key!r} is given twice", value=text)
        found[key], at = _value(where, text, equals + 1)
        if at == len(text):
            return found
        at += 1


def _first_value(where: str, text: str) -> tuple[str, str | None]:
    """The value without a key that parameters begin with, as text, and the parameters after it, if any."""
    value, end = _value(where, text, 0)
    return str(value if _QUOTED.match(text.lstrip()) else text[:end].strip()), None if end == len(text) else text[
        end + 1 :
    ]


def parse(text: str, *, where: str = "SPEC", valued: Collection[str] = ()) -> Spec:
    """Read a SPEC; after a name in `valued` the first parameter may stand without its key.

    Raises `SpecError` saying `where` it stands, what is wrong, and the forms there are.
    """
    text = text.strip() if isinstance(text, str) else ""
    if re.match(r"https?://", text):
        if not re.fullmatch(r"https?://[^\s/]+\S*", text):
            raise SpecError(where, "not a usable address", value=text, valid=("http(s)://host[:port][/path]",))
        return Spec(SpecForm.REMOTE, text)
    name, colon, rest = text.partition(":")
    if colon and name in valued and rest and not _KEYED.match(rest):
        first, more = _first_value(where, rest)
        return Spec(SpecForm.REGISTERED, name, {} if more is None else _parameters(where, more), first)
    if colon and "=" not in rest and _IMPORT.fullmatch(text):
        return Spec(SpecForm.IMPORTED, text)
    if not NAME.fullmatch(name):
        raise SpecError(where, "not a SPEC", value=text, valid=(_FORM,))
    return Spec(SpecForm.REGISTERED, name, _parameters(where, rest) if colon else {})


class _Wanted(NamedTuple):
    """What is to be made: of which kind, by which SPEC, where names are looked up, and what it may be handed."""

    kind: Kind[Any]
    spec: Spec
    registry: Registry
    context: Mapping[str, object]
    world: World | None = None

    @property
    def seat(self) -> str | None:
        found = self.context.get("seat")
        return None if found is None else str(found)

    def has(self, name: str) -> bool:
        return name in self.registry.entries(self.kind, self.world)


@overload
def build(
    kind: Kind[MadeT],
    spec: str | Spec,
    *,
    allow_import: bool = ...,
    registry: Registry | None = ...,
    world: World | str | None = ...,
    **context: object,
) -> MadeT: ...
@overload
def build(kind: Literal["agent"], spec: str | Spec, **how: Any) -> Agent: ...
@overload
def build(kind: Literal["benchmark"], spec: str | Spec, **how: Any) -> Benchmark[Any, Any]: ...
@overload
def build(kind: str, spec: str | Spec, **how: Any) -> object: ...
def build(
    kind: Kind[Any] | str,
    spec: str | Spec,
    *,
    allow_import: bool = False,
    registry: Registry | None = None,
    world: World | str | None = None,
    **context: object,
) -> object:
    """Make what a SPEC names, of a kind, which may be given by its name: `build(AGENT, ...)`, `build("agent", ...)`.

    `context` is what there is to hand out, by name, such as `seat` (or `role`, the same): a factory gets what it has
    parameters for, an agent's no more than `teach_agents.core.context` says. The SPEC's own parameters must all be
    known to the factory. `allow_import` admits `module:Class`: the command line passes it, servers do not. An agent's
    name is looked up in its `world` first (`Registry.world`). Agents and hooks remember the SPEC they were made from.

    Raises `SpecError`, of which `MissingParameterError` is one, also for an agent that is not made for its seat, or
    `PluginError` when a plugin's factory cannot be imported, raises, or makes something of the wrong type.
    """
    registry = registry or default_registry()
    kind = registry.kind(kind)
    valued = registry.entries(kind) if kind.valued else ()
    parsed = parse(spec, where=f"{kind.name} SPEC", valued=valued) if isinstance(spec, str) else spec
    if seats := {context[name] for name in ("seat", "role") if name in context}:
        context |= dict.fromkeys(("seat", "role"), seats.pop())
    there = registry.world(world) if kind == AGENT else None
    if there is not None and "world" not in parsed.parameters:
        context |= {"world": there}
    wanted = _Wanted(kind, parsed, registry, {**context, "allow_import": allow_import}, there)
    made = _checked(kind, str(parsed), _MAKERS[parsed.form](wanted))
    made_for, seat = getattr(made, "seats", None) if kind == AGENT else None, context.get("seat")
    if made_for is not None and seat is not None and seat not in made_for:
        raise SpecError(f"agent {str(parsed)!r}", "is not made for this seat", value=str(seat), valid=made_for)
    return made


def _make_remote(wanted: _Wanted) -> object:
    kind, spec = wanted.kind.name, wanted.spec
    if not wanted.has("remote"):
        problem = f"this {kind} is remote, and no plugin here registers a {kind} named 'remote' that could reach it"
        raise SpecError(f"{kind} SPEC", problem, value=spec.name, valid=wanted.registry.entries(kind))
    return _make_registered(wanted._replace(spec=Spec(SpecForm.REGISTERED, "remote", {"url": spec.name})))


def _make_registered(wanted: _Wanted) -> object:
    spec = wanted.spec
    entry = wanted.registry.entry(wanted.kind, spec.name, wanted.world)
    factory, where = entry.factory(wanted.seat), f"{entry.kind} {spec.name!r}"
    return _call(wanted, where, f"plugin {entry.plugin!r}, {where}", factory, _with_first(where, factory, spec))


def _make_imported(wanted: _Wanted) -> object:
    kind, spec = wanted.kind.name, wanted.spec
    where = f"{kind} SPEC"
    if not wanted.context["allow_import"]:
        name = spec.name.partition(":")[0]
        problem = "module:Class is only allowed on the command line; parameters are written name:key=value"
        raise SpecError(where, problem, value=spec.name, valid=[name] if wanted.has(name) else ())
    module, _, path = spec.name.partition(":")
    try:
        found: object = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # a user's module can raise anything when imported
        raise SpecError(
            where, f"cannot import module {module!r}: {type(error).__name__}: {error}", value=spec.name
        ) from error
    for part in path.split("."):
        if not hasattr(found, part):
            public = [name for name in dir(found) if not name.startswith("_")]
            raise SpecError(where, f"module {module!r} has no such attribute", value=path, valid=public)
        found = getattr(found, part)
    return _instance(wanted, found)


def _instance(wanted: _Wanted, found: object) -> object:
    """A class is instantiated; an agent may also be a plain function or an instance; other functions are factories.

    A class that is written to somebody else's calling convention makes an agent too.
    """
    if not callable(found) or (wanted.kind == AGENT and not inspect.isclass(found)):
        return found
    if wanted.kind == AGENT:
        shown = {name: value for name, value in wanted.context.items() if is_open(name, value)}
        for entry in wanted.registry.entries(CONVENTION).values():
            if (adopted := entry.factory()(found, shown)) is not None:
                return adopted
    name = wanted.spec.name
    return _call(wanted, name, f"{wanted.kind.name} {name!r}", found, {})


def _with_first(where: str, factory: Callable[..., object], spec: Spec) -> Mapping[str, Value]:
    """The parameters, that without a key under the name of the factory's first."""
    if spec.value is None:
        return spec.parameters
    first = next(iter(parameters_of(factory) or ()), None)
    if first is None:
        raise SpecError(where, "takes no value without a key", value=spec.value)
    if first in spec.parameters:
        raise SpecError(where, f"parameter {first!r} is given twice", value=str(spec))
    return {first: spec.value, **spec.parameters}


def _call(
    wanted: _Wanted, where: str, origin: str, factory: Callable[..., object], parameters: Mapping[str, Value]
) -> object:
    given, handed = arguments(where, factory, parameters, wanted.context, guarded=wanted.kind.guarded)
    with blamed(f"{origin}: could not be made:", TeachAgentsError):
        made = factory(**given)
    if handed and GROUND_TRUTH not in getattr(made, "privileges", ()):
        problem = f"is handed what nobody in this seat may know: its privileges must say {GROUND_TRUTH!r}"
        raise SpecError(where, problem, value=sorted(handed))
    if handed:
        made.handed = tuple(sorted(handed))  # type: ignore[attr-defined]  # an agent, which cannot go back on it
    return made


def _checked(kind: Kind[Any], spec: str, made: object) -> object:
    if not kind.contract:
        return made
    contract = load_target(kind.contract, f"kind {kind.name!r}")
    is_one = isinstance(made, contract)  # type: ignore[arg-type]  # a class, or isinstance says so
    if kind.adapt and (is_one or (callable(made) and not inspect.isclass(made))):
        made, is_one = load_target(kind.adapt, f"kind {kind.name!r}")(made), True
    if not is_one:
        raise SpecError(f"{kind.name} {spec!r}", f"must make what {kind.contract} describes, made {made!r}")
    if kind.stamped and not getattr(made, "spec", ""):
        made.spec = spec  # type: ignore[attr-defined]  # whatever is stamped has one
    return made


_Maker = Callable[[_Wanted], object]
_MAKERS: Mapping[SpecForm, _Maker] = {
    SpecForm.REGISTERED: _make_registered,
    SpecForm.IMPORTED: _make_imported,
    SpecForm.REMOTE: _make_remote,
}
