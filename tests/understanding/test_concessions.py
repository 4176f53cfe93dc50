"""What is granted in front of an order is not ordered."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from teach_agents.core.dialogue import Reading
from teach_agents.understanding.concessions import without_concession, without_remark
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.rules_reader import RulesReader

_GRANTED = {
    "The radio can stay on": "never(turn_off(radio))",
    "The books can stay where they are": "never(move(all book))",
    "you dont have to wash the plates": "allow(wash(all plate))",
    "Please don't bother with the bed, I'll make it later": "never(touch(bed))",
}


def _read(text: str, recent: Sequence[str] = ()) -> Reading:
    """As rules read what is left; what is granted, which heads read, is told."""
    told = _GRANTED.get(text)
    found = RulesReader().read(text, recent)
    return found._replace(confidence=0.7) if told is None else Reading(read_meaning(told), 0.5, "heads")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("The radio can stay on, I like it, but would you please turn off the lamp?", "turn_off(lamp)"),
        ("The radio can stay on, but turn everything off please", "turn_off(everything)"),
        ("You can leave the fridge as it is, but could you close the microwave for me?", "close(microwave)"),
        ("The big plate can wait, but would you wash the mug please?", "wash(mug)"),
        ("The blinds are fine the way they are, but please switch on the lamp.", "turn_on(lamp)"),
        ("Not the ceiling light, that's fine, but could you please turn on the desk lamp?", "turn_on(desk_lamp)"),
        ("I'll do the plates myself, but could you wash the pan?", "wash(pan)"),
        ("I've already watered the plant, thanks, but could you fill the vase?", "fill(vase)"),
        ("Never mind the desk, that's my mess, but could you please wash the cup?", "wash(cup)"),
        ("you dont have to wash the plates but can you put them in the sink", "put(all plate, in sink)"),
        (
            "Please don't bother with the bed, I'll make it later, but please put the pillow on it.",
            "put(pillow, on bed)",
        ),
        ("The books can stay where they are, but please close all the drawers.", "close(all drawer)"),
    ],
)
def test_what_is_granted_is_left_out_of_an_order(text: str, meaning: str) -> None:
    whole = Reading(read_meaning("turn_off(radio)"), 0.3, "heads")
    found = without_concession(whole, text, (), _read)
    assert [write_meaning([act]) for act in found.acts if act.act.value == "order"] == [meaning]


def test_what_stays_counts_where_all_is_ordered() -> None:
    text, whole = "The radio can stay on, but please turn everything off.", Reading(read_meaning("wait"), 0.3, "heads")
    found = without_concession(whole, text, (), _read)
    assert write_meaning(found.acts) == "never(turn_off(radio)); turn_off(everything)"


@pytest.mark.parametrize(
    "text",
    [
        "I love that lamp but it's blinding me, could you switch it off?",
        "The lamps can stay on, all but the desk lamp.",
        "Leave the tv on but turn the lights off",
        "The vase is fine, but could you put it somewhere else?",
        "The radio can stay on, but I am tired.",
        "Bring me the fork, but please wash it first.",
    ],
)
def test_nothing_else_is_left_out(text: str) -> None:
    whole = Reading(read_meaning("turn_off(lamp)"), 0.5, "heads")
    assert without_concession(whole, text, (), _read) is whole


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("The apple and the egg look nice, don't they? Please put the egg in the fridge.", "put(egg, in fridge)"),
        (
            "The plate and the mug are pretty, aren't they. Put them in the sink",
            "put(plate, in sink); put(mug, in sink)",
        ),
        ("That mug is lovely, isn't it? Wash it.", "wash(mug)"),
    ],
)
def test_a_remark_that_looks_for_agreement_is_left_out_of_an_order(text: str, meaning: str) -> None:
    whole = Reading(read_meaning("put(apple, in fridge)"), 0.2, "heads")
    assert write_meaning(without_remark(whole, text, (), _read).acts) == meaning


@pytest.mark.parametrize("text", ["The mug is dirty. Wash it.", "The mug and the cup are dirty, aren't they?"])
def test_what_asks_or_tells_no_more_stays_as_it_was_read(text: str) -> None:
    whole = Reading(read_meaning("wash(mug)"), 0.5, "heads")
    assert without_remark(whole, text, (), _read) is whole
