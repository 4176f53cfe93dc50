"""The same with another thing, the other way round, and what such words point at."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(("words", "place"), [("where is the pillow?", "Sofa"), ("Where's the remote?", "CoffeeTable")])
def test_there_is_where_a_thing_was_said_to_be(words: str, place: str) -> None:
    room = Room("FloorPlan218", meanings={words: f"?where({'pillow' if place == 'Sofa' else 'remote'})"})
    room.say(words)
    room.say("put the newspaper there")
    assert room.is_in("Newspaper", place)


@pytest.mark.parametrize(
    "text",
    [
        "There's one more of those, same deal.",
        "there is another over by the bed, do the same there",
        "Do one more, please.",
        "One more of those, same again.",
    ],
)
def test_one_more_of_those_is_another_one(text: str) -> None:
    room = Room("FloorPlan330", meanings={text: "repeat", "Switch off one of the desk lamps.": "turn_off(desk_lamp)"})
    room.say("Switch off one of the desk lamps.")
    room.say(text)
    assert not any(one["isToggled"] for one in room.household.objects if one["objectType"] == "DeskLamp")


@pytest.mark.parametrize("read", ["do(the other way round)", "turn_around", "unclear", "undo", "repeat"])
@pytest.mark.parametrize("text", ["I would like it the other way round.", "The opposite, please.", "Change that!"])
def test_the_other_way_round_is_the_opposite_of_what_was_asked_about(text: str, read: str) -> None:
    room = Room("FloorPlan430", meanings={text: read})
    was = room.one("Toilet")["isOpen"]
    room.say("is the toilet open or closed?")
    assert not room.say(text).done["Turn Left"]
    assert room.one("Toilet")["isOpen"] is not was


def test_the_other_way_round_is_on_or_off_where_that_was_asked() -> None:
    room = Room("FloorPlan330", meanings={"Is the laptop on or off?": "?what_state(laptop)", "Vice versa!": "unclear"})
    was = room.one("Laptop")
    room.say("Is the laptop on or off?")
    room.say("Vice versa!")
    now = room.one("Laptop")
    assert (now["isOpen"], now["isToggled"]) == (was["isOpen"], not was["isToggled"])


def test_the_other_way_round_is_the_opposite_of_what_was_just_switched() -> None:
    text = "no, I want it the other way around"
    room = Room("FloorPlan430", setup=["open Toilet"], meanings={text: "instead_do(turn_around)"})
    room.say("close the toilet")
    room.say(text)
    assert room.one("Toilet")["isOpen"]


def test_what_names_things_is_no_turning_round() -> None:
    text = "The other way round: open the drawer."
    room = Room("FloorPlan430", meanings={text: "open(drawer)"})
    room.say("is the toilet open?")
    room.say(text)
    assert not room.one("Toilet")["isOpen"]


@pytest.mark.parametrize(("first", "read"), [("GarbageCan", "bin"), ("Toilet", "toilet")])
def test_the_other_one_is_not_where_the_first_was_said_to_be(first: str, read: str) -> None:
    fetched, text = f"Get me the toilet paper from the {read}.", "No, not that one. Give me the other roll."
    room = Room("FloorPlan430", meanings={fetched: f"get(toilet_paper, from {read})", text: "instead(other roll)"})
    room.say(fetched)
    assert room.holding() == "ToiletPaper" and not room.is_in("ToiletPaper", first)
    other = "Toilet" if first == "GarbageCan" else "GarbageCan"
    assert room.is_in("ToiletPaper", other)
    room.say(text)
    assert room.holding() == "ToiletPaper" and not room.is_in("ToiletPaper", other)


@pytest.mark.parametrize("text", ["undo that", "Oh no, take that back out."])
def test_what_was_thrown_away_is_taken_out_again(text: str) -> None:
    room = Room("FloorPlan403", meanings={text: "undo"})
    room.say("throw the candle in the bin")
    assert room.is_in("Candle", "GarbageCan")
    room.say(text)
    assert not room.is_in("Candle", "GarbageCan") and room.holding() == ""


@pytest.mark.parametrize("text", ["put that down", "drop it", "put it down"])
def test_who_holds_nothing_says_so(text: str) -> None:
    reply = Room("FloorPlan330", meanings={text: "drop(that)"}).say(text).text
    assert "not holding anything" in reply or "empty" in reply


@pytest.mark.parametrize(
    ("order", "more", "done"),
    [
        ("turn right", "no, left", {"Turn Left": 1}),
        ("take two steps back", "no, forward", {"Forward": 2}),
        ("look up", "no, down", {"Look Down": 1}),
    ],
)
def test_a_motion_is_corrected_by_its_direction_alone(order: str, more: str, done: dict[str, int]) -> None:
    room = Room("FloorPlan205", meanings={more: f"instead({more.removeprefix('no, ')})"})
    room.say(order)
    assert room.say(more).done == done


@pytest.mark.parametrize(
    ("first", "asked", "second", "read", "answer"),
    [
        ("is the mug clean?", "?state(mug: clean)", "and the bowl?", "?there(bowl)", "No, the bowl is dirty"),
        ("is the mug clean?", "?state(mug: clean)", "what about the bowl?", "unclear(bowl)", "No, the bowl is dirty"),
        ("is the mug dirty?", "?state(mug: dirty)", "ok, and the bowl", "unclear(bowl)", "Yes, the bowl is dirty"),
        ("is the mug dirty?", "?state(mug: dirty)", "the bowl too?", "?where(bowl)", "Yes, the bowl is dirty"),
        ("is there an egg in the sink?", "?there(egg @in sink)", "And a plate?", "?where(plate)", "Yes"),
        ("is there a plate on the table?", "?there(plate @on table)", "and in the sink?", "?in(sink)", "Yes"),
        ("what is in the fridge?", "?in(fridge)", "and the sink?", "?where(sink)", "plate"),
        ("is the bowl dirty?", "?state(bowl: dirty)", "are you sure?", "?other(are you sure)", "Yes"),
    ],
)
def test_a_name_behind_a_question_asks_the_same_of_it(
    first: str, asked: str, second: str, read: str, answer: str
) -> None:
    room = Room(setup=("dirty Bowl",), meanings={first: asked, second: read})
    room.say(first)
    assert answer in (said := room.say(second)).text and not said.touched


@pytest.mark.parametrize(
    ("text", "read"), [("oh and the potato", "fact(potato)"), ("and the potato please", "unclear(potato)")]
)
def test_a_name_behind_an_order_wants_the_same_of_it(text: str, read: str) -> None:
    first = "take the tomato out of the fridge and put it on the table"
    room = Room(meanings={first: "pick_up(tomato, from fridge); put(it, on table)", text: read})
    room.say(first)
    room.say(text)
    assert room.is_in("Potato", "DiningTable")


@pytest.mark.parametrize("text", ["do it then", "well then do it please", "ok, can you do that for me"])
@pytest.mark.parametrize(
    ("question", "asked"),
    [("is the bowl clean?", "?state(bowl: clean)"), ("have you washed the bowl?", "?did(wash(bowl))")],
)
def test_do_it_behind_a_question_is_what_makes_it_so(text: str, question: str, asked: str) -> None:
    room = Room(setup=("dirty Bowl",), meanings={question: asked, text: "repeat"})
    room.say(question)
    room.say(text)
    assert not room.one("Bowl")["isDirty"]


def test_the_second_one_is_that_of_what_was_told() -> None:
    room = Room(
        setup=("dirty Bowl", "dirty Cup"),
        meanings={"Is anything dirty?": "?state(anything: dirty)", "wash the second one": "wash(second one)"},
    )
    told = room.say("Is anything dirty?").text
    room.say("wash the second one")
    first, second = sorted(("Bowl", "Cup"), key=lambda one: told.index(one.lower()))
    assert room.one(first)["isDirty"] and not room.one(second)["isDirty"]


def test_and_now_back_takes_the_last_deed_back() -> None:
    room = Room(meanings={"and now back": "repeat"})
    room.say("put the apple in the fridge")
    room.say("and now back")
    assert room.is_in("Apple", "CounterTop")


def test_a_piece_of_it_is_of_what_was_spoken_of() -> None:
    text = "put a piece of it on the plate"
    room = Room("FloorPlan9", setup=("slice Tomato", "slice Potato"), meanings={text: "put(piece of it, on plate)"})
    room.say("is the tomato sliced?")
    room.say(text)
    assert room.is_in("TomatoSliced", "Plate") and not room.is_in("PotatoSliced", "Plate")


@pytest.mark.parametrize("read", ["repeat(second one)", "turn_off(second desk_lamp)"])
def test_the_second_one_is_not_the_one_that_was_done_first(read: str) -> None:
    first, text = "Turn off one of the desk lamps.", "And now the second one."
    room = Room("FloorPlan323", meanings={first: "turn_off(desk_lamp)", text: read})
    room.say(first)
    room.say(text)
    assert not any(one["isToggled"] for one in room.household.objects if one["objectType"] == "DeskLamp")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Very good. And the fork next to it.", "praise; get(fork @near it)"),
        ("and the fork with it please", "get(fork)"),
        ("and the fork in there as well", "repeat(fork @in there)"),
        ("Also the fork", "unclear(fork)"),
    ],
)
def test_a_name_behind_an_order_to_put_something_is_to_go_there_too(text: str, read: str) -> None:
    room = Room("FloorPlan10", meanings={text: read})
    room.say("put the plate in the sink")
    room.say(text)
    assert room.is_in("Fork", "Sink") and room.holding() == ""


def test_a_vessel_too_goes_where_the_first_thing_went() -> None:
    room = Room("FloorPlan10", meanings={"and the mug as well": "repeat(mug)"})
    room.say("put the fork in the sink")
    room.say("and the mug as well")
    assert room.is_in("Mug", "Sink")


@pytest.mark.parametrize("text", ["no, off", "I mean off, sorry", "oops, not on. Off!"])
def test_the_other_state_is_what_was_meant(text: str) -> None:
    room = Room("FloorPlan323", meanings={text: "resume"})
    room.say("turn on the desk lamp")
    was = sum(one["isToggled"] for one in room.household.objects if one["objectType"] == "DeskLamp")
    room.say(text)
    assert sum(one["isToggled"] for one in room.household.objects if one["objectType"] == "DeskLamp") == was - 1


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Put the plate in the sink. And then the fork too.", "put(plate, in sink); get(fork)"),
        ("Put away the plate and fork in the sink.", "put(plate); put(fork, in sink)"),
        ("put the plate in the sink, sorry, the fork", "put(plate, in sink)"),
    ],
)
def test_a_name_at_the_end_of_an_order_is_put_there(text: str, read: str) -> None:
    room = Room("FloorPlan10", meanings={text: read})
    room.say(text)
    assert room.is_in("Fork", "Sink") and room.is_in("Plate", "Sink") is ("sorry" not in text)
