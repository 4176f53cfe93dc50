"""Frames to learn from: pictures with a box about every object in view, and how far away things are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teach_agents.agents.acting.looking import box_of
from teach_agents.arrays import ByteArray, Float32Array, IntArray
from teach_agents.learning.detection.dressing import drawn, photographed
from teach_agents.learning.detection.scenes import Scenery
from teach_agents.learning.rooms import HELD_OUT, ROOMS_OF_EYES
from teach_agents.models.vision.household.shape import SIZE, STRIDE
from teach_agents.observations import Pose
from teach_agents.simulator.contract import follower_camera
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from teach_agents.tasks.classes import OBJECT_TYPES

_NOWHERE = frozenset(
    {"Bench", "Cart", "ClothesDryer", "Doorframe", "Doorway", "PaperTowel", "TargetCircle", "Wall", "WashingMachine"}
)
"""Types that are in no room, nor come from slicing what is."""
TYPES: tuple[str, ...] = tuple(sorted(OBJECT_TYPES - _NOWHERE))
"""124 types of objects that can be in view; frames count them by their place here."""
_MEDIUM = frozenset(
    """
    BathtubBasin Cabinet Chair CoffeeMachine Desktop FloorLamp GarbageCan Laptop Microwave Newspaper Ottoman
    Painting Poster Safe ShelvingUnit ShowerHead SideTable Sink Stool TeddyBear Television Towel VacuumCleaner
    """.split()
)
_LARGE = frozenset(
    """
    ArmChair Bathtub Bed CoffeeTable CounterTop Curtains Desk DiningTable DogBed Dresser Floor Footstool Fridge
    LaundryHamper Mirror ShowerCurtain ShowerDoor ShowerGlass Sofa TVStand Toilet Window
    """.split()
)

SIZES: tuple[int, ...] = tuple(2 if name in _LARGE else int(name in _MEDIUM) for name in TYPES)
"""For each of `TYPES` which of a cell's three boxes is its, 0 for small things, so that a bowl is told of apart from
the table that it stands on: by the median area of its boxes in 768 training frames, below 1,300 square pixels, below
4,000, or more."""
_NUMBER = {name: number for number, name in enumerate(TYPES)}
_KITCHENS = 0.4
"""Share of training frames that are of kitchens, where most of TEACh's tasks are done."""
CHUNK = 64
"""Training frames that are drawn together."""
_PLACES = 8
"""Frames of one household state."""
_FOR_A_TYPE, _LOOKED_AT = 0.5, 2
"""How often a room is chosen since it has something of a type drawn evenly, so that rare types are seen, too; from how
many places that is looked at then."""
_HANDLED, _OF_ANY_TYPE = 0.35, 0.3
"""How often a training frame shows what lies before somebody who is about to do something, and something of a type
drawn evenly from those in the room; others are from anywhere."""
_BARE = 2
"""A view of fewer things is mostly passed over: it shows a wall."""
_PASSED_OVER = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture and what is in it.

    `rgb` is uint8, H x W x 3. `boxes` are float32, N x 4: x0, y0, x1, y1 in pixels, tight about the pixels that show
    an object; `types` their places in `TYPES`. `depth` is float32, metres along the optical axis at the middle of
    every cell of `STRIDE` pixels; `ids` (int16, H x W) which of the boxes is about what a pixel shows, -1 for none, and
    `shown` the same at the middle of every cell.
    """

    rgb: ByteArray
    boxes: Float32Array
    types: IntArray
    depth: Float32Array
    shown: NDArray[np.int16]
    ids: NDArray[np.int16]

    def mirrored(self) -> Frame:
        """Left for right."""
        width = self.rgb.shape[1]
        turn, shift = np.array([-1, 1, -1, 1], np.float32), np.array([width, 0, width, 0], np.float32)
        boxes = self.boxes[:, [2, 1, 0, 3]] * turn + shift
        rgb = np.ascontiguousarray(self.rgb[:, ::-1])
        return Frame(rgb, boxes, self.types, self.depth[:, ::-1], self.shown[:, ::-1], self.ids[:, ::-1])

    def halved(self) -> Frame:
        """Half as wide and high, each pixel the mean of four; of odd sizes the last row or column is left out."""
        h, w = (size // 2 for size in self.rgb.shape[:2])
        four = self.rgb[: 2 * h, : 2 * w].reshape(h, 2, w, 2, 3)
        rgb = (four.sum(axis=(1, 3), dtype=np.uint16) // 4).astype(np.uint8)
        cells = np.s_[::2, ::2]
        ids = self.ids[: 2 * h : 2, : 2 * w : 2]
        return Frame(rgb, self.boxes / np.float32(2), self.types, self.depth[cells], self.shown[cells], ids)

    def part(self, row: int, column: int) -> Frame:
        """What is to be seen in a part, half as wide and high, whose upper left cell is in a row and column of cells.

        Boxes are about what shows within the part.
        """
        h, w = (size // 2 for size in self.rgb.shape[:2])
        y, x = row * STRIDE, column * STRIDE
        ids = self.ids[y : y + h, x : x + w]
        boxes, in_view = _boxes(ids)
        cells = np.s_[row : row + -(-h // STRIDE), column : column + -(-w // STRIDE)]
        places = _places(in_view, len(self.boxes))
        rgb = np.ascontiguousarray(self.rgb[y : y + h, x : x + w])
        return Frame(rgb, boxes, self.types[in_view], self.depth[cells], places[self.shown[cells]], places[ids])

    def part_about(self, place: int, dice: np.random.Generator) -> Frame:
        """A part in which all of the thing in a box is, wherever in it, as far as it has room."""
        corner = []
        for axis, size in ((1, self.rgb.shape[0]), (0, self.rgb.shape[1])):
            begin, end = self.boxes[place, axis], self.boxes[place, axis + 2]
            last = (size - size // 2) // STRIDE
            bounds = sorted((int(np.ceil((end - size // 2) / STRIDE)), int(begin / STRIDE)))
            low, high = np.clip(bounds, 0, last)
            corner.append(int(dice.integers(low, high + 1)))
        return self.part(*corner)


def quarters(frames: Sequence[Frame], dice: np.random.Generator) -> list[Frame]:
    """A quarter of the pixels of each frame: of the first, third, ... all of it, halved, of the others a part as it is.

    Halved, a view shows furniture and what stands where; parts, each about something in view of a type drawn evenly,
    show small things as large as they are.
    """
    return [
        frame.part_about(int(dice.choice(np.flatnonzero(frame.types == dice.choice(np.unique(frame.types))))), dice)
        if number % 2 and len(frame.types)
        else frame.halved()
        for number, frame in enumerate(frames)
    ]


def chunk(seed: int, number: int, rooms: Sequence[str] = ROOMS_OF_EYES) -> list[Frame]:
    """The `number`th `CHUNK` of training frames, in a random order: a function of its arguments, in any process.

    Eight frames show one household state, in other colours and light each time: what lies before somebody who is about
    to do something, things of any type, common or rare, and what is to be seen from anywhere.
    """
    dice = np.random.default_rng([seed, number])
    frames: list[Frame] = []
    for _ in range(CHUNK // _PLACES):
        room, kind = _subject(tuple(rooms), dice)
        scenery = Scenery(room, int(dice.integers(1 << 40)))
        frames += [_frame(scenery, kind if place < _LOOKED_AT else "", dice) for place in range(_PLACES)]
    return [frames[place] for place in dice.permutation(CHUNK)]


def held_out_frames(
    seed: int, per_room: int, rooms: Sequence[str] = HELD_OUT, *, varied: bool = False
) -> Iterator[Frame]:
    """`per_room` frames of each room to judge by, a new household state every eight.

    Half of them show what lies before somebody who is about to do something, half are from anywhere. Colours and light
    are the simulator's own, unless `varied`.
    """
    for room in rooms:
        dice = np.random.default_rng([seed, ROOM_NAMES.index(room)])
        for number in range(0, per_room, _PLACES):
            scenery = Scenery(room, int(dice.integers(1 << 40)))
            for place in range(min(_PLACES, per_room - number)):
                pose = scenery.anywhere() if place % 2 else scenery.before_something()
                yield _view(scenery, pose, dice if varied else None)


def _subject(rooms: tuple[str, ...], dice: np.random.Generator) -> tuple[str, str]:
    """A room, and the type that it was chosen for, if any."""
    if dice.random() < _FOR_A_TYPE:
        by_type = _rooms_by_type(rooms)
        kind = sorted(by_type)[int(dice.integers(len(by_type)))]
        return by_type[kind][int(dice.integers(len(by_type[kind])))], kind
    kitchens = [name for name in rooms if kind_of(name) == "kitchen"]
    among = kitchens if kitchens and dice.random() < _KITCHENS else rooms
    return among[dice.integers(len(among))], ""


@cache
def _rooms_by_type(rooms: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    """In which of some rooms there is something of each type that is in any of them."""
    found: dict[str, list[str]] = defaultdict(list)
    for room in rooms:
        for kind in sorted({one.object_type for one in load_room(room).objects.values()} & _NUMBER.keys()):
            found[kind].append(room)
    return found


def _frame(scenery: Scenery, wanted: str, dice: np.random.Generator) -> Frame:
    """A training frame, of something of the wanted type if that is said."""
    while True:
        frame = _view(scenery, _pose(scenery, wanted, dice.random()), dice)
        if len(frame.boxes) >= _BARE or dice.random() >= _PASSED_OVER:
            return frame.mirrored() if dice.random() < 0.5 else frame


def _pose(scenery: Scenery, wanted: str, chance: float) -> Pose:
    """From where a training frame is seen."""
    if wanted or chance < _OF_ANY_TYPE:
        return scenery.before_type(wanted)
    return scenery.before_something() if chance < _OF_ANY_TYPE + _HANDLED else scenery.anywhere()


def _view(scenery: Scenery, pose: Pose, dice: np.random.Generator | None) -> Frame:
    world = scenery.world
    world.move_agent(pose)
    seen = drawn(world, follower_camera(world.agent), SIZE, dice)
    assert seen.rgb is not None and seen.ids is not None and seen.depth is not None
    boxes, in_view = _boxes(seen.ids)
    numbers = np.array([_NUMBER[world.objects[name].object_type] for name in seen.object_ids], np.int64)
    rgb = seen.rgb if dice is None else photographed(seen.rgb, dice)
    half = STRIDE // 2
    middles = np.s_[half::STRIDE, half::STRIDE]
    ids = _places(in_view, len(numbers))[seen.ids]
    return Frame(rgb, boxes, numbers[in_view], seen.depth[middles].copy(), ids[middles], ids)


def _places(in_view: IntArray, count: int) -> NDArray[np.int16]:
    """Of `count` numbers, and -1, which place each has among those in view, -1 for none."""
    places = np.full(count + 1, -1, np.int16)
    places[in_view] = np.arange(len(in_view))
    return places


def _boxes(ids: NDArray[np.integer[Any]]) -> tuple[Float32Array, IntArray]:
    """The box about the pixels of every object in view, N x 4, and its number."""
    in_view = np.flatnonzero(np.bincount(ids.ravel() + 1)[1:])
    return np.array([box_of(ids == index) for index in in_view.tolist()], np.float32).reshape(-1, 4), in_view
