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
        ("Grandpa drinks from the mug.", "Do you know what grandpa drinks from?", None),
        ("Grandpa drinks from the mug.", "wash what Leo drinks from", None),
        ("i dont like tomatoes", "bring me the apple or the tomato, whichever i like", "bring me the apple"),
        ("I prefer the pencil to the pen.", "get the pen or the pencil, whichever I like better", "get the pencil"),
        ("I like apples.", "bin the apple or the tomato, whichever I don't like", "bin the tomato"),
        ("Leo hates tomatoes", "bring me the apple or the tomato, whichever I like", None),
        ("I like apples.", "bring me the apple or the tomato, whichever is closer", None),
        ("", "Mum only uses the cup. Bring me what she uses", "Mum only uses the cup. Bring me the cup"),
    ],
)
def test_a_description_is_what_was_told(told: str, text: str, meant: str | None) -> None:
    assert with_names(text, [Told(told)]) == (text if meant is None else meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Leo has practice. Lay his thing on the bed", "Leo has practice. Lay Leo's basketball on the bed"),
        ("put Mia's stuff on the bed", "put Mia's laptop on the bed"),
        ("bring Tom's thing", "bring Tom's thing"),
    ],
)
def test_a_thing_of_somebody_is_the_one_that_was_said_to_be_theirs(text: str, meant: str) -> None:
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
