"""The map of what was seen."""

from __future__ import annotations

from teach_agents.agents.perceiving.known import Known
from tests.agents.acting.making import row


def test_rows_name_only_what_is_known() -> None:
    known = Known()
    shelf = {**row("Shelf", 0, receptacle=True), "receptacleObjectIds": ["Mug|0", "Book|0"]}
    known.note([shelf, row("Mug", 0, "Shelf|0", "Cabinet|0")])
    seen = {str(one["objectId"]): one for one in known.rows}
    assert seen["Shelf|0"]["receptacleObjectIds"] == ["Mug|0"]
    assert seen["Mug|0"]["parentReceptacles"] == ["Shelf|0"]


def test_a_receptacle_holds_what_was_last_seen_in_it() -> None:
    known = Known()
    known.note([{**row("Shelf", 0), "receptacleObjectIds": ["Mug|0"]}, row("Mug", 0, "Shelf|0")])
    known.note([row("Mug", 0, isPickedUp=True)])
    assert known.rows[0]["receptacleObjectIds"] == []


def test_a_row_stays_the_same_value_as_long_as_it_says_the_same() -> None:
    known = Known()
    shelf = {**row("Shelf", 0), "receptacleObjectIds": ["Mug|0", "Book|0"]}
    mug = row("Mug", 0, "Shelf|0")
    known.note([shelf, mug])
    before = known.rows
    known.note([mug])
    assert known.rows is before
    known.note([row("Apple", 0)])
    assert all(one is other for one, other in zip(known.rows, before, strict=False))
    known.note([row("Book", 0, "Shelf|0")])
    assert known.rows[0] is not before[0] and known.rows[1] is before[1]


def test_it_tells_what_is_in_view_and_forgets_what_is_gone() -> None:
    known = Known()
    known.note([row("Mug", 0), row("Mug", 1)])
    known.note([row("Mug", 1), row("Apple", 0)])
    assert all(name in known for name in ("Mug|0", "Mug|1", "Apple|0")) and "Apple|1" not in known
    assert known.in_view == {"Mug|1", "Apple|0"}
    known.forget(["Mug|0", "Cup|0"])
    assert "Mug|0" not in known and len(known) == 2 and known.row("Mug|0") is None
