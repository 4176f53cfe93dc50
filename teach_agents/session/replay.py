"""A record carried out again, to check that it leads to the identical state."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from teach_agents.actions import ActionKind, ActionResult
from teach_agents.household import Household
from teach_agents.session.digest import StateDigest
from teach_agents.session.record import SessionRecord
from teach_agents.session.result import EndReason, counts_of
from teach_agents.session.turns import Done
from teach_agents.tasks import Progress

__all__ = ["ReplayReport", "reenact", "replay"]

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found. `differences` names the first places, a few, where it went another way than the record."""

    turns: int
    differences: tuple[str, ...]
    progress: Progress

    @property
    def identical(self) -> bool:
        """Whether every result, every state and the end were the recorded ones."""
        return not self.differences


def reenact(household: Household, record: SessionRecord) -> tuple[str, ...]:
    """Carry out a record's turns in a household that stands at their beginning; name the first differences.

    Answers that were no action were never carried out.
    """
    digest = StateDigest(household)
    differences = [
        f"the household's {name} is {now}, recorded {then}"
        for name in ("view_size", "click_size")
        if (now := getattr(household, name)) != (then := getattr(record.header, name))
    ]
    for turn in record.turns:
        for role, done in turn.done.items():
            if done.action is None:
                continue
            result = household.act(role, done.action, done.time_ms)
            if _as_json(result) != _as_json(done.result):
                what = f"turn {turn.turn}: the {role}'s {done.action.name}"
                differences.append(f"{what} gave {_short(result)}, recorded {_short(done.result)}")
        interacted = any(_interacts(done) for done in turn.done.values())
        state = digest.now(interacted=interacted)
        if state != turn.state:
            differences.append(f"turn {turn.turn}: the state is {state}, recorded {turn.state}")
    return tuple(differences[:_SHOWN])


def replay(record: SessionRecord, household: Household) -> ReplayReport:
    """Carry out a record from its scenario on, and compare every result and state, and how it says it ended.

    Raises `SceneError` or `DefinitionError` when the scenario cannot be set up here.
    """
    household.reset(record.header.scenario)
    initial = household.progress()
    differences = reenact(household, record)
    progress = household.progress()
    differences += _untrue(record, initial, progress)
    return ReplayReport(len(record.turns), differences[:_SHOWN], progress)


def _untrue(record: SessionRecord, initial: Progress, progress: Progress) -> tuple[str, ...]:
    """Where the recorded result contradicts what was replayed.

    An unfinished record claims nothing. One that broke off may have done part of a turn that it does not hold.
    """
    if record.result is None:
        return ()
    broken = record.result.get("end_reason") in [reason.value for reason in EndReason if reason.broken]
    found: dict[str, object] = {
        "turns": len(record.turns),
        "initial_progress": counts_of(initial),
        "success": progress.success and not broken,
    }
    if not broken:
        found["progress"] = counts_of(progress)
    claimed = {key: record.result.get(key) for key in found}
    return tuple(
        f"the result: {key} is {now!r}, recorded {claimed[key]!r}" for key, now in found.items() if claimed[key] != now
    )


def _interacts(done: Done) -> bool:
    return done.action is not None and done.action.type.kind is ActionKind.OBJECT


def _as_json(result: ActionResult) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(json.dumps(result.to_json()))
    return found


def _short(result: ActionResult) -> str:
    return f"{'success' if result.success else 'failure'} ({result.message})"
