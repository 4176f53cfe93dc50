"""Demonstrations: decisions as they should be made, and files of them. The seam between data and training."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError

KINDS = ("human", "self-play", "alone")
"""Where demonstrations come from: people's sessions; planner self-play; people's again, in EDH's form."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One decision as it should be made, in words that a model of `agents.lm` is shown.

    `session` is the session it is of; a session's demonstrations come in order, so that their prompts begin alike.
    `kind` is one of `KINDS`: in "alone" the dialogue is over and nobody answers. `system` and `user` are the rendered
    prompt without a list of choices; `choices` are the candidates that were offered, `choice` is the right one of them.
    Raises `InputError` for a choice that was not offered and an unknown kind.
    """

    session: str
    kind: str
    role: Role
    system: str
    user: str
    choices: tuple[str, ...]
    choice: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError("demonstration, kind", "there is no such kind", value=self.kind, valid=KINDS)
        if self.choice not in self.choices:
            raise InputError("demonstration, choice", "is none of the choices", value=self.choice, valid=self.choices)

    @classmethod
    def from_json(cls, entry: JsonMapping) -> Demonstration:
        """The demonstration of a JSON object. Raises `InputError`."""
        expected = {one.name for one in fields(cls)}
        if set(entry) != expected:
            odd = sorted(set(entry) ^ expected)
            raise InputError("demonstration", "lacks keys or has unknown ones", value=odd, valid=sorted(expected))
        texts = {name: entry[name] for name in expected - {"choices", "role"}}
        wrong = [name for name, text in texts.items() if not isinstance(text, str)]
        if wrong or not isinstance(entry["choices"], list) or not all(isinstance(one, str) for one in entry["choices"]):
            raise InputError(
                "demonstration", "every value is a text, choices a list of texts", value=wrong or "choices"
            )
        if entry["role"] not in list(Role):
            raise InputError("demonstration, role", "is no role", value=entry["role"], valid=Role)
        return cls(role=Role(entry["role"]), choices=tuple(entry["choices"]), **texts)


def write_demonstrations(path: str | Path, demonstrations: Iterable[Demonstration]) -> int:
    """Write JSON lines, one demonstration each; how many. The file is whole or absent; one ending in `.gz` is packed.

    They are taken one by one: any number fits. Raises `OSError`, and whatever the iterable raises.
    """
    return write_lines(path, map(asdict, demonstrations))


def write_lines(path: str | Path, rows: Iterable[JsonMapping]) -> int:
    """Write JSON lines, one object each, as `write_demonstrations` does; how many."""
    count = 0
    path = Path(path)
    with whole_file(path) as raw, _packed(path, raw) as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False).encode("utf8", errors="backslashreplace") + b"\n")
            count += 1
    return count


def read_demonstrations(path: str | Path) -> Iterator[Demonstration]:
    """The demonstrations of a file, one after another.

    Raises `InputError` that names file and line for what is none, and for a file that cannot be read.
    """
    path = Path(path)
    number = 0
    try:
        with gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield _read(line, f"{path}, line {number}")
    except (OSError, EOFError, zlib.error) as error:
        where = f"{path}, after line {number}" if number else str(path)
        raise InputError(where, f"cannot be read: {error}") from error


def _read(line: bytes, where: str) -> Demonstration:
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise InputError(where, f"is no JSON: {error}") from error
    if not isinstance(entry, dict):
        raise InputError(where, "is no JSON object", value=entry)
    try:
        return Demonstration.from_json(entry)
    except InputError as error:
        raise InputError(f"{where}, {error.where}", error.problem, value=error.value, valid=error.valid) from error


def _packed(path: Path, raw: IO[bytes]) -> AbstractContextManager[IO[bytes]]:
    """What is written to in place of a raw file whose name says that it is packed."""
    if not path.name.endswith(".gz"):
        return nullcontext(raw)
    return gzip.GzipFile("", "wb", 6, raw, mtime=0)  # type: ignore[return-value]  # it is written to like any other


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes its place when it is whole and on the disk."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as raw:
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def digest(path: Path) -> str:
    """A file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
