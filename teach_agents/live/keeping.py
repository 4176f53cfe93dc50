"""A session's record as a file, whole or absent."""

from __future__ import annotations

import secrets
from pathlib import Path

from teach_agents.errors import RecordError
from teach_agents.session.record import RecordWriter, SessionRecord

__all__ = ["write_record"]


def write_record(record: SessionRecord, path: Path) -> None:
    """Write a record: whoever looks sees the old file, or the whole new one. Raises `RecordError` where none can be."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    writer = RecordWriter(part)
    try:
        writer.begin(record.header)
        for turn in record.turns:
            writer.turn(turn)
        if record.result is not None:
            writer.end(record.result)
        writer.close()
        part.replace(path)
    except OSError as error:
        raise RecordError(str(path), f"cannot be written: {error.strerror or error}") from error
    finally:
        writer.close()
        part.unlink(missing_ok=True)
