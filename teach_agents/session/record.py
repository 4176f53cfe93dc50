"""Records of household sessions: JSON lines that are on the disk turn by turn (`teach_agents.core.session.record`)."""

from __future__ import annotations

from pathlib import Path

from teach_agents.core.session.record import FORMAT, RecordWriter, SessionRecord
from teach_agents.core.session.record import read_record as read_record_in
from teach_agents.session.codec import scenario_from_json, scenario_to_json
from teach_agents.session.format import TEACH_FORMAT, RecordHeader

__all__ = [
    "FORMAT",
    "RecordHeader",
    "RecordWriter",
    "SessionRecord",
    "read_record",
    "scenario_from_json",
    "scenario_to_json",
]


def read_record(path: str | Path) -> SessionRecord:
    """Read a record, finished or not. A last line that a crash cut short is left out.

    Raises `RecordError` naming file and line for anything else that is wrong.
    """
    return read_record_in(path, TEACH_FORMAT)
