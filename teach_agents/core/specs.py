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
import keyword
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from teach_agents.core.errors import PluginError, SpecError, TeachAgentsError
from teach_agents.core.registry import NAME, Entry, Registry, default_registry, load_target, parameters_of

__all__ = ["Spec", "SpecForm", "Value", "build", "parse"]

Value = bool | int | float | str

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
        first = [] if self.value is None else [_write_first(self.value)]
        written = [*first, *(f"{key}={_write(value)}" for key, value in self.parameters.items())]
        return ":".join((self.name, ",".join(written))) if written else self.name


def _read(text: str) -> Value:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    number = float(text) if _DECIMAL.fullmatch(text) else math.inf
    return number if math.isfinite(number) else text


def _write(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return repr(value)
    plain = _read(value) is value and value == value.strip() and value and not re.search(r"[,\"'\\]", value)
    return value if plain else _quoted(value)


def _write_first(value: str) -> str:
    plain = value == value.strip() and value and not re.search(r"[,\"'\\]", value) and not _KEYED.match(value)
    return value if plain else _quoted(value)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _value(where: str, text: str, at: int) -> tuple[Value, int]:
    """The value that begins at `at`, and where it ends."""
    at += len(text[at:]) - len(text[at:].lstrip())
    quoted = _QUOTED.match(text, at)
    if quoted:
        return re.sub(r"\\(.)", r"\1", quoted.group()[1:-1], flags=re.DOTALL), quoted.end()
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
        if text[at] != ",":
            raise SpecError(where, "expected a comma between parameters", value=text[at:])
        at += 1


def _first_value(where: str, text: str) -> tuple[str, str | None]:
    """The value without a key that parameters begin with, as text, and the parameters after it, if any."""
    value, end = _value(where, text, 0)
    found = value if _QUOTED.match(text.lstrip()) else text[:end].strip()
    if end == len(text):
        return str(found), None
    if text[end] != ",":
        raise SpecError(where, "expected a comma between parameters", value=text[end:])
    return str(found), text[end + 1 :]


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
    if not colon:
        return Spec(SpecForm.REGISTERED, name)
    return Spec(SpecForm.REGISTERED, name, _parameters(where, rest))


_VALUED = frozenset({"model", "vision_encoder", "detector", "depth_estimator", "text_encoder"})
"""Kinds of things that one value says most of: which model it is."""

_CONTRACTS: Mapping[str, str] = {
    "agent": "teach_agents.core.agents.contract:Agent",
    "simulator": "teach_agents.simulator.contract:Simulator",
    "benchmark": "teach_agents.core.benchmark.contract:Benchmark",
    "model": "teach_agents.models.contract:LanguageModel",
    "dialogue_hook": "teach_agents.core.session.hooks:DialogueHook",
    "vision_encoder": "teach_agents.models.vision.contract:VisionEncoder",
    "detector": "teach_agents.models.vision.detection:Detector",
    "depth_estimator": "teach_agents.models.vision.depth:DepthEstimator",
    "text_encoder": "teach_agents.models.text.contract:TextEncoder",
}
_ADOPTING = "teach_agents.conventions.adopting:adopted"


def build(
    kind: str, spec: str | Spec, *, allow_import: bool = False, registry: Registry | None = None, **context: object
) -> object:
    """Make what a SPEC names: an `agent`, `simulator`, `task` (its path), `benchmark`, `model`, `dialogue_hook`,
    `vision_encoder`, `detector`, `depth_estimator` or `text_encoder`.

    `context` (such as `role` or `library`, and `allow_import` itself) is handed to factories that have a parameter of
    that name; the SPEC's own parameters must all be known to the factory. `allow_import` admits `module:Class`: the
    command line passes it, servers do not. Agents and hooks remember the SPEC they were made from. Raises `SpecError`,
    or `PluginError` when a plugin's factory cannot be imported, raises, or makes something of the wrong type.
    """
    registry = registry or default_registry()
    registry.entries(kind)
    where = f"{kind} SPEC"
    valued = registry.entries(kind) if kind in _VALUED else ()
    parsed = parse(spec, where=where, valued=valued) if isinstance(spec, str) else spec
    made = _MAKERS[parsed.form](kind, parsed, registry, {**context, "allow_import": allow_import})
    return _checked(kind, str(parsed), made)


def _make_registered(kind: str, spec: Spec, registry: Registry, context: Mapping[str, object]) -> object:
    entry = registry.entry(kind, spec.name)
    return _make(entry, spec, context)


def _make_remote(kind: str, spec: Spec, registry: Registry, context: Mapping[str, object]) -> object:
    if "remote" not in registry.entries(kind):
        problem = f"this {kind} is remote, and no plugin here registers a {kind} named 'remote' that could reach it"
        raise SpecError(f"{kind} SPEC", problem, value=spec.name, valid=registry.entries(kind))
    return _make(registry.entry(kind, "remote"), Spec(SpecForm.REGISTERED, "remote", {"url": spec.name}), context)


def _make(entry: Entry, spec: Spec, context: Mapping[str, object]) -> object:
    role = context.get("role")
    factory = entry.factory(None if role is None else str(role))
    where = f"{entry.kind} {spec.name!r}"
    arguments = _arguments(where, factory, _with_first(where, factory, spec), context)
    return _call(f"plugin {entry.plugin!r}, {entry.kind} {spec.name!r}", factory, arguments)


def _make_imported(kind: str, spec: Spec, registry: Registry, context: Mapping[str, object]) -> object:
    where = f"{kind} SPEC"
    if not context.get("allow_import"):
        name = spec.name.partition(":")[0]
        problem = "module:Class is only allowed on the command line; parameters are written name:key=value"
        raise SpecError(where, problem, value=spec.name, valid=[name] if name in registry.entries(kind) else ())
    module, _, path = spec.name.partition(":")
    try:
        found: object = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # a user's module can raise anything when imported
        why = f"cannot import module {module!r}: {type(error).__name__}: {error}"
        raise SpecError(where, why, value=spec.name) from error
    for part in path.split("."):
        if not hasattr(found, part):
            public = [name for name in dir(found) if not name.startswith("_")]
            raise SpecError(where, f"module {module!r} has no such attribute", value=path, valid=public)
        found = getattr(found, part)
    return _instance(kind, spec, found, context)


def _instance(kind: str, spec: Spec, found: object, context: Mapping[str, object]) -> object:
    """A class is instantiated; an agent may also be a plain function or an instance; other functions are factories.

    A class that is written to somebody else's calling convention makes an agent too.
    """
    if not callable(found) or (kind == "agent" and not inspect.isclass(found)):
        return found
    if kind == "agent" and (adopted := load_target(_ADOPTING, "teach_agents")(found, context)) is not None:
        return adopted
    return _call(f"{kind} {spec.name!r}", found, _arguments(spec.name, found, {}, context))


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


def _arguments(
    where: str, factory: Callable[..., object], parameters: Mapping[str, Value], context: Mapping[str, object]
) -> dict[str, object]:
    found = parameters_of(factory)
    if found is None:
        return {**parameters}
    known = {_as_written(name): one for name, one in found.items()}
    for key in parameters:
        if key not in known or key in context:
            raise SpecError(
                where, "unknown parameter", value=key, valid=[name for name in known if name not in context]
            )
    needed = [
        name
        for name, one in known.items()
        if one.default is one.empty
        and one.kind is not one.VAR_POSITIONAL
        and name not in parameters
        and name not in context
    ]
    if needed:
        raise SpecError(where, f"needs the parameter {needed[0]!r}", valid=[f"{where}:{needed[0]}=..."])
    given = {**{key: value for key, value in context.items() if key in known}, **parameters}
    return {known[key].name: value for key, value in given.items()}


def _as_written(name: str) -> str:
    """A parameter's name in a SPEC: Python's `class_` is written `class`."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _call(where: str, factory: Callable[..., object], arguments: Mapping[str, object]) -> object:
    try:
        return factory(**arguments)
    except TeachAgentsError:
        raise
    except (Exception, SystemExit) as error:  # a plugin's factory can raise anything
        raise PluginError(f"{where}: could not be made: {type(error).__name__}: {error}") from error


def _checked(kind: str, spec: str, made: object) -> object:
    address = _CONTRACTS.get(kind)
    if address is None:
        return made
    contract = load_target(address, "teach_agents")
    assert inspect.isclass(contract)
    if kind == "agent" and (isinstance(made, contract) or (callable(made) and not inspect.isclass(made))):
        made = load_target("teach_agents.core.agents.contract:as_agent", "teach_agents")(made)
    if not isinstance(made, contract):
        problem = f"must make what {address} describes, made {made!r}"
        raise SpecError(f"{kind} {spec!r}", problem)
    if kind in ("agent", "dialogue_hook") and not getattr(made, "spec", ""):
        made.spec = spec  # type: ignore[attr-defined]  # Agent.spec, DialogueHook.spec
    return made


_Maker = Callable[[str, Spec, Registry, Mapping[str, object]], object]
_MAKERS: Mapping[SpecForm, _Maker] = {
    SpecForm.REGISTERED: _make_registered,
    SpecForm.IMPORTED: _make_imported,
    SpecForm.REMOTE: _make_remote,
}
