"""Prohibitions told by how things are to be, and those of one person."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.stated_prohibitions import whom, with_stated
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        (
            "The waste bin is full to the brim. Nothing else goes in there for now.",
            "fact(waste_bin: full)",
            "fact(waste_bin: full); never(put(anything, in waste_bin))",
        ),
        (
            "The shelf is wobbly, so nothing is to be put on it.",
            "fact(shelf: wobbly)",
            "fact(shelf: wobbly); never(put(anything, on shelf))",
        ),
        ("Nobody opens the safe.", "unclear", "never(open(safe))"),
        (
            "The desk lamp is Grandma's, it has to stay on.",
            "fact(desk_lamp: grandma's)",
            "fact(desk_lamp: grandma's); never(turn_off(desk_lamp))",
        ),
        ("The bin is full.", "fact(bin: full)", "fact(bin: full)"),
        ("Let's not leave the lamps burning.", "never(turn_off(all lamp))", "turn_off(all lamp)"),
        ("Don't leave the fridge open", "never(close(fridge))", "close(fridge)"),
        ("Don't turn the lamp off", "never(turn_off(lamp))", "never(turn_off(lamp))"),
        ("I want the floor lamp on till morning", "turn_off(floor_lamp)", "never(turn_off(floor_lamp))"),
        ("I need the lamp off now", "turn_off(lamp)", "turn_off(lamp)"),
        (
            "Don't move a thing, or anything on the shelf",
            "never(put(anything, on shelf))",
            "never(move(anything @on shelf))",
        ),
        ("The girls may not watch any tv", "never(do(the girls may not watch any tv))", "never(turn_on(any tv))"),
        ("Nobody eats from my bowl", "never(eat(on bowl))", "never(touch(bowl))"),
        ("The bowl is Ann's, nobody else drinks from it", "fact(bowl: ann's)", "fact(bowl: ann's); never(touch(bowl))"),
        ("If it's on the bed, don't touch it.", "if(it @on bed) never(touch(it))", "never(touch(anything @on bed))"),
        ("Only Grandpa may use the remote.", "allow(touch(remote))", "never(touch(remote))"),
        ("My wife is the only one who may open the safe", "fact(wife)", "never(open(safe))"),
        ("No one except Dad is allowed to open the fridge.", "unclear", "never(open(fridge))"),
        ("My sister may use the laptop, you may not.", "allow(touch(laptop))", "never(touch(laptop))"),
        ("Kids can open the fridge but not you", "allow(open(fridge))", "never(open(fridge))"),
        ("The lamp must stay on for the cat", "never(move(lamp))", "never(turn_off(lamp))"),
        ("The window has to stay open tonight", "never(move(window))", "never(close(window))"),
        ("The vase must stay on the table", "never(move(vase))", "never(move(vase))"),
        (
            "The pen is Tom's, keep your fingers off it. The pencil you may use.",
            "fact(pen: tom's); allow(touch(pencil))",
            "fact(pen: tom's); allow(touch(pencil)); never(touch(pen))",
        ),
        (
            "The newspaper hasn't been read, don't bin it",
            "fact(newspaper)",
            "fact(newspaper); never(throw_away(newspaper))",
        ),
        ("The pan is too hot to touch", "fact(pan: hot)", "fact(pan: hot); never(touch(pan))"),
        ("The pan is too hot for soup", "fact(pan: hot)", "fact(pan: hot)"),
        ("Vegans eat here, so no eggs", "never(do(no eggs))", "never(touch(all egg))"),
        ("While I'm out, leave the tv off", "never(turn_off(tv))", "never(turn_on(tv))"),
        (
            "You can touch everything apart from the laptop and the mug",
            "never(touch(laptop)); allow(touch(mug))",
            "never(touch(laptop)); never(touch(mug))",
        ),
        (
            "Not the laptop, but the mug you can touch",
            "never(touch(laptop)); allow(touch(mug))",
            "never(touch(laptop)); allow(touch(mug))",
        ),
        (
            "hands off the newspaper. oh and the remote too",
            "never(touch(newspaper)); get(remote)",
            "never(touch(newspaper)); never(touch(remote))",
        ),
        ("hands off the pen and get the remote", "never(touch(pen)); get(remote)", "never(touch(pen)); get(remote)"),
        ("Please never leave the fridge open", "never(open(fridge))", "close(fridge)"),
        ("The TV may only be on after 8 pm", "never(turn_off(tv))", "never(turn_on(tv))"),
        ("Only you may open the fridge.", "allow(open(fridge))", "allow(open(fridge))"),
        (
            "Nothing of mine goes in the bin. The CD is mine.",
            "throw_away(cd)",
            "fact(Nothing of mine goes in the bin. The CD is mine.); never(put(anything, in bin))",
        ),
        (
            "Done defrosting, you can use the fridge again",
            "allow(do(done defrosting you can use the fridge again))",
            "allow(touch(fridge))",
        ),
        ("Don't give it to anyone else.", "never(get(it))", "fact(Don't give it to anyone else.)"),
        ("Never open anything but the safe", "never(open(safe))", "never(open(anything)); allow(open(safe))"),
    ],
)
def test_how_things_are_to_be_forbids_the_rest(text: str, read: str, meant: str) -> None:
    assert write_meaning(with_stated(read_meaning(read), text)) == meant


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Leo is grounded. He's not allowed to watch TV today, don't switch it on for him.", "Leo"),
        ("Don't open the fridge for Sam.", "Sam"),
        ("Tom isn't allowed to watch TV.", "Tom"),
        ("Don't touch the cake, it's for Anna.", ""),
        ("Don't open the drawer for now.", ""),
        ("Don't switch it on.", ""),
    ],
)
def test_of_whom_a_prohibition_is(said: str, who: str) -> None:
    assert whom(said) == who


@pytest.mark.parametrize(("hello", "obeyed"), [("Hi, it's Mia!", True), ("Mia here.", True), ("Hi, it's Leo!", False)])
def test_what_is_forbidden_for_one_person_is_done_for_another(hello: str, obeyed: bool) -> None:
    told, asked = "Leo is grounded, don't switch the TV on for him.", f"{hello} Can you turn on the TV?"
    room = Room("FloorPlan212", meanings={told: "never(turn_on(tv))", asked: "hello; turn_on(tv)"})
    room.say(told)
    room.say(asked)
    assert room.one("Television")["isToggled"] is obeyed


def test_a_bin_that_nothing_may_go_in_takes_no_rubbish() -> None:
    told, asked = "The bin is full. Nothing else goes in there.", "dispose of the newspaper"
    room = Room("FloorPlan212", meanings={told: "fact(bin: full)", asked: "throw_away(newspaper)"})
    room.say(told)
    said = room.say(asked)
    assert "full" in said.text and not said.touched


@pytest.mark.parametrize(
    ("room", "told", "rule", "order"),
    [
        ("FloorPlan16", "Don't use the coffee machine.", "never(touch(coffee_machine))", "make(coffee)"),
        ("FloorPlan16", "Stay away from the knives.", "never(touch(all knife))", "slice(tomato)"),
        ("FloorPlan16", "Don't use the toaster.", "never(touch(toaster))", "make(toast)"),
    ],
)
def test_what_takes_a_forbidden_tool_is_not_begun(room: str, told: str, rule: str, order: str) -> None:
    follower = Room(room, meanings={told: rule, "Go on and do it": order})
    follower.say(told)
    said = follower.say("Go on and do it")
    assert told in said.text and not said.touched


def test_of_several_things_those_that_may_be_are_done() -> None:
    told, asked = "The desk lamp has to stay on.", "Let's not leave the lamps burning."
    room = Room("FloorPlan210", meanings={told: "never(turn_off(desk_lamp))", asked: "never(turn_off(all lamp))"})
    room.say(told)
    said = room.say(asked)
    assert room.one("DeskLamp")["isToggled"] and not room.one("FloorLamp")["isToggled"] and told in said.text


def test_who_asks_what_is_in_something_that_is_to_stay_shut_is_told_that_it_stays_so() -> None:
    told, asked = "Keep the fridge shut, please.", "What food is left inside the fridge?"
    room = Room("FloorPlan1", meanings={told: "never(open(fridge))", asked: "?which(food @in fridge)"})
    room.say(told)
    said = room.say(asked)
    assert "egg" in said.text and "shut" in said.text and not said.touched


def test_one_report_lifts_a_prohibition_once() -> None:
    told, over = "That candle is hot. Don't touch it!", "It has cooled down, touching it is fine again."
    meanings = {told: "fact(candle: hot); never(touch(it))", over: "fact(it: cold); allow(touch(it))"}
    room = Room("FloorPlan430", meanings=meanings)
    room.say(told)
    said = room.say(over)
    assert "allow" in said.text or "may again" in said.text
    assert "not forbidden" not in said.text and "anyway" not in said.text


def test_whether_one_thing_is_allowed_is_answered_of_that_thing() -> None:
    told, asked = "Don't touch the candle.", "Are you allowed to touch the candle?"
    meanings = {told: "never(touch(candle))", asked: "?forbidden", "You may again.": "allow(touch(candle))"}
    room = Room("FloorPlan430", meanings=meanings)
    room.say(told)
    assert room.say(asked).text == f'No: you told me: "{told}"'
    room.say("You may again.")
    assert room.say(asked).text.startswith("Yes")


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        ("It smells nice in here today.", "allow(look_in(all it))", "fact(it smells nice in here today)"),
        ("You may take it.", "allow(get(it))", "allow(get(it))"),
        (
            "Leave the toilet paper in the cabinet for the guests.",
            "never(move(toilet_paper))",
            "never(move(toilet_paper @in cabinet))",
        ),
        (
            "The TV stays off as long as the baby is asleep!",
            "if(baby: asleep) never(turn_on(tv))",
            "never(turn_on(tv))",
        ),
    ],
)
def test_what_words_allow_and_forbid(text: str, read: str, meant: str) -> None:
    found = write_meaning(with_stated(read_meaning(read), text))
    assert found.lower().replace(" .", "").replace(".", "") == meant


@pytest.mark.parametrize(
    "text", ["Always ask me before you open the fridge.", "check with me whenever you open the fridge"]
)
def test_what_is_to_be_asked_about_is_not_done_without(text: str) -> None:
    room = Room("FloorPlan7", meanings={text: f"fact({text.lower().rstrip('.')})"})
    room.say(text)
    said = room.say("open the fridge")
    assert not said.touched and "May I open the fridge?" in said.text
    room.say("yes")
    assert room.one("Fridge")["isOpen"]


def test_nothing_is_taken_from_there_of_every_such_place() -> None:
    told = "Everything on the desks is my sister's. Nothing gets taken from there."
    meanings = {told: "fact(everything @on all desk: sister's); never(pick_up(anything, from there))", "b": "get(book)"}
    room = Room("FloorPlan320", meanings=meanings)
    room.say(told)
    assert not room.say("b").touched
    asked = "What did I tell you about the desks?"
    room = Room("FloorPlan320", meanings={**meanings, asked: "?facts(all desk)"})
    room.say(told)
    assert "taken from there" in room.say(asked).text


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        ("the laptop is not to be closed", "never(open(laptop))", "never(close(laptop))"),
        (
            "he doesn't want anybody to use his stove. The microwave is ok.",
            "allow(touch(microwave))",
            "never(touch(stove))",
        ),
        (
            "I promised that the coffee machine stays untouched until she's home",
            "unclear",
            "never(touch(coffee_machine))",
        ),
        ("The pillow is for my back. Nobody else may have it.", "fact(pillow)", "never(get(pillow))"),
        ("whoever moves the box gets in trouble!", "fact(box)", "never(move(box))"),
        ("don't forget the rule about the lamp", "allow(turn_off(lamp))", "fact(don't forget the rule about the lamp)"),
    ],
)
def test_what_is_forbidden_is_told_by_the_words(text: str, read: str, meant: str) -> None:
    assert meant in write_meaning(with_stated(read_meaning(read), text)).replace("pick_up", "get")


def test_somebody_does_not_get_what_they_are_not_to_have() -> None:
    told = "Salt is bad for Grandpa, he never gets the salt shaker."
    meanings = {
        told: "never(get(salt_shaker, to grandpa))",
        "his": "get(salt_shaker, to grandpa)",
        "mine": "get(salt_shaker)",
    }
    room = Room("FloorPlan14", meanings=meanings)
    room.say(told)
    assert not room.say("his").touched
    room.say("no")
    assert room.say("mine").touched


def test_things_may_go_there_again() -> None:
    told, again = "nothing may be put on my bed", "just kidding, you can put things on it"
    meanings = {told: "never(put(anything, on bed))", again: "put(all thing, on it)", "book": "put(book, on bed)"}
    room = Room("FloorPlan308", meanings=meanings)
    room.say(told)
    assert not room.say(again).touched
    assert room.say("book").done["Place"] == 1


def test_what_is_not_to_be_given_to_anyone_is_given_to_nobody() -> None:
    told = "the apple is rotten, don't give it to anyone"
    room = Room("FloorPlan1", meanings={told: "fact(apple: rotten); never(get(it, to anyone))", "apple": "get(apple)"})
    room.say(told)
    assert told in room.say("apple").text


def test_a_report_that_is_taken_for_a_yes_ends_the_rule_as_well() -> None:
    told, over = "as long as I'm working nobody touches the mug", "I'm done working"
    room = Room("FloorPlan1", meanings={told: "never(touch(mug))", "mug": "get(mug)", over: "yes", "away": "drop(mug)"})
    room.say(told)
    room.say("mug")
    assert room.say(over).touched
    assert "Shall I" not in room.say("away").text
