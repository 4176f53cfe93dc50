"""Whose things are, and what they are like, as people told: which of them is meant later."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(("mine", "others"), [("Mug", "Cup"), ("Cup", "Mug")])
@pytest.mark.parametrize("order", ["get(some water, in my own one)", "get(some water, in mine)", "get(some water)"])
def test_a_drink_comes_in_what_is_the_speakers(mine: str, others: str, order: str) -> None:
    told, asked = f"The {mine.lower()} is mine, the {others.lower()} is Harry's.", "Some water, please, in mine."
    room = Room("FloorPlan2", meanings={told: "fact(told)", asked: order})
    room.say(told)
    room.say(asked)
    assert room.holding() == mine


@pytest.mark.parametrize(
    ("told", "asked", "order", "brought"),
    [
        ("The pencil belongs to Mia, the pen to Jonas.", "Can I have Mia's pencil?", "get(pencil of mia)", "Pencil"),
        (
            "The pencil belongs to Mia, the pen belongs to Jonas.",
            "Mia went without hers. Give it to me.",
            "get(it)",
            "Pencil",
        ),
        (
            "The pen belongs to Mia, the pencil belongs to Jonas.",
            "Mia went without hers. Bring hers.",
            "get(hers)",
            "Pen",
        ),
        ("The pencil is Mia's.", "Put hers here. And Mia's, quick.", "get(mia)", "Pencil"),
        ("We call the pen the scribbler.", "the scribbler please", "get(scribbler)", "Pen"),
    ],
)
def test_whose_is_asked_for_is_brought(told: str, asked: str, order: str, brought: str) -> None:
    room = Room("FloorPlan304", meanings={told: "fact(told)", asked: order})
    room.say(told)
    room.say(asked)
    assert room.holding() == brought


def test_what_is_somebody_elses_is_not_taken_for_mine() -> None:
    told, asked = "That mobile on the shelf is my gran's. Mine is out in the car.", "bring me my phone"
    meanings = {
        told: "fact(mobile @on shelf: gran's); fact(mine @in car)",
        asked: "get(phone)",
        "her phone": "get(gran's phone)",
    }
    room = Room("FloorPlan10", meanings=meanings)
    room.say(told)
    said = room.say(asked)
    assert not room.holding() and "your phone" in said.text and "car" in said.text
    room.say("her phone")
    assert room.holding() == "CellPhone"


@pytest.mark.parametrize("gone", ["tomato", "bread"])
@pytest.mark.parametrize("order", ["throw_away(gone_off whatever)", "throw_away(everything, in bin)"])
def test_what_was_told_to_be_off_is_thrown_away_and_nothing_else(gone: str, order: str) -> None:
    good = {"tomato": "bread", "bread": "tomato"}[gone]
    told, asked = f"The {gone} on the table has gone off. The {good}'s still fine.", "whatever's gone off, chuck it out"
    room = Room("FloorPlan4", meanings={told: "chat(told)", asked: order})
    room.say(told)
    room.say(asked)
    assert room.is_in(gone.capitalize(), "GarbageCan") and not room.is_in(good.capitalize(), "GarbageCan")


def test_where_nothing_was_told_to_be_so_nothing_is_thrown_away() -> None:
    room = Room("FloorPlan4", meanings={"whatever's gone off, bin it": "throw_away(gone_off whatever)"})
    assert not room.say("whatever's gone off, bin it").touched


@pytest.mark.parametrize(
    ("told", "place"),
    [
        ("There's a new roll in the drawer. The one in the bin is used up.", "Drawer"),
        ("The roll in the bin is fine. The one in the drawer got soaked.", "GarbageCan"),
    ],
)
def test_the_good_one_is_the_one_that_was_not_told_to_be_bad(told: str, place: str) -> None:
    room = Room("FloorPlan409", meanings={told: "fact(told)", "the right roll, quick": "get(good roll)"})
    room.say(told)
    before = room.is_in("ToiletPaper", place)
    room.say("the right roll, quick")
    assert before and room.holding() == "ToiletPaper" and not room.is_in("ToiletPaper", place)


def test_what_is_on_a_record_tells_it_from_another() -> None:
    told = "The CD on the shelf is Abba and the one on the bedside table is only our tax stuff."
    for asked, place in (("I fancy some Abba. That CD, please.", "Shelf"), ("the CD with the tax stuff", "SideTable")):
        room = Room("FloorPlan303", meanings={told: "fact(told)", asked: "get(cd)"})
        room.say(told)
        room.say(asked)
        assert room.holding() == "CD" and not room.is_in("CD", place), asked


@pytest.mark.parametrize("seat", ["armchair", "sofa"])
def test_a_name_of_several_words_is_one(seat: str) -> None:
    told = f"You should know, the {seat} is called grandad's throne."
    asked = "put the remote on grandad's throne"
    room = Room("FloorPlan208", meanings={told: "fact(told)", asked: "put(remote, on throne of grandad)"})
    room.say(told)
    room.say(asked)
    assert room.is_in("RemoteControl", {"armchair": "ArmChair", "sofa": "Sofa"}[seat])


def test_questions_that_nothing_else_answers_are_answered_by_what_was_told() -> None:
    asked = "My memory is a sieve. How many are we for dinner again?"
    told = "There'll be four of us at the table tonight."
    meanings = {asked: "?count(dinner)", told: "fact(four of us)", "Paul is coming as well, so five now.": "bye"}
    room = Room("FloorPlan5", meanings={**meanings, "when does the bus go?": "?other(when does the bus go)"})
    assert "told me" not in room.say(asked).text
    room.say(told)
    assert "four of us" in room.say(asked).text
    room.say("Paul is coming as well, so five now.")
    assert "so five now" in room.say(asked).text
    assert "told me" not in room.say("when does the bus go?").text


def test_a_question_that_was_read_as_a_fact_is_answered() -> None:
    told, asked = "My sister is allergic to nuts.", "Who is allergic to nuts?"
    room = Room("FloorPlan5", meanings={told: "fact(my sister is allergic)", asked: "fact(who is allergic to nuts)"})
    room.say(told)
    assert "My sister" in room.say(asked).text


def test_the_one_that_works_is_the_one_that_is_not_broken() -> None:
    told = "The CD on the shelf is scratched, the other one's fine."
    for asked, place in (("bring me the CD that works", "SideTable"), ("bring me the CD that is broken", "Shelf")):
        room = Room("FloorPlan303", meanings={told: "fact(cd @on shelf: scratched)", asked: "get(cd)"})
        room.say(told)
        room.say(asked)
        assert room.holding() == "CD" and not room.is_in("CD", place), asked


@pytest.mark.parametrize("words", ["whatever's been sitting in the microwave", "whatever is still in the microwave"])
def test_where_whatever_is_meant_is_does_not_say_what_it_is_like(words: str) -> None:
    text = f"{words}, bin it"
    room = Room("FloorPlan10", setup=["put Tomato in Microwave"], meanings={text: "throw_away(whatever @in microwave)"})
    room.say(text)
    assert room.is_in("Tomato", "GarbageCan")
