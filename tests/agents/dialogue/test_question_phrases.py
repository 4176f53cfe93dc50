"""Questions that their words make plain: the last deed alone, a side, a running tap, what was asked before "stop"."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.question_phrases import as_asked
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("read", "text", "meant"),
    [
        ("?did", "What was the very last thing you did?", "?did(last)"),
        ("?did", "what did you just do?", "?did(last)"),
        ("?did", "what have you done so far?", "?did"),
        ("?task", "what did I ask you to do first?", "?task(first)"),
        ("resume", "Where did I say to go?", "?task"),
        ("resume", "go on", "resume"),
        ("?where_are_you", "which side did you just turn to?", "?did(turn side)"),
        ("?which(direction)", "What direction did you step in?", "?did(step side)"),
        ("?where_are_you", "where are you?", "?where_are_you"),
        ("?other(where is that from)", "I hear water running. Where is that from?", "?where(running water)"),
        ("?in(fridge)", "What did you need in there?", "?why"),
        ("?in(fridge)", "What is in there?", "?in(fridge)"),
        ("?where_are_you", "Where are you going?", "?doing"),
        ("?other(where from)", "Where did you get that from?", "?where(that)"),
        ("?other(where)", "And where were they before?", "?where(them)"),
    ],
)
def test_words_tell_what_a_question_is_about(read: str, text: str, meant: str) -> None:
    (act,) = read_meaning(read)
    assert write_meaning([as_asked(act, text)]) == meant


def test_the_last_deed_alone_is_told_where_that_is_asked() -> None:
    last = "What was the last thing you did?"
    room = Room(meanings={last: "?did", "What have you done?": "?did"})
    room.say("open the fridge")
    room.say("open the microwave")
    assert "microwave" in (told := room.say(last).text) and "fridge" not in told
    assert "fridge" in room.say("What have you done?").text


def test_it_tells_to_which_side_it_turned_behind_a_step() -> None:
    side = "which side did you just turn to?"
    room = Room(meanings={side: "?which(side)"})
    room.say("turn left")
    room.say("step forward")
    assert "left" in room.say(side).text


def test_what_was_stopped_is_still_known_and_not_gone_on_with() -> None:
    text = "Stop. Where did I say to go?"
    for read in ("stop; ?task", "stop; resume"):
        room = Room(meanings={text: read})
        said = room.say("go to the fridge", then={2: text})
        assert "go to the fridge" in said.text and not said.after


def test_what_there_is_none_of_may_be_asked_about_as_others() -> None:
    room = Room("FloorPlan4", meanings={"Any dirty plates?": "?there(dirty plate)", "Clean ones?": "?there(clean one)"})
    assert room.say("Any dirty plates?").text.startswith("No")
    assert room.say("Clean ones?").text.startswith("Yes")
    room.say("bring it to me")
    assert room.holding() == "Plate"


def test_stop_and_go_on_in_one_breath_is_stop() -> None:
    room = Room(meanings={"Stop, what a mess.": "stop; resume"})
    said = room.say("go to the fridge", then={2: "Stop, what a mess."})
    assert not said.after


def test_it_says_why_it_asked_before_it_does_what_is_forbidden_and_takes_the_answer_then() -> None:
    room = Room(meanings={"Never open the fridge.": "never(open(fridge))", "How come?": "?why"})
    room.say("Never open the fridge.")
    assert room.say("open the fridge").text.endswith("Shall I do it all the same?")
    assert room.say("How come?").text.startswith('Because you told me: "Never open the fridge')
    room.say("yes")
    assert room.one("Fridge")["isOpen"]


def test_none_is_a_number_of_things_in_this_room() -> None:
    room = Room("FloorPlan306", meanings={"How many are open?": "?count(open drawer @in room)"})
    assert "None of" in room.say("How many are open?").text


@pytest.mark.parametrize(("tap", "basin"), [("Faucet#1", "bathtub"), ("Faucet#2", "sink")])
def test_running_water_is_at_the_basin_of_the_tap_that_is_on(tap: str, basin: str) -> None:
    room = Room("FloorPlan405", setup=[f"on {tap}"], meanings={"Where is it?": "?where(running water)"})
    assert basin in room.say("Where is it?").text


def test_a_loaf_that_is_cut_is_sliced_whatever_is_left_of_it() -> None:
    meanings = {"How is it?": "?what_state(loaf @on table)", "Is it cut?": "?state(loaf: sliced)"}
    cut, whole = (Room("FloorPlan4", setup=setup, meanings=meanings) for setup in (["slice Bread"], ["open Fridge"]))
    assert "sliced" in cut.say("How is it?").text and cut.say("Is it cut?").text.startswith("Yes")
    assert "whole" in whole.say("How is it?").text and whole.say("Is it cut?").text.startswith("No")


def test_a_question_behind_hang_on_is_answered_by_who_is_at_rest() -> None:
    room = Room(meanings={"hang on, what are you holding?": "wait; ?held"})
    assert "nothing" in room.say("hang on, what are you holding?").text.lower()


@pytest.mark.parametrize(("setup", "answer"), [(("on Candle",), "Yes"), ((), "No")])
def test_a_flame_on_a_candle_is_that_it_is_lit(setup: tuple[str, ...], answer: str) -> None:
    asked = "has the candle got a flame on it?"
    said = Room("FloorPlan420", setup=setup, meanings={asked: "?there(flame @on candle)"}).say(asked)
    assert said.text.startswith(answer) and not said.touched


def test_how_many_things_there_are_is_told_as_a_number() -> None:
    text = "How many things have we got in the fridge right now?"
    room = Room("FloorPlan1", setup=["put Lettuce in Fridge"], meanings={text: "?in(fridge)"})
    assert "two" in room.say(text).text
