"""Rules read what people leave out, correct in one breath, say of their things, and ask in other words."""

from __future__ import annotations

import pytest

from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.rules_reader import RulesReader


def _read(text: str, *recent: str) -> str:
    return write_meaning(RulesReader().read(text, recent).acts)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("put the fork in the sink, then the spoon, and turn on the water",
         "put(fork, in sink); put(spoon, in sink); turn_on(water)"),
        ("put the book on the sofa, then the pen on the coffee table", "put(book, on sofa); put(pen, on coffee_table)"),
        ("wash the mug, the plate and the two forks, please", "wash(mug); wash(plate); wash(2 fork)"),
        ("put the plates and the mug in the sink", "put(all plate, in sink); put(mug, in sink)"),
        ("don't touch the knives or the scissors", "never(touch(all knife)); never(touch(scissors))"),
        ("grab the cup, the blue one, and fill it with water", "pick_up(blue cup); fill(it, with water)"),
        ("if the tv is on, turn it off, if not, come here", "if(tv: on) turn_off(it); unless(tv: on) come"),
        ("after you wash the pan, put it on the stove", "wash(pan); put(it, on stove)"),
        ("open the microwave, put the apple in and close it", "open(microwave); put(apple, in microwave); close(it)"),
        ("open the fridge and put the tomato inside", "open(fridge); put(tomato, in fridge)"),
        ("open the door and turn the lights on", "open(door); turn_on(all light)"),
        ("I want to hear the CD, bring it here.", "get(cd)"),
        ("I'd like to look at the statue, bring it to me", "get(statue)"),
    ],
)  # fmt: skip
def test_what_leans_on_the_clause_before(text: str, meaning: str) -> None:
    assert _read(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("turn it back on", "turn_on(it)"),
        ("Again, please.", "repeat"),
        ("put what's on the sofa on one of the armchairs", "put(something @on sofa, on armchair)"),
        ("bring me what is in the fridge", "get(something @in fridge)"),
        ("I'd like the bread in slices", "slice(bread)"),
        ("turn and face the bed", "look_at(bed)"),
        ("turn to the bed without walking", "look_at(bed)"),
        ("turn towards the bathtub, but do not walk", "look_at(bathtub); stop"),
        ("the boots are too small for me", "fact(all boot: small)"),
        ("put the mug where the alarm clock is", "put(mug, near alarm_clock)"),
        ("put the tomato on the plate with bread on it", "put(tomato, on plate +bread)"),
        ("carry the box over to the shelf", "put(box, to shelf)"),
        ("take the cup onto the table", "put(cup, on table)"),
        ("turn the lights off in the kitchen", "turn_off(all light @in kitchen)"),
        ("check under the bed for my slippers", "find(all slipper @below bed)"),
        ("wait by the door until I call you", "go_to(door); wait"),
        ("uh bring me the the spoon", "get(spoon)"),
    ],
)
def test_orders_in_other_words(text: str, meaning: str) -> None:
    assert _read(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("how many pillows are there on the bed", "?count(pillow @on bed)"),
        ("how many of the mugs are dirty?", "?count(dirty mug)"),
        ("what did I tell you about the lamp", "?facts(lamp)"),
        ("what did I say you mustn't touch", "?forbidden"),
        ("is the mug in the sink?", "?there(mug @in sink)"),
        ("is my laptop on the desk or the bed?", "?where(laptop)"),
        ("which cabinet has the plates in it?", "?which(cabinet +all plate)"),
        ("would you be able to lift the TV?", "?can(pick_up(tv))"),
        ("the spoon, where is it?", "?where(spoon)"),
        ("did you put the plate in the sink like I asked", "?did(put(plate, in sink))"),
    ],
)
def test_questions_in_other_words(text: str, meaning: str) -> None:
    assert _read(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("I left my phone on the sofa", "fact(phone @on sofa)"),
        ("I moved the lamp to the bedroom", "fact(lamp @in bedroom)"),
        ("A towel fell on the floor", "fact(towel @on floor)"),
        ("The pillow has slipped off onto the floor", "fact(pillow @on floor)"),
        ("my keys have fallen behind the sofa", "fact(all key @behind sofa)"),
        ("the plate on the chair isn't dirty", "fact(plate @on chair: clean)"),
        ("the table has been cleaned already", "fact(table: clean)"),
        ("the toaster doesn't work anymore", "fact(toaster: broken)"),
        ("the kettle is leaking", "fact(the kettle is leaking)"),
        ("you aren't supposed to touch the painting", "never(touch(painting))"),
        ("how are you today?", "chat(how are you today)"),
    ],
)
def test_statements(text: str, meaning: str) -> None:
    assert _read(text) == meaning


@pytest.mark.parametrize(
    ("text", "before", "meaning"),
    [
        ("the plate too, please", "did: wash(mug)", "repeat(plate)"),
        ("not the sponge, the soap", "did: pick_up(sponge)", "not(sponge); instead(soap)"),
        ("not on the chair, on the bed!", "did: put(teddy_bear, on chair)", "instead_do(put(it, on bed))"),
        ("actually, make that two", "did: get(apple)", "instead(2 one)"),
        ("you forgot the knife", "did: get(fork)", "wrong; repeat(knife)"),
        ("and the spoon?", "robot: The fork is on the counter.", "?where(spoon)"),
        ("no, warm it up first", "robot: Shall I give you the potato now?", "no; cook(it)"),
        ("on the bed", "robot: There are two laptops. Which one?", "choose(one @on bed)"),
        ("back where it came from", "robot: Where should I put it?", "put_back(it)"),
        ("leave it there", "robot: I am in the bedroom with the box.", "put(it, at there)"),
    ],
)
def test_what_was_said_or_done_before(text: str, before: str, meaning: str) -> None:
    assert _read(text, before) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Turn around!", "turn_around"),
        ("look to your left", "turn_left"),
        ("Look up, then go forward two steps", "look_up; step_forward(2)"),
        ("thanks. now look down and step back", "thanks; look_down; step_back"),
        ("take three steps to the right", "step_right(3)"),
    ],
)
def test_motions_are_read(text: str, meaning: str) -> None:
    assert write_meaning(RulesReader().read(text).acts) == meaning


def test_what_is_locked_in_is_put_there_and_shut_away() -> None:
    read = RulesReader().read("lock my keys in the safe").acts
    assert write_meaning(read) == "put(all key, in safe); close(safe)"
    assert not any(act.about == "put" for act in RulesReader().read("lock the door").acts)
