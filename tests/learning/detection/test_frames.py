"""Frames to learn from: what is in them, that they repeat, that nothing of the room is left changed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from teach_agents.learning.detection import frames
from teach_agents.learning.detection.dressing import drawn
from teach_agents.learning.detection.frames import TYPES, Frame, chunk, held_out_frames, quarters
from teach_agents.learning.detection.scenes import Scenery
from teach_agents.learning.rooms import HELD_OUT, ROOMS_OF_EYES
from teach_agents.simulator.contract import follower_camera
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from teach_agents.simulator.embedded.world import digest
from teach_agents.tasks.classes import OBJECT_TYPES


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of four frames."""
    monkeypatch.setattr(frames, "CHUNK", 4)
    monkeypatch.setattr(frames, "_PLACES", 2)


def _alike(one: Frame, other: Frame) -> bool:
    pairs = ((one.rgb, other.rgb), (one.boxes, other.boxes), (one.types, other.types), (one.depth, other.depth))
    return all(np.array_equal(first, second) for first, second in pairs)


def test_five_rooms_or_more_of_each_kind_are_held_out_and_never_trained_in() -> None:
    kinds = [kind_of(name) for name in HELD_OUT]
    assert len(HELD_OUT) == 25 and all(kinds.count(kind) >= 5 for kind in set(kinds)) and len(set(kinds)) == 4
    assert {*HELD_OUT} | {*ROOMS_OF_EYES} == {*ROOM_NAMES} and not {*HELD_OUT} & {*ROOMS_OF_EYES}


def test_types_are_known_ones_each_once() -> None:
    assert len(set(TYPES)) == len(TYPES) == 124 and set(TYPES) <= OBJECT_TYPES
    assert {"Mug", "TomatoSliced", "EggCracked", "SinkBasin"} <= set(TYPES)


def _same(one: Any, other: Any) -> bool:
    return one is not None and np.array_equal(one, other)


@pytest.mark.usefixtures("small")
def test_a_chunk_is_a_function_of_its_seed_and_number() -> None:
    one, again, next_one = (chunk(3, number, ["FloorPlan301"]) for number in (5, 5, 6))
    assert len(one) == 4 and all(map(_alike, one, again))
    assert not any(map(_alike, one, next_one))


def test_boxes_are_tight_about_what_is_in_view_in_any_colours() -> None:
    """The same view by the simulator's own colours and by others has other pixels, the same boxes and depth."""
    scenery = Scenery("FloorPlan405", 1)
    scenery.world.move_agent(scenery.before_something())
    before = digest(scenery.world)
    camera = follower_camera(scenery.world.agent)
    plain, other, again = (drawn(scenery.world, camera, 100, dice) for dice in (None, np.random.default_rng(0), None))
    assert plain.ids is not None and _same(plain.ids, other.ids) and _same(plain.depth, other.depth)
    assert _same(plain.rgb, again.rgb) and not _same(plain.rgb, other.rgb)
    assert digest(scenery.world) == before
    boxes, in_view = frames._boxes(plain.ids)
    assert len(boxes) and len(set(in_view.tolist())) == len(in_view)
    for (x0, y0, x1, y1), index in zip(boxes.astype(int), in_view, strict=True):
        shows = plain.ids == index
        assert shows[y0:y1, x0:x1].sum() == shows.sum()
        assert shows[y0].any() and shows[y1 - 1].any() and shows[:, x0].any() and shows[:, x1 - 1].any()


def test_a_mirrored_frame_has_mirrored_boxes() -> None:
    (frame, *_) = held_out_frames(0, 1, ["FloorPlan9"])
    other = frame.mirrored()
    assert np.array_equal(other.rgb[:, 0], frame.rgb[:, -1]) and np.array_equal(other.depth[:, 0], frame.depth[:, -1])
    assert np.array_equal(other.boxes[:, 0], 300 - frame.boxes[:, 2])
    assert (other.boxes[:, 2] > other.boxes[:, 0]).all() and _alike(frame, other.mirrored())


