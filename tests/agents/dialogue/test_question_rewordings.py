"""Questions that ask after a state in other words, and how states are counted and told of several things."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.question_phrases import as_asked
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("read", "text", "meant"),
    [
        ("?which(on lamp)", "which lamps aren't on?", "?which(off lamp)"),
        ("?which(open drawer)", "Which drawers are not open?", "?which(closed drawer)"),
        ("?count(dirty plate)", "how many plates are not dirty", "?count(clean plate)"),
        ("?which(open drawer)", "which drawers are open?", "?which(open drawer)"),
        ("?other(does anything need washing)", "does anything need washing", "?state(anything: dirty)"),
        ("?there(anything)", "is there anything to wash up?", "?state(anything: dirty)"),
        ("?state(bed: ready)", "does the bed need making?", "?state(bed: unmade)"),
        ("?state(laptop: closed)", "does the laptop need to be shut", "?state(laptop: open)"),
        ("?can(wash(plate))", "do you need to wash the plate?", "?can(wash(plate))"),
        ("wash(plate)", "The plate needs a wash.", "wash(plate)"),
        ("?other(is it dark in here)", "is it dark in here?", "?state(all light: off)"),
        ("wash(anything)", "anything that needs cleaning?", "?state(anything: dirty)"),
        ("?state(any drawer: closed)", "is any drawer not closed?", "?state(any drawer: open)"),
        ("?where(phone)", "Is it dark in here? And where's the phone?", "?where(phone)"),
        ("?state(fridge: open)", "Does the plate need a wash? Is the fridge open?", "?state(fridge: open)"),
        ("unclear", "how many are off", "?count(off one)"),
        ("unclear", "how many are there", "unclear"),
    ],
)
def test_a_state_is_asked_after_in_other_words(read: str, text: str, meant: str) -> None:
    (act,) = read_meaning(read)
    assert write_meaning([as_asked(act, text)]) == meant


def test_what_is_not_on_is_read_as_a_place_and_meant_as_off() -> None:
    read = DialogueAct(Act.QUESTION, "which", (Slot("on", Phrase("lamp")),))
    assert as_asked(read, "which lamp isn't on?").slots == (Slot("", Phrase("lamp", looks=("off",))),)


@pytest.mark.parametrize(
    ("room", "setup", "meaning", "said"),
    [
        ("FloorPlan14", ["on StoveKnob#1"], "?count(on stove_burner)", "one burner that is on"),
        ("FloorPlan10", [], "?count(knife)", "two knives: "),
        ("FloorPlan10", [], "?count(thing @in fridge)", "two things in the fridge: an egg and a lettuce"),
        ("FloorPlan410", ["on Faucet#1"], "?state(all tap: off)", "No, one of the three taps is on: the tap"),
        ("FloorPlan205", ["off DeskLamp"], "?state(all lamp: on)", "No, the desk lamp is off."),
        ("FloorPlan205", [], "?count(off lamp)", "Neither the floor lamp nor the desk lamp is off."),
        ("FloorPlan10", [], "?on(counter)", "a bowl"),
        ("FloorPlan220", ["put KeyChain in Box"], "?there(key @in box)", "in the box."),
        ("FloorPlan415", ["put Candle on Floor"], "?on(floor)", "a scrub brush, a plunger and a candle"),
    ],
)
def test_states_and_numbers_are_told_as_people_do(room: str, setup: list[str], meaning: str, said: str) -> None:
    assert said in Room(room, setup=setup, meanings={"how is it?": meaning}).say("how is it?").text


def test_blinds_are_told_of_as_several() -> None:
    room = Room("FloorPlan310", meanings={"drawn?": "?state(all blind: closed)"})
    assert "it are" not in f"{room.say('drawn?').text} {room.say('drawn?').text}"


def test_what_is_in_it_is_asked_of_what_holds_things() -> None:
    room = Room("FloorPlan5", setup=["put Apple in Microwave"], meanings={"what's inside it?": "?in(it)"})
    room.say("is there anything in the microwave?")
    assert "microwave there is an apple" in room.say("what's inside it?").text


def test_there_is_where_something_was_shut_away() -> None:
    room = Room("FloorPlan10", meanings={"what's in there?": "?in(there)"})
    room.say("put the mug in the microwave")
    assert "in the microwave" in room.say("what's in there?").text.lower()


def test_what_was_put_back_unasked_was_put_back() -> None:
    asked = "did you put the knife back?"
    room = Room("FloorPlan10", meanings={asked: "?did(put_back(knife))"})
    room.say("slice the bread")
    assert room.say(asked).text.startswith("Yes, the knife is back")
