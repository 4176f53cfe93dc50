"""What the planner knows of the room that clicks need."""

from __future__ import annotations

from teach_agents.agents.acting.receptacles import elbow_room
from teach_agents.simulator.embedded import tables
from teach_agents.tasks import OBJECT_TYPES


def test_the_planner_knows_what_was_learnt_from_records() -> None:
    learnt = {kind: limits[0] for kind in OBJECT_TYPES if (limits := tables.elbow_room(kind)) is not None}
    assert len(learnt) > 20
    assert {kind: elbow_room(kind) for kind in OBJECT_TYPES if elbow_room(kind) is not None} == learnt


def test_of_what_has_one_place_nothing_is_known() -> None:
    assert elbow_room("StoveBurner") is None