def test_a_halved_frame_shows_the_same_half_as_large() -> None:
    (frame, *_) = held_out_frames(0, 1, ["FloorPlan9"])
    other = frame.halved()
    assert other.rgb.shape == (150, 150, 3) and other.depth.shape == (38, 38)
    assert np.array_equal(other.boxes * 2, frame.boxes) and np.array_equal(other.types, frame.types)
    assert np.abs(other.rgb[40, 60].astype(float) - frame.rgb[80:82, 120:122].mean(axis=(0, 1))).max() < 1
    assert other.depth[10, 20] == frame.depth[20, 40]


def test_a_part_shows_what_lies_in_it_as_large_as_it_is() -> None:
    (frame, *_) = held_out_frames(0, 1, ["FloorPlan9"])
    other = frame.part(10, 20)
    assert np.array_equal(other.rgb, frame.rgb[40:190, 80:230]) and np.array_equal(
        other.depth, frame.depth[10:48, 20:58]
    )
    shows = np.unique(frame.ids[40:190, 80:230])
    assert len(other.boxes) == (shows >= 0).sum() > 2
    assert np.array_equal(other.types, frame.types[shows[shows >= 0]])
    for place, (x0, y0, x1, y1) in enumerate(other.boxes.astype(int)):
        rows, columns = np.nonzero(other.ids == place)
        assert (x0, y0, x1, y1) == (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    assert np.array_equal(other.shown[:37, :37], other.ids[2::4, 2::4])


def test_parts_are_about_things_of_every_type_in_view() -> None:
    """Each part holds all of a thing that is small enough; by turns the view is halved, and seen in part."""
    (frame, *_) = held_out_frames(0, 1, ["FloorPlan9"])
    dice = np.random.default_rng(0)
    spans = frame.boxes[:, 2:] - frame.boxes[:, :2]
    small = np.flatnonzero((spans.max(axis=1) < 140) & (frame.boxes.max(axis=1) < 298))  # whole cells from the left
    for place in small:
        sides = frame.boxes[place, 2:] - frame.boxes[place, :2]
        part = frame.part_about(int(place), dice)
        spans = part.boxes[:, 2:] - part.boxes[:, :2]
        assert ((part.types == frame.types[place]) & (spans == sides).all(axis=1)).any()
    made = quarters([frame] * 4, dice)
    assert [one.rgb.shape for one in made] == [(150, 150, 3)] * 4
    assert np.array_equal(made[0].rgb, frame.halved().rgb) and np.array_equal(made[2].rgb, made[0].rgb)
    assert not np.array_equal(made[1].rgb, made[3].rgb)


def test_rare_types_are_looked_at_as_often_as_common_ones() -> None:
    """Rooms are chosen for a type by the types, not by how many rooms have it; then it is in view."""
    dice = np.random.default_rng(0)
    subjects = [frames._subject(ROOMS_OF_EYES, dice) for _ in range(20000)]
    chosen = Counter(kind for _, kind in subjects if kind)
    rare, common = frames._rooms_by_type(ROOMS_OF_EYES)["DogBed"], frames._rooms_by_type(ROOMS_OF_EYES)["Floor"]
    assert len(rare) < 5 and len(common) == 95 and 0.7 < chosen["DogBed"] / chosen["Floor"] < 1.4
    assert all(room in frames._rooms_by_type(ROOMS_OF_EYES)[kind] for room, kind in subjects if kind)
    scenery = Scenery(rare[0], 3)
    seen = [frames._view(scenery, scenery.before_type("DogBed"), None) for _ in range(6)]
    assert sum(TYPES.index("DogBed") in one.types for one in seen) >= 4


def test_held_out_frames_repeat_and_may_vary() -> None:
    one, again, varied = (list(held_out_frames(1, 2, ["FloorPlan308"], varied=vary)) for vary in (False, False, True))
    assert len(one) == 2 and all(map(_alike, one, again)) and not any(map(_alike, one, varied))
    assert one[0].rgb.shape == (300, 300, 3) and one[0].depth.shape == (75, 75)


def test_things_are_done_in_a_household_before_it_is_looked_at() -> None:
    worlds = [Scenery("FloorPlan2", seed).world for seed in range(3)]
    objects = [obj for world in worlds for obj in world.objects.values()]
    assert any(obj.is_open for obj in objects) and any(obj.is_sliced or "Sliced" in obj.object_id for obj in objects)
    assert any(obj.object_type == "LightSwitch" for obj in objects) and len({digest(world) for world in worlds}) == 3
