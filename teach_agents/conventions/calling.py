"""How models of other people are made and called (classes by name, with arguments as on a command line), over HTTP too,
and agents of ours by other people."""

from __future__ import annotations

import argparse
import http.client
import inspect
import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from teach_agents.actions import Action
from teach_agents.core.agents.contract import Agent
from teach_agents.core.agents.runner import RaisedError, Runner
from teach_agents.core.benchmark.engines import once_per_seat
from teach_agents.core.registry import load_target
from teach_agents.errors import InputError, PluginError, SpecError, explained

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
    def of(  # the words of a SPEC
        cls,
        module: str,
        class_name: str,
        args: str | int | float,
        process_index: int,
        num_processes: int,
        *,
        allow_import: bool,
    ) -> ModelCall:
        """From the words of a SPEC.

        Raises `SpecError` unless it may import and names a class, `PluginError` where that cannot be imported.
        """
        where = f"{module}:{class_name}"
        if not allow_import:
            raise SpecError("agent SPEC", "models are only imported on the command line", value=where)
        if not module or not class_name:
            raise SpecError("model", "needs module=... and class=...", value=where)
        found = load_target(where, "model")
        if not inspect.isclass(found):
            raise SpecError("model", "is no class", value=where)
        return cls(found, tuple(shlex.split(str(args))), process_index, num_processes)

    def make(self) -> Any:
        """A new model. Raises `PluginError` for whatever its constructor raises."""
        try:
            return self.model(self.process_index, self.num_processes, model_args=list(self.arguments))
        except (Exception, SystemExit) as error:  # argparse leaves with SystemExit
            why = explained(error)
            raise PluginError(f"model {self.model.__qualname__!r}: could not be made: {why}") from error


@once_per_seat
def made(call: ModelCall) -> Any:
    """A seat's one model of this kind, as TEACh's runner has one a process: made once, it plays one game at a time."""
    return call.make()


def has_methods(found: type, *names: str) -> bool:
    """Whether a class has all of these methods."""
    return all(callable(getattr(found, name, None)) for name in names)


def server_of(where: str, url: str, form: str) -> tuple[Callable[..., http.client.HTTPConnection], str]:
    """What makes a connection to a server, given `timeout`, and the path of its address.

    Raises `InputError` for an address that is none, saying that of what `form` is needed.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(where, f"needs {form}", value=url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return partial(kind, parts.hostname, parts.port), parts.path.rstrip("/")


def token_of(where: str, token_env: str) -> str:
    """The token that an environment variable holds, "" without a name. Raises `InputError` for one that is not set."""
    token = os.environ.get(token_env, "") if token_env else ""
    if token_env and not token:
        raise InputError(where, "token_env names an environment variable that is not set", value=token_env)
    return token


def model_options(model: object, words: Sequence[str], *specs: str) -> argparse.Namespace:
    """The options of a model that answers with agents of ours: their SPECs by the names of `specs`, and `seed`."""
    parser = argparse.ArgumentParser(prog=type(model).__name__)
    for name in specs:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(words)


def without_privileges(agent: Agent, spec: str, where: str, problem: str) -> Agent:
    """The agent. Raises `SpecError` for one with privileges, which `problem` names in place of `{wanted}`."""
    if agent.privileges:
        raise SpecError(where, problem.format(wanted=", ".join(sorted(agent.privileges))), value=spec)
    return agent


def click_of(action: Action | None) -> list[float] | None:
    """An action's click as other people have it: [row, column]; `None` for an action without one."""
    return None if action is None or action.x is None or action.y is None else [action.y, action.x]


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
