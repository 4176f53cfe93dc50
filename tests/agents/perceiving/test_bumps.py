"""What is remembered of moves that were refused."""

from __future__ import annotations

import pytest

from teach_agents.actions import Action, ActionResult
from teach_agents.agents.perceiving.ground import Bumps

HERE, THERE = (0, 0), (0, 1)
BY = " is blocking Agent 0 from moving by (0.0000, 0.0000, 0.2500)."
CABINET = "Cabinet|+00.50|+00.78|-02.05"


def _swing(bumps: Bumps, name: str, door: str = CABINET) -> None:
    bumps.swing(Action.click(name, 0.5, 0.5), ActionResult(True, name, object_id=door))


@pytest.mark.parametrize("name", ["CounterTop_1d93fc98", "wall"])
def test_furniture_and_walls_stay_where_they_are(name: str) -> None:
    bumps = Bumps(vague=False)
    bumps.bump(HERE, THERE, name + BY, stood=False)
    bumps.forgive(Action.click("Close", 0.5, 0.5), HERE)
    assert bumps.taken == {THERE} and not bumps.refused


def test_the_cell_of_an_open_door_is_taken_while_it_is_open() -> None:
    bumps = Bumps(vague=False)
    _swing(bumps, "Open")
    bumps.bump(HERE, THERE, "Cabinet_d9a28e9a" + BY, stood=True)
    assert bumps.taken == {THERE}
    _swing(bumps, "Close")
    assert not bumps.taken and not bumps.refused
    _swing(bumps, "Open", "Cabinet|-01.00|+00.78|-02.05")
    assert not bumps.taken, "another door"
    _swing(bumps, "Open")
    assert bumps.taken == {THERE}, "it is where it was when it was open before"
    bumps.stand(THERE)
    assert not bumps.taken


@pytest.mark.parametrize(
    ("message", "stood"),
    [
        ("Cabinet_d9a28e9a" + BY, False),
        ("Bowl_01abcdef" + BY, False),
        ("CounterTop_1d93fc98" + BY, True),
        ("no", False),
    ],
)
def test_else_the_move_alone_is_remembered_until_the_way_may_be_clear(message: str, stood: bool) -> None:
    """A door that may have been open before, what can be carried, what leaves room for other ways in."""
    bumps = Bumps(vague=False)
    bumps.bump(HERE, THERE, message, stood)
    assert bumps.refused == {(HERE, THERE)} and not bumps.taken
    bumps.forgive(Action.click("Pickup", 0.5, 0.5), HERE)
    assert not bumps.refused


def test_where_outlines_are_vague_only_what_swings_nearby_clears_the_way() -> None:
    bumps = Bumps(vague=True)
    bumps.bump(HERE, THERE, "no", stood=False)
    bumps.forgive(Action.click("Pickup", 0.5, 0.5), HERE)
    bumps.forgive(Action.click("Open", 0.5, 0.5), (0, 20))
    assert bumps.refused
    bumps.forgive(Action.click("Open", 0.5, 0.5), (0, 2))
    assert not bumps.refused
