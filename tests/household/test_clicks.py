"""Which object a click chooses (specification 5.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from teach_agents.actions import OBJECT_ACTIONS, Action
from teach_agents.household.clicks import AFFORDANCES, ClickResolver, Hit
from teach_agents.household.frames import Frames
from teach_agents.household.geometry import click_at
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera, Channel, Frame, ObjectState, follower_camera
from tests.household.fake import BoxRoom, FakeSimulator, box, kitchen
from tests.household.helpers import ready, the

Depth = float | NDArray[np.float32]


class Painted(FakeSimulator):
    """A fake whose views show a given picture of ids, at one depth or each pixel at its own."""

    def __init__(self, ids: NDArray[np.int32], objects: Sequence[ObjectState], depth: Depth = 1.0) -> None:
        room = BoxRoom({obj.object_id: obj for obj in objects}, Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0))
        super().__init__(lambda: room)
        self.ids, self.depth = ids, depth

    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        assert self.ids.shape == (size, size)
        return Frame(
            tuple(self.world.objects), ids=self.ids, depth=np.full(self.ids.shape, self.depth, dtype=np.float32)
        )


MUG = box("Mug", (0, 1, 1), (0.1, 0.1, 0.1), object_id="Mug|a", pickupable=True)
FORK = box("Fork", (0, 1, 1), (0.1, 0.1, 0.1), object_id="Fork|b", pickupable=True)
TABLE = box("DiningTable", (0, 1, 1), (1, 0.1, 1), object_id="DiningTable|c", receptacle=True)
FULL = 900


def resolver(
    ids: NDArray[np.int32], depth: Depth = 1.0, objects: Sequence[ObjectState] = (MUG, FORK, TABLE)
) -> ClickResolver:
    painted = Painted(ids, objects, depth)
    return ClickResolver(painted, Frames(painted), ids.shape[0])


def blank(size: int = FULL) -> NDArray[np.int32]:
    return np.full((size, size), -1, dtype=np.int32)


def chosen(resolving: ClickResolver, column: float, row: float, name: str = "Pickup") -> str | None:
    """The object chosen by a click at a column and row of the 900-pixel grid."""
    hit = resolving.resolve(Action.click(name, column / FULL, row / FULL))
    return hit.object_id if isinstance(hit, Hit) else None


def test_the_object_at_the_exact_pixel_wins_even_where_another_fills_the_window() -> None:
    ids = blank()
    ids[400:500, 400:500] = 1
    ids[450, 450] = 0
    assert chosen(resolver(ids), 450, 450) == "Mug|a"
    assert chosen(resolver(ids), 451, 450) == "Fork|b"


def test_rounding_to_a_pixel_is_half_to_even() -> None:
    ids = blank()
    ids[:, 450] = 0
    ids[:, 451] = 1
    ids[:, 452] = 2
    assert chosen(resolver(ids), 450.5, 300) == "Mug|a"
    assert chosen(resolver(ids), 451.5, 300, "Place") == "DiningTable|c"


def test_the_window_reaches_ten_pixels_back_and_nine_forward() -> None:
    ids = blank()
    ids[450, 440] = 0
    assert chosen(resolver(ids), 450, 450) == "Mug|a"
    assert chosen(resolver(ids), 451, 450) is None
    assert chosen(resolver(ids), 431, 450) == "Mug|a"
    assert chosen(resolver(ids), 430, 450) is None
    ids = blank()
    ids[440, 450] = 0
    assert chosen(resolver(ids), 450, 450) == "Mug|a"
    assert chosen(resolver(ids), 450, 451) is None
    assert chosen(resolver(ids), 450, 431) == "Mug|a"
    assert chosen(resolver(ids), 450, 430) is None


def test_in_the_window_the_object_with_the_larger_part_of_itself_wins() -> None:
    ids = blank()
    ids[441:460, 441:448] = 0
    ids[0:300, 0:300] = 0
    ids[455:457, 455:457] = 1
    assert chosen(resolver(ids), 450, 450) == "Fork|b"


def test_equal_parts_go_to_the_leftmost_column_then_the_upper_row() -> None:
    ids = blank()
    ids[458, 445] = 1
    ids[442, 446] = 0
    assert chosen(resolver(ids), 450, 450) == "Fork|b"
    ids = blank()
    ids[458, 445] = 1
    ids[442, 445] = 0
    assert chosen(resolver(ids), 450, 450) == "Mug|a"


def test_what_does_not_qualify_is_passed_over() -> None:
    ids = blank()
    ids[400:500, 400:500] = 2
    ids[455, 455] = 0
    assert chosen(resolver(ids), 450, 450, "Pickup") == "Mug|a"
    assert chosen(resolver(ids), 450, 450, "Place") == "DiningTable|c"
    assert chosen(resolver(ids), 450, 450, "Open") is None


def test_the_window_is_cut_off_at_the_frames_edge() -> None:
    ids = blank()
    ids[899, 899] = 0
    ids[0, 0] = 1
    near = resolver(ids, depth=0.5)
    assert chosen(near, 899, 899) == "Mug|a"
    assert chosen(near, 0, 0) == "Fork|b"
    assert chosen(near, 899.9, 899.9) == "Mug|a"


@pytest.mark.parametrize("size", [100, 225, 300, 450])
def test_a_smaller_picture_resolves_as_the_same_picture_enlarged(size: int) -> None:
    small = np.random.default_rng(5).integers(-1, 3, (size, size)).astype(np.int32)
    small[: size // 2] = -1
    small[size // 4, size // 4] = 1
    scale = FULL // size
    large = np.kron(small, np.ones((scale, scale), dtype=np.int32)).astype(np.int32)
    clicks = np.random.default_rng(6).integers(0, FULL, (40, 2)).tolist()
    clicks += [[FULL // 4 + step, FULL // 4 + step] for step in range(-12, 12)]
    for column, row in clicks:
        assert chosen(resolver(small), column, row) == chosen(resolver(large), column, row)


@pytest.mark.parametrize(("x", "y"), [(-0.01, 0.5), (0.5, -2.36), (1.0, 0.5), (0.5, 1.0), (7.0, 7.0)])
def test_a_click_outside_the_frame_is_refused_and_says_what_is_valid(x: float, y: float) -> None:
    message = resolver(blank(300)).resolve(Action.click("Pickup", x, y))
    assert isinstance(message, str)
    assert f"({x:.2f}, {y:.2f})" in message
    assert "less than 1" in message


def test_it_is_the_clicked_point_that_must_be_within_reach_not_the_object() -> None:
    ids = blank(300)
    ids[100:200, 100:200] = 0
    eye = 0.675
    just_in = math.sqrt(1.5**2 - eye**2) - 0.001
    assert isinstance(resolver(ids, just_in).resolve(Action.click("Pickup", 0.5, 0.5)), Hit)
    assert resolver(ids, just_in + 0.002).resolve(Action.click("Pickup", 0.5, 0.5)) == "Mug|a is too far away to Pickup"


def test_of_what_the_window_chose_the_nearest_point_is_measured_and_not_what_lies_behind_it() -> None:
    ids = blank()
    ids[440:460, 455:470] = 0
    depth = np.where(ids == 0, 1.0, 5.0).astype(np.float32)
    hit = resolver(ids, depth).resolve(Action.click("Pickup", 450 / FULL, 450 / FULL))
    assert isinstance(hit, Hit)
    assert hit.point.z == pytest.approx(1.0)
    assert hit.point.x == pytest.approx(2 * 455 / FULL - 1, abs=2 / FULL)
    refused = resolver(ids, 5.0).resolve(Action.click("Pickup", 450 / FULL, 450 / FULL))
    assert refused == "Mug|a is too far away to Pickup"


def test_what_stands_open_is_reached_at_its_mouth() -> None:
    near = box("Fridge", (0, 1, 1.7), (1, 2, 1), object_id="Fridge|d", receptacle=True, openable=True, openness=1.0)
    ids = blank()
    ids[:] = 0
    click = Action.click("Place", 0.5, 0.5)
    assert isinstance(resolver(ids, 1.9, (near,)).resolve(click), Hit)
    assert resolver(ids, 1.9, (TABLE,)).resolve(click) == "DiningTable|c is too far away to Place"
    assert isinstance(resolver(ids, 1.9, (near,)).resolve(replace(click, name="Close")), Hit)


def test_a_hit_tells_the_world_point_under_the_click() -> None:
    ids = blank(300)
    ids[100:200, 100:200] = 0
    hit = resolver(ids, 1.0).resolve(Action.click("Pickup", 0.5, 0.6))
    assert isinstance(hit, Hit)
    assert hit.point == pytest.approx((0.0, 0.9 + 0.675 - 0.2, 1.0))


TOUCHY: dict[str, Any] = {
    "pickupable": True,
    "receptacle": True,
    "openable": True,
    "toggleable": True,
    "sliceable": True,
    "fillable": True,
}
INERT = box("Mug", (0, 0, 0), (1, 1, 1))
READY = box("Mug", (0, 0, 0), (1, 1, 1), **TOUCHY)
USED = box(
    "Mug",
    (0, 0, 0),
    (1, 1, 1),
    openness=1.0,
    is_toggled=True,
    is_sliced=True,
    is_filled=True,
    is_picked_up=True,
    **TOUCHY,
)


@pytest.mark.parametrize("name", OBJECT_ACTIONS)
def test_an_object_without_the_property_never_qualifies(name: str) -> None:
    assert not AFFORDANCES[name](INERT)


@pytest.mark.parametrize("name", OBJECT_ACTIONS)
def test_the_state_decides_whether_an_object_with_the_property_qualifies(name: str) -> None:
    undoes = name in ("Close", "ToggleOff")
    assert AFFORDANCES[name](READY) is not undoes
    assert AFFORDANCES[name](USED) is undoes


@pytest.mark.parametrize("kind", ["Sink", "SinkBasin", "Bathtub", "BathtubBasin"])
def test_anything_can_be_poured_into_a_sink_or_bathtub(kind: str) -> None:
    assert AFFORDANCES["Pour"](box(kind, (0, 0, 0), (1, 1, 1)))


def test_only_a_click_draws_and_only_once_until_the_world_changes() -> None:
    household, fake = ready()
    fake.drawn.clear()
    click = household.click_for(the(fake, "Mug"), "Pickup")
    assert click is not None
    assert fake.drawn == [frozenset({Channel.IDS, Channel.DEPTH})]
    household.click_for(the(fake, "Tomato"), "Pickup")
    assert len(fake.drawn) == 1
    fake.change(the(fake, "Mug"), is_dirty=False)
    household.click_for(the(fake, "Tomato"), "Pickup")
    assert len(fake.drawn) == 2


def test_shares_are_of_the_present_picture() -> None:
    """Whose greater share lies in the window is counted anew in every picture."""
    first, second = blank(), blank()
    for elsewhere, ids in ((1, first), (0, second)):
        ids[445:450, 445:448] = 0
        ids[445:450, 452:455] = 1
        ids[0:100, 0:100] = elsewhere
    painted = Painted(first, (MUG, FORK, TABLE))
    frames = Frames(painted)
    clicks = ClickResolver(painted, frames, FULL)
    assert chosen(clicks, 450, 450) == "Mug|a"
    painted.ids = second
    frames.reset()
    assert chosen(clicks, 450, 450) == "Fork|b"


def test_a_click_for_an_object_is_found_only_where_it_can_be_had() -> None:
    household, fake = ready()
    assert household.click_for(the(fake, "Mug"), "Open") is None
    assert household.click_for("Mug|none", "Pickup") is None
    assert household.click_for(the(fake, "SinkBasin"), "Place") is None, "out of view"
    fake.change(the(fake, "Mug"), exists=False)
    assert household.click_for(the(fake, "Mug"), "Pickup") is None


def test_of_a_large_object_the_part_within_reach_is_clicked() -> None:
    def long_table() -> BoxRoom:
        table = box("DiningTable", (0, 0.7, 3.0), (1.0, 0.1, 5.0), receptacle=True)
        return BoxRoom({table.object_id: table}, kitchen().agent)

    fake = FakeSimulator(long_table)
    clicks = ClickResolver(fake, Frames(fake), 300)
    found = clicks.click_for(the(fake, "DiningTable"), "Place")
    assert found is not None
    assert isinstance(clicks.resolve(Action.click("Place", *found)), Hit)


@pytest.mark.parametrize("horizon", [-30.0, 0.0, 30.0, 60.0])
def test_the_part_within_reach_is_where_clicks_are_not_too_far(horizon: float) -> None:
    fake = FakeSimulator()
    fake.world.agent = replace(fake.world.agent, horizon=horizon, yaw=40.0)
    clicks = ClickResolver(fake, Frames(fake), 60)
    for object_id, obj in fake.world.objects.items():
        if obj.kind.receptacle:
            click = clicks.click_for(object_id, "Place")
            ids = fake.view(follower_camera(fake.world.agent), frozenset({Channel.IDS}), size=60).ids
            assert ids is not None
            pixels = np.argwhere(ids == list(fake.world.objects).index(object_id)).tolist()
            tried = [Action.click("Place", *click_at(row, column, 60)) for row, column in pixels]
            reachable = any(isinstance(hit := clicks.resolve(at), Hit) and hit.object_id == object_id for at in tried)
            assert (click is not None) is reachable
