"""From rows to figures: every figure from its rows, with its number and interval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.fidelity.report import write_report
from teach_agents.benchmarks.fidelity.rows import (
    AidedReplay,
    CheckRow,
    ClickRow,
    Divergence,
    MoveRow,
    OutcomeRow,
    PropertyCount,
    PropertyMiss,
    ReplayMode,
    SessionRows,
    UnaidedReplay,
)
from teach_agents.benchmarks.fidelity.running import figures
from teach_agents.benchmarks.fidelity.summary import Measured

KEYS = (
    "moves.allowed_recall",
    "moves.blocked_recall",
    "clicks.untouched",
    "clicks.all",
    "outcomes.balanced_accuracy",
    "outcomes.by_action.Pickup.balanced_accuracy",
    "outcomes.by_action.Place.balanced_accuracy",
    "replay.unaided.successes.task_success",
    "replay.unaided.all.task_success",
    "replay.aided.task_success",
    "replay.aided.property_agreement",
    "replay.aided.progress_check_agreement",
)
BREAD = "Bread|1|1|1"


def _move(index: int, recorded: bool, predicted: bool, *, repeated: bool = False) -> MoveRow:
    return MoveRow(index, "Forward", recorded, predicted, "" if predicted else "Fridge", repeated)


def _click(index: int, action: str, wanted: str, found: str, *, same: bool, untouched: bool = False) -> ClickRow:
    kinds = (wanted.partition("|")[0], found.partition("|")[0] or "nothing")
    return ClickRow(index, action, wanted, found, same, untouched, *kinds, None if same else 0.25)


def _outcome(index: int, action: str, recorded: bool, predicted: bool) -> OutcomeRow:
    return OutcomeRow(index, action, recorded, predicted, "Mug", "Apple", "")


def _session(game_id: str = "one", **aided: Any) -> Measured:
    parts: dict[str, Any] = {
        "task_complete": True,
        "moves": (
            _move(0, True, True),
            _move(1, True, False),
            _move(2, False, False),
            _move(3, False, True, repeated=True),
        ),
        "clicks": (
            _click(4, "Pickup", "Mug|1|1|1", "Mug|1|1|1", same=True, untouched=True),
            _click(5, "Pickup", f"{BREAD}|BreadSliced_1", f"{BREAD}|BreadSliced_2", same=True, untouched=True),
            _click(6, "Place", "Mug|1|1|1", "Mug|2|2|2", same=False),
            _click(7, "Place", "Sink|1|1|1", "", same=False),
        ),
        "outcomes": (
            _outcome(4, "Pickup", True, True),
            _outcome(5, "Pickup", True, True),
            _outcome(6, "Place", True, False),
            _outcome(7, "Place", False, False),
            _outcome(8, "Place", False, True),
        ),
        "checks": (CheckRow(9, False, False), CheckRow(10, True, False)),
        "unfollowed": (),
        "properties": {"isDirty": PropertyCount(10, 9, 2, 1), "isOpen": PropertyCount(10, 10, 0, 0)},
        "misses": (PropertyMiss("Mug|1|1|1", "Mug", "isDirty", "True", "False"),),
    }
    unaided = {
        ReplayMode.SUCCESSES: UnaidedReplay(True, 9, 9, True, None, None),
        ReplayMode.ALL: UnaidedReplay(False, 12, 4, False, 6, Divergence.OBJECT),
    }
    return Measured(
        game_id, SessionRows(game_id, "FloorPlan1", "Coffee", 11, AidedReplay(**{**parts, **aided}), unaided)
    )


def _at(found: dict[str, Any], path: str) -> Any:
    node: Any = found
    for key in path.split("."):
        node = node[key]
    return node


def test_every_figure_has_value_number_and_interval() -> None:
    found = figures([_session(), _session("two")], click_size=300)
    for path in KEYS:
        figure = _at(found, path)
        assert set(figure) == {"value", "n", "ci"}, path
        assert figure["ci"][0] <= figure["value"] <= figure["ci"][1], path


@pytest.mark.parametrize(
    ("path", "value", "number"),
    [
        ("moves.allowed_recall", 0.5, 2),
        ("moves.blocked_recall", 0.5, 2),
        ("moves.first_blocked_recall", 1.0, 1),
        ("moves.by_room.FloorPlan1.balanced_accuracy", 0.5, 4),
        ("clicks.untouched", 0.5, 2),
        ("clicks.untouched_equivalent", 1.0, 2),
        ("clicks.all", 0.5, 4),
        ("clicks.all_exact", 0.25, 4),
        ("clicks.by_action.Place.all", 0.0, 2),
        ("clicks.by_type.Sink.all", 0.0, 1),
        ("outcomes.success_recall", 0.666667, 3),
        ("outcomes.failure_recall", 0.5, 2),
        ("outcomes.balanced_accuracy", 0.583333, 5),
        ("outcomes.by_action.Pickup.balanced_accuracy", 1.0, 2),
        ("outcomes.by_action.Place.balanced_accuracy", 0.25, 3),
        ("replay.unaided.successes.task_success", 1.0, 1),
        ("replay.unaided.all.task_success", 0.0, 1),
        ("replay.unaided.all.pose_exact", 0.0, 1),
        ("replay.unaided.successes.identical", 1.0, 1),
        ("replay.aided.task_success", 1.0, 1),
        ("replay.aided.property_agreement", 0.95, 20),
        ("replay.aided.changed_property_agreement", 0.5, 2),
        ("replay.aided.by_property.isOpen.property_agreement", 1.0, 10),
        ("replay.aided.sessions_flawless", 0.0, 1),
        ("replay.aided.progress_check_agreement", 0.5, 2),
    ],
)
def test_figures_come_from_their_rows(path: str, value: float, number: int) -> None:
    figure = _at(figures([_session()], click_size=300), path)
    assert (figure["value"], figure["n"]) == (value, number)


def test_tables_say_what_was_taken_for_what() -> None:
    found = figures([_session()], click_size=300)
    assert found["moves"]["confusion"] == {
        "allowed": {"allowed": 1, "blocked": 1},
        "blocked": {"allowed": 1, "blocked": 1},
    }
    assert found["moves"]["wrongly_blocked_by_type"] == {"Fridge": 1}
    assert found["clicks"]["confusion"]["Mug"] == {"Mug": 1, "another Mug": 1}
    assert found["clicks"]["confusion"]["Sink"] == {"nothing": 1}
    assert found["outcomes"]["confusion"]["failure"] == {"success": 1, "failure": 1}
    assert found["replay"]["aided"]["progress_check_confusion"]["complete"] == {"complete": 0, "incomplete": 1}
    divergence = found["replay"]["unaided"]["all"]["first_divergence"]
    assert divergence["by_kind"] == {"object": 1} and divergence["actions_before"]["median"] == 4


def test_a_session_that_failed_is_a_miss_of_every_share_of_sessions() -> None:
    found = figures([_session(), Measured("two", None, "crashed: SceneError")], click_size=300)
    assert found["sessions"] == 2
    assert found["failed"] == [{"game_id": "two", "reason": "crashed: SceneError"}]
    assert _at(found, "replay.aided.task_success")["value"] == 0.5
    assert _at(found, "replay.unaided.successes.task_success")["n"] == 2
    assert _at(found, "moves.allowed_recall")["n"] == 2


def test_without_any_case_a_figure_has_no_value() -> None:
    empty = _session(moves=(), clicks=(), outcomes=(), checks=(), properties={}, misses=())
    found = figures([empty], click_size=300)
    assert found["moves"]["blocked_recall"] == {"value": None, "n": 0, "ci": []}
    assert found["clicks"]["all"] == {"value": None, "n": 0, "ci": []}


def test_worst_classes_name_examples_from_several_sessions() -> None:
    sessions = [_session(f"game{number}") for number in range(7)]
    worst = figures(sessions, click_size=300)["worst"]
    place = next(one for one in worst["clicks"] if one["class"] == "Place Mug: click chooses another Mug")
    assert place == {
        "class": "Place Mug: click chooses another Mug",
        "misses": 7,
        "of": 7,
        "examples": [f"game{number}:6" for number in range(5)],
        "median_metres_apart": 0.25,
    }
    assert {(one["class"], one["misses"], one["of"]) for one in worst["moves"]} == {
        ("Forward was allowed, here Fridge blocks", 7, 14),
        ("Forward was blocked, here it is free", 7, 14),
    }
    assert worst["outcomes"][0]["class"] == "Place Apple on Mug failed, succeeds here"
    assert worst["properties"][0]["class"] == "Mug isDirty recorded True, here False"
    assert worst["properties"][0]["of"] == 70
    assert not worst["tasks"]
    assert worst["progress_checks"][0]["class"] == "Coffee was complete, here not"


def test_sessions_that_do_not_end_complete_are_named() -> None:
    worst = figures([_session(), _session("two", task_complete=False)], click_size=300)["worst"]
    (one,) = worst["tasks"]
    assert one == {"class": "Coffee is not complete at the end", "misses": 1, "of": 2, "examples": ["two:11"]}


def test_the_report_is_one_file_that_shows_figures_and_escapes_what_it_is_told(tmp_path: Path) -> None:
    sessions = [_session(), Measured("two", None, "crashed: <script>")]
    page = write_report(tmp_path, figures(sessions, click_size=300), sessions).read_text(encoding="utf8")
    assert "Place Mug: click chooses another Mug" in page and "one:6" in page
    assert "&lt;script&gt;" in page and "<script" not in page
    assert "http" not in page
