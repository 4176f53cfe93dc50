"""Questions of what the Follower can or may do, or sees."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.question_phrases import as_asked
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        ("Just curious, is eating something you're capable of?", "?abilities", "?can(do(eat))"),
        ("Is cooking something you can do?", "?abilities", "?can(cook(something))"),
        ("Can a robot like you swim?", "?other(can a robot like you swim)", "?can(do(swim))"),
        ("Are you capable of dancing?", "?can(do(dancing))", "?can(do(dance))"),
        ("Do you sleep?", "?other(do you sleep)", "?can(do(sleep))"),
        ("Is singing something you do?", "unclear", "?can(do(sing))"),
        ("So are you allowed to touch the candle now?", "?forbidden", "?can(touch(candle))"),
        ("Are you allowed to use the laptop?", "?forbidden", "?can(touch(laptop))"),
        ("What are you allowed to do?", "?abilities", "?abilities"),
        ("Can you see the remote without opening anything?", "?can(open(remote))", "?see(remote)"),
        ("Can you see a laptop from where you are?", "?there(laptop)", "?see(laptop)"),
        ("Is there a laptop?", "?there(laptop)", "?there(laptop)"),
        ("Has anyone made the bed yet?", "?can(make(bed))", "?state(bed: made)"),
        ("Can you make the bed?", "?can(make(bed))", "make(bed)"),
        ("Can you cook the potato for dinner?", "?can(cook(potato))", "cook(potato)"),
        ("hi, could u slice some bread for me", "?can(slice(bread))", "slice(bread)"),
        ("Would you be able to wash my mug for me?", "?can(wash(mug))", "wash(mug)"),
        ("Do you think you could boil the egg?", "?can(boil(egg))", "boil(egg)"),
        ("can you slice bread?", "?can(slice(bread))", "?can(slice(bread))"),
        ("could you even open the safe?", "?can(open(safe))", "?can(open(safe))"),
        ("Can you lift the microwave?", "?can(pick_up(microwave))", "?can(pick_up(microwave))"),
        ("can you open the fridge without dropping the cup", "?can(open(fridge))", "?can(open(fridge))"),
        ("Would you be able to water the plants while we're away?", "?can(water(all plant))", "?can(water(all plant))"),
        ("Do I have everything for a cup of coffee?", "?other(do i have everything)", "?can(make(cup of coffee))"),
        ("Is anything still on on the stove?", "?there(anything @on stove)", "?state(anything @on stove: on)"),
        ("tell me where the keys are and say where you found them", "do(say where you found them)", "?where(it)"),
    ],
)
def test_words_tell_what_is_asked(text: str, read: str, meant: str) -> None:
    (act,) = read_meaning(read)
    assert write_meaning([as_asked(act, text)]) == meant


@pytest.mark.parametrize("read", ["allow(open(fridge))", "?forbidden"])
def test_who_asks_whether_something_is_allowed_allows_nothing(read: str) -> None:
    asked = "is it ok for you to open the fridge?"
    room = Room(meanings={"never open the fridge": "never(open(fridge))", asked: read})
    room.say("never open the fridge")
    assert room.say(asked).text.startswith("No")
    assert not room.say("open the fridge").touched
