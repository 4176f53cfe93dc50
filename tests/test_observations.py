"""What observations hold: privileged parts made when first read."""

from __future__ import annotations

from teach_agents.observations import ObjectRows, Privilege, Privileged

ROWS: tuple[dict[str, object], ...] = (
    {"objectId": "Mug|0", "visible": True},
    {"objectId": "Sink|0", "visible": False},
    {"objectId": "Cup|0"},
)


def test_rows_that_are_there_already_say_what_is_visible() -> None:
    seen = Privileged({Privilege.OBJECTS: lambda: ROWS})
    assert seen.visible == {"Mug|0"}
    assert seen.objects is seen.lasting_objects is ROWS


def test_rows_in_the_making_are_asked_for_once_and_only_if_wanted() -> None:
    asked: list[str] = []

    def look() -> tuple[dict[str, object], ...]:
        asked.append("look")
        return ROWS

    def see() -> frozenset[str]:
        asked.append("see")
        return frozenset({"Mug|0"})

    seen = Privileged({Privilege.OBJECTS: lambda: ObjectRows(ROWS[:1], look, see)})
    assert seen.lasting_objects == ROWS[:1] and not asked
    assert seen.objects is seen.objects is ROWS and asked == ["look"]
    assert seen.visible is seen.visible and asked == ["look", "see"]
