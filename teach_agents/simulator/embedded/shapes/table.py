"""Which builder makes which object type, and its parts packed into rows, ready to be moved into the world."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from teach_agents.arrays import Float32Array, Int32Array
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.shapes import appliances, bathroom, belongings, furniture, structure, tableware
from teach_agents.simulator.embedded.shapes.look import Look
from teach_agents.simulator.embedded.shapes.parts import Material, Part, Parts, Pattern, Shape, channels

Builder = Callable[[Look], Parts]

_UNKNOWN = Material(0xA05AA0)
_TYPES = """
    AlarmClock AluminumFoil Apple AppleSliced ArmChair BaseballBat BasketBall Bathtub BathtubBasin Bed Bench Blinds Book
    Boots Bottle Bowl Bread BreadSliced ButterKnife CD Cabinet Candle Cart CellPhone Chair Cloth ClothesDryer
    CoffeeMachine CoffeeTable CounterTop CreditCard Cup Curtains Desk DeskLamp Desktop DiningTable DishSponge DogBed
    Doorframe Doorway Drawer Dresser Dumbbell Egg EggCracked Faucet Floor FloorLamp Footstool Fork Fridge GarbageBag
    GarbageCan HandTowel HandTowelHolder HousePlant Kettle KeyChain Knife Ladle Laptop LaundryHamper Lettuce
    LettuceSliced LightSwitch Microwave Mirror Mug Newspaper Ottoman Painting Pan PaperTowelRoll Pen Pencil PepperShaker
    Pillow Plate Plunger Poster Pot Potato PotatoSliced RemoteControl RoomDecor Safe SaltShaker ScreenFrame ScreenSheet
    ScrubBrush Shelf ShelvingUnit ShowerCurtain ShowerDoor ShowerGlass ShowerHead SideTable Sink SinkBasin SoapBar
    SoapBottle Sofa Spatula Spoon SprayBottle Statue Stool StoveBurner StoveKnob TVStand TableTopDecor TargetCircle
    TeddyBear Television TennisRacket TissueBox Toaster Toilet ToiletPaper ToiletPaperHanger Tomato TomatoSliced Towel
    TowelHolder VacuumCleaner Vase Wall WashingMachine Watch WateringCan Window WineBottle
"""


def _plain(look: Look) -> Parts:
    yield look.whole(_UNKNOWN)


def _builder(object_type: str) -> Builder:
    """The function that is called as the type is, in small letters."""
    name = re.sub("(?<!^)(?=[A-Z][a-z])", "_", object_type).lower()
    modules = (appliances, bathroom, belongings, furniture, structure, tableware)
    found: Builder = next(vars(module)[name] for module in modules if name in vars(module))
    return found


BUILDERS: Mapping[str, Builder] = MappingProxyType(
    {"Box": belongings.cardboard_box} | {object_type: _builder(object_type) for object_type in _TYPES.split()}
)
"""Object type to builder; a type that is not listed is drawn as a plain box."""


def parts_for(look: Look) -> tuple[Part, ...]:
    """The parts of an object that looks like `look`, in its own frame."""
    return tuple(BUILDERS.get(look.object_type, _plain)(look)) if look.setting.drawn else ()


@lru_cache(maxsize=16384)
def blueprint_of(look: Look) -> Blueprint:
    """The packed parts of `look`, shared by every object and session that looks the same."""
    return pack(parts_for(look))


_MARGIN = 1e-4
_TEXELS = 256.0
_PATTERN_SCALE = {
    Pattern.PLAIN: (0.0, 0.0),
    Pattern.WOOD: (0.2, 0.25),
    Pattern.TILES: (1.0, 1.0),
    Pattern.CHECKS: (0.5, 0.5),
    Pattern.STRIPES: (0.5, 0.5),
    Pattern.SPECKLES: (1 / 64, 1 / 64),
    Pattern.BRUSHED: (1.0, 1.0),
    Pattern.BRICKS: (0.5, 0.5),
    Pattern.WEAVE: (1 / 16, 1 / 16),
    Pattern.BLOTCHES: (1 / 8, 1 / 8),
    Pattern.PLANKS: (0.5, 1.25),
}
"""How much of a baked texture one repeat of the pattern takes, along u and v."""


class Span(NamedTuple):
    """First index of, or room for, each kind of datum."""

    parts: int
    vertices: int
    faces: int
    corners: int


@dataclass(frozen=True, slots=True, eq=False)
class Blueprint:
    """Packed parts of one object in its own frame, with the room they and their mesh take and its bounding sphere."""

    rows: Float32Array
    infos: Int32Array
    need: Span
    sphere: Float32Array


def pack(parts: Sequence[Part]) -> Blueprint:
    """Pack parts; an empty sequence makes an empty blueprint."""
    rows = np.zeros((len(parts), at.ROW_WIDTH), np.float32)
    infos = np.zeros((len(parts), at.INFO_WIDTH), np.int32)
    if parts:
        rows[:, : at.NORMAL_MAP] = [_row(part) for part in parts]
        infos[:, : at.SLOT] = [(p.shape, p.side, p.faces, p.segments, p.material.pattern) for p in parts]
    need = Span(len(parts), *map(sum, zip((0, 0, 0), *map(_room, parts), strict=True)))
    return Blueprint(rows, infos, need, _sphere(rows))


def _row(part: Part) -> list[float]:
    material = part.material
    (u, v), colour = _PATTERN_SCALE[material.pattern], channels(material.colour)
    return [
        *part.center,
        *part.axes[0],
        *part.axes[1],
        *part.axes[2],
        *part.half,
        part.taper,
        *colour,
        *([value * 0.8 for value in colour] if material.second is None else channels(material.second)),
        u * material.frequency * _TEXELS,
        v * material.frequency * _TEXELS,
        material.gloss,
        material.glow,
    ]


def _room(part: Part) -> tuple[int, int, int]:
    """How many vertices, faces and corners the part's mesh has (as `kernels.mesh.expand` makes it)."""
    n = part.segments
    if part.shape is Shape.BOX:
        count = int(part.faces).bit_count()
        return 8, count, 4 * count
    if part.shape is Shape.TUBE:
        wall, caps = int(part.faces) & 1, (int(part.faces) >> 2 & 1) + (int(part.faces) >> 3 & 1)
        return 2 * n, wall * n + caps, wall * 4 * n + caps * n
    rings = n // 2 - 1
    return 2 + rings * n, n * (rings + 1), n * (rings - 1) * 4 + 6 * n


def _sphere(rows: Float32Array) -> Float32Array:
    if not len(rows):
        return np.zeros(4, np.float32)
    axes = np.abs(rows[:, at.AXES : at.HALF].reshape(-1, 3, 3))
    widest = np.maximum(rows[:, at.TAPER], 1.0)
    half = rows[:, at.HALF : at.TAPER].copy()
    half[:, 0] *= widest
    half[:, 2] *= widest
    reach = np.einsum("nk,nkc->nc", half, axes)
    low, high = (rows[:, :3] - reach).min(axis=0), (rows[:, :3] + reach).max(axis=0)
    across = high - low
    radius = float(np.sqrt(across.dot(across))) / 2 + _MARGIN
    return np.array([*((low + high) / 2), radius], np.float32)
