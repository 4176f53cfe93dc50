"""What an utterance forbids of its own orders counts for them, though it is said behind them."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


def test_an_exception_behind_an_order_counts_for_it() -> None:
    text = "anything to write with would do, only keep off the pen"
    room = Room("FloorPlan301", meanings={text: "get(something to write with); never(get(pen))"})
    room.say(text)
    assert room.holding() == "Pencil"


def test_what_is_not_to_be_done_afterwards_is_no_exception() -> None:
    text = "switch the floor lamp off and do not switch it on again"
    meaning = "turn_off(floor_lamp); never(turn_on(floor_lamp))"
    room = Room("FloorPlan207", meanings={text: meaning})
    room.say(text)
    assert not room.one("FloorLamp")["isToggled"]


@pytest.mark.parametrize(
    ("text", "meaning", "holder"),
    [
        (
            "Put the egg in the microwave and keep the door open",
            "put(egg, in microwave); never(close(door))",
            "Microwave",
        ),
        ("Get the tomato from the fridge, don't shut it", "get(tomato, from fridge); never(close(it))", "Fridge"),
    ],
)
def test_what_is_opened_for_an_order_is_left_open_where_that_is_said(text: str, meaning: str, holder: str) -> None:
    room = Room("FloorPlan5", setup=["put Tomato in Fridge"], meanings={text: meaning})
    said = room.say(text)
    assert room.one(holder)["isOpen"] and "did not finish" not in said.text


def test_what_may_not_be_shut_is_left_open_by_later_orders() -> None:
    room = Room(
        "FloorPlan5",
        setup=["put Egg in Fridge"],
        meanings={"never shut the fridge": "never(close(fridge))", "the egg please": "get(egg)"},
    )
    room.say("never shut the fridge")
    said = room.say("the egg please")
    assert room.holding() == "Egg" and room.one("Fridge")["isOpen"] and "did not finish" not in said.text


def test_what_is_excepted_is_not_what_is_wanted_though_it_was_read_so() -> None:
    text = "Could I have something to write with? Only not the pen."
    room = Room("FloorPlan301", meanings={text: "get(pen)"})
    room.say(text)
    assert room.holding() == "Pencil"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("turn everything off except the desk lamp", "turn_off(everything); not(desk_lamp)"),
        ("all lights off but the desk lamp", "turn_off(all light); not(desk_lamp)"),
        ("everything off except for the desk lamp", "turn_off(everything); never(turn_off(desk_lamp))"),
        ("all off other than the laptop and the desk lamp", "turn_off(everything); not(laptop); turn_off(desk_lamp)"),
    ],
)
def test_an_exception_holds_for_its_own_order_alone(text: str, meaning: str) -> None:
    room = Room("FloorPlan307", meanings={text: meaning})
    said = room.say(text).text
    assert room.one("DeskLamp")["isToggled"] and not room.one("LightSwitch")["isToggled"]
    assert "Everything is off" not in said
    room.say("turn off the desk lamp")
    assert not room.one("DeskLamp")["isToggled"]


def test_all_that_is_forbidden_stays_on_when_everything_else_goes_off() -> None:
    told = "The desk lamp has to stay on."
    room = Room("FloorPlan307", meanings={told: "never(turn_off(desk_lamp))"})
    room.say(told)
    said = room.say("turn everything off").text
    assert room.one("DeskLamp")["isToggled"] and not room.one("LightSwitch")["isToggled"] and told in said
    assert "Everything else is off" in room.say("turn everything off").text


@pytest.mark.parametrize(
    ("text", "meaning", "free", "barred"),
    [
        ("touch nothing except the book", "never(touch(anything)); not(book)", "book", "bowl"),
        ("you may move anything but the bowl", "allow(move(anything)); not(bowl)", "book", "bowl"),
        ("don't touch anything but the book", "never(touch(book))", "book", "bowl"),
    ],
)
def test_an_exception_from_what_is_forbidden_or_allowed_stands(text: str, meaning: str, free: str, barred: str) -> None:
    room = Room("FloorPlan307", meanings={text: meaning})
    room.say(text)
    assert text in room.say(f"bring me the {barred}").text
    room.say("no")
    assert room.say(f"bring me the {free}").touched


def test_what_is_not_wanted_instead_takes_nothing_out_of_an_order() -> None:
    text = "Would you bring me the apple? Not the potato, I've had one."
    room = Room("FloorPlan7", meanings={text: "get(apple); not(potato)"})
    said = room.say(text)
    assert room.holding() == "Apple" and "I know of no" not in said.text


@pytest.mark.parametrize("text", ["Don't leave the laptop open like that.", "you never leave the laptop open, please"])
def test_what_is_not_to_be_left_open_is_closed(text: str) -> None:
    room = Room("FloorPlan307", setup=("open Laptop",), meanings={text: "close(laptop)"})
    room.say(text)
    assert not room.one("Laptop")["isOpen"]


def test_lamps_that_need_not_stay_on_are_those_that_no_rule_keeps_on() -> None:
    told, order = "The desk lamp must always stay on.", "switch off the lamps that don't have to stay on"
    room = Room("FloorPlan205", meanings={told: "never(turn_off(desk_lamp))", order: "turn_off(all off lamp)"})
    room.say(told)
    assert room.say(order).done["ToggleOff"] == 1
    room = Room("FloorPlan205", meanings={order: "turn_off(all off lamp)"})
    assert room.say(order).done["ToggleOff"] == 2


def test_light_from_a_lamp_is_that_lamp() -> None:
    room = Room("FloorPlan308", setup=["off DeskLamp"], meanings={"some": "turn_on(light @in desk_lamp)"})
    assert "desk lamp" in room.say("some").text and room.say("some").done["ToggleOn"] == 0
