"""Records of household sessions: JSON lines that are on the disk turn by turn, read, and carried out again."""

from __future__ import annotations

from pathlib import Path

from teach_agents.core.session.record import ReplayReport, SessionRecord
from teach_agents.core.session.record import read_record as read_record_in
from teach_agents.core.session.record import reenact as reenact_in
from teach_agents.core.session.record import replay as replay_in
from teach_agents.household import Household
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.session.format import TEACH_FORMAT


def read_record(path: str | Path) -> SessionRecord:
    """Read a record, finished or not. A last line that a crash cut short is left out.

    Raises `RecordError` naming file and line for anything else that is wrong.
    """
    return read_record_in(path, TEACH_FORMAT)


def reenact(household: Household, record: SessionRecord) -> tuple[str, ...]:
    """Carry out a record's turns in a household that stands at their beginning; name the first differences."""
    return reenact_in(HouseholdEnvironment(household, judged=False), record)


def replay(record: SessionRecord, household: Household) -> ReplayReport:
    """Carry out a record from its scenario on, and compare every result and state, and how it says it ended.

    Raises `SceneError` or `DefinitionError` when the scenario cannot be set up here.
    """
    return replay_in(record, HouseholdEnvironment(household, judged=False))
