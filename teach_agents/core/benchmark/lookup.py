"""Finding benchmarks by name, making them, and the agents that play in them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

from teach_agents.core.environment import Valid
from teach_agents.core.errors import InputError, PluginError, SpecError, TeachAgentsError
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.plugins import AGENT, BENCHMARK, WORLD
from teach_agents.core.registry import blamed, default_registry, load_target
from teach_agents.core.specs import Spec, SpecForm, build, parse
from teach_agents.core.values import NOTHING
from teach_agents.core.world import World

if TYPE_CHECKING:
    from teach_agents.core.agents.contract import Agent
    from teach_agents.core.benchmark.contract import Benchmark, Option, Setup


@dataclass(frozen=True, slots=True)
class Declared:
    """An option that a benchmark declares: its type, its default (`inspect.Parameter.empty` for none), what is said."""

    kind: Any
    default: Any
    option: Option

    @property
    def paths(self) -> bool:
        """Whether its values name files or folders."""
        return Path in _parts(self.kind)


def _parts(kind: Any) -> set[Any]:
    """A type, and those that it is made of."""
    return {kind}.union(*map(_parts, get_args(kind))) if get_origin(kind) in (Union, UnionType, tuple) else {kind}


def declared(factory: Callable[..., Any]) -> dict[str, Declared]:
    """The options that a benchmark's factory declares: the parameters that are annotated with a help text, by name."""
    from teach_agents.core.benchmark.contract import Option

    hints = get_type_hints(factory.__init__ if inspect.isclass(factory) else factory, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(factory).parameters.items():
        hint = hints.get(name)
        if get_origin(hint) is not Annotated:
            continue
        kind, *said = get_args(hint)
        option = next((one for one in said if isinstance(one, Option | str)), None)
        if option is not None:
            found[name] = Declared(kind, parameter.default, Option(option) if isinstance(option, str) else option)
    return found


def benchmark_factory(spec: str) -> tuple[Spec, Callable[..., Any]]:
    """What a SPEC names. Raises `SpecError` with near names for one that nobody registered."""
    parsed = parse(spec, where="benchmark SPEC")
    if parsed.form is SpecForm.IMPORTED:
        return parsed, load_target(parsed.name, "benchmark SPEC")
    if parsed.form is SpecForm.REMOTE:
        raise SpecError("benchmark SPEC", "a benchmark is a name or module:Class", value=spec)
    return parsed, default_registry().entry(BENCHMARK, parsed.name).factory()


def make_benchmark(spec: str, options: JsonMapping = NOTHING) -> Benchmark[Any, Any]:
    """The benchmark of a SPEC, with options besides those in it. Raises what `benchmark_factory` and its maker do."""
    parsed, factory = benchmark_factory(spec)
    return _made(parsed.name, factory, (), {**parsed.parameters, **options})


def _made(
    name: str, factory: Callable[..., Any], arguments: tuple[Any, ...], options: JsonMapping
) -> Benchmark[Any, Any]:
    from teach_agents.core.benchmark.contract import Benchmark

    with blamed(f"benchmark {name!r}: could not be made:", TeachAgentsError):
        made = factory(*arguments, **options)
    if not isinstance(made, Benchmark):
        raise SpecError(f"benchmark {name!r}", f"must make a Benchmark, made {made!r}")
    made.name = made.name or name
    return made


def remade(name: str, address: str, arguments: tuple[Any, ...], options: JsonMapping) -> Benchmark[Any, Any]:
    """A benchmark like one in another process, made of the class at the same address with the same words."""
    return _made(name, load_target(address, f"benchmark {name!r}"), arguments, options)


def stored_benchmark(claim: JsonMapping) -> Benchmark[Any, Any]:
    """The benchmark of a run's `settings.json`, to read its folder with. Raises `InputError` where there is none."""
    name = claim.get("benchmark")
    if name is None:
        name = next((one for one, factory in benchmark_classes() if factory.claims(claim)), None)
        if name is None:
            raise InputError("settings.json", "names no benchmark, and no benchmark that is installed knows it")
    return _stored(name, json.dumps(claim["settings"]))


def benchmark_classes() -> Iterator[tuple[str, type[Benchmark[Any, Any]]]]:
    """The benchmarks that are registered as classes and can be imported."""
    from teach_agents.core.benchmark.contract import Benchmark

    for name, entry in default_registry().entries(BENCHMARK).items():
        try:
            found = entry.factory()
        except PluginError:
            continue
        if inspect.isclass(found) and issubclass(found, Benchmark):
            yield name, found


@lru_cache(maxsize=8)
def _stored(name: str, settings: str) -> Benchmark[Any, Any]:
    _, factory = benchmark_factory(name)
    told = json.loads(settings)
    made = getattr(factory, "of_settings", None)
    return _made(name, made, (told,), {}) if made else _made(name, factory, (), told.get("options", {}))


def check_registered(kind: str, spec: str, where: str) -> None:
    """Refuse a SPEC that names nothing that is registered; what it names is not made, which may be costly."""
    parsed = parse(spec, where=where)
    if parsed.form is SpecForm.REGISTERED:
        default_registry().entry(kind, parsed.name)


def make_agents(benchmark: Benchmark[Any, Any], instance: Any, setup: Setup) -> dict[str, Agent]:
    """The agents of an instance by seat, as it needs them; names of the world's own come first.

    Raises what `specs.build` raises.
    """
    asked = {**benchmark.agents, **setup.agents}
    world = _world(benchmark)
    return {
        seat: build(AGENT, spec, allow_import=True, world=world, **{"role": seat, **benchmark.context(instance, seat)})
        for seat, spec in asked.items()
    }


def _world(benchmark: Benchmark[Any, Any]) -> World | None:
    """The benchmark's world as it is registered, or just by its codec; `None` where it has none of the core's.

    That its environment is `Valid` need not be registered.
    """
    from teach_agents.core.benchmark.contract import Benchmark
    from teach_agents.core.benchmark.playing import world_of

    if type(benchmark).environment is Benchmark.environment:
        return None
    environment, registry = world_of(benchmark), default_registry()
    codec = environment.codec
    known = registry.world(codec.world if codec.world in registry.entries(WORLD) else World(codec))
    return known if known is None or known.knows_valid else replace(known, knows_valid=isinstance(environment, Valid))
