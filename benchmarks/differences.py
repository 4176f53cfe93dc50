"""Where two folders of results differ, byte for byte but for what is bound to: times, versions and what is documented.

A line of a file is equal where its bytes are; else its JSON is compared, without what `LEFT_OUT` names, and how it is
written (the order of keys, spaces). An interval of a summary may only have become wider.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from itertools import zip_longest
from pathlib import Path
from typing import Any

__all__ = ["LEFT_OUT", "Act", "Compared", "Difference", "LeftOut", "acts_of", "compare_folders", "differences"]


@dataclass(frozen=True)
class LeftOut:
    """What is not compared: keys of this name in files that the pattern fits, and why."""

    files: str
    key: str
    why: str


LEFT_OUT: Sequence[LeftOut] = (
    LeftOut("*", "wall_s", "seconds by the clock"),
    LeftOut("*records*", "seconds", "how long an agent thought"),
    LeftOut("*records*", "model_s", "how long a model took"),
    LeftOut("*.game.json", "comments", "the date on which the file was written"),
    LeftOut("*live*", "seconds", "how long an agent thought"),
    LeftOut("*live*", "model_s", "how long a model took"),
    LeftOut("*live*", "time_ms", "live sessions go by the clock"),
    LeftOut("*live*", "timestamp", "live sessions go by the clock"),
    LeftOut("*summary.json", "teach_agents", "the version"),
)
"""Keys that are not compared. Those that are new, and documented, belong in `NEW`."""

NEW: Sequence[LeftOut] = (LeftOut("*summary.json", "interval_rule", "how intervals are made: docs/benchmarks.md"),)
"""Keys that the present tree may have and the one before has not."""

INTERVALS = "*_ci"
"""Intervals of summaries. They are no longer degenerate: one that differs must hold the one before."""

FILES = ("*.json", "*.jsonl", "*.json.gz")
NOT_FILES = ("command.json", "settings.json", "environments.json")
"""Not compared: what was asked for, and versions. Reports are no results."""

_SEATS = ("commander", "follower")
_ABSENT = "(absent)"
_STYLES: Sequence[Mapping[str, Any]] = ({"separators": (",", ":")}, {}, {"indent": 1})
_SHOWN = 160


@dataclass(frozen=True)
class Difference:
    """One place: file, line from 1 (0: the file as a whole), key as a path, and the values there, cut short."""

    file: str
    line: int
    key: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key or 'as a whole'}: old {self.old}, new {self.new}"


Act = tuple[str, str, str]
"""Seat, action as JSON without its words, and the words."""


@dataclass(frozen=True)
class Compared:
    """What comparing two folders found: files and lines that were compared, those equal to the byte, acts in order with
    their digest, and the first differences."""

    files: int
    lines: int
    lines_equal_to_the_byte: int
    acts: int
    acts_digest: str
    differences: tuple[Difference, ...]

    @property
    def equal(self) -> bool:
        """Whether nothing differs, and there was something to compare."""
        return not self.differences and self.files > 0

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {**asdict(self), "equal": self.equal}


def _shown(value: object) -> str:
    text = value if value == _ABSENT and isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"


def _is_left_out(file: str, key: str, old: object) -> bool:
    for one in (*LEFT_OUT, *(NEW if old == _ABSENT else ())):
        if one.key == key and fnmatchcase(file, one.files):
            return True
    return False


def _widened(old: object, new: object) -> bool:
    """Whether an interval holds another; `[]`, of one cluster, holds nothing."""
    if not isinstance(old, list) or not isinstance(new, list) or len(new) != 2:
        return False
    return not old or (len(old) == 2 and new[0] <= old[0] and old[1] <= new[1])


def differences(old: object, new: object, file: str, line: int = 0, key: str = "") -> Iterator[Difference]:
    """Every place where two values of JSON differ, without what is left out."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in [*old, *(one for one in new if one not in old)]:
            one, other = old.get(name, _ABSENT), new.get(name, _ABSENT)
            within = f"{key}.{name}" if key else str(name)
            may_widen = fnmatchcase(str(name), INTERVALS) and file.endswith("summary.json")
            if not _is_left_out(file, str(name), one) and not (may_widen and _widened(one, other)):
                yield from differences(one, other, file, line, within)
    elif isinstance(old, list) and isinstance(new, list):
        for place, (one, other) in enumerate(zip_longest(old, new, fillvalue=_ABSENT)):
            yield from differences(one, other, file, line, f"{key}[{place}]")
    elif old != new or type(old) is not type(new):
        yield Difference(file, line, key, _shown(old), _shown(new))


