"""Requests that leave something open, or take for granted what is not so: asked where nobody can know, else done."""

from __future__ import annotations

from tests.agents.dialogue.talking import Room

_SWITCH = "Please can you switch that off"


def test_that_with_several_things_on_is_asked_about_and_the_answer_completes_the_order() -> None:
    meanings = {_SWITCH: "turn_off(that)", "the television, I meant": "choose(television)"}
    room = Room("FloorPlan307", setup=["on Television"], meanings=meanings)
    asked = room.say(_SWITCH)
    assert asked.text.endswith("What should I turn off?") and not asked.touched
    room.say("the television, I meant")
    assert not room.one("Television")["isToggled"] and room.one("LightSwitch")["isToggled"]


def test_that_is_the_only_thing_that_is_on() -> None:
    room = Room(
        "FloorPlan307", setup=["off LightSwitch", "off DeskLamp", "on Television"], meanings={_SWITCH: "turn_off(that)"}
    )
    room.say(_SWITCH)
    assert not room.one("Television")["isToggled"]


def test_it_after_two_things_is_asked_about() -> None:
    both = "Are the cup and the bowl clean?"
    meanings = {both: "?state(cup: clean)", "bring it over": "get(it)", "The cup, I meant.": "choose(cup)"}
    room = Room("FloorPlan10", meanings=meanings)
    assert "bowl" in room.say(both).text
    asked = room.say("bring it over")
    assert "Which one" in asked.text and not asked.touched
    room.say("The cup, I meant.")
    assert room.holding() == "Cup"


def test_a_question_is_not_buried_under_courtesies() -> None:
    room = Room("FloorPlan303", meanings={"just stick it in the box, ta": "put(it, in box); thanks"})
    assert room.say("just stick it in the box, ta").text == "What should I put in the box?"


def test_the_other_one_of_one_is_none() -> None:
    meanings = {"a cd in the box": "put(cd, in box)", "now the other one": "put(other one, in box)"}
    room = Room("FloorPlan304", meanings=meanings)
    room.say("a cd in the box")
    said = room.say("now the other one").text
    assert "I know of no other disc." in said and "mean" not in said


def test_what_was_in_the_hand_from_the_beginning_is_put_back_where_somebody_says() -> None:
    room = Room(
        "FloorPlan310", setup=["hold Book"], meanings={"put it back": "put_back(book)", "on the bed": "choose(on bed)"}
    )
    assert room.say("put it back").text.endswith("Where should I put it?")
    room.say("on the bed")
    assert room.is_in("Book", "Bed") and not room.holding()


def test_what_no_household_has_is_said_not_to_be_there() -> None:
    room = Room("FloorPlan210", meanings={"Is the dog on the sofa again?": "?there(dog @on sofa)"})
    assert room.say("Is the dog on the sofa again?").text == "No, I see no dog on the sofa."


def test_more_or_less_than_on_and_off_cannot_be_done() -> None:
    asked = "Can you turn the telly up, love?"
    room = Room("FloorPlan201", meanings={asked: "turn_on(telly)"})
    said = room.say(asked)
    assert "cannot turn the telly up" in said.text and not said.touched
    room.say("switch it on")
    assert room.one("Television")["isToggled"], "it is what could not be done more to"


def test_a_bottle_is_the_one_of_what_is_spoken_of() -> None:
    for asked, read in (("some wine tonight: bring me the bottle", "get(bottle)"), ("the bottle", "get(bottle +wine)")):
        room = Room("FloorPlan3", meanings={asked: read})
        room.say(asked)
        assert room.holding() == "WineBottle", asked
