"""A record of a household session carried out again."""

from __future__ import annotations

from teach_agents.core.session.record import SessionRecord
from teach_agents.core.session.replay import ReplayReport
from teach_agents.core.session.replay import reenact as reenact_in
from teach_agents.core.session.replay import replay as replay_in
from teach_agents.household import Household
from teach_agents.session.environment import HouseholdEnvironment

__all__ = ["ReplayReport", "reenact", "reenact_in", "replay"]


def reenact(household: Household, record: SessionRecord) -> tuple[str, ...]:
    """Carry out a record's turns in a household that stands at their beginning; name the first differences."""
    return reenact_in(HouseholdEnvironment(household, judged=False), record)


def replay(record: SessionRecord, household: Household) -> ReplayReport:
    """Carry out a record from its scenario on, and compare every result and state, and how it says it ended.

    Raises `SceneError` or `DefinitionError` when the scenario cannot be set up here.
    """
    return replay_in(record, HouseholdEnvironment(household, judged=False))
