"""The low-level language, there and back; and the view worked out from boxes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Action
from teach_agents.agents.planner.lowlevel.commander import imagined_view
from teach_agents.agents.planner.lowlevel.protocol import (
    Status,
    read_actions,
    read_status,
    write_actions,
    write_status,
)
from teach_agents.observations import Pose, Vec3
from tests.agents.acting.making import row, things

_FRACTIONS = st.integers(0, 9999).map(lambda number: number / 10_000)
_ACTIONS = st.one_of(
    st.sampled_from(MOTIONS).map(Action),
    st.builds(Action.click, st.sampled_from(OBJECT_ACTIONS), _FRACTIONS, _FRACTIONS),
)


@given(st.lists(_ACTIONS, max_size=12))
def test_actions_come_back_as_they_were(actions: list[Action]) -> None:
    assert read_actions(write_actions(actions, ["Mug"] * len(actions))) == actions


def test_the_papers_own_example_is_read() -> None:
    assert read_actions("Forward Forward TurnRight LookUp Pickup Mug at 0.57 0.25") == [
        Action("Forward"),
        Action("Forward"),
        Action("Turn Right"),
        Action("Look Up"),
        Action.click("Pickup", 0.57, 0.25),
    ]


def test_reading_stops_at_what_is_no_action() -> None:
    assert read_actions("Forward please Forward") == [Action("Forward")]
    assert read_actions("") == []
    assert read_actions("Pickup Mug") == []


@given(st.text(max_size=50))
def test_any_text_is_read_without_error(text: str) -> None:
    read_actions(text)
    read_status(text)


@pytest.mark.parametrize("failed", [None, 0, 3])
def test_a_status_comes_back_as_it_was(failed: int | None) -> None:
    pose = Pose(Vec3(1.5, 0.901, -0.75), 270.0, -30.0)
    status = Status(pose, failed, "" if failed is None else "wall is blocking")
    assert read_status(write_status(status)) == status
    assert read_status(write_status(Status(pose), first=True)) == Status(pose)


def test_the_imagined_view_shows_what_is_before_the_eye() -> None:
    room = things(row("Mug", at=(0.0, 1.575, 1.0), size=0.3), row("Cup", at=(0.0, 1.575, 2.0), size=0.3))
    view, depth = imagined_view(room, Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0))
    middle = view.ids.shape[0] // 2
    assert view.object_ids[int(view.ids[middle, middle])] == "Mug|0"
    assert depth[middle, middle] == pytest.approx(0.85, abs=0.02)
    away, _ = imagined_view(room, Pose(Vec3(0.0, 0.9, 0.0), 180.0, 0.0))
    assert (away.ids == -1).all()


def test_what_lies_in_an_open_holder_is_seen_and_in_a_closed_one_is_not() -> None:
    pose = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0)
    mug = row("Mug", 0, "Fridge|0", at=(0.0, 1.575, 1.0), size=0.3)
    for is_open in (True, False):
        fridge = row("Fridge", at=(0.0, 1.5, 1.0), size=0.8, receptacle=True, openable=True, isOpen=is_open)
        view, _ = imagined_view(things(fridge, mug), pose)
        middle = view.ids.shape[0] // 2
        assert view.object_ids[int(view.ids[middle, middle])] == ("Mug|0" if is_open else "Fridge|0")
