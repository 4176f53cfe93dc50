"""What is said at work takes back one order of several, confirms the others, or asks for the same again."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room

_BOTH = "put the pillow on the armchair, then turn off the floor lamp"
_MEANT = "put(pillow, on armchair); turn_off(floor_lamp)"


@pytest.mark.parametrize("turn", [3, 12, 18])
def test_one_of_two_orders_is_taken_back_while_it_is_being_done(turn: int) -> None:
    other = "forget the pillow, just the lamp"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: "cancel(put(pillow)); turn_off(lamp)"})
    assert room.one("FloorLamp")["isToggled"] and room.is_in("Pillow", "Sofa")
    said = room.say(_BOTH, {turn: other})
    assert room.is_in("Pillow", "Sofa") and room.holding() == "" and not room.one("FloorLamp")["isToggled"]
    assert "already" not in said.text


@pytest.mark.parametrize("cancelled", ["turn_off(lamp)", "put(lamp)"])
def test_what_is_still_to_come_is_taken_back_and_the_rest_only_confirmed(cancelled: str) -> None:
    other = "forget the lamp, just the pillow"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: f"cancel({cancelled}); get(pillow)"})
    room.say(_BOTH, {3: other})
    assert room.is_in("Pillow", "ArmChair") and room.holding() == "" and room.one("FloorLamp")["isToggled"]


def test_what_was_not_asked_for_cannot_be_taken_back() -> None:
    other = "forget the laptop"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: "cancel(get(laptop))"})
    said = room.say(_BOTH, {3: other})
    assert "left to do" in said.text or "not going to" in said.text
    assert room.is_in("Pillow", "ArmChair") and not room.one("FloorLamp")["isToggled"]


def test_the_same_with_another_thing_is_queued_at_work() -> None:
    other = "and the same with the remote"
    room = Room("FloorPlan207", meanings={_BOTH: "put(pillow, on armchair)", other: "repeat(remote)"})
    room.say(_BOTH, {3: other})
    assert room.is_in("Pillow", "ArmChair") and room.is_in("RemoteControl", "ArmChair")


@pytest.mark.parametrize("other", ["cancel(second)", "not(lamp)", "cancel(rest)", "not(other one)", "cancel(latter)"])
def test_one_order_of_a_row_is_taken_back_by_its_number_or_its_thing(other: str) -> None:
    words = "that will do after the pillow"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, words: other})
    room.say(_BOTH, {3: words})
    assert room.is_in("Pillow", "ArmChair") and room.holding() == "" and room.one("FloorLamp")["isToggled"]


@pytest.mark.parametrize("other", ["cancel(first)", "not(pillow)", "cancel(first one)"])
def test_the_order_under_way_is_taken_back_by_its_number_or_its_thing(other: str) -> None:
    words = "well, not that one"
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, words: other})
    room.say(_BOTH, {3: words})
    assert room.is_in("Pillow", "Sofa") and room.holding() == "" and not room.one("FloorLamp")["isToggled"]


def test_the_number_of_an_order_counts_those_that_are_done() -> None:
    both, words = "the lamp off, the pillow to the armchair, and bring the laptop", "skip the third"
    meant = "turn_off(floor_lamp); put(pillow, on armchair); get(laptop)"
    room = Room("FloorPlan207", meanings={both: meant, words: "cancel(third)"})
    room.say(both, {16: words})
    assert not room.one("FloorLamp")["isToggled"] and room.is_in("Pillow", "ArmChair") and room.holding() == ""


@pytest.mark.parametrize("read", ["turn_off(floor_lamp); do(forget about the pillow)", "do(never mind the pillow)"])
def test_to_forget_about_something_is_no_deed(read: str) -> None:
    words = "then forget about it"
    room = Room("FloorPlan207", meanings={"pillow on the armchair": "put(pillow, on armchair)", words: read})
    said = room.say("pillow on the armchair", {3: words})
    assert room.is_in("Pillow", "Sofa") and room.holding() == "" and "cannot" not in said.text
    assert room.one("FloorLamp")["isToggled"] is ("floor_lamp" not in read)


def test_what_comes_first_is_done_first_and_the_rest_gone_on_with() -> None:
    words = "hang on, the lamp first, then carry on"
    meanings = {"pillow on the armchair": "put(pillow, on armchair)", words: "wait; turn_off(floor_lamp); resume"}
    room = Room("FloorPlan207", meanings=meanings)
    said = room.say("pillow on the armchair", {3: words})
    assert room.is_in("Pillow", "ArmChair") and not room.one("FloorLamp")["isToggled"]
    assert said.text.index("lamp") < said.text.index("pillow")


@pytest.mark.parametrize(
    ("other", "meaning", "pillow", "lamp"),
    [
        ("skip the second thing", "cancel(second thing)", "ArmChair", True),
        ("skip the last job", "cancel", "ArmChair", True),
        ("forget the first one", "cancel(first one)", "Sofa", False),
    ],
)
def test_one_of_two_orders_is_taken_back_by_its_place(other: str, meaning: str, pillow: str, lamp: bool) -> None:
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, other: meaning})
    room.say(_BOTH, {3: other})
    assert room.is_in("Pillow", pillow) and room.one("FloorLamp")["isToggled"] is lamp


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("Actually, stop after the first one.", "stop"),
        ("Hold on, scrap the second thing", "wait"),
        ("only do the first", "resume"),
        ("skip the last one", "never(touch(last_one))"),
        ("Don't bother with the second part", "never(touch(second_part))"),
        ("once you've done that, stop", "stop"),
        ("scratch the second one, please", "do(scratch the second one)"),
        ("the first one will do", "get(first one)"),
    ],
)
def test_all_but_the_first_is_taken_back_in_whatever_words(words: str, read: str) -> None:
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, words: read})
    room.say(_BOTH, {3: words})
    assert room.is_in("Pillow", "ArmChair") and room.holding() == "" and room.one("FloorLamp")["isToggled"]


def test_stopping_after_the_only_order_is_to_finish_it() -> None:
    words = "stop after that"
    room = Room("FloorPlan207", meanings={_BOTH: "put(pillow, on armchair)", words: "stop"})
    room.say(_BOTH, {3: words})
    assert room.is_in("Pillow", "ArmChair")


def test_wait_in_front_of_an_order_is_no_pause() -> None:
    words = "Wait, I'm going out. Just leave it on the armchair for me."
    meanings = {"bring me the pillow": "get(pillow)", words: "wait; put(it, on armchair)"}
    room = Room("FloorPlan207", meanings=meanings)
    said = room.say("bring me the pillow", {3: words})
    assert room.is_in("Pillow", "ArmChair") and room.holding() == "" and "waiting" not in said.text


def test_wait_in_front_of_the_first_order_is_no_pause() -> None:
    words = "Hang on, turn off the floor lamp"
    room = Room("FloorPlan207", meanings={words: "wait; turn_off(floor_lamp)"})
    room.say(words)
    assert not room.one("FloorLamp")["isToggled"]


@pytest.mark.parametrize(
    "words", ["Quit dawdling, will you!", "Don't dawdle", "stop wasting time", "no more faffing about"]
)
def test_who_is_told_not_to_dawdle_goes_on(words: str) -> None:
    room = Room("FloorPlan207", meanings={_BOTH: "put(pillow, on armchair)", words: "stop"})
    room.say(_BOTH, {3: words})
    assert room.is_in("Pillow", "ArmChair")


def test_what_was_taken_for_an_order_that_is_called_off_is_put_back_before_another() -> None:
    words = "forget that and go to the television"
    meanings = {_BOTH: "put(pillow, on armchair)", words: "cancel; go_to(television)"}
    room = Room("FloorPlan207", meanings=meanings)
    room.say(_BOTH, {18: words})
    assert room.is_in("Pillow", "Sofa") and room.holding() == ""


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("hang on, turn left", "turn_left"),
        ("wait, two steps back", "wait; step_back(2)"),
        ("stop and look up", "stop; look_up"),
    ],
)
def test_a_motion_that_is_called_out_at_work_is_made_at_once_and_the_work_waits(text: str, meaning: str) -> None:
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, text: meaning})
    room.say(_BOTH, {4: text})
    assert not room.is_in("Pillow", "ArmChair")
    room.say("carry on")
    assert room.is_in("Pillow", "ArmChair") and not room.one("FloorLamp")["isToggled"]


def test_a_motion_that_comes_first_is_made_before_the_work_goes_on() -> None:
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT, "wait, turn left first": "turn_left"})
    said = room.say(_BOTH, {4: "wait, turn left first"})
    assert room.is_in("Pillow", "ArmChair") and said.text.index("turned to the left") < said.text.index("pillow")


def test_who_has_it_wait_may_ask_and_have_it_turn_before_it_goes_on() -> None:
    room = Room("FloorPlan207", meanings={_BOTH: _MEANT})
    room.say(_BOTH, {4: "hold on"})
    assert room.say("what are you doing?").text and not room.is_in("Pillow", "ArmChair")
    assert room.say("turn left").done == {"Turn Left": 1}
    room.say("carry on")
    assert room.is_in("Pillow", "ArmChair")


def test_another_place_instead_ends_the_walk_to_the_first() -> None:
    text = "actually go to the sink instead"
    said = Room(meanings={text: "go_to(sink)"}).say("go to the fridge", {5: text})
    assert "at the sink" in said.text and "fridge" not in said.text


def test_do_not_go_there_ends_a_walk() -> None:
    text = "no, don't go there"
    said = Room(meanings={text: "no; go_to(there)"}).say("go to the fridge", {5: text})
    assert "Where" not in said.text and "at the fridge" not in said.text


@pytest.mark.parametrize("text", ["Right, you can leave it, forget about it.", "no, leave it now", "ah never mind"])
def test_what_is_left_is_not_gone_on_with(text: str) -> None:
    room = Room("FloorPlan7", meanings={text: "resume"})
    room.say("stop")
    assert not room.say(text).touched


def test_a_question_behind_a_wait_is_answered_before_it_waits() -> None:
    text = "Hold it a moment. Is the floor lamp on right now?"
    room = Room("FloorPlan207", meanings={text: "wait; ?state(floor_lamp: on)"})
    said = room.say("put the pillow on the armchair", {3: text})
    assert any(one.startswith("Yes") for one in said.replies) and not room.is_in("Pillow", "ArmChair")


def test_a_thing_that_is_to_be_skipped_is_called_off_however_that_was_read() -> None:
    text, skipped = "Put the apple and the potato in the sink.", "Skip the potato"
    room = Room("FloorPlan1", meanings={text: "put(apple, in sink); put(potato, in sink)", skipped: "not(in potato)"})
    room.say(text, then={4: skipped})
    assert room.is_in("Apple", "Sink") and not room.is_in("Potato", "Sink")
