"""Equivalent objects, equal properties, equal poses."""

from __future__ import annotations

from typing import Any

import pytest

from teach_agents.benchmarks.fidelity.record import equivalent
from teach_agents.benchmarks.fidelity.replay import agreement
from teach_agents.observations import Pose, Vec3, same_pose
from teach_agents.simulator.embedded.rooms import type_of

LOAF = "Bread|+00.10|+00.20|+00.30"
OTHER = "Bread|+01.10|+00.20|+00.30"
SINK = "Sink|-00.70|+00.93|-00.65"
TUB = "Bathtub|-00.70|+00.93|-00.65"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (LOAF, LOAF),
        (f"{LOAF}|BreadSliced_1", f"{LOAF}|BreadSliced_4"),
        (SINK, f"{SINK}|SinkBasin"),
        (f"{TUB}|BathtubBasin", TUB),
    ],
)
def test_twins_count_as_one(wanted: str, found: str) -> None:
    assert equivalent(wanted, found) and equivalent(found, wanted)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (f"{LOAF}|BreadSliced_1", f"{LOAF}|Bread_0"),
        (f"{LOAF}|BreadSliced_1", LOAF),
        (f"{LOAF}|BreadSliced_1", f"{OTHER}|BreadSliced_1"),
        (LOAF, OTHER),
        (SINK, "Sink|+02.00|+00.93|-00.65|SinkBasin"),
        (LOAF, ""),
    ],
)
def test_nothing_else_does(wanted: str, found: str) -> None:
    assert not equivalent(wanted, found) and not equivalent(found, wanted)


def test_a_type_is_read_from_an_id() -> None:
    assert [type_of(one) for one in (LOAF, f"{LOAF}|BreadSliced_4", f"{LOAF}|Bread_0", f"{SINK}|SinkBasin")] == [
        "Bread",
        "BreadSliced",
        "Bread",
        "SinkBasin",
    ]


def _mug(**properties: Any) -> dict[str, Any]:
    return {"objectId": "Mug|1|1|1", "objectType": "Mug", "isDirty": False, **properties}


def test_equal_states_agree_in_every_property() -> None:
    found = agreement([_mug(isDirty=True)], [_mug(simbotPickedUp=1)], [_mug(simbotPickedUp=True)])
    assert not found.misses
    assert (found.properties["isDirty"].changed, found.properties["isDirty"].changed_equal) == (1, 1)
    assert (found.properties["objectType"].total, found.properties["objectType"].changed) == (1, 0)
    assert found.properties["simbotPickedUp"].changed_equal == 1


def test_a_property_that_only_one_side_has_is_a_miss() -> None:
    found = agreement([_mug()], [_mug(simbotIsBoiled=False)], [_mug()])
    assert [(miss.name, miss.recorded, miss.ours) for miss in found.misses] == [("simbotIsBoiled", "False", "'absent'")]
    assert found.properties["simbotIsBoiled"].equal == 0


def test_poses_and_distances_are_not_compared() -> None:
    assert not agreement([_mug(distance=1.0)], [_mug(distance=1.0)], [_mug(distance=2.0)]).misses


@pytest.mark.parametrize("missing", ["recorded", "ours"])
def test_an_object_that_only_one_side_has_disagrees_in_everything(missing: str) -> None:
    sides = {"recorded": [_mug()], "ours": [_mug()], missing: []}
    found = agreement([_mug()], sides["recorded"], sides["ours"])
    assert len(found.misses) == len(found.properties) == 15
    assert all(count.equal == 0 for count in found.properties.values())


def test_a_slice_has_changed_where_it_differs_from_what_it_was_cut_from() -> None:
    whole = {"objectId": LOAF, "objectType": "Bread", "isCooked": False}
    piece = {"objectId": f"{LOAF}|BreadSliced_1", "objectType": "BreadSliced", "isCooked": False}
    found = agreement([whole], [whole, piece], [whole, piece])
    assert (found.properties["objectType"].changed, found.properties["isCooked"].changed) == (1, 0)


def test_a_pose_may_be_off_by_less_than_a_step_or_turn() -> None:
    here = Pose(Vec3(1.0, 0.9, 1.0), 0.0, 30.0)
    assert same_pose(here, Pose(Vec3(1.001, 0.901, 1.0), 359.9, 30.0))
    for other in (
        Pose(Vec3(1.25, 0.9, 1.0), 0.0, 30.0),
        Pose(here.position, 90.0, 30.0),
        Pose(here.position, 0.0, 0.0),
    ):
        assert not same_pose(here, other)
