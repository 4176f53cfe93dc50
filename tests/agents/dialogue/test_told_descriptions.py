"""What is described by what was told before, by the name that it stands for."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.told_descriptions import with_names
from tests.agents.dialogue.talking import Room

_OWNERS = [
    Told("The laptop is Mia's", 0, "laptop", "", "mia's", "laptop"),
    Told("The basketball is Leo's.", 0, "basketball", "", "leo's", "basketball"),
]


@pytest.mark.parametrize(
    ("told", "text", "meant"),
    [
        ("Grandpa always drinks from the mug.", "Can you wash what grandpa drinks from?", "Can you wash the mug?"),
        ("Grandpa always drinks from the mug.", "bring me the one he always uses", "bring me the mug"),
        ("The pencil is what my wife writes with.", "Get the thing she writes with", "Get the pencil"),
        ("Dad always sits on the armchair", "put it on what dad sits on", "put it on the armchair"),
        ("I'm allergic to tomatoes", "slice either the tomato or the egg, whichever I can eat", "slice the egg"),
        ("my son can't have eggs", "get the egg or the apple, whichever my son may have", "get the apple"),
        ("Leo can't have eggs", "get the egg or the apple, whichever I can eat", None),
        ("Grandpa drinks from the mug.", "Do you know what grandpa drinks from?", None),
        ("Grandpa drinks from the mug.", "wash what Leo drinks from", None),
        ("i dont like tomatoes", "bring me the apple or the tomato, whichever i like", "bring me the apple"),
        ("I prefer the pencil to the pen.", "get the pen or the pencil, whichever I like better", "get the pencil"),
        ("I like apples.", "bin the apple or the tomato, whichever I don't like", "bin the tomato"),
        ("Leo hates tomatoes", "bring me the apple or the tomato, whichever I like", None),
        ("I like apples.", "bring me the apple or the tomato, whichever is closer", None),
        ("I'm allergic to tomatoes.", "bring the apple or the tomato, whichever I can eat", "bring the apple"),
        ("My girl can't have tomatoes.", "get something she can eat: the tomato or the apple", "get the apple"),
        ("Tomatoes give her hives.", "the tomato or the apple, whichever is safe for her", "the apple"),
        ("I'm allergic to tomatoes.", "bin the apple or the tomato, whichever I can't eat", "bin the tomato"),
        ("I'm not allergic to tomatoes.", "bring the apple or the tomato, whichever I can eat", None),
        ("", "Mum only uses the cup. Bring me what she uses", "Mum only uses the cup. Bring me the cup"),
    ],
)
def test_a_description_is_what_was_told(told: str, text: str, meant: str | None) -> None:
    assert with_names(text, [Told(told)]) == (text if meant is None else meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Wrap Leo's birthday present", "Wrap Leo's basketball"),
        ("Bring me the present for Mia", "Bring me Mia's laptop"),
        ("What is Leo's present?", "What is Leo's present?"),
        ("Fetch the thing Leo owns", "Fetch Leo's basketball"),
        ("put what belongs to Mia away", "put Mia's laptop away"),
        ("What belongs to Mia?", "What belongs to Mia?"),
        ("Leo has practice. Lay his thing on the bed", "Leo has practice. Lay Leo's basketball on the bed"),
        ("put Mia's stuff on the bed", "put Mia's laptop on the bed"),
        ("bring Tom's thing", "bring Tom's thing"),
    ],
)
def test_a_thing_of_somebody_is_the_one_that_was_said_to_be_theirs(text: str, meant: str) -> None:
    assert with_names(text, _OWNERS) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Hi it's Leo, can I have my toy", "Hi it's Leo, can I have Leo's basketball"),
        ("Mia here. Where is my laptop?", "Mia here. Where is Mia's laptop?"),
        ("Hi, it's Leo. Bring me my mug", "Hi, it's Leo. Bring me my mug"),
        ("Hi, it's Ann. Bring me my laptop", "Hi, it's Ann. Bring me my laptop"),
        ("Bring me my laptop", "Bring me my laptop"),
    ],
)
def test_what_is_mine_is_of_who_speaks(text: str, meant: str) -> None:
    assert with_names(text, _OWNERS) == meant


@pytest.mark.parametrize(
    ("told", "text", "meant"),
    [
        ("Whenever we eat, your place is over by the bin.", "Off to your place with you.", "Off to the bin with you."),
        ("Your waiting spot's by the sofa, got that?", "go to your waiting spot", "go to the sofa"),
        ("From now on, home is beside the sofa.", "Go home now", "Go to the sofa now"),
        ("Your place is by the sofa.", "Put it in its place.", "Put it in its place."),
        ("The sofa is by the wall.", "Go to your place.", "Go to your place."),
    ],
)
def test_a_place_of_its_own_is_where_that_was_said_to_be(told: str, text: str, meant: str) -> None:
    assert with_names(text, [Told(told, 0)]) == meant


def test_where_its_place_is_is_told_and_no_order() -> None:
    text = "Your base is at the armchair."
    assert not Room("FloorPlan203", meanings={text: "go_to(armchair)"}).say(text).done
