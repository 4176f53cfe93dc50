"""Places told by what somebody does there."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.told_habits import at_habitual_place
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("told", "text", "order", "meant"),
    [
        (
            "Grandpa always sits on the sofa, you know.",
            "Put the remote where Grandpa sits, he never finds it.",
            "put(remote, near grandpa)",
            "put(remote, on sofa)",
        ),
        ("Grandma sleeps in the armchair.", "put it where grandma sleeps", "put(it)", "put(it, on armchair)"),
        ("I usually work at the desk.", "Bring my pen to where I work", "get(pen)", "put(pen, on desk)"),
        ("Dad's seat is the sofa.", "Put the box on Dad's seat.", "put(box, on dad_seat)", "put(box, on sofa)"),
        ("The dog naps on the bed.", "go where the dog naps", "go_to(dog)", "go_to(bed)"),
        ("He always sits in the armchair.", "put it where he sits", "put(it, at there)", "put(it, on armchair)"),
        ("Mum sits on the sofa.", "put it where mum is sitting", "put(it, at there)", "put(it, on sofa)"),
        ("Mum sits on the sofa.", "put it where she sits", "put(it, at there)", "put(it, on sofa)"),
        ("Grandpa always sits on the sofa.", "Put it on the table.", "put(it, on table)", "put(it, on table)"),
        ("Grandpa always sits on the sofa.", "Put it where Mum sits.", "put(it, near mum)", "put(it, near mum)"),
    ],
)
def test_a_place_is_that_of_a_habit(told: str, text: str, order: str, meant: str) -> None:
    (act,) = read_meaning(order)
    assert write_meaning([at_habitual_place(act, text, [Told(told)])]) == meant


@pytest.mark.parametrize("vessel", ["mug", "cup"])
def test_water_comes_in_what_somebody_always_drinks_from(vessel: str) -> None:
    told, text = f"Just so you know, I always drink my water from the {vessel}.", "Would you pour me some water?"
    room = Room(
        "FloorPlan30", meanings={told: f"fact(i always drink my water from the {vessel})", text: "pour(some water)"}
    )
    room.say(told)
    room.say(text)
    assert room.holding() == vessel.capitalize() and room.one(vessel.capitalize())["isFilledWithLiquid"]
