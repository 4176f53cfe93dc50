"""What is plainly not there any more."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.agents.perceiving.coverage import absent
from teach_agents.observations import Pose, Vec3
from tests.agents.acting.making import row

_POSE = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0)
_APPLE = row("Apple", 0, at=(0.0, 1.575, 1.0), size=0.1)


@pytest.mark.parametrize(
    ("what", "away", "gone"),
    [(_APPLE, 3.0, True), (_APPLE, 0.5, False), (row("Apple", 0, at=(0.0, 1.575, -1.0)), 3.0, False)],
    ids=["the wall behind it shows", "something is before it", "it is out of view"],
)
def test_a_thing_is_gone_when_its_place_shows(what: dict[str, object], away: float, gone: bool) -> None:
    depth = np.full((300, 300), away, np.float32)
    assert absent([what], depth, _POSE) == (["Apple|0"] if gone else [])


def test_what_would_hardly_show_is_not_missed() -> None:
    pen = row("Pen", 0, at=(0.0, 1.575, 4.0), size=0.03)
    assert absent([pen], np.full((300, 300), 9.0, np.float32), _POSE) == []


def test_what_has_no_box_is_left_alone() -> None:
    assert absent([{"objectId": "Apple|0"}], np.full((300, 300), 9.0, np.float32), _POSE) == []
