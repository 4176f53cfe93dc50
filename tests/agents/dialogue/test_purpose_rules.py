"""What is forbidden but for a purpose."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.purpose_rules import serves, with_purpose_rules
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room

_EGGS = "Open the fridge only to get eggs"


@pytest.mark.parametrize(
    ("text", "read", "meant"),
    [
        (_EGGS, "open(fridge)", "never(open(fridge))"),
        ("only open the fridge to get eggs", "fact", "never(open(fridge))"),
        ("never open the fridge except for milk", "never(open(fridge)); never(open(milk))", "never(open(fridge))"),
        ("you may use the knife only for slicing bread", "slice(bread)", "never(touch(knife))"),
        ("open the fridge to get the egg", "open(fridge)", "open(fridge)"),
        ("only bring the mug to the table", "put(mug, to table)", "put(mug, to table)"),
        ("open only the fridge", "open(fridge)", "open(fridge)"),
        ("may I open the fridge only to get eggs?", "?can(open(fridge))", "?can(open(fridge))"),
    ],
)
def test_what_is_allowed_for_a_purpose_alone_is_forbidden_else(text: str, read: str, meant: str) -> None:
    acts = read_meaning(read) if read != "fact" else read_meaning(f"fact({text})")
    assert write_meaning(with_purpose_rules(acts, text)) == meant


@pytest.mark.parametrize(
    ("order", "said", "so"),
    [
        ("get(egg)", _EGGS, True),
        ("cook(2 egg)", _EGGS, True),
        ("get(apple)", _EGGS, False),
        ("slice(bread)", "use the knife only for slicing bread", True),
        ("slice(tomato)", "use the knife only for slicing bread", False),
        ("get(egg)", "don't open the fridge", False),
    ],
)
def test_an_order_serves_the_purpose_that_it_names(order: str, said: str, so: bool) -> None:
    assert serves(read_meaning(order)[0], said) is so


def test_a_rule_holds_but_for_its_purpose() -> None:
    room = Room("FloorPlan1", meanings={_EGGS: "open(fridge)"})
    assert not room.say(_EGGS).touched
    assert not room.say("open the fridge").touched
    assert "except to" in room.say("what is forbidden?").text
    assert room.say("bring me the egg").done["Open"] == 1


def test_what_is_ordered_beside_such_a_rule_is_done() -> None:
    text = "Bring me the bread and don't open the fridge except to get eggs"
    meant = with_purpose_rules(read_meaning("get(bread); never(open(fridge))"), text)
    assert write_meaning(meant) == "get(bread); never(open(fridge))"
