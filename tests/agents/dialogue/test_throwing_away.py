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


def test_what_is_done_with_goes_where_such_things_were_said_to_go() -> None:
    told, order = "In this house old papers go in the box.", "I've read the newspaper, get rid of it."
    meanings = {told: "put(all old paper, in box)", order: "throw_away(newspaper)"}
    room = Room("FloorPlan201", meanings=meanings)
    room.say(told)
    assert "in the box" in room.say(order).text
    room = Room("FloorPlan201", meanings={**meanings, "The newspaper belongs in the box.": "fact(newspaper @in box)"})
    room.say("The newspaper belongs in the box.")
    assert "in the bin" in room.say(order).text
