"""A file that grows line by line: whatever is written to it survives the end of the process that wrote it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class Journal:
    """JSON objects in a file, one a line.

    `append` returns when the line is on the disk. A line that was cut short (the machine went down, the disk was full)
    is passed over by whoever reads, and does not spoil the next one. One process writes at a time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, entry: Mapping[str, Any]) -> None:
        """Write one object through to the disk. Raises `OSError` when it cannot be written."""
        line = json.dumps(entry, allow_nan=False).encode() + b"\n"
        with self.path.open("ab+") as file:
            if _cut_short(file):
                line = b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Every whole object, first to last; none where there is no file yet."""
        for line in self.path.read_bytes().splitlines() if self.path.exists() else []:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                yield entry


def _cut_short(file: Any) -> bool:
    """Whether a file ends in the middle of a line."""
    if not file.tell():
        return False
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) != b"\n")
