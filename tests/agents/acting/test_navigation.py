"""Paths on the grid."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from teach_agents.agents.acting.navigation import Cell, Paths, Stand, cell_of, neighbour, point_of

_CELLS = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1)


@given(_CELLS, st.integers(0, 3), st.data())
def test_a_way_leads_where_it_says_over_free_cells(cells: frozenset[Cell], heading: int, data: st.DataObject) -> None:
    start: Stand = (data.draw(st.sampled_from(sorted(cells))), heading)
    paths = Paths(start, cells)
    for goal in ((cell, turned) for cell in cells for turned in range(4)):
        cost = paths.cost(goal)
        if cost == math.inf:
            continue
        here, visited = start, [start]
        for action in paths.way(goal):
            here = neighbour(here, action)
            visited.append(here)
        assert here == goal
        assert len(visited) == cost + 1
        assert all(cell in cells for cell, _ in visited)


def test_a_blocked_edge_is_walked_around() -> None:
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
    start: Stand = ((0, 0), 0)
    assert Paths(start, cells).cost(((0, 1), 0)) == 1
    blocked = {((0, 0), (0, 1))}
    assert Paths(start, cells, blocked).cost(((0, 1), 0)) == 3
    everything = {((0, 0), (0, 1)), ((0, 0), (1, 0))}
    assert Paths(start, cells, everything).cost(((0, 1), 0)) == math.inf


@given(_CELLS, st.integers(0, 3), st.data())
def test_a_way_is_as_short_as_any(cells: frozenset[Cell], heading: int, data: st.DataObject) -> None:
    start: Stand = (data.draw(st.sampled_from(sorted(cells))), heading)
    blocked = data.draw(st.sets(st.sampled_from([(cell, (cell[0] + 1, cell[1])) for cell in sorted(cells)])))
    paths = Paths(start, cells, blocked)
    for cell in cells:
        for turned in range(4):
            cost = paths.cost((cell, turned))
            for action in ("Forward", "Backward", "Pan Left", "Pan Right", "Turn Left", "Turn Right"):
                there = neighbour((cell, turned), action)
                if there[0] in cells and (cell, there[0]) not in blocked:
                    assert paths.cost(there) <= cost + 1


def test_a_way_walks_before_it_turns() -> None:
    cells = [(x, z) for x in range(3) for z in range(3)]
    way = Paths(((0, 0), 1), cells).way(((1, 1), 3))
    assert way == ["Forward", "Pan Left", "Turn Right", "Turn Right"]


def test_steps_sideways_and_back_keep_the_heading() -> None:
    stand: Stand = ((2, 2), 1)
    assert neighbour(stand, "Forward") == ((3, 2), 1)
    assert neighbour(stand, "Backward") == ((1, 2), 1)
    assert neighbour(stand, "Pan Left") == ((2, 3), 1)
    assert neighbour(stand, "Pan Right") == ((2, 1), 1)
    assert neighbour(stand, "Turn Left") == ((2, 2), 0)
    assert neighbour(stand, "Look Up") == stand


@given(st.integers(-40, 40), st.integers(-40, 40))
def test_cells_and_points_agree(x: int, z: int) -> None:
    point = point_of((x, z))
    assert cell_of(point.x, point.z) == (x, z)
