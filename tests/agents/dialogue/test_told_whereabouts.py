"""People say where they are in passing, and are come to there; what is forbidden of two things is so of both."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.listener import corrected
from teach_agents.agents.dialogue.told_whereabouts import with_whereabouts
from teach_agents.understanding.notation import read_meaning, write_meaning

_CHAT = read_meaning("hello; chat(i am home)")


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("Hey, I'm home! I'm over by the dresser.", "dresser"),
        ("hi there, i am in front of the tv", "tv"),
        ("I'm down on my knees in front of the armchair", "armchair"),
        ("Phew. I'm lying on the sofa", "sofa"),
    ],
)
def test_where_somebody_is_is_a_fact(said: str, place: str) -> None:
    assert write_meaning(with_whereabouts(_CHAT, said)) == f"hello; fact(me @near {place})"


@pytest.mark.parametrize("said", ["I'm at my wits' end", "I'm not by the sofa", "I'm home", "I'm on the phone"])
def test_small_talk_stays(said: str) -> None:
    assert with_whereabouts(_CHAT, said) == _CHAT


def test_what_is_named_beside_is_forbidden_too() -> None:
    acts = corrected(read_meaning("not_until(open(fridge), microwave)"), "nobody opens the fridge or the microwave")
    assert write_meaning(acts) == "not_until(open(fridge)); not_until(open(microwave))"
