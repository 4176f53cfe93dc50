"""Of the ways to read an utterance, the one that makes sense in the room."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from teach_agents.agents.acting.body import Body
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.plausibility import SensibleReader
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.planner import PlannerFollower
from teach_agents.core.dialogue import Reading
from teach_agents.understanding.notation import read_meaning
from tests.agents.dialogue.talking import Room


class _Unsure:
    """Reads everything in the same few ways."""

    def __init__(self, *ways: tuple[str, float]) -> None:
        first, *others = [Reading(read_meaning(meaning), sure, "heads") for meaning, sure in ways]
        self._found = first._replace(others=tuple(others))

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        return self._found


@pytest.mark.parametrize(
    ("ways", "held"),
    [
        ([("get(basketball)", 0.5), ("get(apple)", 0.3)], "Apple"),
        ([("get(mug)", 0.5), ("get(apple)", 0.3)], "Mug"),
        ([("slice(mug)", 0.5), ("get(apple)", 0.3)], "Apple"),
        ([("get(basketball)", 0.9), ("get(apple)", 0.3)], ""),
        ([("go_to(kitchen)", 0.5), ("get(apple)", 0.2)], ""),
        ([("step_forward(3)", 0.5), ("get(apple)", 0.2)], ""),
    ],
)
def test_what_makes_sense_here_is_done(ways: list[tuple[str, float]], held: str) -> None:
    room = Room(follower=PlannerFollower(understanding=_Unsure(*ways)))
    room.say("apple, mug and basketball")
    assert room.holding() == held


def test_before_anything_is_seen_the_likeliest_counts() -> None:
    reader = SensibleReader(_Unsure(("get(mug)", 0.5), ("get(apple)", 0.4)), Resolver(Body(), DialogueState()))
    assert reader.read("hm").acts == read_meaning("get(mug)")


@pytest.mark.parametrize(
    ("first", "then", "held"),
    [
        ("open(fridge)", "repeat(apple)", "Apple"),
        ("turn_on(tap)", "repeat(plate)", "Plate"),
        ("open(fridge)", "repeat(microwave)", ""),
        ("wash(plate)", "repeat(mug)", ""),
    ],
)
def test_what_a_step_is_nothing_for_is_fetched_next(first: str, then: str, held: str) -> None:
    room = Room(meanings={"first": first, "now that": then})
    room.say("first")
    said = room.say("now that")
    assert room.holding() == held and "cannot" not in said.text
