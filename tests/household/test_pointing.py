"""Where to click, from arrays alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.household import point_on
from teach_agents.household.geometry import CLICK_GRID, click_at, deepest, pixel_of
from teach_agents.observations import Segmentation


def test_the_point_lies_in_the_thick_part_of_a_mask() -> None:
    mask = np.zeros((60, 60), dtype=bool)
    mask[5, 0:50] = True
    mask[20:31, 40:51] = True
    assert deepest(mask) == (25, 45)


def test_a_ring_is_hit_on_the_ring_and_never_in_its_hole() -> None:
    mask = np.ones((40, 40), dtype=bool)
    mask[10:30, 10:30] = False
    row, column = deepest(mask) or (20, 20)
    assert mask[row, column]


def test_an_empty_mask_has_no_point() -> None:
    assert deepest(np.zeros((10, 10), dtype=bool)) is None


def test_a_mask_at_the_edge_of_the_frame_is_hit() -> None:
    mask = np.zeros((30, 30), dtype=bool)
    mask[29, 29] = True
    assert deepest(mask) == (29, 29)


def test_an_object_that_no_pixel_shows_has_no_point() -> None:
    ids = np.full((30, 30), -1, dtype=np.int32)
    ids[10:20, 5:15] = 1
    seen = Segmentation(ids, ("Apple|1", "Mug|1"))
    assert point_on(seen, "Apple|1") is None
    assert point_on(seen, "Fork|1") is None
    x, y = point_on(seen, "Mug|1") or (0.0, 0.0)
    assert ids[int(y * 30), int(x * 30)] == 1


@given(st.data())
def test_a_click_at_a_pixel_resolves_to_that_pixel(data: st.DataObject) -> None:
    size = data.draw(st.integers(16, CLICK_GRID))
    row, column = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1))
    x, y = click_at(row, column, size)
    assert 0 <= x < 1
    assert 0 <= y < 1
    assert (pixel_of(round(CLICK_GRID * y), size), pixel_of(round(CLICK_GRID * x), size)) == (row, column)


@pytest.mark.parametrize("size", [100, 224, 300, 900])
def test_every_grid_pixel_lies_in_the_picture(size: int) -> None:
    assert {pixel_of(grid, size) for grid in range(CLICK_GRID)} == set(range(size))
