"""Where a thing has room on a holder, by boxes alone."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.agents.acting.looking import Pixels
from teach_agents.agents.acting.spaces import SURE, Space
from teach_agents.agents.acting.things import Thing, Things
from tests.agents.acting.making import row, things

_ON_TOP = (0.0, 1.2, 0.0)


def _table(*others: dict[str, object]) -> Things:
    """A table 1 m by 0.4 m whose top is 0.8 m high, a bowl 0.2 m wide to be put on it, and what stands there."""
    return things(
        row("DiningTable", 0, receptacle=True, at=(0, 0.4, 0), size=(1.0, 0.8, 0.4)),
        row("Bowl", 0, pickupable=True, at=(5, 1, 5), size=(0.2, 0.1, 0.2)),
        *others,
    )


def _cup(number: int, x: float, z: float = 0.0, size: float = 0.1) -> dict[str, object]:
    return row("Cup", number, "DiningTable|0", pickupable=True, at=(x, 0.8 + size / 2, z), size=size)


def _of(room: Things, name: str) -> Thing:
    found = room.get(name)
    assert found is not None
    return found


def _space(room: Things, margin: float = 0.0) -> Space:
    return Space(room, _of(room, "DiningTable|0"), _of(room, "Bowl|0"), margin)


def _clearance(room: Things, x: float, z: float = 0.0, y: float = 0.8) -> float:
    return float(_space(room).clearance(np.array([[x, y, z]]))[0])


def test_room_is_measured_from_the_side_of_what_is_placed() -> None:
    room = _table(_cup(0, 0.0))
    assert _clearance(room, 0.3) == pytest.approx(0.09, abs=0.011)
    assert _clearance(room, 0.1) < 0.0
    assert _clearance(room, 0.48) < 0.0, "it would stick out over the edge"


def test_what_stands_above_or_below_is_not_in_the_way() -> None:
    room = _table(_cup(0, 0.0))
    assert _clearance(room, 0.0, y=0.95) > 0.0


def test_a_table_is_full_when_the_bowl_fits_nowhere_although_it_would_on_the_empty_one() -> None:
    assert not _space(_table()).is_full
    crowd = [_cup(number, -0.45 + 0.15 * number) for number in range(7)]
    assert _space(_table(*crowd)).is_full


def test_more_room_about_a_thing_is_looked_for_only_where_it_could_be_made() -> None:
    room = _table(_cup(0, -0.3), _cup(1, 0.3))
    assert _space(room, margin=0.05).clearance(np.array([[0.18, 0.8, 0.0]]))[0] < 0.0 <= _clearance(room, 0.11)
    assert not _space(room, margin=0.2).is_full, "so wide it would not even fit the empty table"


def test_on_a_turned_table_room_is_measured_along_its_sides() -> None:
    side = 0.8 * (0.5**0.5 * 2)
    turned = {"x": 0.0, "y": 45.0, "z": 0.0}
    table = row("DiningTable", 0, receptacle=True, at=(0, 0.4, 0), size=(side, 0.8, side), rotation=turned)
    room = things(table, row("Bowl", 0, pickupable=True, at=(5, 1, 5), size=(0.2, 0.1, 0.2)))
    assert _clearance(room, 0.0, 0.4) > 0.0
    assert _clearance(room, 0.3, 0.3) < 0.0, "over the edge, although within the box around the table"


def test_nothing_is_put_on_the_arms_of_a_seat_that_has_room() -> None:
    room = things(
        row("ArmChair", 0, receptacle=True, at=(0, 0.45, 0), size=(0.8, 0.9, 0.8)),
        row("Bowl", 0, pickupable=True, at=(3, 0.5, 0), size=(0.2, 0.1, 0.2)),
        row("Laptop", 0, pickupable=True, at=(3, 0.5, 0), size=(0.7, 0.1, 0.7)),
    )
    points = np.array([(0.0, 0.45, 0.0), (0.29, 0.45, 0.0)])
    bowl, laptop = (Space(room, _of(room, "ArmChair|0"), _of(room, f"{kind}|0")) for kind in ("Bowl", "Laptop"))
    assert (bowl.clearance(points) >= 0.0).tolist() == [True, False]
    assert (laptop.clearance(points[:1]) >= 0.0).tolist() == [True], "what is as wide as the seat may lie on its arms"


def test_nothing_is_put_against_the_back_of_a_seat() -> None:
    room = things(
        row("Sofa", 0, receptacle=True, at=(0, 0.45, 0), size=(1.0, 0.9, 0.8)),
        row("Bowl", 0, pickupable=True, at=(5, 1, 5), size=(0.2, 0.1, 0.2)),
    )
    space = Space(room, _of(room, "Sofa|0"), _of(room, "Bowl|0"))
    points = np.array([[0.0, 0.45, 0.0], [0.0, 0.8, 0.2]])
    seat, back = space.score(Pixels(np.zeros(2), np.zeros(2), points, np.ones(2, dtype=np.int64)))
    assert seat >= SURE > back


def test_the_least_that_has_to_go_is_named() -> None:
    crowd = [_cup(number, -0.45 + 0.15 * number) for number in range(7)]
    room = _table(*crowd)
    found = _space(room).hindrance(lambda thing: 1.0)
    assert 1 <= len(found) <= 2
    dear = {thing.object_id for thing in found}
    others = _space(room).hindrance(lambda thing: 100.0 if thing.object_id in dear else 1.0)
    assert dear.isdisjoint(thing.object_id for thing in others)


def test_aims_lie_where_there_is_room() -> None:
    room = _table(_cup(0, -0.3, size=0.35))
    aims = _space(room).aims()
    assert aims
    assert all(_clearance(room, aim.x, aim.z) >= 0.0 for aim in aims)


@pytest.mark.parametrize("yaw", [0.0, 20.0, 90.0, 110.0])
def test_a_turned_thing_has_the_sides_it_had(yaw: float) -> None:
    turn = np.radians(yaw)
    cos, sin = abs(np.cos(turn)), abs(np.sin(turn))
    box = (0.3 * cos + 0.1 * sin, 0.1, 0.3 * sin + 0.1 * cos)
    room = things(row("Book", 0, at=_ON_TOP, size=box, rotation={"x": 0.0, "y": yaw, "z": 0.0}))
    assert sorted(_of(room, "Book|0").sides) == pytest.approx([0.1, 0.3])


def _sink(*others: dict[str, object]) -> Things:
    """A sink 0.4 m by 0.4 m and 0.2 m deep, a bowl 0.2 m wide to be put into it, and what is there."""
    return things(
        row("Sink", 0, receptacle=True, at=(0, 0.8, 0), size=(0.4, 0.2, 0.4)),
        row("Bowl", 0, pickupable=True, at=(5, 1, 5), size=(0.2, 0.1, 0.2)),
        *others,
    )


def _in_sink(room: Things, *, refused: bool = False) -> Space:
    return Space(room, _of(room, "Sink|0"), _of(room, "Bowl|0"), refused=refused)


def test_after_a_refusal_what_is_over_the_brim_of_a_sink_is_in_the_way_too() -> None:
    room = _sink(row("Cup", 0, pickupable=True, at=(0, 0.93, 0), size=0.1))
    bottom = np.array([[0.0, 0.7, 0.0]])
    assert _in_sink(room).clearance(bottom)[0] > 0.0
    assert _in_sink(room, refused=True).clearance(bottom)[0] < 0.0
    assert [thing.object_id for thing in _in_sink(room, refused=True).hindrance(lambda thing: 1.0)] == ["Cup|0"]


@pytest.mark.parametrize(("width", "is_clear"), [(0.6, True), (0.1, False)])
def test_a_faucet_that_leaves_no_room_in_the_sink_is_above_what_stands_there(width: float, is_clear: bool) -> None:
    room = _sink(row("Faucet", 0, at=(0, 0.8, 0.15), size=(width, 0.3, 2 * width)))
    below = np.array([[0.0, 0.7, 0.1 if is_clear else 0.08]])
    assert bool(_in_sink(room).clearance(below)[0] >= 0.0) is is_clear


def test_in_a_bin_nothing_goes_below_what_lies_in_it_and_a_click_near_room_will_do() -> None:
    room = things(
        row("GarbageCan", 0, receptacle=True, at=(0, 0.3, 0), size=(0.5, 0.6, 0.5)),
        row("Cloth", 0, pickupable=True, at=(5, 1, 5), size=(0.25, 0.02, 0.25)),
        row("ToiletPaper", 0, "GarbageCan|0", pickupable=True, at=(0.2, 0.12, 0), size=(0.08, 0.1, 0.3)),
    )
    space = Space(room, _of(room, "GarbageCan|0"), _of(room, "Cloth|0"))
    assert space.has_room and space.aims()[0].x < 0.0
    assert space.clearance(np.array([[0.1, 0.02, 0.0]]))[0] < 0.0, "the roll lies there"
    seen = np.array([[0.1, 0.02, 0.0], [-0.16, 0.02, 0.0]])
    far, near = space.score(Pixels(np.zeros(2), np.zeros(2), seen, np.ones(2, np.int64)))
    assert far < SURE <= near, "the cloth comes to stand a little further from the wall"


def test_a_desk_is_not_in_the_way_of_what_goes_on_the_shelf_that_it_carries() -> None:
    shelf = row("Shelf", 0, receptacle=True, at=(0, 1.6, -0.1), size=(1.0, 0.1, 0.3))
    desk = row("Desk", 0, receptacle=True, moveable=True, at=(0, 0.82, 0), size=(1.02, 1.64, 0.6))
    chair = row("Chair", 0, receptacle=True, moveable=True, at=(0.4, 1.5, 0), size=(0.2, 0.6, 0.6))

    def room_beside_the_middle(room: Things) -> float:
        space = Space(room, _of(room, "Shelf|0"), _of(room, "Bowl|0"))
        return float(space.clearance(np.array([[0.3, 1.6, -0.1]]))[0])

    assert room_beside_the_middle(_table(shelf, desk)) >= 0.0
    assert room_beside_the_middle(_table(shelf, desk, chair)) < 0.0, "the chair's back sticks up there"
