"""Questions of the deeds of one kind, or of all that was asked for."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room

_READ = {
    "what all have you put in the fridge so far?": "?in(fridge)",
    "what's in the fridge?": "?in(fridge)",
    "how many things did you put in the fridge?": "?count(thing @in fridge)",
    "what have you moved?": "?did",
    "what have you touched so far?": "?did",
    "what did you open?": "?did",
    "what did you close?": "?did",
    "what did you wash?": "?did",
    "did you put anything on the plate?": "?did(put(anything, on plate))",
    "did you put the apple on the plate?": "?did(put(apple, on plate))",
    "did you turn off anything?": "?did(turn_off(anything))",
    "what was the first thing you did?": "?did",
}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what all have you put in the fridge so far?", "I put the apple and the tomato in the fridge."),
        ("how many things did you put in the fridge?", "Two: I put the apple and the tomato in the fridge."),
        ("what have you moved?", "I put the apple and the tomato in the fridge."),
        ("what have you touched so far?", "I put the apple and the tomato in the fridge."),
        ("what did you open?", "I had to open the fridge on the way."),
        ("what did you close?", "Nothing: I did not close anything."),
        ("what did you wash?", "Nothing, I did not have to: the mug was clean already."),
        ("what was the first thing you did?", "First, I put the apple in the fridge."),
    ],
)
def test_it_tells_what_one_thing_was_done_to(text: str, said: str) -> None:
    room = Room("FloorPlan10", meanings=_READ)
    for order in ("put the apple in the fridge", "put the tomato in the fridge", "wash the mug"):
        room.say(order)
    assert room.say(text).text == said
    assert "lettuce" in room.say("what's in the fridge?").text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("did you put anything on the plate?", "No"),
        ("did you put the apple on the plate?", "No, I put the apple in the fridge."),
        ("did you turn off anything?", "No"),
    ],
)
def test_a_deed_elsewhere_is_not_what_is_asked_about(text: str, said: str) -> None:
    room = Room("FloorPlan10", meanings=_READ)
    room.say("put the apple in the fridge")
    answer = room.say(text).text
    assert answer.startswith(said)
    assert "though" not in answer


@pytest.mark.parametrize(("place", "said"), [("sofa", "Yes, I closed the laptop and put"), ("fridge", "No, I closed")])
def test_it_tells_whether_both_were_done(place: str, said: str) -> None:
    room = Room("FloorPlan220", meanings={"did you do both?": "?did(close(all one))"})
    room.say("close the laptop")
    room.say(f"put the keys on the {place}")
    assert room.say("did you do both?").text.startswith(said)


def test_what_had_to_be_done_once_was_done_though_it_was_asked_for_twice() -> None:
    room = Room("FloorPlan10", meanings={"did you open it?": "?did(open(fridge))"})
    room.say("open the fridge")
    room.say("open the fridge")
    assert room.say("did you open it?").text.startswith("Yes")


@pytest.mark.parametrize(
    ("text", "meaning", "said"),
    [
        ("what did you do with the apple?", "?where(apple)", "I put the apple in the fridge."),
        ("what did you do to the mug?", "?where(mug)", "No, I did nothing to the mug."),
        ("did you do anything to the apple?", "?did(wash(apple))", "Yes, I put the apple in the fridge."),
        ("did you do anything with the mug?", "?did(wash(mug))", "No, I did nothing to the mug."),
        ("what did you put in there?", "?in(there)", "I put the apple in the fridge."),
        ("did that work?", "?state(that: working)", "Yes, I put the apple in the fridge."),
        (
            "what did I tell you to do with the apple?",
            "?facts(apple)",
            "The last thing you asked for was to put the apple",
        ),
        (
            "What did you put in the fridge? Is the mug clean?",
            "?in(fridge); ?state(mug: clean)",
            "in the fridge. As I said: yes",
        ),
        (
            "did you put the apple or the mug in the fridge?",
            "?did(put(apple, in fridge))",
            "I put the apple in the fridge.",
        ),
        (
            "did you put the mug or the apple in there?",
            "?did(put(mug, in fridge))",
            "I did not put the mug in the fridge.",
        ),
    ],
)
def test_what_was_done_with_a_thing_is_told_by_deeds(text: str, meaning: str, said: str) -> None:
    room = Room("FloorPlan10", meanings={text: meaning, "is the mug clean?": "?state(mug: clean)"})
    room.say("put the apple in the fridge")
    room.say("is the mug clean?")
    assert said in room.say(text).text


@pytest.mark.parametrize(("setup", "said"), [([], "was on before I"), (["off FloorLamp"], "was off already")])
def test_whether_it_did_it_or_it_was_so(setup: list[str], said: str) -> None:
    text = "did you turn it off yourself or was it off already?"
    room = Room("FloorPlan205", setup=setup, meanings={text: "unclear"})
    room.say("turn off the floor lamp")
    assert said in room.say(text).text


@pytest.mark.parametrize(
    ("text", "meaning", "said"),
    [
        ("what have you done?", "?did", "I had no need to put the mug in the sink."),
        ("did you put it in the sink?", "?did(put(it, in sink))", "No, I did not have to: the mug was there already."),
        ("did you move the mug?", "?did(move(mug))", "No, I did not have to: the mug was there already."),
        ("did you touch the mug?", "?did(touch(mug))", "No, I did nothing to the mug."),
        ("did you do it?", "?did", "It was so already: I had no need to put the mug in the sink."),
    ],
)
def test_what_was_so_already_is_no_deed(text: str, meaning: str, said: str) -> None:
    room = Room("FloorPlan10", meanings={text: meaning})
    room.say("put the mug in the sink")
    assert said in room.say(text).text


@pytest.mark.parametrize(("text", "said"), [("which did you open first?", "microwave"), ("which last?", "fridge")])
def test_the_first_and_the_last_of_its_deeds_are_told_apart(text: str, said: str) -> None:
    asked = text.replace("which last", "everything that you opened last")
    room = Room("FloorPlan10", meanings={asked: "?which(thing)"})
    room.say("open the microwave")
    room.say("open the fridge")
    assert room.say(asked).text == f"I opened the {said}."
