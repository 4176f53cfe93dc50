"""Words that are agreed on: what they mean, and those that every order has to begin with."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.agreed_words import as_agreed, code_word, tells_meaning
from teach_agents.agents.dialogue.dialogue_state import Rule, Told
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't do anything unless I say please", "please"),
        ('Do not obey anyone unless they say "abracadabra".', "abracadabra"),
        ("only listen when I say robot first", "robot"),
        ("If I haven't said pretty please, just stay put", "pretty please"),
        ("don't move unless I say so", ""),
        ("Don't open the safe unless I say please", ""),
    ],
)
def test_it_knows_the_words_without_which_nothing_is_to_be_done(text: str, words: str) -> None:
    assert code_word(text) == words


def test_an_order_without_the_words_is_left_until_the_game_is_over() -> None:
    begun, over = "Only act if I say captain's orders first.", "ok, game over"
    room = Room(meanings={begun: "stop", "captain's orders: open the fridge": "open(fridge)", over: "chat(game over)"})
    room.say(begun)
    said = room.say("open the fridge")
    assert not said.touched and "captain's orders" in said.text
    assert room.say("captain's orders: open the fridge").done["Open"]
    assert not room.say("close the fridge").touched
    room.say(over)
    assert room.say("close the fridge").done["Close"]


@pytest.mark.parametrize(
    ("told", "said", "meant"),
    [
        ("if I say up I mean down", "look up", "look down"),
        ("From now on left means right and right means left.", "two steps left", "two steps right"),
        ("I keep mixing up left and right", "turn right", "turn left"),
        ("when I say zap, I mean turn off", "zap the lamp", "turn off the lamp"),
        ("every time I say left you should go right", "I left the mug there", "I left the mug there"),
        ("I never mix up left and right", "turn right", "turn right"),
    ],
)
def test_a_word_stands_for_what_it_was_said_to_mean(told: str, said: str, meant: str) -> None:
    assert as_agreed(said, [Told(told)], ()) == meant


def test_what_names_a_thing_is_no_such_word_and_code_words_are_left_out() -> None:
    assert not tells_meaning("when I say home I mean the sink")
    assert as_agreed("Robot, turn around", (), [Rule("", unless="robot")]) == "turn around"


def test_a_side_that_is_said_for_the_other_is_told_once() -> None:
    told = "Whenever I say right I actually mean left, sorry"
    room = Room(meanings={told: "?other(right means left)"})
    room.say(told)
    assert room.say("turn right").done == {"Turn Left": 1}
