"""What was seen hides what is behind it."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.agents.acting.attempts import Screens
from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.observations import Pose, Vec3

_EYE = np.array([[0.0, EYE_HEIGHT, 0.0]])


def _wall(metres: float, far: float = 9.0) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """A view of which the left half shows a wall so far ahead, and the right half what is `far` away."""
    depth = np.full((300, 300), far, dtype=np.float32)
    depth[:, :150] = metres
    return depth


def _seen(depth: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Screens:
    screens = Screens()
    screens.add(depth, Pose(Vec3(0.0, 0.0, 0.0), 0.0, 0.0))
    return screens


@pytest.mark.parametrize(("side", "hidden"), [(-0.5, True), (0.5, False)])
def test_a_wall_hides_what_is_behind_it_and_nothing_beside_it(side: float, hidden: bool) -> None:
    screens = _seen(_wall(0.6))
    point = np.array([[side, EYE_HEIGHT, 1.2]])
    assert screens.hide(_EYE, point).tolist() == [hidden]


def test_what_stands_before_a_wall_or_is_looked_at_from_behind_it_is_not_hidden() -> None:
    screens = _seen(_wall(1.2))
    assert not screens.hide(_EYE, np.array([[-0.3, EYE_HEIGHT, 0.8]])).any()
    assert not screens.hide(np.array([[-0.3, EYE_HEIGHT, 2.4]]), np.array([[-0.3, EYE_HEIGHT, 1.5]])).any()


def test_nothing_seen_or_nothing_near_hides_nothing() -> None:
    assert not Screens()
    assert not _seen(_wall(9.0))
    assert not Screens().hide(_EYE, np.array([[0.0, EYE_HEIGHT, 1.2]])).any()
