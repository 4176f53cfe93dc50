"""Motions that words tell otherwise than they were read: backs turned, level looks, sides of things."""

from __future__ import annotations

import math
from typing import cast

import pytest

from teach_agents.agents.dialogue.motion_phrases import with_motion, with_stance
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        ("put your back to the mirror", "look_at(mirror)", "turn_around(from mirror)"),
        ("walk to the couch and face away from it", "go_to(couch); look_at(it)", "go_to(couch); turn_around(from it)"),
        ("stand by the tub with your back to the sink", "go_to(tub)", "go_to(tub); turn_around(from sink)"),
        ("show the oven your back", "turn_around(oven)", "turn_around(from oven)"),
        ("look away from the telly please", "turn_around", "turn_around(from telly)"),
        ("turn your back to me", "turn_around", "turn_around"),
        ("look back at the mirror", "look_at(mirror)", "look_at(mirror)"),
        ("and look straight ahead once more", "repeat", "look_at(straight_ahead)"),
        ("you can look ahead now", "allow(look_at(there))", "look_at(straight_ahead)"),
        ("quit staring at the ceiling", "stop", "look_at(straight_ahead)"),
        (
            "are you facing the tub? if not, turn to it",
            "unless(tub) look_at(it)",
            "unless(you: facing_tub) look_at(tub)",
        ),
        ("you're blocking the telly", "faster", "step_left(aside)"),
        ("Move please, I'm hoovering.", "faster", "step_left(aside)"),
        ("out of the way!", "step_back", "step_left(aside)"),
        ("can you shift, I need to get to the bed", "move", "step_left(aside)"),
        ("budge up", "stop", "step_left(aside)"),
        ("robot can you scooch, i'm mopping", "wait", "step_left(aside)"),
        ("get out the way i need the oven", "step_back", "step_left(aside)"),
        ("stay out of my way", "wait", "wait"),
        ("make way please", "turn_around", "step_left(aside)"),
        ("step back, you're in my way", "step_back", "step_back"),
        ("make some room on the counter", "do(make some room on the counter)", "do(make some room on the counter)"),
        ("watch out, the pan is hot", "fact(pan: hot)", "fact(pan: hot)"),
        ("can you scoot over a bit?", "?can(step_left)", "step_left(aside)"),
        ("can you step to the left?", "?can(step_left)", "?can(step_left)"),
        ("right, turn left and then right", "turn_left", "turn_left; turn_right"),
        ("turn left and then two steps", "turn_left", "turn_left"),
    ],
)
def test_how_it_is_to_stand_is_told_by_the_words(text: str, read: str, meant: str) -> None:
    assert write_meaning(with_stance(read_meaning(read), text)) == meant


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        ("back until you hit the wall", "go_to(wall)", "step_back(as_far_as_possible)"),
        ("back till you bump into something", "go_to(something)", "step_back(as_far_as_possible)"),
        ("go forward until i say stop", "step_forward", "step_forward(as_far_as_possible)"),
        ("walk on until you reach the sink", "go_to(sink)", "go_to(sink)"),
        ("get out of my way", "do(get out of my way)", "step_left(aside)"),
        ("move away from the tub", "step_back", "step_back(from tub)"),
        ("step back from the tub", "step_back", "step_back(1 step, from tub)"),
        ("two steps towards the tub", "step_forward(2)", "step_forward(2, to tub)"),
        ("could you move half a meter away from the tub?", "move(half meter, from tub)", "step_back(2 step, from tub)"),
        ("step back a metre from the tub", "step_back", "step_back(4 step, from tub)"),
        ("go away from the tub about one step", "step_back", "step_back(1 step, from tub)"),
        ("walk two steps closer to the tub", "go_to(tub)", "step_forward(2 step, to tub)"),
        ("please look up at the ceiling", "look_up", "look_up(ceiling)"),
        ("go several steps back", "step_back(some step)", "step_back(3 step)"),
        ("go right", "turn_right", "step_right"),
        ("look out of the window", "do(look out of the window)", "look_at(window)"),
    ],
)
def test_a_motion_is_told_by_the_words(text: str, read: str, meant: str) -> None:
    (act,) = read_meaning(read)
    assert write_meaning([with_motion(act, text)]) == meant


@pytest.mark.parametrize(("turns", "step"), [(0, "Backward"), (1, "Pan Left"), (2, "Forward")])
def test_so_many_steps_away_lead_away_whichever_way_it_looks(turns: int, step: str) -> None:
    text = "Move half a metre away from the bed."
    setup = ["stand near Bed", *["turn left"] * turns]
    said = Room("FloorPlan321", setup=setup, meanings={text: "move(half metre, from bed)"}).say(text)
    assert said.done[step] == 2 and not said.done["Turn Left"]


def test_it_turns_its_back_to_what_it_went_to() -> None:
    text = "go to the fridge, then turn your back to it"
    room = Room(meanings={text: "go_to(fridge); look_at(it)", "put your back to the fridge": "turn_around"})
    said = room.say(text)
    assert "my back to the fridge" in said.text
    assert "already" in room.say("put your back to the fridge").text


def test_it_goes_on_until_something_is_in_the_way_and_says_how_far() -> None:
    text = "walk backwards until you bump into something"
    said = Room("FloorPlan326", meanings={text: "go_to(something)"}).say(text)
    assert said.done["Backward"] > 1 and "as far as I get" in said.text


