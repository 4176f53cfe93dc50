"""The fingerprint of a state: nothing that can change escapes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from teach_agents.actions import Action, Role
from teach_agents.household import Household
from teach_agents.observations import Vec3
from teach_agents.session.environment import StateDigest
from tests.household.fake import FakeSimulator
from tests.session.support import scenario


def _household() -> tuple[Household, FakeSimulator]:
    simulator = FakeSimulator()
    household = Household(simulator, view_size=64)
    household.reset(scenario())
    return household, simulator


def _mug(simulator: FakeSimulator) -> str:
    return next(one for one, obj in simulator.state.objects.items() if obj.object_type == "Mug")


def _change(**fields: object) -> Callable[[Household, FakeSimulator], object]:
    return lambda household, simulator: simulator.change(_mug(simulator), **fields)


def _custom(household: Household, simulator: FakeSimulator) -> None:
    records = {key: dict(record) for key, record in household.custom_properties.items()}
    records[_mug(simulator)]["simbotIsFilledWithCoffee"] = True
    household.recall_custom_properties(records)


CHANGES: dict[str, Callable[[Household, FakeSimulator], object]] = {
    "position": _change(position=Vec3(0.35, 0.96, 0.8500001)),
    "liquid": _change(liquid="wine"),
    "contents": _change(contents=("Egg|1",)),
    "a slight openness": _change(openness=1e-12),
    "being gone": _change(exists=False),
    "custom properties": _custom,
    "the body": lambda household, _: household.act(Role.FOLLOWER, Action("Turn Left")),
    "the Commander's camera": lambda household, _: household.act(Role.COMMANDER, Action("Turn Left")),
}


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_shows(what: str) -> None:
    household, simulator = _household()
    digest = StateDigest(household)
    before = digest.now()
    assert digest.now() == before == StateDigest(household).now()
    CHANGES[what](household, simulator)
    assert digest.now() != before
    assert digest.now() == StateDigest(household).now()


def test_the_hand_shows() -> None:
    household, simulator = _household()
    before = StateDigest(household).now()
    simulator.state.held = _mug(simulator)
    assert StateDigest(household).now() != before


def test_custom_properties_are_read_anew_after_interactions_only() -> None:
    household, simulator = _household()
    digest = StateDigest(household)
    before = digest.now()
    _custom(household, simulator)
    assert digest.now(interacted=False) == before
    assert digest.now(interacted=True) != before
