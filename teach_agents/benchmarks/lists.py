"""Lists of instances: those that the package ships, by name, and those in files.

`scripts/draw_lists.py` drew the shipped ones. They hold names of TEACh's sessions and instances, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType

from teach_agents.core.benchmark.selection import read_names
from teach_agents.errors import InputError

LISTS: Mapping[str, str] = MappingProxyType(
    {
        "valid_seen_60": "5 sessions of each of the 12 tasks in valid_seen",
        "edh_valid_seen_200": "200 of the released EDH instances of valid_seen",
    }
)
"""The shipped lists, and what each is of; all drawn by seed 0."""


def is_shipped(source: str | Path) -> bool:
    """Whether a list is meant by its name; a file of that name comes first."""
    return str(source) in LISTS and not Path(source).is_file()


def names_of(source: str | Path) -> tuple[str, ...]:
    """The ids in a list: a shipped one, or a file (see `read_names`). Raises `InputError` for neither."""
    if is_shipped(source):
        with as_file(files("teach_agents.benchmarks") / "data" / "lists" / f"{source}.txt") as path:
            return read_names(path)
    if not Path(source).exists():
        raise InputError(
            "--names", "is neither a file nor a list that is shipped", value=str(source), valid=list(LISTS)
        )
    return read_names(Path(source))
