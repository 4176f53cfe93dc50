"""What is plain to anybody in a household: what is in use, what laundry is, where things belong."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.noun_types import kinds_of
from tests.agents.dialogue.talking import Room


def test_a_fresh_roll_is_one_that_does_not_hang_there_yet() -> None:
    room = Room("FloorPlan409", meanings={"a new roll please": "get(new loo_roll)"})
    hung = [one["objectId"] for one in room.household.objects if "PaperHanger" in str(one["parentReceptacles"])]
    said = room.say("a new roll please")
    (held,) = [one["objectId"] for one in room.household.objects if one["isPickedUp"]]
    assert str(held).startswith("ToiletPaper|") and held not in hung
    assert "cannot tell" not in said.text


@pytest.mark.parametrize("count", [1, 2])
def test_laundry_is_all_the_cloth_that_is_dirty(count: int) -> None:
    setup = [f"dirty Cloth#{number}" for number in range(1, count + 1)]
    room = Room("FloorPlan307", setup=setup, meanings={"dirty laundry": "put(dirty laundry, in hamper)"})
    room.say("dirty laundry")
    there = [one for one in room.household.objects if "LaundryHamper" in str(one["parentReceptacles"])]
    assert [one["isDirty"] for one in there if one["objectType"] == "Cloth"] == [True] * count


def test_the_free_armchair_is_the_one_with_nothing_on_it() -> None:
    text = "the remote goes on the free armchair"
    room = Room("FloorPlan207", setup=["put Pillow on ArmChair#1"], meanings={text: "put(remote, on free armchair)"})
    room.say(text)
    place = {one["objectType"]: one["parentReceptacles"] for one in room.household.objects}
    assert not {*place["RemoteControl"]} & {*place["Pillow"]} and "ArmChair" in str(place["RemoteControl"])


def test_one_of_what_comes_in_twos_is_called_by_its_name() -> None:
    assert kinds_of("boot") == kinds_of("boots") == ("Boots",)
    assert kinds_of("night_stand") == kinds_of("nightstand")
