"""Deeds that have a name of their own in every household, and what is honestly said of deeds."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.noun_text import words_of
from teach_agents.core.dialogue import Phrase
from tests.agents.dialogue.talking import Room


def _places(room: Room, kind: str) -> str:
    return str([one["parentReceptacles"] for one in room.household.objects if one["objectType"] == kind])


def test_a_table_is_set_with_what_one_eats_with() -> None:
    room = Room("FloorPlan11", meanings={"set the table": "do(set the table)"})
    room.say("set the table")
    assert all("DiningTable" in _places(room, kind) for kind in ("Plate", "Fork", "ButterKnife", "Cup"))


@pytest.mark.parametrize("text", ["Cut me a slice of bread.", "Slice us a piece of the bread, please."])
def test_who_wants_a_slice_cut_is_brought_one(text: str) -> None:
    room = Room("FloorPlan20", meanings={text: "slice(bread)"})
    knives = _places(room, "Knife")
    room.say(text)
    assert [one["objectType"] for one in room.household.objects if one["isPickedUp"]] == ["BreadSliced"]
    assert _places(room, "Knife") == knives


@pytest.mark.parametrize("text", ["hang the towel up", "Hang up the towel"])
def test_what_is_hung_up_goes_where_it_belongs(text: str) -> None:
    room = Room("FloorPlan425", setup=("put Towel in CounterTop",), meanings={text: f"do({text.lower()})"})
    room.say(text)
    assert room.is_in("Towel", "TowelHolder")


@pytest.mark.parametrize("text", ["Walk to the fridge with your hands free", "go empty-handed to the fridge, please"])
def test_who_is_to_go_empty_handed_puts_down_what_it_has(text: str) -> None:
    room = Room(setup=("hold Mug",), meanings={text: "go_to(fridge)"})
    said = room.say(text)
    assert not room.holding() and "at the fridge" in said.text


@pytest.mark.parametrize(("setup", "is_able"), [((), True), (("on StoveKnob",), False)])
def test_the_heat_is_turned_up_where_it_is_off(setup: tuple[str, ...], *, is_able: bool) -> None:
    room = Room(setup=setup, meanings={"crank the gas up": "do(crank the gas up)"})
    said = room.say("crank the gas up")
    assert any(one["isToggled"] for one in room.household.objects if one["objectType"] == "StoveKnob")
    assert ("cannot" in said.text) is not is_able


def test_a_bath_is_run_by_the_tap() -> None:
    room = Room("FloorPlan403", meanings={"run me a bath": "fill(bath)"})
    room.say("run me a bath")
    (on,) = [one for one in room.household.objects if one["objectType"] == "Faucet" and one["isToggled"]]
    assert "Bathtub" in str(on["parentReceptacles"])


def test_enough_water_is_to_turn_the_tap_off() -> None:
    room = Room("FloorPlan403", meanings={"on": "turn_on(tap)", "ok that's enough water": "stop"})
    room.say("on")
    room.say("ok that's enough water")
    assert not any(one["isToggled"] for one in room.household.objects if one["objectType"] == "Faucet")


def test_what_is_fried_is_fried_in_a_pan() -> None:
    room = Room("FloorPlan22", meanings={"Fry me an egg.": "cook(egg)"})
    room.say("Fry me an egg.")
    assert "Pan" in _places(room, "EggCracked")


def test_the_kettle_is_put_on_the_stove() -> None:
    room = Room("FloorPlan11", meanings={"put the kettle on": "turn_on(kettle)"})
    room.say("put the kettle on")
    assert "StoveBurner" in _places(room, "Kettle")


def test_everything_is_what_was_in_what_is_to_be_emptied() -> None:
    text = "empty the sink and put everything on the counter"
    room = Room("FloorPlan11", meanings={text: "empty(sink); put(everything, on counter)"})
    pots = _places(room, "Pot")
    room.say(text)
    assert "CounterTop" in _places(room, "Lettuce") and _places(room, "Pot") == pots


def test_what_is_put_away_pushes_nothing_onto_what_is_cleared() -> None:
    room = Room("FloorPlan212", meanings={"clear it": "clear(coffee_table)"})
    statues = _places(room, "Statue")
    assert "is clear now" in room.say("clear it").text
    assert _places(room, "Statue") == statues


def test_nothing_is_promised_that_cannot_be_done_or_is_so_already() -> None:
    room = Room("FloorPlan4", meanings={"wash it": "wash(plate)", "cut it": "slice(plate)"})
    assert "I will" not in room.say("wash it").text + room.say("cut it").text


def test_what_was_so_already_was_not_done() -> None:
    room = Room("FloorPlan4", meanings={"wash it": "wash(plate)", "did you?": "?did(wash(plate))"})
    room.say("wash it")
    assert room.say("did you?").text.startswith("No, I did not have to: the plate was clean already.")


def test_a_tool_that_was_not_used_is_denied() -> None:
    meanings = {"wash it": "wash(mug)", "soap?": "?did(wash(mug, with soap))"}
    room = Room("FloorPlan4", setup=["dirty Mug"], meanings=meanings)
    room.say("wash it")
    assert room.say("soap?").text == "No, I did not use soap for that."


def test_one_more_of_what_there_is_one_of_is_not_the_same_again() -> None:
    room = Room("FloorPlan4", meanings={"apple": "get(apple)", "One more": "repeat"})
    room.say("apple")
    assert "no other apple" in room.say("One more").text


def test_a_permission_in_the_words_of_an_order_lifts_the_prohibition() -> None:
    meanings = {"not off": "never(turn_off(tv))", "on": "turn_on(tv)", "you can turn it off now": "turn_off(it)"}
    room = Room("FloorPlan224", meanings=meanings)
    for text in ("not off", "on"):
        room.say(text)
    assert "all the same" not in room.say("you can turn it off now").text


def test_what_may_not_be_opened_is_not_cooked_in() -> None:
    room = Room("FloorPlan4", meanings={"shut": "never(open(microwave))", "heat the potato": "cook(potato)"})
    room.say("shut")
    room.say("heat the potato")
    assert "Pan" in _places(room, "Potato")


def test_a_greeting_before_an_order_does_not_ask_for_one() -> None:
    room = Room("FloorPlan4", meanings={"hi, the apple please": "hello; get(apple)"})
    assert room.say("hi, the apple please").text.split(". ")[0].count("?") == 0


def test_a_candle_is_lit_and_blinds_are_several() -> None:
    assert "is lit" in Room("FloorPlan403", meanings={"light it": "turn_on(candle)"}).say("light it").text.replace(
        "I lit the candle", "is lit"
    )
    said = Room("FloorPlan305", meanings={"blinds": "open(all blind)"}).say("blinds").text
    assert "the blinds" in said.lower() and " is " not in said
    assert words_of(Phrase("tv")) == "the TV" and words_of(Phrase("anyone"), "no") == "nobody"


def test_a_question_not_understood_is_answered_by_what_was_told() -> None:
    meanings = {"The plumber comes at 3.": "fact(the plumber comes at 3)", "When's the plumber coming?": "unclear"}
    room = Room("FloorPlan414", meanings=meanings)
    room.say("The plumber comes at 3.")
    assert "comes at 3" in room.say("When's the plumber coming?").text


def test_what_there_is_to_drink_is_no_spatula() -> None:
    room = Room("FloorPlan22", meanings={"is there anything to drink?": "?there(anything)"})
    assert room.say("is there anything to drink?").text == "Yes, I can bring you water or coffee."


def test_what_was_not_moved_was_put_nowhere() -> None:
    room = Room("FloorPlan11", meanings={"Where did you put the spoon?": "?where(spoon)"})
    assert room.say("Where did you put the spoon?").text.startswith("I have not moved the spoon. ")


def test_a_bottle_goes_back_once_wine_is_poured() -> None:
    room = Room("FloorPlan20", meanings={"wine": "get(some wine)"})
    room.say("wine")
    assert "CounterTop" in _places(room, "WineBottle")


def test_what_cannot_be_made_is_named_as_it_was_said() -> None:
    room = Room("FloorPlan326", meanings={"bed": "make(bed)", "tea": "make(cup of tea)"})
    assert room.say("bed").text.startswith("I cannot make the bed")
    assert "make tea" in room.say("tea").text


def test_light_is_switched_on_where_there_are_no_blinds_to_let_it_in() -> None:
    room = Room("FloorPlan201", setup=["off LightSwitch"], meanings={})
    said = room.say("let some light in")
    assert "blind" not in said.text


def test_a_shower_is_closed_by_its_door() -> None:
    room = Room("FloorPlan418", setup=["open ShowerDoor"], meanings={})
    room.say("close the shower")
    assert not room.one("ShowerDoor")["isOpen"]


@pytest.mark.parametrize(
    ("text", "read", "held"),
    [
        ("I'd like you to go to the fridge with the mug.", "put(mug, to fridge)", "Mug"),
        ("Go to the fridge without the mug", "get(mug)", ""),
        ("come over to the fridge but without it", "go_to(fridge); not(it)", ""),
    ],
)
def test_a_walk_is_made_with_something_in_the_hand_or_without(text: str, read: str, held: str) -> None:
    room = Room(setup=("hold Mug",), meanings={text: read})
    said = room.say(text).text
    assert room.holding() == held and "fridge" in said


@pytest.mark.parametrize("read", ["pour(1 drink, in sink)", "empty(drink)", "throw_away(drink)"])
def test_the_drink_that_is_poured_out_is_in_the_vessel_that_is_full(read: str) -> None:
    setup = ("put Mug on CounterTop", "fill Mug water")
    room = Room("FloorPlan19", setup=setup, meanings={"no more of that": read})
    room.say("no more of that")
    assert not any(one["isFilledWithLiquid"] for one in room.household.objects if one["objectType"] == "Mug")
    assert room.is_in("Mug", "CounterTop")


@pytest.mark.parametrize("read", ["pour(1 drink, in sink)", "empty(drink)"])
def test_no_drink_is_said_to_be_empty_where_there_is_none(read: str) -> None:
    said = Room("FloorPlan19", meanings={"no more of that": read}).say("no more of that")
    assert "no drink" in said.text and not said.touched


def test_one_in_a_mug_is_the_coffee_that_was_spoken_of() -> None:
    text = "I promised her a coffee. Could you make one, in a clean mug?"
    room = Room("FloorPlan21", setup=["dirty Mug"], meanings={text: "make(clean mug)"})
    room.say(text)
    mug = room.one("Mug")
    assert mug["simbotIsFilledWithCoffee"] and not mug["isDirty"]


def test_one_is_the_coffee_that_is_needed_though_a_mug_is_washed_first() -> None:
    text = "I need a coffee! Give the mug a wash first, then make me one."
    room = Room("FloorPlan1", setup=["dirty Mug"], meanings={text: "wash(mug); make(one)"})
    room.say(text)
    mug = room.one("Mug")
    assert mug["simbotIsFilledWithCoffee"] and not mug["isDirty"]


def test_water_that_is_filled_for_somebody_is_brought() -> None:
    room = Room("FloorPlan30", meanings={"I'm thirsty, fill me some water please.": "fill(some water)"})
    room.say("I'm thirsty, fill me some water please.")
    assert any(one["isFilledWithLiquid"] for one in room.household.objects) and room.holding() in ("Cup", "Mug")
