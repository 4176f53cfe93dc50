"""What may be one of several things is asked for where nobody can know which; what is clear is not."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("said", "meaning", "room", "options"),
    [
        ("Set the remote down on the table", "put(remote, on table)", "FloorPlan211", ("coffee table", "dining table")),
        ("put remote on table pls", "put(remote, on table)", "FloorPlan211", ("coffee table", "dining table")),
        ("walk up to the table", "go_to(table)", "FloorPlan228", ("coffee table", "dining table")),
        ("bring bottle here", "get(bottle)", "FloorPlan402", ("soap bottle", "spray bottle")),
        ("switch off lamp", "turn_off(lamp)", "FloorPlan201", ("desk lamp", "floor lamp")),
        ("Please open the drawer", "open(drawer)", "FloorPlan310", ("top drawer", "bottom drawer")),
        ("open cupboard", "open(cupboard)", "FloorPlan1", ("cabinets",)),
    ],
)
def test_one_of_several_is_asked_for(said: str, meaning: str, room: str, options: tuple[str, ...]) -> None:
    answer = Room(room, meanings={said: meaning}).say(said)
    assert answer.text.endswith("Which one do you mean?") and not answer.touched
    assert all(one in answer.text for one in options)


@pytest.mark.parametrize(
    ("said", "meaning", "room"),
    [
        ("Put the pen in the drawer", "put(pen, in drawer)", "FloorPlan310"),
        ("Open the drawer and put the pen in it", "open(drawer); put(pen, in it)", "FloorPlan310"),
        ("Open a drawer", "open(drawer)", "FloorPlan310"),
        ("Open the top drawer", "open(top drawer)", "FloorPlan310"),
        ("Open the cabinet", "open(cabinet)", "FloorPlan407"),
        ("Put the remote on the coffee table", "put(remote, on coffee_table)", "FloorPlan211"),
        ("Leave the remote on a table", "put(remote, on 1 table)", "FloorPlan211"),
        ("pass me a bottle", "get(bottle)", "FloorPlan402"),
        ("soap please", "get(soap)", "FloorPlan407"),
        ("Go to the sink", "go_to(sink)", "FloorPlan420"),
    ],
)
def test_what_will_do_or_is_told_is_not_asked_for(said: str, meaning: str, room: str) -> None:
    assert "Which one" not in Room(room, meanings={said: meaning}).say(said).text


def test_the_drawer_that_was_asked_for_is_opened() -> None:
    room = Room("FloorPlan310", meanings={"Open the drawer": "open(drawer)", "the top one": "choose(top one)"})
    room.say("Open the drawer")
    room.say("the top one")
    heights = {one["position"]["y"]: one["isOpen"] for one in room.household.objects if one["objectType"] == "Drawer"}
    assert heights.pop(max(heights)) and not any(heights.values())


def test_the_one_with_the_pepper_in_it_is_the_pepper_shaker() -> None:
    room = Room("FloorPlan9", meanings={"The shaker, please": "get(shaker)", "with pepper in": "choose(that +pepper)"})
    room.say("The shaker, please")
    room.say("with pepper in")
    assert room.holding() == "PepperShaker"


@pytest.mark.parametrize("said", ["Give me the thing", "could you hand me that thing please"])
def test_a_thing_that_nothing_tells_is_asked_for(said: str) -> None:
    answer = Room("FloorPlan9", meanings={said: "get(thing)"}).say(said)
    assert answer.text.endswith("What should I bring you?") and not answer.touched


def test_some_is_of_what_was_just_named() -> None:
    said = "Is there any cheese left? Get me some"
    room = Room("FloorPlan9", meanings={said: "?there(any cheese); get(some)"})
    assert "no cheese here" in room.say(said).text


def test_what_cannot_be_done_anyway_is_not_asked_about() -> None:
    said = "Put the sofa on the table"
    assert "cannot pick up" in Room("FloorPlan201", meanings={said: "put(sofa, on table)"}).say(said).text


def test_of_one_there_is_no_second() -> None:
    said = "Put the second mug in the sink"
    assert "only one mug" in Room("FloorPlan9", meanings={said: "put(second mug, in sink)"}).say(said).text


@pytest.mark.parametrize(
    ("said", "meaning", "question"),
    [
        ("Bring me something", "get(something)", "What should I bring you?"),
        ("wash something, please", "wash(something)", "What should I wash?"),
        ("The drawer.", "fact(drawer)", "What should I do with the drawer?"),
    ],
)
def test_no_more_than_a_name_or_less_is_asked_about(said: str, meaning: str, question: str) -> None:
    answer = Room("FloorPlan310", meanings={said: meaning}).say(said)
    assert answer.text.endswith(question) and not answer.touched


def test_something_that_nobody_can_tell_is_not_guessed() -> None:
    said = "I'd like something sweet"
    answer = Room("FloorPlan9", meanings={said: "get(sweet something)"}).say(said)
    assert "nothing sweet" in answer.text and not answer.touched


@pytest.mark.parametrize(
    ("answer", "table"), [("choose(coffee)", "CoffeeTable"), ("choose(dining_table)", "DiningTable")]
)
def test_part_of_a_name_is_an_answer(answer: str, table: str) -> None:
    room = Room("FloorPlan211", meanings={"Put the remote on the table": "put(remote, on table)", "a": answer})
    room.say("Put the remote on the table")
    room.say("a")
    assert room.is_in("RemoteControl", table)


def test_the_table_is_the_one_that_was_spoken_of() -> None:
    said = "Put the remote on the table"
    room = Room("FloorPlan211", meanings={"Go": "go_to(coffee_table)", said: "put(remote, on table)"})
    room.say("Go")
    room.say(said)
    assert room.is_in("RemoteControl", "CoffeeTable")


def test_an_answer_that_is_none_of_what_was_offered_is_looked_for() -> None:
    said = "Fetch me that thing from the desk"
    room = Room("FloorPlan304", meanings={said: "get(thing, from desk)", "a": "choose(stapler)"})
    room.say(said)
    assert "no stapler" in room.say("a").text


def test_a_part_of_a_name_is_an_answer() -> None:
    room = Room("FloorPlan214", meanings={"the floor one": "choose(floor one)"})
    assert "Which one" in room.say("Switch off the lamp.").text
    room.say("the floor one")
    assert not room.one("FloorLamp")["isToggled"] and room.one("DeskLamp")["isToggled"]
