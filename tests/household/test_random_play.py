"""Whatever two agents do, the household answers, and its books stay right (properties over random actions)."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from teach_agents.actions import ACTION_TYPES, OBJECT_ACTIONS, Action, ActionKind, Role
from teach_agents.household import Household
from teach_agents.household.objects import ObjectTable
from teach_agents.simulator.body_conformance import check_state
from teach_agents.simulator.contract import HOUSEHOLD_ACTIONS, QUERIES
from tests.household.fake import FakeSimulator
from tests.household.helpers import LIBRARY, scenario

NAMES = sorted(ACTION_TYPES)
WORDS = {"SearchObject": "Mug", "SelectOid": "Mug|+00.35|+00.96|+00.85"}


def some_action(rng: random.Random, household: Household, fake: FakeSimulator) -> Action:
    """Any of the 38 actions; clicks at random, beside the frame, or on an object that allows the action."""
    name = rng.choice((*NAMES, *OBJECT_ACTIONS, *OBJECT_ACTIONS, *OBJECT_ACTIONS))
    if ACTION_TYPES[name].kind is not ActionKind.OBJECT:
        return Action(name, query=WORDS.get(name, ""))
    click = (rng.uniform(-0.2, 1.2), rng.uniform(-0.2, 1.2))
    if name in OBJECT_ACTIONS and rng.random() < 0.7:
        click = household.click_for(rng.choice(list(fake.world.objects)), name) or click
    return Action.click(name, *click)


def check_books(household: Household, fake: FakeSimulator) -> None:
    """Dictionaries equal newly made ones; receptacles and contents know each other."""
    records = household.custom_properties
    kept = [
        {key: value for key, value in row.items() if key not in ("visible", "isInteractable", "obstructed", "distance")}
        for row in household.objects
    ]
    for row, made in zip(kept, ObjectTable().current(fake.world.objects, records, set()), strict=True):
        assert row == {key: made[key] for key in made if key in row}
        assert set(made) - set(row) == {"visible", "isInteractable", "obstructed", "distance"}
    for object_id, record in records.items():
        last = record.get("simbotLastParentReceptacle")
        assert last is None or object_id in records[last]["simbotIsReceptacleOf"]
        for inside in record.get("simbotIsReceptacleOf", ()):
            assert records[inside]["simbotLastParentReceptacle"] == object_id


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_the_books_stay_right_over_random_actions_of_both(seed: int) -> None:
    rng = random.Random(seed)
    fake = FakeSimulator()
    household = Household(fake, LIBRARY, view_size=60)
    household.reset(scenario("Breakfast", "1 1 1 Plate 1 Plate 1 1 1 1 1 1 2 CounterTop".split()))
    failed = dict.fromkeys(Role, 0)
    for _ in range(60):
        role = rng.choice(list(Role))
        action = some_action(rng, household, fake)
        result = household.act(role, action)
        assert result.success or result.message
        asked = action.type.kind is ActionKind.PROGRESS and action.allowed_for(role)
        failed[role] += not result.success and not asked
        assert household.observe(role).last_result == result
    assert household.failures == failed
    check_books(household, fake)
    check_state(fake.state)
    assert {asked.name for asked in fake.steps} <= {*HOUSEHOLD_ACTIONS, *QUERIES}
    household.progress()


def test_the_same_actions_lead_to_the_same_state() -> None:
    def played() -> object:
        rng = random.Random(7)
        fake = FakeSimulator()
        household = Household(fake, LIBRARY, view_size=60)
        household.reset(scenario())
        for _ in range(150):
            household.act(Role.FOLLOWER, some_action(rng, household, fake))
        return household.snapshot(0.0)

    assert played() == played()
