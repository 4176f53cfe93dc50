"""What replays of records need: placements close to a point, and custom properties as they were."""

from __future__ import annotations

from teach_agents.observations import Vec3
from tests.household.fake import COUNTER
from tests.household.helpers import ready, the

POINT = Vec3(0.25, 1.0, 0.5)


def test_a_forced_placement_is_asked_for_close_to_a_point() -> None:
    household, fake = ready()
    household.force("Pickup", the(fake, "Mug"))
    assert household.force("Place", COUNTER, near=POINT).success
    put = next(step for step in reversed(fake.steps) if step.name == "PutObject")
    assert put.near == POINT and put.force


def test_custom_properties_go_back_to_what_they_were() -> None:
    household, fake = ready()
    mug = the(fake, "Mug")
    before = {object_id: dict(record) for object_id, record in household.custom_properties.items()}
    household.force("Pickup", mug)
    household.force("Place", COUNTER)
    assert household.custom_properties[mug]["simbotPickedUp"] == 1
    household.recall_custom_properties(before)
    assert household.custom_properties == before and list(household.custom_properties) == list(before)
    row = next(row for row in household.objects if row["objectId"] == mug)
    assert "simbotPickedUp" not in row
    household.force("Pickup", mug)
    assert household.custom_properties[mug]["simbotPickedUp"] == 1 and "simbotPickedUp" not in before[mug]
