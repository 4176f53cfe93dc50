"""What was told, or forbidden, decides which thing an order is about: homes, contents, what is no good, or free."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    "told",
    [
        "The apple always lives in the fridge.",
        "Apples belong in the fridge, you know.",
        "We keep the apples in the fridge.",
    ],
)
@pytest.mark.parametrize(
    ("asked", "order"), [("put it where it belongs", "put_back(apple)"), ("put it away", "put(it)")]
)
def test_a_thing_goes_where_it_was_said_to_belong(told: str, asked: str, order: str) -> None:
    room = Room(meanings={told: "fact(told)", "the apple": "pick_up(apple)", asked: order})
    room.say(told)
    room.say("the apple")
    room.say(asked)
    assert room.is_in("Apple", "Fridge")


@pytest.mark.parametrize(
    ("told", "brought"),
    [
        ("The soap bottle is full of shampoo at the moment.", "SoapBottle"),
        ("I put the shampoo in the spray bottle.", "SprayBottle"),
    ],
)
def test_what_is_kept_in_a_vessel_is_brought_in_it(told: str, brought: str) -> None:
    meaning = "fact(shampoo @in spray_bottle)" if "spray" in told else "fact(told)"
    room = Room("FloorPlan405", meanings={told: meaning, "the shampoo please": "get(shampoo)"})
    room.say(told)
    room.say("the shampoo please")
    assert room.holding() == brought


@pytest.mark.parametrize(("bad", "good"), [("mug", "Cup"), ("cup", "Mug")])
@pytest.mark.parametrize("told", ["The {x} leaks.", "The {x} is no good for drinks.", "The {x} has a crack."])
def test_what_is_no_good_is_not_brought_for_its_use(bad: str, good: str, told: str) -> None:
    asked, told = "I need something to drink my milk from", told.format(x=bad)
    room = Room("FloorPlan2", meanings={told: f"fact({bad}: cracked)", asked: "get(something +milk)"})
    room.say(told)
    room.say(asked)
    assert room.holding() == good


@pytest.mark.parametrize(("free", "held"), [("pen", "Pen"), ("pencil", "Pencil")])
def test_an_exception_is_what_is_taken(free: str, held: str) -> None:
    told, asked = f"Everything on the desk stays there. Only the {free} you may use.", "Give me something for writing."
    meanings = {told: f"never(move(everything @on desk)); get({free})", asked: "get(something)"}
    room = Room("FloorPlan303", meanings=meanings)
    assert not room.say(told).touched
    room.say(asked)
    assert room.holding() == held


def test_one_of_two_is_the_one_that_is_not_forbidden() -> None:
    told, asked = "Hands off the cd on the shelf.", "I could do with a disc, got one?"
    room = Room("FloorPlan303", meanings={told: "never(touch(cd @on shelf))", asked: "get(cd)"})
    room.say(told)
    room.say(asked)
    assert room.holding() == "CD"


@pytest.mark.parametrize(("freed", "other"), [("FloorLamp", "DeskLamp"), ("DeskLamp", "FloorLamp")])
def test_what_one_is_free_to_do_is_what_was_taken_back(freed: str, other: str) -> None:
    noun = {"FloorLamp": "floor_lamp", "DeskLamp": "desk_lamp"}[freed]
    meanings = {
        "leave both lamps": "never(turn_off(floor_lamp)); never(turn_off(desk_lamp))",
        f"I take that back for the {noun}": f"put_back({noun})",
        "whichever you are allowed to turn off, turn it off": "turn_off(lamp)",
    }
    room = Room("FloorPlan210", meanings=meanings)
    for text in meanings:
        room.say(text)
    assert not room.one(freed)["isToggled"] and room.one(other)["isToggled"]


@pytest.mark.parametrize(
    ("rule", "report", "over"),
    [
        ("No telly until six.", "It's gone half past six.", True),
        ("No telly until six.", "It is half past five.", False),
        ("No telly before 4 o'clock.", "the clock just struck four", True),
        ("No telly until your French essay is done.", "the essay is finished!", True),
        ("No telly until your French essay is done.", "dinner is finished!", False),
    ],
)
def test_a_prohibition_ends_when_its_time_or_its_deed_has_come(rule: str, report: str, *, over: bool) -> None:
    meanings = {rule: "never(turn_on(tv))", report: "fact(told)", "telly on": "turn_on(tv)"}
    room = Room("FloorPlan210", meanings=meanings)
    for text in meanings:
        room.say(text)
    assert bool(room.one("Television")["isToggled"]) is over


def test_a_thing_with_a_name_may_be_called_him() -> None:
    told, asked = "The kids named the TV. It's called Boris now.", "Boris should rest, switch him off."
    meanings = {told: "fact(tv: called bores)", asked: "turn_off(him)"}
    room = Room("FloorPlan210", setup=["on Television"], meanings=meanings)
    room.say(told)
    room.say(asked)
    assert not room.one("Television")["isToggled"]


def test_what_has_to_be_done_is_no_permission() -> None:
    asked = "The potato still has to be cooked."
    room = Room("FloorPlan1", meanings={asked: "allow(cook(potato))"})
    room.say(asked)
    assert room.one("Potato")["isCooked"]


def test_what_must_not_be_touched_any_more_is_left() -> None:
    meanings = {"the racket": "get(tennis_racket)", "wait, never touch the racquet": "never(touch(racquet))"}
    room = Room("FloorPlan310", meanings=meanings)
    room.say("the racket", {2: "wait, never touch the racquet"})
    assert not room.holding()
