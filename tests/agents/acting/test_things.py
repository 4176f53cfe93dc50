"""What is there, turn by turn."""

from __future__ import annotations

import pytest

from teach_agents.agents.acting.things import Things
from tests.agents.acting.making import kitchen, row


def test_a_new_listing_tells_what_changed_and_keeps_the_rest() -> None:
    rows = list(kitchen())
    before = Things(rows)
    rows = [{**row, "distance": 3.0} for row in rows]
    rows[2] = {**rows[2], "isPickedUp": True, "parentReceptacles": None}
    now = Things(rows, before)
    assert [thing.object_id for thing in now] == [thing.object_id for thing in Things(rows)]
    assert now.held is not None and now.held.object_id == "Knife|0" and now.held.parents == ()
    assert before.held is None
    assert all(thing is before.get(thing.object_id) for thing in now if thing is not now.held)


def test_coming_into_view_changes_no_thing() -> None:
    rows = [{**row, "visible": False, "obstructed": True} for row in kitchen()]
    before = Things(rows)
    now = Things([{**row, "visible": True, "obstructed": False, "distance": 1.0} for row in rows], before)
    assert all(thing is before.get(thing.object_id) for thing in now)
    assert not any(thing.has("visible") or thing.has("obstructed") for thing in (*before, *now))


def test_what_was_cut_up_is_gone_from_the_next_listing() -> None:
    rows = list(kitchen())
    before = Things(rows)
    rows[3] = {**rows[3], "isSliced": True}
    now = Things(rows, before)
    assert before.get("Tomato|0") is not None
    assert now.get("Tomato|0") is None and not now.of("Tomato")
    assert Things(kitchen(), now).of("Tomato")


def test_the_list_of_a_kind_is_the_askers_own() -> None:
    there = Things(kitchen())
    there.of("Plate").clear()
    assert [thing.object_id for thing in there.of("Plate")] == ["Plate|0", "Plate|1"]


def test_boxes_that_can_not_be_are_not_believed() -> None:
    """TEACh's states hold toilet paper whose box is 24 m wide."""
    roll = row("ToiletPaper", 0, pickupable=True, at=(10.0, -4.0, 3.0), size=(25.0, 8.0, 11.0))
    at = {"x": -2.85, "y": 0.09, "z": 3.33}
    (thing,) = Things([{**roll, "position": at}])
    assert thing.center == pytest.approx(tuple(at.values())) and max(thing.sides) < 0.2


def test_the_layout_stays_while_at_most_what_is_held_is_carried_on() -> None:
    rows = list(kitchen())
    rows[2] = {**rows[2], "isPickedUp": True, "parentReceptacles": None}
    before = Things(rows)
    assert Things.now([{**row, "visible": True} for row in rows], before) is before

    carried = [*rows[:2], {**rows[2], "position": {"x": 9.0, "y": 1.0, "z": 9.0}}, *rows[3:]]
    now = Things.now(carried, before)
    assert now is not before and now.layout is before.layout
    assert now.held is not None and now.held.position.x == 9.0

    for changed in ({"isPickedUp": False}, {"isDirty": True}):
        assert Things.now([*rows[:2], {**rows[2], **changed}, *rows[3:]], before).layout is not before.layout
    assert Things.now(rows[:-1], before).layout is not before.layout
    assert Things.now([*rows[:-1], {**rows[-1], "isDirty": False}], before).layout is not before.layout


def test_furniture_is_in_what_encloses_it_and_things_in_it_are_behind_both_doors() -> None:
    room = Things(
        [
            row("Cabinet", 0, openable=True, receptacle=True, at=(0, 1.5, 0), size=(2.0, 2.9, 0.7)),
            row("Cabinet", 1, openable=True, receptacle=True, at=(1.2, 0.4, 0), size=(0.4, 0.8, 0.7)),
            row("Safe", 0, "Cabinet|0", openable=True, receptacle=True, at=(0.5, 0.4, 0), size=0.5),
            row("Fridge", 0, "Cabinet|1", openable=True, receptacle=True, at=(1.6, 0.9, 0), size=(0.8, 1.8, 0.7)),
            row("KeyChain", 0, "Safe|0", pickupable=True, at=(0.5, 0.3, 0)),
        ]
    )
    around = {one.object_id: [holder.object_id for holder in room.closed_around(one)] for one in room}
    assert around["Safe|0"] == ["Cabinet|0"] and around["KeyChain|0"] == ["Cabinet|0", "Safe|0"]
    assert around["Fridge|0"] == around["Cabinet|0"] == []
