"""Orders that wait for a signal: the word that was told, or a go-ahead, starts them; exceptions are left out."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room

_PLAN = "The pen goes on the bed and then the pencil. Don't start yet though, let me think."


@pytest.mark.parametrize(
    ("told", "meaning", "signal"),
    [
        ("Wait till I say action and then turn right round.", "not_until(turn_around, i: say action)", "Action!"),
        ("When I shout BANANA, turn right round, will you?", "if(i: shout banana) turn_around", "banana"),
        ("When I say go for it turn round.", "turn_around", "Go for it!"),
        ("Wait for my signal and then turn around.", "wait; turn_around", "Now!"),
        ("Turn around once I'm ready.", "wait; if(i: ready) turn_around", "OK, I'm ready."),
        ("When I type that I'm dressed, you turn round. Not before that.", "turn_around", "I'm dressed."),
        ("Turn round, but not until I say so.", "turn_around; wait", "OK, go now."),
        ("Don't do anything yet. When I say now, turn round.", "wait; turn_around", "Okay I'm ready, so now it is!"),
        ("When I say banana, turn round, not before.", "turn_around", "We are ready, so banana it is."),
    ],
)
def test_a_signal_starts_what_waits_for_it(told: str, meaning: str, signal: str) -> None:
    room = Room("FloorPlan304", meanings={told: meaning, signal: "step_forward(3 step)", "not yet": "chat(not yet)"})
    assert not room.say(told).done.keys() & {"Turn Left", "Turn Right"}
    assert not room.say("not yet").done.keys() & {"Turn Left", "Turn Right"}
    done = room.say(signal).done
    assert done["Turn Left"] + done["Turn Right"] == 2 and not done["Forward"]


def test_a_walk_with_a_wait_behind_it_is_made_at_once() -> None:
    told = "Go to the bed and wait there until I call you."
    assert Room("FloorPlan304", meanings={told: "go_to(bed); wait"}).say(told).done


def test_what_a_word_stands_for_is_no_signal() -> None:
    told = "When I say den, I mean the bed. Go to the den."
    assert Room("FloorPlan304", meanings={told: "fact(den); go_to(bed)"}).say(told).done


@pytest.mark.parametrize("skipped", ["pen", "pencil"])
@pytest.mark.parametrize("meaning", ["resume; cancel(put({}))", "cancel(put({})); resume", "resume; never(put({}))"])
def test_a_go_ahead_with_an_exception_leaves_that_out(skipped: str, meaning: str) -> None:
    said = f"Right, go ahead, only skip the {skipped}."
    plan = "put(pen, on bed); put(pencil, on bed); wait"
    room = Room("FloorPlan304", meanings={_PLAN: plan, said: meaning.format(skipped)})
    assert not room.say(_PLAN).touched
    room.say(said)
    assert room.is_in("Pen", "Bed") is (skipped != "pen") and room.is_in("Pencil", "Bed") is (skipped != "pencil")


def test_what_was_left_out_may_be_ordered_later() -> None:
    said, later = "Right, go ahead, only skip the pen.", "Now put the pen on the bed."
    meanings = {
        _PLAN: "put(pen, on bed); put(pencil, on bed); wait",
        said: "resume; cancel(put(pen))",
        later: "put(pen, on bed)",
    }
    room = Room("FloorPlan304", meanings=meanings)
    room.say(_PLAN)
    room.say(said)
    room.say(later)
    assert room.is_in("Pen", "Bed")


@pytest.mark.parametrize(("until", "done"), [("I say so", True), ("I say please", False), ("the paint is dry", False)])
def test_an_order_for_what_waits_until_the_speaker_says_so_says_so(until: str, done: bool) -> None:
    told = f"Don't turn round until {until}."
    room = Room("FloorPlan304", meanings={told: "not_until(turn_around)", "Turn round.": "turn_around"})
    room.say(told)
    assert bool(room.say("Turn round.").done.keys() & {"Turn Left", "Turn Right"}) is done


@pytest.mark.parametrize(
    "told",
    [
        "When I say cheese, turn around. Don't do it before.",
        "As soon as I shout cheese, you turn around",
        "when I type CHEESE, turn around; not a second earlier",
    ],
)
def test_an_order_behind_its_signal_is_read_as_any_order(told: str) -> None:
    room = Room("FloorPlan304", meanings={})
    assert not room.say(told).done
    assert room.say("Cheese!").done == {"Turn Left": 2}


@pytest.mark.parametrize(
    ("told", "signal"),
    [
        ("When I say sleep tight you turn off the desk lamp, okay?", "Sleep tight!"),
        ("turn off the desk lamp when i say sleep tight", "sleep tight"),
        ("From now on, if I say sleep tight switch off the desk lamp. Got it?", "sleep tight robot"),
        ("Can you turn off the desk lamp when I say 'sleep tight'?", "ok, sleep tight"),
        ('When I say "sleep tight" turn off the desk lamp', "sleeptight"),
    ],
)
def test_an_order_waits_for_a_word_wherever_that_is_told(told: str, signal: str) -> None:
    room = Room("FloorPlan307", meanings={"sleep": "chat(sleep)", signal: "bye"})
    assert not room.say(told).touched
    room.say("sleep")
    assert room.one("DeskLamp")["isToggled"]
    room.say(signal)
    assert not room.one("DeskLamp")["isToggled"]


@pytest.mark.parametrize(("signal", "closed", "lit"), [("red", True, True), ("blue", False, False)])
def test_each_signal_starts_its_own_order(signal: str, *, closed: bool, lit: bool) -> None:
    room = Room("FloorPlan307", meanings={"red": "chat(red)", "blue": "chat(blue)"})
    room.say("When I say red, close the laptop.")
    room.say("When I say blue, turn off the desk lamp.")
    room.say(signal)
    assert room.one("Laptop")["isOpen"] is not closed and room.one("DeskLamp")["isToggled"] is lit


def test_what_is_to_be_done_every_time_is_done_again_and_forbids_nothing() -> None:
    room = Room("FloorPlan307", meanings={"lights out": "chat(out)"})
    room.say("Every time I say lights out, turn off the desk lamp.")
    room.say("lights out")
    assert not room.one("DeskLamp")["isToggled"]
    assert "you told me" not in room.say("turn on the desk lamp").text.lower()
    room.say("lights out")
    assert not room.one("DeskLamp")["isToggled"]


def test_what_a_signal_is_for_can_be_asked() -> None:
    asked = "what do you do when I say red?"
    room = Room("FloorPlan307", meanings={asked: "unclear"})
    room.say("When I say red, close the laptop.")
    assert "close the laptop" in room.say(asked).text


def test_what_may_be_used_again_is_not_done_for_that() -> None:
    told, again = "Don't turn on the tap until I tell you.", "you can use the tap again"
    room = Room("FloorPlan402", meanings={told: "not_until(turn_on(tap))", again: "allow(turn_on(tap))"})
    room.say(told)
    assert not room.say(again).touched
    assert room.say("turn on the tap").touched


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Shut the microwave but ask me first", "not_until(close(microwave))"),
        ("shut the microwave, and please check with me beforehand", "look_at(me); close(microwave)"),
    ],
)
@pytest.mark.parametrize(("answer", "is_open"), [("yes", False), ("no", True)])
def test_who_is_to_ask_first_asks(text: str, read: str, answer: str, *, is_open: bool) -> None:
    room = Room(setup=("open Microwave",), meanings={text: read})
    said = room.say(text)
    assert said.text.endswith("Shall I close the microwave?") and not said.touched
    room.say(answer)
    assert room.one("Microwave")["isOpen"] is is_open


@pytest.mark.parametrize(
    "signal",
    ["lights out then, I'm tired", "It's late. Lights out!", "lights out everybody", "Lights out for today, thanks"],
)
def test_a_signal_may_have_other_words_beside_it(signal: str) -> None:
    room = Room("FloorPlan307", meanings={signal: "bye"})
    room.say("When I say lights out you turn off the desk lamp, got it?")
    room.say(signal)
    assert not room.one("DeskLamp")["isToggled"]


@pytest.mark.parametrize("read", ["stop; bye", "stop; chat(good night)", "bye"])
def test_a_signal_counts_though_the_words_beside_it_end_something(read: str) -> None:
    said = "That's enough for today, I'm going to sleep. Good night!"
    room = Room("FloorPlan307", meanings={said: read})
    room.say("From now on, whenever I say good night, turn off the desk lamp.")
    room.say(said)
    assert not room.one("DeskLamp")["isToggled"]


def test_who_asks_about_a_signal_gives_none() -> None:
    room = Room("FloorPlan307", meanings={"did I say lights out, or what?": "?other(did i say)"})
    room.say("When I say lights out you turn off the desk lamp, got it?")
    room.say("did I say lights out, or what?")
    assert room.one("DeskLamp")["isToggled"]


def test_a_signal_may_stand_among_other_words() -> None:
    room = Room("FloorPlan307", meanings={"I'm done, lights out and see you tomorrow!": "bye"})
    room.say("When I say lights out, turn off the desk lamp.")
    room.say("I'm done, lights out and see you tomorrow!")
    assert not room.one("DeskLamp")["isToggled"]


def test_if_it_is_allowed_is_no_go_ahead() -> None:
    told, text = "The desk lamp has to stay off until I say so.", "turn it on if you're allowed to"
    room = Room(
        "FloorPlan308",
        setup=["off DeskLamp"],
        meanings={told: "not_until(turn_on(desk_lamp))", text: "turn_on(desk_lamp)"},
    )
    room.say(told)
    said = room.say(text)
    assert not said.touched and "stay off" in said.text


@pytest.mark.parametrize(
    ("told", "signal"),
    [
        ("Lets play a game! When I say plum you turn round. But ONLY when I say it", "PLUM"),
        ("Let's try something: I say 'plum', you turn round.", "plum"),
        ('The word "plum" means turn round.', "Plum!"),
        ("When I clap, turn round.", "*claps*"),
        ("On the count of three, turn round.", "One, two, three!"),
    ],
)
def test_games_signs_and_counts_are_signals(told: str, signal: str) -> None:
    room = Room("FloorPlan304", meanings={signal: "fact(plum)", "Is it late?": "chat(late)"})
    assert not room.say(told).done["Turn Left"] and not room.say("Is it late?").done["Turn Left"]
    assert room.say(signal).done["Turn Left"] == 2


def test_what_that_means_is_no_signal() -> None:
    told = "That means turn round."
    assert Room("FloorPlan304", meanings={told: "turn_around"}).say(told).done["Turn Left"] == 2


@pytest.mark.parametrize("told", ["When I say plum you turn right.", "Game: when I say plum you turn right, right?"])
def test_the_side_of_a_turn_is_no_question_whether_it_was_understood(told: str) -> None:
    room = Room("FloorPlan304", meanings={"plum": "fact(plum)"})
    assert not room.say(told).done["Turn Right"]
    assert room.say("plum").done["Turn Right"] == 1
