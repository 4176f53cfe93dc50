"""`--resume`: a run goes on by what its folder says, and what is said again has to agree with it.

`command.json` in the folder of a run keeps the words that asked for it, paths absolute, and where its instances lie.
With `--resume` they are the options' defaults, so that none has to be repeated, from any folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from teach_agents.core.benchmark.contract import Benchmark


_FILE = "command.json"


@dataclass(frozen=True, slots=True)
class Kinds:
    """What the options of a command are to a run that goes on, by name.

    With one of `sources`, which say where instances come from, `--resume` may begin a run. `paths` are written whole;
    of these `lists` may be one of the `shipped` instead. What is `free` may be another than before.
    """

    sources: Set[str]
    paths: Set[str]
    shipped: Set[str]
    free: Set[str]

    def plain(self, name: str, value: Any) -> Any:
        """An option's value as JSON."""
        if isinstance(value, list | tuple):
            return [self.plain(name, one) for one in value]
        if name == "names" and value in self.shipped and not Path(value).is_file():
            return value
        if isinstance(value, Path) or (name in {*self.paths, "names"} and value is not None):
            return str(Path(value).resolve())
        return value

    def which(self, words: JsonMapping) -> JsonMapping:
        """The words that can say which instances there are."""
        told = words["options"].items()
        return {name: value for name, value in told if name not in self.free and value not in (None, [])}


def said_before(context: Any, kinds: Kinds) -> JsonObject:
    """The options of the run in the folder that a command with `--resume` names.

    Raises `InputError` where there is none to go on with, and none may begin, and for a run of another command.
    """
    out = Path(context.params["out"])
    stored = _stored(out)
    if not stored and not any(was_given(context, name) for name in kinds.sources):
        raise InputError("--resume", _why_not(out), value=out)
    theirs = stored.get("command", context.info_name)
    if theirs != context.info_name:
        raise InputError("--resume", f"the run in this folder is one of {theirs}", value=out)
    return {name: value for name, value in stored.get("options", {}).items() if value not in (None, [])}


class Words:
    """The words of a command that asks for a run."""

    def __init__(self, context: typer.Context, kinds: Kinds) -> None:
        self._out = Path(context.params["out"])
        self._kinds = kinds
        self._path = context.command_path.removeprefix(f"{context.find_root().command_path} ")
        self._said = {
            "command": context.info_name,
            "options": {
                name: kinds.plain(name, value)
                for name, value in context.params.items()
                if name not in ("out", "resume")
            },
        }
        self._stored = _stored(self._out) if context.params["resume"] else {}

    def sources(self, benchmark: Benchmark[Any, Any]) -> Sequence[JsonMapping]:
        """The instances that the folder names, where a run goes on with just these; otherwise none.

        Raises `InputError` where a file of theirs is gone.
        """
        kinds = self._kinds
        if not self._stored or kinds.which(self._said) != kinds.which(self._stored):
            return ()
        found: Sequence[JsonMapping] = self._stored["instances"]
        for path in (path for one in found for path in benchmark.files(one)):
            if not path.is_file():
                named = " or ".join(f"--{name}" for name in sorted(kinds.sources & kinds.paths - {"data"}) or ["data"])
                problem = f"a file of the run is not where it was; say with {named} where they are now"
                raise InputError("--resume", problem, value=path)
        return found

    def keep(self, instances: Sequence[JsonMapping]) -> None:
        """Write down, in the folder of the run that was asked for, what it takes to go on with it."""
        from teach_agents.core.benchmark.folder import write_json

        content = {**self._said, "instances": [dict(one) for one in instances]}
        if content != _stored(self._out):
            write_json(self._out / _FILE, content)

    def __str__(self) -> str:
        """The shortest command that goes on."""
        return f"teach-agents {self._path} --out {self._out} --resume"


@contextmanager
def resumable(words: Words, console: Console, finish: Callable[[], None]) -> Iterator[None]:
    """Finish what is done in here, also when it is interrupted; then say how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        finish()
        console.print(f"Interrupted. This goes on: {words}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(130) from None
    finish()


def was_given(context: Any, name: str) -> bool:
    """Whether an option stands on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _why_not(out: Path) -> str:
    """Why a folder says nothing of a run to go on with, and what to do."""
    path = out / _FILE
    if not path.exists():
        return "there is no run to go on with in this folder; a new one needs to be told its instances"
    what = "say again what asked for it, instances and options: what is finished stays"
    try:
        json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"is no JSON: {error}"
        return f"{_FILE} in this folder cannot be read ({reason}); {what}"
    return f"{_FILE} in this folder is damaged: it has no command, options and instances; {what}"


def _stored(out: Path) -> JsonObject:
    """What `command.json` says; nothing where there is none, or a damaged one."""
    try:
        found = json.loads((out / _FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    whole = isinstance(found, dict) and found.keys() >= {"command", "options", "instances"}
    return found if whole else {}
