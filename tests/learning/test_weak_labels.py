"""Utterances of recorded sessions, labelled by what was done about them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.data.games import read_game
from teach_agents.learning.deeds import Deed
from teach_agents.learning.reading.weak_labels import borne_out, labelled
from teach_agents.understanding.english.values import Instruction, Reference, Verb
from teach_agents.understanding.notation import read_meaning
from teach_agents.understanding.rules_reader import RulesReader

MUG = "Mug|+00.00|+00.00|+00.00"
TABLE = "DiningTable|+01.00|+00.00|+00.00"
WASHED = Deed(Instruction(Verb.CLEAN, Reference("Mug")), 3, 5, (MUG,))
PUT = Deed(Instruction(Verb.PUT, Reference("Mug"), Reference("DiningTable")), 6, 8, (MUG,), TABLE)


@pytest.mark.parametrize(
    ("meaning", "deed", "is_so"),
    [
        ("wash(mug)", WASHED, True),
        ("hello; wash(dirty mug)", WASHED, True),
        ("wash(plate)", WASHED, False),
        ("slice(mug)", WASHED, False),
        ("wash(mug); open(fridge)", WASHED, False),
        ("?where(mug)", WASHED, False),
        ("thanks", WASHED, False),
        ("put(mug, on dining_table)", PUT, True),
        ("get(mug); come", PUT, True),
        ("put(mug, in sink)", PUT, False),
        ("get(dining_table)", PUT, False),
        ("make(coffee)", PUT, False),
        ("come", PUT, False),
    ],
)
def test_orders_are_borne_out_by_deeds(meaning: str, deed: Deed, is_so: bool) -> None:
    assert borne_out(read_meaning(meaning), [deed]) is is_so


def test_what_people_said_is_kept_where_the_session_bears_a_reading_out(teach_data: Path) -> None:
    rules = RulesReader()

    def options(text: str, recent: Sequence[str]) -> Sequence[Sequence[DialogueAct]]:
        found = rules.read(text, recent).acts
        return [found] if found else []

    paths = sorted((teach_data / "games" / "train").glob("*.json"))[:40]
    found = list(labelled(map(read_game, paths), options))
    assert len(found) > 5
    assert all(any(act.act is Act.ORDER for act in one.meaning) for one in found)
    assert any(one.before for one in found)
