"""The tier `oracle`: all that is true of what is in view, a memory of the rest, and nothing of what was never seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from teach_agents.actions import Action
from teach_agents.agents.acting.skills.hands import open_up, pick_up, put_held
from teach_agents.agents.acting.skills.searching import look_round, survey
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.perceiving.oracle import OraclePerception, recognised
from teach_agents.errors import SpecError
from teach_agents.observations import Privilege, Segmentation
from tests.agents.perceiving.looking_around import Explorer

_EGG = "Egg|-02.04|+00.81|+01.24"
"""In the shut fridge of FloorPlan1."""


@pytest.fixture(scope="module")
def explored() -> Explorer:
    """A body that has looked around in a kitchen."""
    explorer = Explorer("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    return explorer


def _one(explorer: Explorer, kind: str) -> Thing:
    return next(thing for thing in explorer.body.things if thing.object_type == kind)


def test_at_first_only_what_is_in_view_is_known_and_as_it_truly_is() -> None:
    explorer = Explorer("FloorPlan1")
    shown = set(explorer.true.privileged.segmentation.object_ids)
    assert set(explorer.known) <= shown and len(explorer.known) < len(explorer.rows)
    for name, row in explorer.known.items():
        true = explorer.rows[name]
        assert {key for key in true if row[key] != true[key]} <= {"parentReceptacles", "receptacleObjectIds"}


def test_rows_name_nothing_unknown(explored: Explorer) -> None:
    for row in explored.known.values():
        for key in ("parentReceptacles", "receptacleObjectIds"):
            named = row.get(key) or []
            assert isinstance(named, list) and set(named) <= set(explored.known)


def test_nothing_is_known_of_what_is_in_shut_things(explored: Explorer) -> None:
    shut = {name for name, row in explored.rows.items() if row.get("openable") and not row.get("isOpen")}
    inside = {name for name, row in explored.rows.items() if shut & set(_parents(row)) and row.get("pickupable")}
    assert _EGG in inside and not inside & set(explored.known)
    assert not inside & explored.seen.privileged.visible
    assert not inside & {str(row["objectId"]) for row in explored.seen.privileged.objects}


def _parents(row: object) -> list[str]:
    assert hasattr(row, "get")
    return row.get("parentReceptacles") or []


def test_what_is_out_of_view_is_remembered_as_it_was_last_seen() -> None:
    explorer = Explorer("FloorPlan1")
    before, room = explorer.known, explorer.perception.map  # type: ignore[attr-defined]  # its own
    for _ in range(2):
        explorer.do(Action("Turn Right"))
    away = [name for name in before if name not in room.in_view]
    assert away and all(explorer.known[name] is before[name] for name in away if "Counter" not in name)


def test_a_session_begins_with_nothing_known(explored: Explorer) -> None:
    perception = OraclePerception()
    perception.perceive(explored.true)
    known = len(perception.map.known)
    perception.begin(1)
    assert known
    assert not perception.map.in_view and len(perception.map.known) == 0


def test_what_one_does_is_known(explored: Explorer) -> None:
    body = explored.body
    explored.carry_out(open_up(body, _one(explored, "Fridge")))
    assert _one(explored, "Fridge").has("isOpen")
    mug = _one(explored, "Mug")
    explored.carry_out(pick_up(body, mug))
    assert body.held == body.now(mug) and body.held is not None
    held_at = body.held.position
    explored.do(Action("Turn Left"))
    assert body.held.position != held_at, "it goes where the hand goes"
    table = next(thing for thing in body.things if thing.object_type in ("DiningTable", "CounterTop"))
    explored.carry_out(put_held(body, table))
    assert not body.now(mug).has("isPickedUp")
    assert table in body.things.holders(body.now(mug))


def test_what_is_not_where_it_was_is_forgotten() -> None:
    explorer = Explorer("FloorPlan1")
    explorer.carry_out(survey(explorer.body))
    known = explorer.perception.map.known  # type: ignore[attr-defined]  # its own
    seen = next(thing for thing in explorer.body.things if thing.object_type == "CreditCard")
    assert seen.object_id in known.in_view
    row = dict(explorer.rows[seen.object_id])
    x, y, z = seen.center
    center = {"x": x, "y": y + 0.25, "z": z}
    size = dict.fromkeys("xyz", 0.15)
    ghost = {**row, "objectId": "Ghost|0", "axisAlignedBoundingBox": {"center": center, "size": size}}
    known.note([ghost])
    assert "Ghost|0" in known
    for turn in ("Turn Right", "Turn Left"):
        explorer.do(Action(turn))
    assert {"Ghost|0", seen.object_id} & set(explorer.known) == {seen.object_id}


def test_little_of_a_thing_is_not_recognised() -> None:
    ids = np.full((10, 10), -1, np.int32)
    ids[0, :3], ids[5, :] = 0, 2
    found = recognised(Segmentation(ids, ("Pen", "Mug", "Table")))
    assert found.object_ids == ("Table",)
    assert (found.ids[5] == 0).all() and (np.delete(found.ids, 5, axis=0) == -1).all()


def test_it_can_do_without_being_told_the_ground() -> None:
    assert Privilege.REACHABLE in OraclePerception().privileges
    seen = OraclePerception(ground="seen")
    assert Privilege.REACHABLE not in seen.privileges
    assert seen.provenance == {"perception": "oracle", "ground": "seen"}
    with pytest.raises(SpecError, match=r"guessed.*true, seen"):
        OraclePerception(ground="guessed")


@pytest.fixture
def sliced() -> Iterator[Explorer]:
    """A body that has sliced something."""
    from teach_agents.agents.acting.skills.hands import slice_up

    explorer = Explorer("FloorPlan2")
    explorer.carry_out(survey(explorer.body))
    explorer.carry_out(slice_up(explorer.body, _one(explorer, "Tomato")))
    yield explorer


def test_a_thing_that_was_sliced_is_known_to_be_gone(sliced: Explorer) -> None:
    kinds = {thing.object_type for thing in sliced.body.things}
    assert "TomatoSliced" in kinds and "Tomato" not in kinds


def test_who_sees_a_thing_sees_what_it_lies_in() -> None:
    explorer = Explorer("FloorPlan4")
    explorer.carry_out(look_round(explorer.body))
    plate = _one(explorer, "Plate")
    basins = [name for name in _parents(explorer.rows[plate.object_id]) if name.endswith("SinkBasin")]
    assert basins and set(basins) <= set(explorer.known)
    assert [holder.object_id for holder in explorer.body.things.holders(plate)] == basins