def test_it_goes_to_the_other_side_of_a_table() -> None:
    text = "go round to the other side of the table"
    room = Room(meanings={text: "go_to(other side of table)"})
    table, state = room.one("DiningTable"), room.household.simulator.state
    middle = cast("dict[str, dict[str, float]]", table["axisAlignedBoundingBox"])["center"]
    before = (state.agent.position.x - middle["x"], state.agent.position.z - middle["z"])
    said = room.say(text)
    now = room.household.simulator.state.agent.position
    after = (now.x - middle["x"], now.z - middle["z"])
    assert "other side of the dining table" in said.text
    assert sum(one * other for one, other in zip(before, after, strict=True)) < 0
    assert math.hypot(*after) < 3


def test_it_gets_away_from_what_it_stands_at() -> None:
    text = "get away from the fridge"
    room = Room(setup=["stand near Fridge"], meanings={text: "step_back"})
    said = room.say(text)
    assert "away from the fridge" in said.text and sum(said.done.values()) > 2


def test_what_blocks_the_way_steps_aside() -> None:
    said = Room("FloorPlan326", meanings={"you're in my way": "do(you're in my way)"}).say("you're in my way")
    assert said.done["Pan Left"] + said.done["Pan Right"] == 2


def test_steps_towards_a_thing_are_made_facing_it_and_towards_people_ahead() -> None:
    room = Room("FloorPlan326", meanings={"a step to me": "step_forward(to me)"})
    assert room.say("a step to me").done == {"Forward": 1}
    texts = {"two steps towards the mirror": "step_forward(2)"}
    said = Room("FloorPlan326", meanings=texts).say("two steps towards the mirror")
    assert said.done["Forward"] == 2 and (said.done["Turn Left"] or said.done["Turn Right"])


@pytest.mark.parametrize("times", [2, 3])
def test_so_many_turns_around_are_so_many_half_turns(times: int) -> None:
    text = f"turn around {times} times"
    assert Room("FloorPlan205", meanings={text: f"turn_around({times})"}).say(text).done == {"Turn Left": 2 * times}


def test_long_words_about_motions_take_no_time() -> None:
    text = "turn left, " * 60 + "your back " * 60
    with_stance(read_meaning("turn_left"), text)
    with_motion(read_meaning("step_back")[0], "get away " * 80)


def test_what_somebody_can_do_is_no_can() -> None:
    room = Room("FloorPlan424", meanings={"turn round so I can have a look at you": "turn_around"})
    assert room.say("turn round so I can have a look at you").done["Turn Left"] == 2


@pytest.mark.parametrize(
    ("text", "meaning", "said"),
    [
        ("Get out of the way, at least two metres off.", "do(get out of the way)", "2 metres"),
        ("Move out of the way, a metre or so", "step_back", "1 metre"),
        ("Go as far from the sofa as you can", "go_to(sofa)", "as far from the sofa"),
        ("Stand between the sofa and the tv", "go_to(there @near sofa)", "between the sofa and the television"),
        ("Go into the corner by the window", "go_to(corner @near window)", "corner by the window"),
        ("Go to the far side of the room", "go_to(far side of room)", "other end"),
        ("Do a lap of the coffee table", "go_to(coffee_table)", "went round the coffee table"),
        ("Walk round to the sofa", "go_to(sofa)", "at the sofa"),
    ],
)
def test_it_goes_where_no_thing_is(text: str, meaning: str, said: str) -> None:
    room = Room("FloorPlan203", meanings={text: meaning})
    before = room.household.simulator.state.agent.position
    assert said in room.say(text).text.replace("standing ", "")
    assert room.household.simulator.state.agent.position != before


def test_the_furthest_place_is_further_than_one_that_is_not_near() -> None:
    text, far = "Go away from the sofa.", "Get as far away from the sofa as possible."
    rooms = [Room("FloorPlan203", meanings={text: "step_back", far: "step_back"}) for _ in range(2)]
    rooms[0].say(text)
    rooms[1].say(far)
    sofa = cast("dict[str, dict[str, float]]", rooms[0].one("Sofa")["axisAlignedBoundingBox"])["center"]
    at = [room.household.simulator.state.agent.position for room in rooms]
    one, other = (math.hypot(here.x - sofa["x"], here.z - sofa["z"]) for here in at)
    assert other > one + 1


@pytest.mark.parametrize(
    ("text", "meaning", "done"),
    [
        ("Spin three times.", "do(spin three times)", {"Turn Left": 12}),
        ("Step back, step back, step back", "step_back", {"Backward": 3}),
        ("Left. Left. Right.", "turn_right", {"Turn Left": 2, "Turn Right": 1}),
        ("Turn left, left, then right", "turn_left; turn_right", {"Turn Left": 2, "Turn Right": 1}),
        ("Look at your feet", "look_at(feet)", {"Look Down": 1}),
        ("Don't turn left, turn right", "turn_right", {"Turn Right": 1}),
    ],
)
def test_motions_are_made_as_often_as_they_are_said(text: str, meaning: str, done: dict[str, int]) -> None:
    said = Room("FloorPlan203", meanings={text: meaning}).say(text)
    assert {
        name: said.done[name] for name in said.done if name in ("Backward",) or name[:4] in ("Turn", "Look")
    } == done
