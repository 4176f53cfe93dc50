"""Several things that were named, and what "it", "them", "there" and "the other one" are then."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


def test_what_was_asked_about_in_one_breath_is_put_together() -> None:
    where = "Where are my pen and pencil?"
    room = Room(
        "FloorPlan306", meanings={where: "?where(pen); ?where(pencil)", "Lay them on the bed.": "put(them, on bed)"}
    )
    room.say(where)
    room.say("Lay them on the bed.")
    assert room.is_in("Pen", "Bed") and room.is_in("Pencil", "Bed")


def test_of_two_things_that_were_named_together_it_asks_which_is_meant() -> None:
    room = Room(
        "FloorPlan10",
        meanings={"Are they clean?": "?state(cup: clean); ?state(bowl: clean)", "Is it?": "?state(bowl: clean)"},
    )
    room.say("Are they clean?")
    said = room.say("bring it to me")
    assert said.text.endswith("Which one do you mean?") and not said.done
    room.say("the cup")
    assert room.holding() == "Cup"


def test_after_one_thing_was_named_it_does_not_ask() -> None:
    room = Room(
        "FloorPlan10",
        meanings={"Are they clean?": "?state(cup: clean); ?state(bowl: clean)", "Is it?": "?state(cup: clean)"},
    )
    room.say("Are they clean?")
    room.say("Is it?")
    room.say("bring it to me")
    assert room.holding() == "Cup"


def test_what_was_done_to_one_after_the_other_can_be_undone_to_them_and_the_last_is_it() -> None:
    room = Room(meanings={"close it": "close(it)", "open it again": "open(it)", "close them": "close(them)"})
    room.say("open the fridge")
    room.say("open the microwave")
    room.say("close it")
    assert room.one("Fridge")["isOpen"] and not room.one("Microwave")["isOpen"]
    room.say("open it again")
    room.say("close them")
    assert not room.one("Microwave")["isOpen"]


def test_both_are_closed_that_were_opened_in_turn() -> None:
    room = Room(meanings={"close them": "close(all them)"})
    room.say("open the fridge")
    room.say("open the microwave")
    room.say("close them")
    assert not room.one("Fridge")["isOpen"] and not room.one("Microwave")["isOpen"]


def test_several_things_are_put_back_and_it_is_told_where_they_were() -> None:
    room = Room(meanings={"Where were they before?": "?where(all they)", "Put them back.": "put_back(them)"})
    room.say("put the mug in the sink")
    room.say("put the apple in the sink")
    assert (told := room.say("Where were they before?").text).count("was on the counter") == 2 and "apple" in told
    room.say("Put them back.")
    assert not room.is_in("Mug", "Sink") and not room.is_in("Apple", "Sink")
    assert room.is_in("Mug", "CounterTop") and room.is_in("Apple", "CounterTop")


def test_another_lamp_than_the_floor_lamp_is_one_of_another_kind() -> None:
    room = Room(
        "FloorPlan205", setup=["off DeskLamp", "off FloorLamp"], meanings={"The other one too.": "repeat(other one)"}
    )
    room.say("turn on the floor lamp")
    room.say("The other one too.")
    assert room.one("DeskLamp")["isToggled"] and room.one("FloorLamp")["isToggled"]


def test_the_first_of_two_drawers_is_the_one_that_was_opened_first() -> None:
    room = Room(meanings={"Another one.": "open(another drawer)", "Close the first one.": "close(first one)"})

    def shut() -> set[object]:
        drawers = [one for one in room.household.objects if one["objectType"] == "Drawer"]
        return {one["objectId"] for one in drawers if not one["isOpen"]}

    begun = shut()
    room.say("open a drawer")
    first = begun - shut()
    room.say("Another one.")
    room.say("Close the first one.")
    assert len(begun - shut()) == 1 and not first & (begun - shut())


def test_water_that_runs_is_a_tap_that_is_on() -> None:
    room = Room(
        setup=["on Faucet"], meanings={"Is it running?": "?state(water: on)", "off": "if(water: on) turn_off(tap)"}
    )
    assert room.say("Is it running?").text.startswith("Yes")
    room.say("off")
    assert not room.one("Faucet")["isToggled"]


def test_what_a_thing_was_taken_out_of_is_it_where_only_that_can_be_closed() -> None:
    text = "Take the mug out of the microwave and close it."
    room = Room(
        "FloorPlan8",
        setup=["put Mug in Microwave", "open Microwave"],
        meanings={text: "pick_up(mug, from microwave); close(it)"},
    )
    room.say(text)
    assert room.holding() == "Mug" and not room.one("Microwave")["isOpen"]


@pytest.mark.parametrize("place", ["in there", "in it"])
def test_there_is_where_a_fact_says_that_a_thing_belongs(place: str) -> None:
    text = "The apple belongs in the fridge, put it there."
    room = Room(meanings={text: f"fact(apple @in fridge); put(it, {place})"})
    room.say(text)
    assert room.is_in("Apple", "Fridge")


def test_of_several_things_that_is_meant_of_which_the_fact_is_true() -> None:
    text = "One of the drawers is open. Go to it."
    room = Room("FloorPlan2", setup=["open Drawer#5"], meanings={text: "fact(drawer @in here: open); go_to(it)"})
    said = room.say(text)
    assert "drawer" in said.text
    room.say("close it")
    assert not any(one["isOpen"] for one in room.household.objects if one["objectType"] == "Drawer")


def test_what_was_asked_to_be_seen_is_spoken_of() -> None:
    room = Room("FloorPlan10", meanings={"Can you see my phone?": "?see(phone)", "fetch it": "get(it)"})
    room.say("Can you see my phone?")
    room.say("fetch it")
    assert room.holding() == "CellPhone"


@pytest.mark.parametrize("relation", ["front", "behind", "left", "near"])
def test_it_comes_to_where_somebody_said_they_are_however_they_said_it(relation: str) -> None:
    here = "I am at the telly"
    room = Room("FloorPlan204", meanings={here: f"fact(me @{relation} telly)"})
    room.say(here)
    assert "television" in room.say("come here").text or "telly" in room.say("come here").text


@pytest.mark.parametrize(("first", "other"), [("armchair", "Bed"), ("bed", "ArmChair")])
def test_what_is_said_of_this_one_is_told_of_no_other(first: str, other: str) -> None:
    order, too_soft = f"Bring me the pillow from the {first}.", "This one's too soft. Give me the other one."
    room = Room(
        "FloorPlan309",
        setup=["put Pillow in ArmChair"],
        meanings={order: f"get(pillow, from {first})", too_soft: "fact(this one: too_soft); get(other one)"},
    )
    wanted = _pillows(room, other)
    room.say(order)
    room.say(too_soft)
    assert room.holding() == "Pillow" and not wanted & _pillows(room, other)


def test_of_several_the_one_is_put_where_it_belongs_that_is_not_there() -> None:
    text = "The pillow belongs on the armchair, put it there."
    room = Room(
        "FloorPlan309",
        setup=["put Pillow in ArmChair"],
        meanings={text: "fact(pillow @on armchair: belongs); put(it, on there)"},
    )
    assert len(_pillows(room, "ArmChair")) == 1
    room.say(text)
    assert len(_pillows(room, "ArmChair")) == 2


def _pillows(room: Room, holder: str) -> set[str]:
    """The ids of the pillows in or on something of a type."""
    pillows = (one for one in room.household.objects if one["objectType"] == "Pillow")
    return {
        str(one["objectId"])
        for one in pillows
        if any(str(parent).startswith(f"{holder}|") for parent in one.get("parentReceptacles") or ())
    }
