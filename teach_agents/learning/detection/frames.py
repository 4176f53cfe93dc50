"""Frames to learn from: pictures with a box about every object in view, and how far away things are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from teach_agents.learning.detection.dressing import drawn, photographed
from teach_agents.learning.detection.rooms import HELD_OUT, TRAINING_ROOMS
from teach_agents.learning.detection.scenes import Scenery
from teach_agents.models.vision.household.shape import SIZE, STRIDE
from teach_agents.simulator.contract import follower_camera
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from teach_agents.tasks.classes import OBJECT_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CHUNK", "TYPES", "Frame", "chunk", "held_out_frames"]

_NOWHERE = frozenset(
    {"Bench", "Cart", "ClothesDryer", "Doorframe", "Doorway", "PaperTowel", "TargetCircle", "Wall", "WashingMachine"}
)
"""Types that are in no room, nor come from slicing what is."""
TYPES: tuple[str, ...] = tuple(sorted(OBJECT_TYPES - _NOWHERE))
"""124 types of objects that can be in view; frames count them by their place here."""
_NUMBER = {name: number for number, name in enumerate(TYPES)}
_KITCHENS = 0.4
"""Share of training frames that are of kitchens, where most of TEACh's tasks are done."""
CHUNK = 64
"""Training frames that are drawn together."""
_PLACES = 8
"""Frames of one household state."""
_BARE = 2
"""A view of fewer things is mostly passed over: it shows a wall."""
_PASSED_OVER = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and what is in it.

    `rgb` is uint8, H x W x 3. `boxes` are float32, N x 4: x0, y0, x1, y1 in pixels, tight about the pixels that show
    an object; `types` their places in `TYPES`. `depth` is float32, metres along the optical axis at the middle of
    every cell of `STRIDE` pixels.
    """

    rgb: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    types: NDArray[np.int64]
    depth: NDArray[np.float32]

    def mirrored(self) -> Frame:
        """Left for right."""
        width = self.rgb.shape[1]
        turn, shift = np.array([-1, 1, -1, 1], np.float32), np.array([width, 0, width, 0], np.float32)
        boxes = self.boxes[:, [2, 1, 0, 3]] * turn + shift
        return Frame(np.ascontiguousarray(self.rgb[:, ::-1]), boxes, self.types, self.depth[:, ::-1])


def chunk(seed: int, number: int, rooms: Sequence[str] = TRAINING_ROOMS) -> list[Frame]:
    """The `number`th `CHUNK` of training frames, in a random order: a function of its arguments, in any process.

    Eight frames show one household state, in other colours and light each time; half of them what lies before somebody
    who is about to do something, half what is to be seen from anywhere.
    """
    dice = np.random.default_rng([seed, number])
    frames: list[Frame] = []
    for _ in range(CHUNK // _PLACES):
        scenery = Scenery(_room(rooms, dice), int(dice.integers(1 << 40)))
        frames.extend(_frame(scenery, dice) for _ in range(_PLACES))
    return [frames[place] for place in dice.permutation(CHUNK)]


def held_out_frames(
    seed: int, per_room: int, rooms: Sequence[str] = HELD_OUT, *, varied: bool = False
) -> Iterator[Frame]:
    """`per_room` frames of each room to judge by: a new household state every eight, places as in training.

    Colours and light are the simulator's own, unless `varied`.
    """
    for room in rooms:
        dice = np.random.default_rng([seed, ROOM_NAMES.index(room)])
        for number in range(0, per_room, _PLACES):
            scenery = Scenery(room, int(dice.integers(1 << 40)))
            for place in range(min(_PLACES, per_room - number)):
                yield _view(scenery, place % 2 == 0, dice if varied else None)


def _room(rooms: Sequence[str], dice: np.random.Generator) -> str:
    kitchens = [name for name in rooms if kind_of(name) == "kitchen"]
    among = kitchens if kitchens and dice.random() < _KITCHENS else rooms
    return among[int(dice.integers(len(among)))]


def _frame(scenery: Scenery, dice: np.random.Generator) -> Frame:
    """A training frame."""
    while True:
        frame = _view(scenery, bool(dice.random() < 0.5), dice)
        if len(frame.boxes) >= _BARE or dice.random() >= _PASSED_OVER:
            return frame.mirrored() if dice.random() < 0.5 else frame


def _view(scenery: Scenery, attentive: bool, dice: np.random.Generator | None) -> Frame:
    world = scenery.world
    world.move_agent(scenery.before_something() if attentive else scenery.anywhere())
    seen = drawn(world, follower_camera(world.agent), SIZE, dice)
    assert seen.rgb is not None and seen.ids is not None and seen.depth is not None
    boxes, types = _boxes(seen.ids, [_NUMBER[world.objects[name].object_type] for name in seen.object_ids])
    rgb = seen.rgb if dice is None else photographed(seen.rgb, dice)
    half = STRIDE // 2
    return Frame(rgb, boxes, types, seen.depth[half::STRIDE, half::STRIDE].copy())


def _boxes(ids: NDArray[np.int32], numbers: Sequence[int]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The box about the pixels of every object in view, and its type; `numbers` are the types of all objects."""
    boxes, types = [], []
    for index in np.flatnonzero(np.bincount(ids.ravel() + 1)[1:]).tolist():
        mask = ids == index
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        boxes.append((columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
        types.append(numbers[index])
    return np.array(boxes, np.float32).reshape(-1, 4), np.array(types, np.int64)
