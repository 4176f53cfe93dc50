"""What a step turns out to lack on the way is looked for."""

from __future__ import annotations

import pytest

from teach_agents.agents.acting.performing import perform
from teach_agents.understanding.english.values import Instruction, Reference, Verb
from tests.agents.perceiving.looking_around import Explorer


@pytest.mark.parametrize(
    ("room", "seed", "verb", "noun", "result", "state"),
    [
        pytest.param("FloorPlan9", None, Verb.FILL, "Cup", "Cup", "isFilledWithLiquid", id="a sink seen on the way"),
        pytest.param(
            "FloorPlan21", 0, Verb.COFFEE, "Mug", "Mug", "simbotIsFilledWithCoffee", id="a sink to empty into"
        ),
        pytest.param(
            "FloorPlan9", 0, Verb.SLICE, "Bread", "BreadSliced", "pickupable", id="a place to put things down"
        ),
    ],
)
def test_what_a_step_lacks_is_found(
    room: str, seed: int | None, verb: Verb, noun: str, result: str, state: str
) -> None:
    explorer = Explorer(room, seed=seed)

    def is_done() -> bool:
        return any(row.get(state) for row in explorer.rows.values() if row["objectType"] == result)

    assert not is_done()
    explorer.carry_out(perform(explorer.body, Instruction(verb, Reference(noun))))
    assert is_done()
