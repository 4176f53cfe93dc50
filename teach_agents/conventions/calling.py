"""How models of other people are made and called (classes by name, with arguments as on a command line), and agents of
ours by other people."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from teach_agents.core.agents.runner import RaisedError, Runner
from teach_agents.core.benchmark.engines import once_per_seat
from teach_agents.core.registry import load_target
from teach_agents.errors import PluginError, SpecError

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ModelCall:
    """How a model is made: TEACh's classes take `(process_index, num_processes, model_args=[...])`.

    `arguments` are words as on a command line, which the model parses itself.
    """

    model: type
    arguments: tuple[str, ...] = ()
    process_index: int = 0
    num_processes: int = 1

    @classmethod
    def of(cls, module: str, class_name: str, args: str, process_index: int, num_processes: int) -> ModelCall:
        """From the words of a SPEC. Raises `PluginError` for a class that cannot be imported."""
        return cls(model_class(module, class_name), tuple(shlex.split(args)), process_index, num_processes)

    def make(self) -> Any:
        """A new model. Raises `PluginError` for whatever its constructor raises."""
        try:
            return self.model(self.process_index, self.num_processes, model_args=list(self.arguments))
        except (Exception, SystemExit) as error:  # argparse leaves with SystemExit
            why = f"{type(error).__name__}: {error}"
            raise PluginError(f"model {self.model.__qualname__!r}: could not be made: {why}") from error


@once_per_seat
def made(call: ModelCall) -> Any:
    """A seat's one model of this kind, as TEACh's runner has one a process: made once, it plays one game at a time."""
    return call.make()


def model_class(module: str, name: str) -> type:
    """A class by the names of its module and itself. Raises `SpecError` or `PluginError` where there is none."""
    if not module or not name:
        raise SpecError("model", "needs module=... and class=...", value=f"{module}:{name}")
    found = load_target(f"{module}:{name}", "model")
    if not inspect.isclass(found):
        raise SpecError("model", "is no class", value=f"{module}:{name}")
    return found


def has_methods(found: type, *names: str) -> bool:
    """Whether a class has all of these methods."""
    return all(callable(getattr(found, name, None)) for name in names)


def invoke(method: Callable[..., Any], *required: Any, **optional: Any) -> Any:
    """Call a method with those of the optional arguments that it has parameters for: older models have fewer."""
    known = inspect.signature(method).parameters
    takes_any = any(one.kind is one.VAR_KEYWORD for one in known.values())
    return method(*required, **{key: value for key, value in optional.items() if takes_any or key in known})


def asked(runner: Runner, work: Callable[[], _T], limit_s: float | None = None, what: str = "") -> _T:
    """`Runner.run` for callers that know nothing of runners: what an agent raises is raised, if it is an `Exception`.

    Raises `RaisedError` with anything else (`SystemExit`), and `LateError`.
    """
    try:
        return runner.run(work, limit_s, what)
    except RaisedError as raised:
        if isinstance(raised.error, Exception):
            raise raised.error from None
        raise