def _without(value: Any, file: str) -> Any:
    if isinstance(value, Mapping):
        kept = {
            name: _without(one, file)
            for name, one in value.items()
            if not _is_left_out(file, name, _ABSENT) and not fnmatchcase(name, INTERVALS)
        }
        return kept
    return [_without(one, file) for one in value] if isinstance(value, list) else value


def _style(text: bytes, value: object) -> str:
    """How JSON is written: what writes it again, if anything does."""
    return next((str(one) for one in _STYLES if json.dumps(value, **one).encode() == text.strip()), "otherwise")


def compare_lines(old: bytes, new: bytes, file: str, line: int) -> Iterator[Difference]:
    """Where two lines of JSON, or whole files of it, differ."""
    try:
        one, other = json.loads(old), json.loads(new)
    except ValueError:
        yield Difference(file, line, "", _shown(old.decode(errors="replace")), _shown(new.decode(errors="replace")))
        return
    found = list(differences(one, other, file, line))
    yield from found
    if not found:
        if json.dumps(_without(one, file)) != json.dumps(_without(other, file)):
            yield Difference(file, line, "", "(the keys in another order)", "")
        elif (first := _style(old, one)) != (second := _style(new, other)):
            yield Difference(file, line, "", f"(written {first})", f"(written {second})")


def lines_of(path: Path) -> list[bytes]:
    """The lines of a file of JSON lines, packed or not; any other is one line. Live events are told without those that
    depend on how long somebody thought, and numbered anew."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".jsonl" not in path.name:
        return [data]
    lines = data.splitlines()
    return list(_timeless(lines)) if path.parent.name.startswith("live") and ".record." not in path.name else lines


def _timeless(lines: Sequence[bytes]) -> Iterator[bytes]:
    number = 0
    for line in lines:
        event = json.loads(line)
        if event.get("kind") == "thinking" or (event.get("kind") == "thought" and not event["data"].get("thought")):
            continue
        yield json.dumps({**event, "seq": number}).encode()
        number += 1


def acts_of(path: Path) -> Iterator[Act]:
    """Who did what, in order, in a record; the last is the digest of the state at the end."""
    end: object = None
    for line in map(json.loads, lines_of(path)):
        for turn in line.get("steps", [line]) if isinstance(line, Mapping) else ():
            seats = {"follower": turn} if "action" in turn else {one: turn[one] for one in _SEATS if one in turn}
            for seat, done in seats.items():
                action = dict(done.get("action") or {})
                words = str(action.pop("utterance", ""))
                yield seat, json.dumps(action), words
            end = turn.get("state", end)
        end = _without(line["end"], path.name) if "end" in line else end
    yield "", "", hashlib.sha256(json.dumps(end).encode()).hexdigest()[:16] if isinstance(end, Mapping) else str(end)


def _files(folder: Path) -> dict[str, Path]:
    found = {path for pattern in FILES for path in folder.glob(f"**/{pattern}") if path.is_file()}
    return {str(path.relative_to(folder)): path for path in sorted(found) if path.name not in NOT_FILES}


def _is_record(name: str) -> bool:
    return name.startswith("records/") or "/records/" in name or ".record." in name


def compare_folders(old: Path, new: Path, most: int = 20) -> Compared:
    """Compare the results in two folders; the first `most` differences are told."""
    theirs, ours = _files(old), _files(new)
    told: list[Difference] = []
    lines = same = acts = 0
    digest = hashlib.sha256()
    for name in sorted({*ours, *theirs}):
        if name not in ours or name not in theirs:
            told.append(_missing(name, 0, name in theirs, name in ours))
            continue
        for number, (one, other) in enumerate(zip_longest(lines_of(theirs[name]), lines_of(ours[name])), 1):
            lines += 1
            same += one == other
            if one is None or other is None:
                told.append(_missing(name, number, one is not None, other is not None))
            elif one != other and len(told) < most:
                told.extend(compare_lines(one, other, name, number))
        if _is_record(name):
            both = list(acts_of(theirs[name])), list(acts_of(ours[name]))
            acts += len(both[0]) - 1
            digest.update(json.dumps(both[1]).encode())
            told.extend(_acts_differ(name, *both))
    return Compared(len({*ours, *theirs}), lines, same, acts, digest.hexdigest()[:16], tuple(told[:most]))


def _missing(file: str, line: int, in_old: bool, in_new: bool) -> Difference:
    old, new = ("is there" if there else _ABSENT for there in (in_old, in_new))
    return Difference(file, line, "", old, new)


def _acts_differ(file: str, old: Sequence[Act], new: Sequence[Act]) -> Iterator[Difference]:
    for number, (one, other) in enumerate(zip_longest(old, new, fillvalue=_ABSENT)):
        if one != other:
            yield Difference(file, 0, f"act {number}", _shown(one), _shown(other))
            return
