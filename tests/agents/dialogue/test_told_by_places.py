"""Things told by where they are, and by how they are: names in names, where the Follower stands, burners."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from teach_agents.agents.dialogue.compound_nouns import places_as_said
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        (
            "get me the roll of toilet paper that's on the toilet",
            "get(roll of toilet_paper @on toilet_paper)",
            "get(roll of toilet_paper @on toilet)",
        ),
        (
            "Bring the toilet paper off the toilet, please",
            "get(toilet_paper, from toilet_paper)",
            "get(toilet_paper, from toilet)",
        ),
        ("put it on the coffee table", "put(it, on coffee_table)", "put(it, on coffee_table)"),
        ("put it on the tv unit", "put(it, on tv_stand)", "put(it, on tv_stand)"),
        ("never open the box on the desk lamp table", "never(open(box @on desk))", "never(open(box @on desk))"),
    ],
)
def test_a_place_goes_by_the_words_that_were_said_of_it(text: str, read: str, meant: str) -> None:
    assert write_meaning([places_as_said(act, text) for act in read_meaning(read)]) == meant


@pytest.mark.parametrize("lamp", ["FloorLamp", "DeskLamp"])
@pytest.mark.parametrize(
    "text", ["turn off the lamp you are standing at", "Switch off the lamp you're next to, please."]
)
def test_the_lamp_that_it_stands_at_is_the_nearest(lamp: str, text: str) -> None:
    room = Room("FloorPlan217", setup=[f"stand near {lamp}"], meanings={text: "turn_off(lamp)"})
    room.say(text)
    lamps = {str(one["objectType"]): one["isToggled"] for one in room.household.objects if "Lamp" in one["objectType"]}
    assert lamps == {"FloorLamp": lamp != "FloorLamp", "DeskLamp": lamp != "DeskLamp"}


@pytest.mark.parametrize("read", ["turn_off(on burner)", "fact(burner: on); turn_off(it)"])
@pytest.mark.parametrize("burns", [True, False])
def test_a_burner_that_is_on_is_one_whose_knob_is(read: str, burns: bool) -> None:
    text = "I think one of the burners is still on, turn it off"
    room = Room("FloorPlan13", setup=["on StoveKnob#2"] if burns else ["open Fridge"], meanings={text: read})
    reply = room.say(text).text
    assert not any(one["isToggled"] for one in room.household.objects if one["objectType"] == "StoveKnob")
    assert burns or "already" in reply or read.startswith("fact")
    assert "Shall I" not in reply


@pytest.mark.parametrize("towel", ["Towel", "HandTowel"])
def test_what_fell_down_is_hung_up_again(towel: str) -> None:
    room = Room("FloorPlan410", setup=[f"put {towel} in Floor"], meanings={})
    room.say("A towel fell on the floor. Hang it up again.")
    assert room.is_in(towel, f"{towel}Holder")


def test_what_cannot_be_done_is_not_offered() -> None:
    class Unsure:
        def read(self, text: str, recent: object = ()) -> object:
            from teach_agents.core.dialogue import Reading

            return Reading(read_meaning("do(a towel fell on the floor hang it up again)"), 0.05, "heads")

    from teach_agents.agents.planner.follower import PlannerFollower

    room = Room(follower=PlannerFollower(understanding=Unsure()))  # type: ignore[arg-type]  # for one utterance
    assert "Shall I" not in room.say("a towel fell on the floor hang it up again").text


@pytest.mark.parametrize("thing", ["CreditCard", "RemoteControl"])
def test_something_that_lies_somewhere_is_looked_for_there(thing: str) -> None:
    text = "Oh no, I dropped something in the trash can! Can you fish it out?"
    read = "fact(something @in trash_can); pick_up(it)"
    room = Room("FloorPlan225", setup=[f"put {thing} in GarbageCan"], meanings={text: read}, looks_for_itself=True)
    room.say(text)
    assert room.holding() == thing


def test_it_is_what_was_lost_though_it_was_not_seen_yet() -> None:
    told = "I think I dropped my bank card in one of the drawers."
    read = {told: "fact(bank_card @in drawer)", "Go get it for me.": "get(it)"}
    room = Room("FloorPlan306", setup=["put CreditCard in Drawer#2"], meanings=read, looks_for_itself=True)
    room.say(told)
    room.say("Go get it for me.")
    assert room.holding() == "CreditCard"


def test_what_it_holds_goes_by_the_last_word_of_its_name() -> None:
    text = "Would you put the bottle back where it was?"
    room = Room("FloorPlan409", meanings={text: "put_back(bottle)"}, looks_for_itself=True)
    room.say("pick up the spray bottle")
    assert room.holding() == "SprayBottle"
    room.say(text)
    assert room.is_in("SprayBottle", "CounterTop")


@pytest.mark.parametrize(
    ("text", "read", "kind", "place"),
    [
        (
            "Move that thing off the ottoman? Coffee table is fine",
            "move(thing, from ottoman)",
            "Newspaper",
            "CoffeeTable",
        ),
        ("get the thing off the ottoman, the sofa will do", "get(thing, from ottoman)", "Newspaper", "Sofa"),
        ("clear the ottoman, sofa's fine", "clear(ottoman)", "Newspaper", "Sofa"),
        ("the pillow goes where the newspaper is", "put(pillow, near newspaper)", "Pillow", "Ottoman"),
    ],
)
def test_a_place_is_what_will_do_or_holds_what_is_named(text: str, read: str, kind: str, place: str) -> None:
    room = Room("FloorPlan203", meanings={text: read})
    room.say(text)
    assert room.is_in(kind, place)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("One drawer is open. Put my phone in this drawer.", "fact(drawer: open); put(phone, in drawer)"),
        ("There's a drawer open, put the phone in there", "fact(drawer: open); put(phone, in there)"),
        ("an open drawer, put the phone in it", "fact(open drawer); put(phone, in it)"),
    ],
)
def test_a_place_that_was_told_to_be_so_is_that_one(text: str, read: str) -> None:
    room = Room("FloorPlan304", setup=["open Drawer#1"], meanings={text: read})
    room.say(text)
    (phone,) = [one for one in room.household.objects if one["objectType"] == "CellPhone"]
    (drawer,) = [one for one in room.household.objects if one["objectType"] == "Drawer" and one["isOpen"]]
    assert drawer["objectId"] in phone["parentReceptacles"]


def test_what_was_named_and_is_not_there_is_meant_by_its_name() -> None:
    said = "I think I left my phone in here. Can you bring it to me?"
    assert "no phone" in Room("FloorPlan5", meanings={said: "fact(phone); get(it)"}).say(said).text


def test_what_was_asked_about_by_its_place_is_spoken_of() -> None:
    meanings = {"what's that on the ottoman?": "?what(that @on ottoman)", "put it on the sofa": "put(it, on sofa)"}
    room = Room("FloorPlan203", meanings=meanings)
    for text in meanings:
        room.say(text)
    assert room.is_in("Newspaper", "Sofa")


@pytest.mark.parametrize(
    ("room", "said", "read", "never"),
    [
        ("FloorPlan10", "What is behind the toaster?", "?what(something @behind toaster)", "lettuce"),
        ("FloorPlan304", "Is something under the bed?", "?there(something @below bed)", "pillow"),
    ],
)
def test_what_is_in_or_on_a_thing_or_shut_in_is_not_behind_or_under_it(
    room: str, said: str, read: str, never: str
) -> None:
    assert never not in Room(room, meanings={said: read}).say(said).text


def test_a_walk_that_ends_with_a_stop_has_nothing_to_stop() -> None:
    said = "Go as far as the fridge and stop there"
    answer = Room(meanings={said: "go_to(fridge); stop"}).say(said)
    assert "fridge" in answer.text and "not doing anything" not in answer.text


def test_what_is_taken_out_of_there_is_taken_out_of_what_it_was_said_to_be_in() -> None:
    text = "my mug is in the microwave, get it out of there"
    room = Room(
        "FloorPlan13",
        setup=["put Mug in Microwave"],
        meanings={text: "fact(mug @in microwave); pick_up(it, from there)"},
    )
    room.say(text)
    assert room.holding() == "Mug"


def test_what_remains_of_several_is_the_other() -> None:
    text = "the remaining lamp too, please"
    room = Room("FloorPlan321", meanings={"one lamp": "turn_off(1 desk_lamp)", text: "repeat(remaining lamp)"})
    room.say("one lamp")
    room.say(text)
    assert not any(one["isToggled"] for one in room.household.objects if one["objectType"] == "DeskLamp")


@pytest.mark.parametrize("off", ["FloorLamp", "DeskLamp"])
def test_what_is_said_to_be_off_is_off_however_it_was_read(off: str) -> None:
    text = "switch on the lamp that's off"
    room = Room("FloorPlan216", setup=[f"off {off}"], meanings={text: "turn_on(on lamp)"})
    room.say(text)
    assert room.one(off)["isToggled"]


def test_the_rest_is_taken_off_what_it_lies_on() -> None:
    text = "Take the other stuff off it and put it somewhere else."
    told = "don't touch the teddy"
    meanings = {told: "never(touch(teddy))", text: "put(all other stuff @on bed, on bed)"}
    room = Room("FloorPlan306", meanings=meanings)
    room.say(told)
    room.say(text)
    assert room.is_in("TeddyBear", "Bed") and not room.is_in("Pillow", "Bed")


@pytest.mark.parametrize("burner", ["#1", "#3"])
def test_the_burner_under_a_pot_is_the_one_that_it_stands_on(burner: str) -> None:
    text = "turn on the burner under the pot"
    room = Room("FloorPlan14", setup=[f"put Pot in StoveBurner{burner}"], meanings={text: "turn_on(burner @below pot)"})
    room.say(text)
    (under,) = [one for one in room.household.objects if "Pot" in str(one["receptacleObjectIds"]) and _burns(one)]
    assert under["objectType"] == "StoveBurner"


def _burns(thing: Mapping[str, object]) -> bool:
    return "Hot" in (thing.get("temperature"), thing.get("ObjectTemperature"))


def test_what_lies_beside_something_lies_on_the_same() -> None:
    text = "Now give me what is lying beside the pillow."
    room = Room("FloorPlan303", meanings={text: "get(something @near pillow)"})
    room.say("put the phone on the bed")
    room.say(text)
    assert room.holding() == "CellPhone"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("I need the ladle from the sink, not the other one", "get(ladle, from sink); not(other one)"),
        ("the ladle in the sink and not the other ladle", "get(ladle @in sink); not(other ladle)"),
    ],
)
def test_not_the_other_one_says_no_more_than_which_is_meant(text: str, read: str) -> None:
    room = Room("FloorPlan27", setup=["put Ladle#2 in Sink"], meanings={text: read})
    room.say(text)
    (held,) = [one["objectId"] for one in room.household.objects if one["isPickedUp"]]
    assert held == [one["objectId"] for one in room.household.objects if one["objectType"] == "Ladle"][1]


def test_what_is_there_besides_something_is_not_that() -> None:
    text = "there's something on the sofa besides the pillow. Bring it to me."
    read = "fact(something @on sofa); get(it)"
    room = Room("FloorPlan201", setup=["put Newspaper in Sofa"], meanings={text: read})
    room.say(text)
    assert room.holding() == "Newspaper"


@pytest.mark.parametrize("lost", ["Pen", "Pencil"])
@pytest.mark.parametrize("read", ["put(it, on dresser)", "put(something, on dresser)"])
def test_it_that_is_for_something_is_what_is_for_that_where_it_is_said_to_be(lost: str, read: str) -> None:
    text = "I dropped something to write with, it must be on the floor somewhere. Lay it on the dresser."
    setup = [] if lost == "Pen" else ["put Pen in Shelf", "put Pencil in Floor"]
    room = Room("FloorPlan324", setup=setup, meanings={text: read})
    room.say(text)
    assert room.is_in(lost, "Dresser")


def test_a_place_is_the_one_said_right_behind_a_thing_and_may_be_this_room() -> None:
    text = "I'm lying in bed and think the tap in the bathroom is running. Turn it off if it is."
    room = Room("FloorPlan422", setup=["on Faucet"], meanings={text: "if(tap @in bed: on) turn_off(it)"})
    room.say(text)
    assert not room.one("Faucet")["isToggled"]


def test_what_cannot_go_where_it_is_to_go_is_said_and_not_offered() -> None:
    class Unsure:
        def read(self, text: str, recent: object = ()) -> object:
            from teach_agents.core.dialogue import Reading

            return Reading(read_meaning("put(all key, in box)"), 0.28, "heads")

    from teach_agents.agents.planner.follower import PlannerFollower

    room = Room("FloorPlan320", follower=PlannerFollower(understanding=Unsure()))  # type: ignore[arg-type]  # for one utterance
    assert "no box" in room.say("My keys always get lost. Drop them in the box so I know where they are.").text


def test_of_what_is_near_the_closest_that_was_asked_for() -> None:
    text = "What's standing closest to the toaster? Give me that."
    room = Room("FloorPlan27", meanings={text: "?near(toaster); get(that)"})
    room.say(text)
    assert room.holding() == "Ladle"


def test_the_one_that_one_drinks_from_is_known_by_that() -> None:
    text = "there are two things in the sink I think. take out the one you can drink from"
    room = Room("FloorPlan1", setup=["put Mug in Sink"], meanings={text: "get(one, from sink)"})
    room.say(text)
    assert room.holding() == "Mug"


def test_the_fruit_that_is_not_sliced_is_whole() -> None:
    text = "put the fruit that isn't sliced in the fridge"
    room = Room("FloorPlan13", setup=["slice Apple"], meanings={text: "put(sliced fruit, in fridge)"})
    room.say(text)
    assert room.is_in("Tomato", "Fridge") and not room.is_in("AppleSliced", "Fridge")


@pytest.mark.parametrize("looks_for_itself", [True, False])
def test_it_that_nothing_was_said_of_is_what_is_in_there(looks_for_itself: bool) -> None:
    text = "Not sure what it is, but take it out of the microwave please"
    room = Room(
        "FloorPlan1",
        setup=["put Potato in Microwave"],
        meanings={text: "pick_up(it, from microwave)"},
        looks_for_itself=looks_for_itself,
    )
    room.say(text)
    assert room.holding() == "Potato"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Next to the laptop there is something to read. Get it for me", "fact(something @near laptop); get(it)"),
        ("bring me the reading material that lies there", "get(reading material)"),
    ],
)
def test_what_is_to_read_is_told_by_that(text: str, read: str) -> None:
    room = Room("FloorPlan201", setup=["put Newspaper in Drawer"], meanings={text: read})
    room.say(text)
    assert room.holding() == "Book"


def test_everything_edible_is_all_food() -> None:
    text = "put everything that's edible in the fridge"
    room = Room("FloorPlan1", meanings={text: "put(edible everything, in fridge)"})
    room.say(text)
    assert room.is_in("Tomato", "Fridge") and room.is_in("Lettuce", "Fridge") and not room.is_in("Pan", "Fridge")


def test_the_seat_that_is_up_is_that_of_the_toilet() -> None:
    room = Room("FloorPlan402", setup=["open Toilet"], meanings={"the seat's up, put it down": "close(seat)"})
    room.say("the seat's up, put it down")
    assert not room.one("Toilet")["isOpen"]


def test_what_lies_on_the_floor_is_looked_for_by_who_has_not_seen_it() -> None:
    text = "I dropped something to write with, it must be on the floor somewhere. Lay it on the dresser."
    room = Room("FloorPlan324", meanings={text: "put(it, on dresser)"}, looks_for_itself=True)
    room.say(text)
    assert room.is_in("Pen", "Dresser")


def test_something_that_is_for_nothing_here_is_told_in_its_words() -> None:
    text = "bring me something to write with"
    said = Room("FloorPlan402", meanings={text: "get(something to write with)"}).say(text).text
    assert "nothing to write with" in said


@pytest.mark.parametrize("read", ["get(egg, from bowl); put(it, on counter)", "put(egg, from bowl, on counter)"])
def test_what_comes_out_of_a_vessel_is_put_beside_it_where_that_stands(read: str) -> None:
    text = "take the egg out of the bowl and put it on the counter"
    room = Room("FloorPlan1", setup=["put Egg in Bowl"], meanings={text: read})
    room.say(text)
    assert room.is_in("Egg", "CounterTop") and not room.is_in("Egg", "Bowl")


def test_next_to_the_other_one_is_no_place_in_it() -> None:
    text = "put the ladle next to the other ladle"
    room = Room("FloorPlan27", meanings={text: "put(ladle, near other ladle)"})
    assert "cannot hold" not in room.say(text).text


def test_everything_on_the_desk_is_no_more_than_that() -> None:
    text = "everything on the desk that can be switched off, switch it off"
    room = Room("FloorPlan303", meanings={text: "turn_off(everything @on desk)"})
    said = room.say(text).text
    assert not room.one("DeskLamp")["isToggled"] and room.one("LightSwitch")["isToggled"]
    assert "Everything" not in said


def test_what_lies_somewhere_is_not_for_lying_there() -> None:
    text = "put the thing lying on the ottoman on the sofa, something lying in the way is a nuisance"
    room = Room("FloorPlan203", meanings={text: "put(thing @on ottoman, on sofa)"})
    room.say(text)
    assert room.is_in("Newspaper", "Sofa")
