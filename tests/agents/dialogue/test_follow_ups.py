"""What follows from what was asked, done and told before: questions about it, and what is read together with it."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.dialogue_state import Deed, DialogueState
from teach_agents.agents.dialogue.interpretation import carried
from teach_agents.agents.dialogue.repair import instead
from teach_agents.understanding.hybrid_reader import HybridReader
from teach_agents.understanding.notation import read_meaning, read_phrase, write_meaning
from teach_agents.understanding.spelling import is_gibberish
from tests.agents.dialogue.talking import Room


def test_a_question_is_asked_once_more_about_another_thing() -> None:
    room = Room(meanings={"No, I mean my mug.": "instead(mug)", "And the apple?": "repeat(apple)"})
    assert "egg" in room.say("Where is the egg?").text
    assert "mug" in (said := room.say("No, I mean my mug.")).text and not said.done
    said = room.say("And the apple?")
    assert "apple" in said.text and "counter" in said.text and not said.done


@pytest.mark.parametrize(
    ("said", "on"), [("keep that one on, I meant the other lamp", True), ("I meant the other lamp", False)]
)
def test_what_was_mistaken_for_another_is_put_right_where_that_is_said(said: str, on: bool) -> None:
    room = Room("FloorPlan216", meanings={f"No, {said}.": "instead(other lamp)"})
    room.say("turn off the floor lamp")
    room.say(f"No, {said}.")
    assert room.one("FloorLamp")["isToggled"] is on and not room.one("DeskLamp")["isToggled"]


@pytest.mark.parametrize("found", ["Watch", "KeyChain"])
def test_what_was_told_to_lie_beside_a_thing_is_it(found: str) -> None:
    text = "What did I leave beside the pillow? Fetch it."
    room = Room("FloorPlan205", setup=[f"put {found} on Sofa"], meanings={text: "?near(pillow); get(it)"})
    room.say(text)
    assert room.holding() == found


def test_what_holds_water_is_it() -> None:
    text = "There's water in one of the things on the counter. Pour it out."
    room = Room(
        "FloorPlan10", setup=["fill Bowl water"], meanings={text: "fact(water @in thing @on counter); empty(it)"}
    )
    room.say(text)
    assert not room.one("Bowl")["isFilledWithLiquid"]


def test_a_box_that_was_open_is_left_open_though_it_had_to_be_turned_to() -> None:
    text = "take the thing in the box and put it on the sofa"
    meant = "pick_up(something, from box); put(it, on sofa)"
    room = Room("FloorPlan213", setup=["put RemoteControl in Box"], meanings={text: meant})
    said = room.say(text)
    assert said.done["Close"] and room.one("Box")["isOpen"] and room.is_in("RemoteControl", "Sofa")


def test_once_something_was_done_what_follows_is_about_that() -> None:
    room = Room(meanings={"And the apple.": "repeat(apple)"})
    room.say("Where is the egg?")
    room.say("bring me the mug")
    room.say("And the apple.")
    assert room.holding() == "Apple"


def test_it_tells_where_a_thing_was_before_it_took_it() -> None:
    room = Room(meanings={"Where was it?": "?where(it)"})
    room.say("bring me the egg")
    assert "The egg was on the counter" in room.say("Where was it?").text


def test_it_tells_what_it_had_to_open_on_the_way() -> None:
    room = Room(
        meanings={"did you open the fridge?": "?did(open(fridge))", "or the microwave?": "?did(open(microwave))"}
    )
    room.say("put the apple in the fridge")
    assert room.say("did you open the fridge?").text.startswith("Yes, I had to open")
    assert room.say("or the microwave?").text.startswith("No")


def test_it_tells_what_was_asked_for_first_and_what_failed() -> None:
    failed = "Was there anything you couldn't manage?"
    room = Room(meanings={"what did I ask first?": "?task(first)", failed: "?other(what could you not manage)"})
    room.say("close the fridge")
    assert "everything that you asked for" in room.say(failed).text
    room.say("bring me the teddy bear")
    assert "teddy bear" in (said := room.say(failed).text) and said.startswith("Yes, I could not")
    assert "The first thing you asked for was to close the fridge" in room.say("what did I ask first?").text


def test_of_many_orders_the_first_is_kept_and_the_latest() -> None:
    state = DialogueState()
    for number in range(100):
        state.keep(Deed(str(number), True, ""))
    assert state.deeds[0].act == "0" and state.deeds[-1].act == "99" and len(state.deeds) == 30


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("find(mug); get(it)", "get(mug)"),
        ("clear(table); put(stuff, on sofa)", "put(all thing @on table, on sofa)"),
        ("clear(table); put(mug, on sofa)", "clear(table); put(mug, on sofa)"),
        ("get(slice_of_bread); get(it @on plate)", "put(slice_of_bread, on plate)"),
        ("turn_off(on lamp)", "turn_off(on lamp)"),
        ("?there(egg @in fridge); if(it) get(it)", "?there(egg @in fridge); if(egg @in fridge) get(it)"),
    ],
)
def test_acts_of_one_breath_are_taken_together(said: str, meant: str) -> None:
    assert write_meaning(carried(read_meaning(said))) == meant


def test_what_is_on_is_a_look_of_what_is_switched_and_a_place_of_what_is_put() -> None:
    (off,) = carried(read_meaning("turn_off(on lamp)"))
    assert off.slots[0].role == "" and off.slots[0].phrase.looks == ("on",)
    (put,) = carried(read_meaning("put(on table)"))
    assert put.slots[0].role == "on"


def test_wine_is_poured_into_a_vessel_for_whoever_asks() -> None:
    room = Room("FloorPlan3", meanings={"pour me a drop of wine": "pour(wine)"})
    said = room.say("pour me a drop of wine")
    assert room.holding() in ("Cup", "Mug") and room.one(room.holding())["isFilledWithLiquid"]
    assert "wine" in said.text


def test_water_comes_in_the_vessel_that_is_named_whatever_it_held() -> None:
    text = "some water in my cup please"
    room = Room("FloorPlan3", setup=["fill Cup coffee"], meanings={text: "get(water, in cup)"})
    room.say(text)
    cup = room.one("Cup")
    assert room.holding() == "Cup" and cup["isFilledWithLiquid"] and cup["fillLiquid"] != "coffee"


def test_otherwise_is_the_other_way() -> None:
    read = HybridReader().read("If there's an egg in the fridge, bring it to me. Otherwise bring me the apple.")
    assert write_meaning(read.acts) == "if(egg @in fridge) get(it); unless(egg @in fridge) get(apple)"


def test_gibberish_is_not_guessed_at() -> None:
    assert is_gibberish("xqz zzq vwk qqz") and is_gibberish("<x9> zqx!! vwk")
    assert not is_gibberish("birng me teh mug plz") and not is_gibberish("stop") and not is_gibberish("?!")
    assert write_meaning(HybridReader().read("xqz zzq vwk qqz").acts) == "unclear"


@pytest.mark.parametrize(
    ("meanings", "holds"),
    [
        (["put(watch, on sofa)", "instead(on armchair)"], "Watch in ArmChair"),
        (["get(watch)", "instead(on sofa)"], "Watch in Sofa"),
        (["get(watch)", "instead(there @on sofa)"], "Watch in Sofa"),
        (["put(watch)", "choose(on armchair)"], "Watch in ArmChair"),
    ],
)
def test_another_place_is_told_by_its_role(meanings: list[str], holds: str) -> None:
    said = {f"line {number}": meaning for number, meaning in enumerate(meanings)}
    room = Room("FloorPlan201", meanings=said)
    for text in said:
        room.say(text)
    thing, _, place = holds.partition(" in ")
    assert room.is_in(thing, place)


@pytest.mark.parametrize(
    ("again", "turns"), [("repeat", 1), ("repeat(those)", 1), ("repeat(2 one)", 2), ("repeat(3)", 3)]
)
def test_a_motion_is_made_once_more_or_as_often_as_is_said(again: str, turns: int) -> None:
    room = Room(meanings={"turn": "turn_left", "more": again})
    room.say("turn")
    assert room.say("more").done["Turn Left"] == turns


def test_what_is_to_be_left_open_is_opened_where_it_is_not() -> None:
    room = Room(meanings={"leave the fridge open": "never(close(fridge))", "close it": "close(fridge)"})
    assert room.say("leave the fridge open").done["Open"] == 1
    assert not room.say("close it").done


def test_what_the_words_say_beyond_their_reading_counts() -> None:
    meanings = {
        "one metre ahead": "step_forward",
        "what did I ask first?": "?task",
        "something to cut with": "get(something)",
    }
    room = Room("FloorPlan1", meanings=meanings)
    assert room.say("one metre ahead").done["Forward"] == 4
    room.say("look up")
    assert "forward" in room.say("what did I ask first?").text
    room.say("something to cut with")
    assert room.holding() in ("Knife", "ButterKnife")


@pytest.mark.parametrize("named", ["first thing", "first one", "former", "first"])
def test_the_first_of_two_things_is_the_one_that_was_moved_first(named: str) -> None:
    meanings = {
        "mug in the sink, then the egg on the plate": "put(mug, in sink); put(egg, on plate)",
        "the first one back": f"put({named}, on counter)",
    }
    room = Room(meanings=meanings)
    room.say("mug in the sink, then the egg on the plate")
    assert room.is_in("Mug", "Sink") or room.is_in("Mug", "SinkBasin")
    room.say("the first one back")
    assert room.is_in("Mug", "CounterTop")


def test_it_is_the_first_thing_that_the_same_words_name() -> None:
    words = "about the first thing: on the counter with it"
    both = "mug in the sink, then the egg on the plate"
    room = Room(meanings={both: "put(mug, in sink); put(egg, on plate)", words: "put(it, on counter)"})
    room.say(both)
    room.say(words)
    assert room.is_in("Mug", "CounterTop")


@pytest.mark.parametrize("more", ["put(another these, near it)", "put(another those, on dining_table)"])
def test_one_more_of_these_is_another_of_its_kind(more: str) -> None:
    meanings = {"a statue on the dining table": "put(statue, on dining_table)", "one more of these": f"praise; {more}"}
    room = Room("FloorPlan204", meanings=meanings)
    room.say("a statue on the dining table")
    room.say("one more of these")
    on_it = [one for one in room.household.objects if one["objectType"] == "Statue"]
    assert sum(str(one["parentReceptacles"]).count("DiningTable") for one in on_it) == 2


@pytest.mark.parametrize(
    ("order", "meant", "corrected"),
    [
        ("put(egg, in bowl)", "pot", "put(egg, in pot)"),
        ("put(egg, in bowl)", "apple", "put(apple, in bowl)"),
        ("put(fork, in mug)", "spoon", "put(spoon, in mug)"),
        ("put(fork, in mug)", "cup", "put(fork, in cup)"),
        ("put(pen, on desk)", "box", "put(box, on desk)"),
        ("put(pen, in box)", "bowl", "put(pen, in bowl)"),
    ],
)
def test_a_correction_is_about_what_is_like_it(order: str, meant: str, corrected: str) -> None:
    assert write_meaning([instead(read_meaning(order)[0], read_phrase(meant))]) == corrected


def test_what_somebody_says_of_a_thing_that_was_not_understood_is_where_it_goes() -> None:
    room = Room(meanings={"egg, pleease": "unclear(egg)", "on the plate I meant": "instead(on plate)"})
    assert "What should I do with the egg" in room.say("egg, pleease").text
    room.say("on the plate I meant")
    assert room.is_in("Egg", "Plate")


@pytest.mark.parametrize(("more", "number"), [("another", 4), ("1 more", 4), ("another one", 4), ("2 more", 6)])
def test_one_more_is_another_of_the_same_that_was_not_done_yet(more: str, number: int) -> None:
    texts = ("a drawer, any", "and now", "and then", "and once more")
    room = Room("FloorPlan9", meanings=dict(zip(texts, ("open(any drawer)", *[f"repeat({more})"] * 3), strict=True)))
    for text in texts[: 4 if number == 4 else 3]:
        room.say(text)
    opened = [one for one in room.household.objects if one["objectType"] == "Drawer" and one["isOpen"]]
    assert len(opened) == (number if number == 4 else 5)


@pytest.mark.parametrize("place", ["to usual place", "in old spot", "on proper place", "to home", "in where_it_was"])
def test_back_to_its_place_is_where_it_was(place: str) -> None:
    room = Room("FloorPlan309", meanings={"the mug": "get(mug)", "back": f"put_back(it, {place})"})
    room.say("the mug")
    room.say("back")
    assert room.is_in("Mug", "SideTable")


def test_what_is_cooked_is_not_cooked_again_and_is_warmed_where_that_is_said() -> None:
    meanings = {"cook the potato": "cook(potato)", "heat the potato": "cook(potato)"}
    room = Room("FloorPlan2", setup=["cook Potato"], meanings=meanings)
    said = room.say("cook the potato")
    assert "cooked already" in said.text and not said.touched
    assert "hot" in room.say("heat the potato").text


@pytest.mark.parametrize(("text", "held"), [("bottle of soap", "SoapBottle"), ("bar of soap", "SoapBar")])
def test_a_vessel_of_something_goes_by_both_names(text: str, held: str) -> None:
    room = Room("FloorPlan403", meanings={"wash my hands": f"get({text})"})
    room.say("wash my hands")
    assert room.holding() == held


def test_a_drink_that_is_put_in_a_vessel_fills_it() -> None:
    room = Room(meanings={"some coffee in my mug": "put(coffee, in mug)"})
    assert "coffee in the mug" in room.say("some coffee in my mug").text


@pytest.mark.parametrize(
    "text", ["Thanks, now tell me the same about the mug.", "I'd like to know that about the mug as well"]
)
def test_the_same_is_told_about_another_thing(text: str) -> None:
    room = Room("FloorPlan7", meanings={text: "thanks; ?what_state(mug)"})
    room.say("where is the apple?")
    assert "mug is" in room.say(text).text.lower() and "clean" not in room.say(text).text
