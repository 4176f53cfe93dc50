"""Which instances of a benchmark are run, and in what order: named ones, a seeded order, one shard of several."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from teach_agents.core.errors import InputError


class BenchmarkInstance(Protocol):
    """One thing to do; its id is unique within the benchmark and names its results.

    It may have `groups`, a mapping from kind to name (level, quest), and a `cluster`, a name (a scan, a site): what
    happens in one cluster is alike, so that it is resampled whole.
    """

    @property
    def instance_id(self) -> str:
        """The id."""


InstanceT = TypeVar("InstanceT", bound=BenchmarkInstance)
_SHARD = re.compile(r"(\d+)/(\d+)")
_SUFFIXES = (".game.json", ".json")


def sharded(instances: Sequence[InstanceT], shard: str) -> tuple[InstanceT, ...]:
    """Part i of n of a list, `i/n`, counted from 1: every n-th instance from the i-th on.

    Parts differ by at most one in size, no two share an instance, and all together are the list. Raises `InputError`
    for anything else, and for a part without instances.
    """
    found = _SHARD.fullmatch(shard.strip()) if shard.isascii() else None
    if found is None:
        raise InputError("--shard", "must be i/n, two whole numbers, for example 2/8", value=shard)
    index, count = int(found[1]), int(found[2])
    if not 1 <= index <= count:
        raise InputError("--shard", "must be i/n with 1 <= i <= n", value=f"{index}/{count}")
    if not instances:
        raise InputError("instances", "there are none")
    part = tuple(instances[index - 1 :: count])
    if not part:
        raise InputError("--shard", f"has none of the {len(instances)} instances", value=shard)
    return part


def ordered(instances: Iterable[InstanceT], seed: int | None = None) -> tuple[InstanceT, ...]:
    """The instances by id, or in an order that `seed` draws.

    A seed puts any two instances in the same order whatever else is in the list, so that a longer list, or a part of
    one, is run in the order of the whole. Raises `InputError` when two go by one id.
    """
    known: dict[str, InstanceT] = {}
    for one in instances:
        if known.setdefault(one.instance_id, one) is not one:
            raise InputError("instances", "two go by one id", value=one.instance_id)
    names = sorted(known) if seed is None else sorted(known, key=lambda name: (_draw(seed, name), name))
    return tuple(known[name] for name in names)


def _draw(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed} {name}".encode()).digest()


def chosen(instances: Iterable[InstanceT], names: Iterable[str]) -> tuple[InstanceT, ...]:
    """The instances of these ids, in the order of the names. Raises `InputError` for an id that none has."""
    known = {one.instance_id: one for one in instances}
    found = []
    for name in dict.fromkeys(names):
        if name not in known:
            raise InputError("instances", "there is none of this id", value=name, valid=sorted(known))
        found.append(known[name])
    return tuple(found)


def read_names(path: Path) -> tuple[str, ...]:
    """The ids in a list of file names, one a line.

    `<id>.json` and `<id>.game.json` name the instance `<id>`. Raises `InputError` for a list that cannot be read, is
    empty, or holds a line that is no file name.
    """
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(path, f"cannot be read as a list of instances: {error}") from error
    names = []
    for line in filter(None, lines):
        name = next((line.removesuffix(end) for end in _SUFFIXES if line.endswith(end)), line)
        if not name or "/" in name or "\\" in name or any(map(str.isspace, name)):
            raise InputError(path, "must hold one file name a line", value=line)
        names.append(name)
    if not names:
        raise InputError(path, "names no instance")
    return tuple(dict.fromkeys(names))


def instance_seed(seed: int, instance_id: str) -> int:
    """The seed, 32 bits, of an agent at one instance of a run that has this seed."""
    return int.from_bytes(_draw(seed, instance_id)[:4], "big")
