"""Orders on conditions: what each is about, what they leave open, and that they are judged once an utterance."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.agenda import Due
from teach_agents.agents.dialogue.branches import Branches, of_condition, question_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import DialogueAct
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.asking import Asked
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("setup", "is_open"), [((), True), (("open Fridge",), False)], ids=["it is closed", "it is open"]
)
def test_one_of_two_ways_is_gone_and_nothing_is_said_of_the_other(setup: tuple[str, ...], *, is_open: bool) -> None:
    room = Room(setup=setup, meanings={})
    said = room.say("if the fridge is open close it, otherwise open it")
    assert room.one("Fridge")["isOpen"] is is_open
    assert said.done["Open"] + said.done["Close"] == 1
    assert "nothing to do" not in said.text and "leave" not in said.text


def test_what_is_done_on_one_condition_does_not_meet_the_next() -> None:
    room = Room(setup=("dirty Mug",), meanings={})
    said = room.say("if the mug is dirty wash it, if the mug is clean put it in the microwave")
    assert not room.one("Mug")["isDirty"] and not room.is_in("Mug", "Microwave")
    assert "nothing to do" not in said.text


def test_it_in_conditions_of_one_utterance_is_what_each_of_them_is_about() -> None:
    text = "clean the plate if it is dirty, and the mug too if it is dirty"
    room = Room(setup=("dirty Mug",), meanings={text: "if(it: dirty) wash(plate); if(it: dirty) wash(mug)"})
    said = room.say(text)
    assert not room.one("Mug")["isDirty"]
    assert "The plate is not dirty, so there is nothing to do." in said.text


def test_an_utterance_that_was_said_at_work_is_judged_by_itself() -> None:
    room = Asked("FloorPlan7")
    branches = Branches(Resolver(room.body, room.state))
    (act,) = read_meaning("if(fridge: open) close(fridge)")
    branches.begin("close it if it is open")
    first = Due(act, "close it if it is open")
    assert branches.is_open(first)
    assert branches.closed(first, ()) is not None and not branches.is_open(first)
    assert branches.is_open(Due(act, "and see that the fridge is closed"))


def test_it_is_what_the_condition_speaks_of_unless_that_only_points() -> None:
    def meant(line: str) -> str:
        return write_meaning(of_condition(act) for act in read_meaning(line))

    assert meant("if(egg @in fridge) get(it)") == "if(egg @in fridge) get(egg @in fridge)"
    assert meant("if(something @in cup) empty(it)") == "if(something @in cup) empty(cup)"
    assert meant("if(it: dirty) wash(it)") == "if(it: dirty) wash(it)"
    assert meant("if(fridge: open) get(egg)") == "if(fridge: open) get(egg)"


def test_coffee_is_something_in_a_mug() -> None:
    text = "if there's anything in the mug, empty it"
    room = Room(setup=("fill Mug coffee",), meanings={text: "if(anything @in mug) empty(it)"})
    assert room.say(text).done["Pour"] == 1
    assert "There is nothing in the mug, so I leave that." in room.say(text).text


def _question(line: str) -> str | None:
    act: DialogueAct
    (act,) = read_meaning(line)
    asked = question_of(act)
    return None if asked is None else write_meaning([asked])


def test_a_condition_is_asked_for_in_the_words_of_questions() -> None:
    assert _question("if(egg @in fridge) get(it)") == "?there(egg @in fridge)"
    assert _question("unless(it: dirty) get(mug)") == "?state(mug: dirty)"
    assert _question("if(have mug) drop(mug)") is None
    assert _question("get(mug)") is None


def test_who_looks_for_itself_looks_before_it_says_that_there_is_none() -> None:
    room = Room("FloorPlan1", meanings={}, looks_for_itself=True)
    assert room.is_in("Egg", "Fridge"), "shut away"
    said = room.say("if there is an egg in the fridge, bring it to me")
    assert said.done["Open"] and room.holding() == "Egg"
    gone = room.say("if there is an apple in the fridge, bring it to me")
    assert "There is no apple in the fridge" in gone.text and room.holding() == "Egg"


def test_of_what_is_not_there_nothing_is_said_but_that() -> None:
    text = "wash the vacuum if it is dirty"
    said = Room(meanings={text: "if(it: dirty) wash(vacuum_cleaner)"}).say(text)
    assert "There is no vacuum cleaner" in said.text and "not dirty" not in said.text


@pytest.mark.parametrize(("noun", "held"), [("apple", "Apple"), ("mug", "")])
def test_what_was_asked_just_before_is_the_condition(noun: str, held: str) -> None:
    text = f"is the {noun} on the left counter? if it is, bring it"
    where = "counter @near kettle"
    room = Room(meanings={text: f"?there({noun} @on {where}); if(it) get(it)"})
    room.say(text)
    assert room.holding() == held
    asks = "is the fridge open? if it isn't, open it"
    shut = Room(meanings={asks: "?state(fridge: open); unless(it) open(it)"})
    shut.say(asks)
    assert shut.one("Fridge")["isOpen"]


def test_coffee_that_is_poured_out_does_not_meet_the_next_condition() -> None:
    text = "bring my mug if there is coffee in it, otherwise put it in the sink and get the cup"
    held = "coffee @in mug"
    meaning = f"if({held}) get(it); unless({held}) put(mug, in sink); unless({held}) get(cup)"
    room = Room(setup=("fill Mug coffee",), meanings={text: meaning})
    room.say(text)
    assert room.holding() == "Mug" and room.one("Mug")["isFilledWithLiquid"]
    empty = Room(meanings={text: meaning})
    empty.say(text)
    assert empty.holding() == "Cup" and empty.is_in("Mug", "Sink")


def test_all_conditions_are_judged_before_what_is_done_on_one_of_them() -> None:
    text = "if the mug is dirty wash it, and if no mug is dirty, open the fridge"
    room = Room(setup=("dirty Mug",), meanings={text: "if(mug: dirty) wash(it); unless(dirty mug) open(fridge)"})
    room.say(text)
    assert not room.one("Mug")["isDirty"] and not room.one("Fridge")["isOpen"]


def test_what_comes_behind_a_plain_deed_is_judged_after_it() -> None:
    text = "wash the mug, and if it is clean then open the fridge"
    room = Room(setup=("dirty Mug",), meanings={text: "wash(mug); if(mug: clean) open(fridge)"})
    room.say(text)
    assert room.one("Fridge")["isOpen"]


@pytest.mark.parametrize(("binned", "held"), [(False, ""), (True, "SoapBottle")])
@pytest.mark.parametrize("other", ["unless(2 toilet_roll @on toilet)", "if(1 toilet_roll @on toilet)"])
def test_a_number_in_a_condition_counts(other: str, held: str, *, binned: bool) -> None:
    text = "if there are two rolls on the toilet put one of them in the cabinet, if there's one bring me the soap"
    meaning = f"if(2 toilet_roll @on toilet) put(1 them, in cabinet); {other} get(soap_bottle)"
    setup = ("put ToiletPaper in GarbageCan",) if binned else ()
    room = Room("FloorPlan408", setup=setup, meanings={text: meaning})
    room.say(text)
    assert room.holding() == held
    assert sum("Cabinet" in str(one["parentReceptacles"]) for one in _rolls(room)) == (0 if binned else 1)


def _rolls(room: Room) -> list[dict[str, object]]:
    return [dict(one) for one in room.household.objects if one["objectType"] == "ToiletPaper"]


def test_it_is_what_a_condition_was_about_that_was_not_met() -> None:
    text = "cook the potato if it is raw, then put it on the plate"
    meaning = "if(potato: raw) cook(potato); put(it, on plate)"
    room = Room("FloorPlan3", setup=("cook Potato",), meanings={text: meaning})
    room.say(text)
    assert room.is_in("Potato", "Plate")


def test_what_is_missing_somewhere_is_put_there_from_elsewhere() -> None:
    words = "no egg in the fridge? put one in"
    room = Room(meanings={words: "unless(egg @in fridge) put(it, in fridge)"})
    room.say(words)
    assert room.is_in("Egg", "Fridge")


def test_to_make_it_the_opposite_corrects_nothing() -> None:
    words = "laptop open or shut, make it the opposite"
    meant = "if(laptop: open) close(laptop); unless(laptop: open) open(laptop)"
    for setup in ("open Laptop", "close Laptop"):
        room = Room("FloorPlan207", setup=(setup,), meanings={words: meant})
        room.say(words)
        assert room.one("Laptop")["isOpen"] is (setup == "close Laptop")


def test_to_stop_what_runs_is_to_turn_it_off() -> None:
    words = "if the water runs, stop it"
    room = Room("FloorPlan401", setup=("on Faucet#1",), meanings={words: "if(water: on) stop"})
    room.say(words)
    assert not any(one["isToggled"] for one in room.household.objects if one["objectType"] == "Faucet")


@pytest.mark.parametrize("read", ["close(microwave)", "close(fridge)", "close(it)"])
@pytest.mark.parametrize("left", ["Microwave", "Fridge"])
def test_of_either_what_is_so_is_meant(left: str, read: str) -> None:
    words = "either the fridge or the microwave was left open, close it"
    room = Room(setup=(f"open {left}",), meanings={words: read})
    room.say(words)
    assert not room.one(left)["isOpen"]


def test_to_say_so_is_to_answer_what_the_condition_asks() -> None:
    text = "if the bread is cut, just tell me, otherwise cut it"
    meaning = "if(bread: sliced) do(tell me); unless(bread: sliced) slice(it)"
    room = Room(setup=["slice Bread"], meanings={text: meaning})
    said = room.say(text)
    assert "is sliced" in said.text and "cannot" not in said.text and not room.holding()


def test_what_is_not_where_a_condition_has_it_is_meant_wherever_it_is() -> None:
    text = "should the watch lie on the desk put it on the bed, otherwise hands off, just tell me where it is"
    meaning = (
        "if(phone @on bed) put(it, on desk); unless(phone @on bed) never(touch(it)); unless(phone @on bed) ?where(it)"
    )
    room = Room("FloorPlan301", setup=["put CellPhone on Dresser"], meanings={text: meaning, "now": "get(phone)"})
    assert "dresser" in room.say(text).text
    assert not room.say("now").touched


def test_a_report_that_is_asked_for_with_an_order_needs_no_deed_of_its_own() -> None:
    text = "switch the television on and tell me when it is on"
    room = Room("FloorPlan207", meanings={text: "turn_on(television); do(tell me when it is on)"})
    assert "cannot" not in room.say(text).text and room.one("Television")["isToggled"]


def test_what_is_done_to_a_vessel_that_something_is_not_in_is_done_to_the_vessel() -> None:
    words = "has the mug got coffee in it? water the plant with it if so, else into the sink with it"
    room = Room(meanings={words: "if(coffee @in mug) pour(it, on plant); unless(coffee @in mug) put(it, in sink)"})
    room.say(words)
    assert room.is_in("Mug", "Sink") or room.is_in("Mug", "SinkBasin")


@pytest.mark.parametrize("read", ["turn_off(floor_lamp)", "turn_off(on lamp)"])
def test_of_two_things_the_one_that_runs_is_stopped_and_the_other_started(read: str) -> None:
    words = "the floor lamp or the telly: whichever is on, off with it, and the other one on"
    room = Room("FloorPlan207", meanings={words: f"{read}; turn_on(television)"})
    room.say(words)
    assert not room.one("FloorLamp")["isToggled"] and room.one("Television")["isToggled"]
