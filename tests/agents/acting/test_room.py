"""Making room on what is too full, in a kitchen whose sink is filled first."""

from __future__ import annotations

import pytest

from teach_agents.actions import Role
from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.acting.skills.moving import put_making_room
from teach_agents.agents.acting.skills.water import sinks
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.planner import PlannerFollower
from teach_agents.household.household import Household
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.understanding.english.values import ReportKind
from tests.agents.planner.playing import scenario

_FILLING = ("Pot", "Lettuce", "Bread", "Bowl", "Tomato", "Apple", "Potato", "Cup")


class _Kitchen:
    """The Follower's body in a kitchen."""

    def __init__(self) -> None:
        self.household = Household(EmbeddedSimulator())
        self.household.reset(scenario("Clean All X", "Plate", room="FloorPlan1"))
        self.body = Body()
        self._look()

    def _look(self) -> None:
        self.body.see(self.household.observe(Role.FOLLOWER, PlannerFollower.privileges))

    def one(self, kind: str) -> Thing:
        return self.body.things.of(kind)[0]

    @property
    def sink(self) -> Thing:
        return sinks(self.body.things)[0]

    @property
    def in_sink(self) -> set[str]:
        return {thing.object_id for thing in self.body.things.contents(self.sink)}

    def put(self, kind: str, holder: Thing) -> None:
        """Put a thing in or on a holder, or drop it where it does not fit."""
        self.hold(kind)
        if not self.household.simulator.step(SimulatorAction("PutObject", holder.object_id, force=True)).success:
            self.household.simulator.step(SimulatorAction("DropHandObject", force=True))
        self._look()

    def hold(self, kind: str) -> None:
        taken = SimulatorAction("PickupObject", self.one(kind).object_id, force=True)
        assert self.household.simulator.step(taken).success
        self._look()

    def do(self, steps: Steps) -> int:
        """Carry out a skill; how many things were picked up on the way."""
        picked = 0
        for action in steps:
            picked += self.household.act(Role.FOLLOWER, action).success and action.name == "Pickup"
            self._look()
        return picked


@pytest.fixture
def full() -> _Kitchen:
    kitchen = _Kitchen()
    for kind in _FILLING:
        kitchen.put(kind, kitchen.sink)
    assert len(kitchen.in_sink) >= 3
    return kitchen


def test_a_plate_goes_into_an_empty_sink_without_moving_anything() -> None:
    kitchen = _Kitchen()
    kitchen.hold("Plate")
    assert kitchen.do(put_making_room(kitchen.body, kitchen.sink)) == 0
    assert kitchen.body.things.is_inside(kitchen.one("Plate"), kitchen.sink)


def test_things_are_taken_out_of_a_full_sink_until_the_plate_fits(full: _Kitchen) -> None:
    before = full.in_sink
    full.hold("Plate")
    assert full.do(put_making_room(full.body, full.sink)) >= 2, "something else, then the plate again"
    assert full.body.things.is_inside(full.one("Plate"), full.sink)
    after = full.in_sink
    assert before - after, "something lies elsewhere now"


def test_what_was_asked_for_there_stays(full: _Kitchen) -> None:
    before = full.in_sink
    full.body.memory.kept |= before
    full.hold("Plate")
    with pytest.raises(SkillError) as refused:
        full.do(put_making_room(full.body, full.sink))
    assert refused.value.kind is ReportKind.NO_ROOM
    assert before <= full.in_sink
