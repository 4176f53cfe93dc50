"""Answers to questions: true, of what is known and no more, in natural words."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from teach_agents.agents.acting.skills.hands import close, open_up, pick_up, slice_up
from teach_agents.agents.acting.skills.heat import brew
from teach_agents.agents.acting.skills.searching import survey
from teach_agents.agents.dialogue.dialogue_state import Asked as AskedBack
from teach_agents.agents.dialogue.dialogue_state import Deed, Rule, Task, Told
from teach_agents.agents.dialogue.noun_text import called
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.referring_expressions import describe_thing, where_phrase
from teach_agents.errors import InputError
from teach_agents.understanding.notation import read_meaning
from tests.agents.dialogue.asking import Asked
from tests.agents.dialogue.talking import Room

KITCHEN, LIVING_ROOM, BEDROOM, BATHROOM = "FloorPlan1", "FloorPlan205", "FloorPlan301", "FloorPlan402"
ROOMS = (KITCHEN, LIVING_ROOM, BEDROOM, BATHROOM)
_NOUNS = "mug knife drawer lamp pillow light fridge sink shelf towel table egg flurbnik dish plant it them".split()
_TOPICS = "where what_state count there in on near have which what".split()
_ORDERS = "slice(bread) make(coffee) wash(mug) open(drawer) pick_up(sofa) do(dance) toast(bread) get(pillow)".split()
QUESTIONS = (
    *(f"?{topic}({noun})" for topic in _TOPICS for noun in _NOUNS),
    *(f"?state({noun}: {state})" for noun in _NOUNS for state in ("open", "on", "dirty", "empty", "sliced", "locked")),
    *(f"?{topic}({order})" for topic in ("did", "can", "how") for order in _ORDERS),
    *(f"?{topic}" for topic in "see where_are_you held did why doing next abilities who facts forbidden task".split()),
    "?other(time)",
    "?where(apple @in fridge)",
    "?where(blue mug)",
    "?there(2 pillow)",
    "?in(bedroom)",
    "?which(dirty something)",
)


@pytest.fixture(scope="module")
def kitchen() -> Asked:
    """Who knows all of a kitchen."""
    return Asked(KITCHEN)


@pytest.fixture(scope="module")
def looked_around() -> Asked:
    """Who has looked around in a kitchen, and opened nothing."""
    asked = Asked(KITCHEN, whole=False)
    asked.carry_out(survey(asked.body))
    return asked


@pytest.mark.parametrize("whole", [True, False], ids=["all known", "what was seen"])
@pytest.mark.parametrize("room", ROOMS)
def test_every_answer_is_made_of_plain_sentences(room: str, *, whole: bool) -> None:
    asked = Asked(room, whole=whole)
    last = ""
    for question in QUESTIONS:
        words = asked.ask(question)
        assert words.endswith((".", "?")), (question, words)
        assert not re.search(r"\||None|  |[a-z][A-Z]|\.\.|\ba [aeio]|the (a|the)\b|[{}_]", words), (question, words)
        assert words[0].isupper() and len(re.findall(r"[.?](?: |$)", words)) <= 3, (question, words)
        assert words != last, (question, words)
        last = words


def test_what_is_not_a_question_is_refused(kitchen: Asked) -> None:
    with pytest.raises(InputError, match="question"):
        kitchen.answers.answer(read_meaning("get(mug)")[0])


def test_nothing_is_said_twice_in_the_same_words(kitchen: Asked) -> None:
    said = [kitchen.ask("?where(mug)") for _ in range(4)]
    assert all(one != other for one, other in zip(said, said[1:], strict=False))


@pytest.mark.parametrize("room", ROOMS)
def test_whereabouts_name_what_truly_holds_a_thing(room: str) -> None:
    asked = Asked(room)
    for thing in asked.body.things:
        holders = asked.body.things.holders(thing)
        if (
            thing.has("pickupable")
            and holders
            and holders[0].object_type in ("Fridge", "Drawer", "Bed", "Desk", "Sofa")
        ):
            assert holders[0].object_type.lower() in where_phrase(thing, asked.body), thing.object_type


def test_the_shortest_wordphrase_that_picks_a_thing_out() -> None:
    asked = Asked(KITCHEN)
    assert describe_thing(asked.one("Mug"), asked.body) == "the mug"
    assert describe_thing(asked.one("SinkBasin"), asked.body) == "the sink"
    stools = [thing for thing in asked.body.things if thing.object_type == "Stool"]
    assert all("stool" in describe_thing(stool, asked.body) for stool in stools)
    drawers = [thing for thing in asked.body.things if thing.object_type == "Drawer"]
    named = [describe_thing(drawer, asked.body) for drawer in drawers]
    assert all(named.count(name) == 1 for name in named if name.startswith("the "))
    assert any(name.startswith("a ") for name in named)


def test_where_things_are(kitchen: Asked) -> None:
    assert "in the fridge" in kitchen.ask("?where(egg)")
    assert "on the counter next to the coffee machine" in kitchen.ask("?where(mug)")
    assert "nine" in kitchen.ask("?where(drawer)")
    assert kitchen.ask("?where(flurbnik)") == "I do not know what a flurbnik is."
    assert "no teddy bear in this kitchen" in kitchen.ask("?where(teddy_bear)")
    assert "cannot tell which mug is blue" in kitchen.ask("?where(blue mug)")


def test_false_presuppositions_are_corrected(kitchen: Asked) -> None:
    words = kitchen.ask("?where(apple @in fridge)")
    assert "no apple in the fridge" in words and "I know one on the counter" in words
    words = kitchen.ask("?where(dirty plate)")
    assert "no dirty plate" in words and "in the cabinet" in words
    assert "know only this kitchen" in kitchen.ask("?there(mug @in bathroom)")


def test_states_are_told_with_yes_or_no_and_what_is_so(kitchen: Asked) -> None:
    kitchen.state.mentions.clear()
    assert re.fullmatch(r"No, (it|the fridge) is closed\.", kitchen.ask("?state(fridge: open)"))
    assert re.fullmatch(r"Yes, (it|the fridge) is closed\.", kitchen.ask("?state(it: closed)"))
    assert kitchen.ask("?state(all drawer: open)").startswith("No, none of ")
    assert kitchen.ask("?state(potato: cooked)").endswith("is raw.")
    assert kitchen.ask("?state(mug: open)") == "No, the mug does not open."
    assert "whether the microwave is locked" in kitchen.ask("?state(microwave: locked)")
    assert kitchen.ask("?what_state(potato)") == "The potato is raw and whole."


@pytest.mark.parametrize("room", ROOMS)
def test_states_and_numbers_are_those_of_the_room(room: str) -> None:
    asked = Asked(room)
    kinds = Counter(thing.object_type for thing in asked.body.things)
    for thing in asked.body.things:
        word = called(thing).one.replace(" ", "_")
        asked.state.mentions.clear()
        if thing.is_basin or kinds[thing.object_type] > 1 or kinds_of(word) != (thing.object_type,):
            continue
        if thing.has("openable"):
            assert asked.ask(f"?state({word}: open)").startswith("Yes" if thing.has("isOpen") else "No"), word
        if thing.has("toggleable"):
            assert asked.ask(f"?state({word}: off)").startswith("No" if thing.has("isToggled") else "Yes"), word
        assert f" one {called(thing).one} " in asked.ask(f"?count({word})"), word
        assert asked.ask(f"?there({word})").startswith("Yes"), word


def test_numbers_are_true(kitchen: Asked) -> None:
    cabinets = sum(thing.object_type == "Cabinet" for thing in kitchen.body.things)
    assert cabinets == 9 and "nine cabinets" in kitchen.ask("?count(cabinet)")
    assert "one egg in the fridge" in kitchen.ask("?count(egg @in fridge)")
    assert "no chair" in kitchen.ask("?count(chair)")
    assert kitchen.ask("?there(3 mug)").startswith("No, not so many")


def test_contents_are_told_whole(kitchen: Asked) -> None:
    assert "an egg" in kitchen.ask("?in(fridge)")
    assert re.search(r"nothing in the bowl|bowl is empty", kitchen.ask("?in(bowl)"))
    assert all(word in kitchen.ask("?in(drawer)") for word in ("knife", "fork", "spoon", "nine drawers"))


def test_what_was_not_seen_is_not_known(looked_around: Asked) -> None:
    words = looked_around.ask("?where(egg)")
    assert words.startswith("I have not seen an egg yet.") and "the fridge" in words
    assert "have not looked in" in looked_around.ask("?in(fridge)")
    assert "have not looked in" in looked_around.ask("?state(fridge: empty)")
    assert "have not looked in" in looked_around.ask("?there(egg @in fridge)")
    assert "have not looked in" in looked_around.ask("?which(empty cabinet)")
    assert looked_around.ask("?where(sofa)") == "I have not seen a sofa yet."
    assert "seen one mug so far" in looked_around.ask("?count(mug)")


def test_what_was_looked_into_is_known_also_when_it_is_shut_again() -> None:
    asked = Asked(KITCHEN, whole=False)
    asked.carry_out(survey(asked.body))
    asked.carry_out(open_up(asked.body, asked.one("Fridge")))
    asked.carry_out(close(asked.body, asked.one("Fridge")))
    assert re.search(r"there is an egg in the fridge|in the fridge there is an egg", asked.ask("?in(fridge)"), re.I)
    assert "in the fridge" in asked.ask("?where(egg)")
    assert "the fridge" not in asked.ask("?where(fork)")


def test_answers_follow_what_changes() -> None:
    asked = Asked(KITCHEN)
    assert "no coffee" in asked.ask("?where(coffee)")
    asked.carry_out(brew(asked.body, asked.one("Mug")))
    assert asked.ask("?where(coffee)") == "There is coffee in the mug."
    assert "full of coffee" in asked.ask("?state(mug: empty)")
    assert "in the coffee machine" in asked.ask("?where(mug)")
    asked.carry_out(pick_up(asked.body, asked.one("ButterKnife")))
    assert "a butter knife" in asked.ask("?held") and asked.ask("?have(butter_knife)").startswith("Yes")
    assert asked.ask("?have(mug)").startswith("No, I am holding a butter knife.")
    asked.carry_out(slice_up(asked.body, asked.one("Tomato")))
    assert re.fullmatch(r"Yes, (it|the tomato) is sliced\.", asked.ask("?state(tomato: sliced)"))
    assert "slices of tomato" in asked.ask("?count(slice_of_tomato)")


def test_what_is_asked_about_is_spoken_of() -> None:
    asked = Asked(KITCHEN)
    asked.ask("?where(microwave)")
    assert "closed and off" in asked.ask("?what_state(it)")


def test_where_it_is_and_what_it_sees(kitchen: Asked) -> None:
    assert re.match(r"I am (standing )?in the kitchen, by the .+, facing the ", kitchen.ask("?where_are_you"))
    assert re.search(r"I see an apple, a fridge, .+ and a few other things\.", kitchen.ask("?see"))
    assert "bedroom" in Asked(BEDROOM).ask("?where_are_you")


def test_deeds_are_told_as_they_went() -> None:
    asked = Asked(KITCHEN)
    assert re.search("nothing|not done anything", asked.ask("?did"), re.I)
    mug = asked.one("Mug").object_id
    asked.state.deeds = [Deed("wash(mug)", True, "It is clean.", (mug,))]
    asked.state.mention("mug", [mug])
    assert asked.ask("?did") == "I washed the mug."
    assert asked.ask("?did(wash(it))").startswith("Yes, I")
    assert asked.ask("?did(wash(plate))").startswith("No")
    assert "fridge is closed, though" in asked.ask("?did(close(fridge))")
    assert "asked me to wash the mug" in asked.ask("?why")
    asked.state.deeds.append(Deed("slice(bread)", False, "I could not reach it."))
    assert "I could not reach it." in asked.ask("?why")
    assert asked.ask("?did(slice(bread))").startswith("No, I tried")
    asked.state.deeds.append(Deed("open(window)", False, ""))
    assert asked.ask("?why") == "I cannot open the window: it does not open."


def test_plans_are_told() -> None:
    asked = Asked(KITCHEN)
    asked.state.doing, asked.state.queue = "wash(all dirty plate)", [Task("make(coffee)")]
    assert asked.ask("?doing") == "I am washing all the dirty plates."
    assert "I will make coffee" in asked.ask("?next")
    assert asked.ask("?task") == "I am washing all the dirty plates; then I will make coffee."
    assert asked.ask("?did(wash(plate))").startswith("Not yet")
    assert "asked me to wash all the dirty plates" in asked.ask("?why")


def test_facts_and_prohibitions_are_shown() -> None:
    asked = Asked(KITCHEN, whole=False)
    assert re.search("not told|nothing", asked.ask("?facts"), re.I)
    assert re.search("nothing|not forbidden", asked.ask("?forbidden"), re.I)
    asked.state.facts = [Told("The plate is in the cabinet.", 1, "plate", "cabinet"), Told("I have guests", 2)]
    asked.state.rules = [Rule("open", ("fridge",), (), "don't open the fridge")]
    assert asked.ask("?facts") == 'You told me: "The plate is in the cabinet" and "I have guests".'
    assert "You told me that it is in the cabinet." in asked.ask("?where(plate)")
    assert re.search(r"not (to )?open the fridge", asked.ask("?forbidden"))
    assert "told me not to" in asked.ask("?can(open(fridge))")


def test_a_question_back_is_explained() -> None:
    asked = Asked(KITCHEN)
    stools = tuple(thing.object_id for thing in asked.body.things if thing.object_type == "Stool")
    asked.state.question = AskedBack("which", "go_to(stool)", 0, stools, "Which one?")
    assert asked.ask("?why").startswith("Because ")
    assert "stool" in asked.ask("?which(one)")


def test_abilities_in_general_and_here(kitchen: Asked) -> None:
    assert re.match(r"Yes.*knife", kitchen.ask("?can(slice(bread))"))
    assert kitchen.ask("?can(slice(mug))") == "No, I cannot slice a mug: it is nothing to slice."
    assert "only small things" in kitchen.ask("?can(pick_up(fridge))")
    assert "cannot dance" in kitchen.ask("?can(do(dance))")
    assert "cannot make a lasagna" in kitchen.ask("?can(make(lasagna))")
    assert "no coffee machine or mug here" in Asked(LIVING_ROOM).ask("?can(make(coffee))")
    assert "coffee machine" in kitchen.ask("?how(make(coffee))")
    assert kitchen.ask("?what(ladle)").startswith("A ladle is a deep spoon to serve soup with.")


@pytest.mark.parametrize(
    ("told", "meaning"),
    [("the boots are muddy", "fact(all boot: muddy)"), ("the boots are small", "fact(the boots are small)")],
)
def test_of_what_nothing_is_to_be_seen_what_was_told_is_said(told: str, meaning: str) -> None:
    asked = "what is up with them"
    room = Room("FloorPlan203", meanings={told: meaning, asked: "?what_state(all boot)"})
    assert "as usual" in room.say(asked).text
    room.say(told)
    assert told in room.say(asked).text


@pytest.mark.parametrize(
    ("vessel", "answer"), [("Mug", "Yes, there is water in the mug"), ("Cup", "No, the mug has nothing")]
)
def test_what_is_in_one_vessel_is_in_no_other(vessel: str, answer: str) -> None:
    room = Room(setup=(f"fill {vessel} water",), meanings={"Is there water in the mug?": "?there(water @in mug)"})
    assert answer in room.say("Is there water in the mug?").text


def test_it_behind_a_question_of_water_is_the_vessel() -> None:
    room = Room(
        setup=("fill Mug water", "fill Cup water"), meanings={"Is there water in the mug?": "?there(water @in mug)"}
    )
    room.say("Is there water in the mug?")
    room.say("empty it")
    assert not room.one("Mug")["isFilledWithLiquid"] and room.one("Cup")["isFilledWithLiquid"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("the mug is on the counter, isn't it?", "Yes"), ("the mug is in the fridge, right?", "No")],
)
def test_a_statement_with_a_tag_is_a_question(text: str, answer: str) -> None:
    place = "on counter" if "counter" in text else "in fridge"
    assert Room(meanings={text: f"fact(mug @{place})"}).say(text).text.startswith(answer)


def test_who_did_it_is_told_by_its_own_deeds() -> None:
    text = "who moved the apple?"
    room = Room(meanings={text: "?other(who moved the apple)"})
    assert room.say(text).text.startswith("No")
    room.say("put the apple in the fridge")
    assert "I put the apple in the fridge" in room.say(text).text


def test_both_are_so_or_only_one() -> None:
    asked = "are both lamps on?"
    room = Room("FloorPlan321", setup=("off DeskLamp#1",), meanings={asked: "?state(2 lamp: on)"})
    assert room.say(asked).text.startswith("No, only one of")
