"""What is thrown away goes to the bin, or where the words say, if there is such a place."""

from __future__ import annotations

from typing import cast

import pytest

from tests.agents.dialogue.talking import Room

_GARDEN, _TRASH = "Throw the potato in the garden", "Throw the potato away, where rubbish goes"


def test_nothing_is_thrown_where_there_is_no_such_place() -> None:
    room = Room("FloorPlan10", meanings={_GARDEN: "throw_away(potato, in garden)"})
    answer = room.say(_GARDEN)
    assert "no garden" in answer.text and not answer.touched


@pytest.mark.parametrize("where", ["trash", "recycling", "bin"])
def test_what_stands_for_the_bin_is_the_bin(where: str) -> None:
    room = Room("FloorPlan10", meanings={_TRASH: f"throw_away(potato, in {where})"})
    room.say(_TRASH)
    assert room.is_in("Potato", "GarbageCan")


def test_litter_in_the_middle_of_a_bin_is_moved_up_for_more_and_goes_back_in() -> None:
    said = "Throw the cloth away"
    room = Room("FloorPlan403", meanings={said: "throw_away(cloth)"})

    def bin_holds() -> set[str]:
        return set(cast("list[str]", room.one("GarbageCan")["receptacleObjectIds"]))

    litter = bin_holds()
    room.say(said)
    assert litter and bin_holds() == litter | {str(room.one("Cloth")["objectId"])}
