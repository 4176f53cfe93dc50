"""Which builder makes which object type, and its parts packed into rows, ready to be moved into the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from teach_agents.arrays import Float32Array, Int32Array
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.shapes import (
    appliances,
    bathroom,
    belongings,
    cabinets,
    electronics,
    food,
    furniture,
    seating,
    structure,
    tableware,
)
from teach_agents.simulator.embedded.shapes.look import Look
from teach_agents.simulator.embedded.shapes.parts import Material, Part, Pattern, Shape

Builder = Callable[[Look], Iterable[Part]]

_UNKNOWN = Material((160, 90, 160))


def _plain(look: Look) -> Iterable[Part]:
    yield look.box((0, 0.5, 0), (1, 1, 1), _UNKNOWN)


BUILDERS: Mapping[str, Builder] = MappingProxyType(
    {
        "AlarmClock": electronics.alarm_clock,
        "AluminumFoil": belongings.aluminum_foil,
        "Apple": food.apple,
        "AppleSliced": food.slice_of,
        "ArmChair": seating.arm_chair,
        "BaseballBat": belongings.baseball_bat,
        "BasketBall": belongings.basketball,
        "Bathtub": bathroom.bathtub,
        "BathtubBasin": bathroom.bathtub_basin,
        "Bed": seating.bed,
        "Bench": seating.ottoman,
        "Blinds": structure.blinds,
        "Book": belongings.book,
        "Boots": belongings.boots,
        "Bottle": tableware.bottle,
        "Bowl": tableware.bowl,
        "Box": belongings.cardboard_box,
        "Bread": food.bread,
        "BreadSliced": food.slice_of,
        "ButterKnife": tableware.butter_knife,
        "CD": electronics.cd,
        "Cabinet": cabinets.cabinet,
        "Candle": belongings.candle,
        "Cart": furniture.cart,
        "CellPhone": electronics.cell_phone,
        "Chair": seating.chair,
        "Cloth": bathroom.cloth,
        "ClothesDryer": appliances.laundry_machine,
        "CoffeeMachine": appliances.coffee_machine,
        "CoffeeTable": furniture.coffee_table,
        "CounterTop": cabinets.counter_top,
        "CreditCard": belongings.credit_card,
        "Cup": tableware.cup,
        "Curtains": structure.curtains,
        "Desk": furniture.desk,
        "DeskLamp": electronics.desk_lamp,
        "Desktop": electronics.desktop,
        "DiningTable": furniture.dining_table,
        "DishSponge": bathroom.dish_sponge,
        "DogBed": seating.dog_bed,
        "Doorframe": structure.doorway,
        "Doorway": structure.doorway,
        "Drawer": cabinets.drawer,
        "Dresser": furniture.dresser,
        "Dumbbell": belongings.dumbbell,
        "Egg": food.egg,
        "EggCracked": food.egg_cracked,
        "Faucet": cabinets.faucet,
        "Floor": structure.floor,
        "FloorLamp": electronics.floor_lamp,
        "Footstool": seating.footstool,
        "Fork": tableware.fork,
        "Fridge": appliances.fridge,
        "GarbageBag": belongings.garbage_bag,
        "GarbageCan": belongings.garbage_can,
        "HandTowel": bathroom.hand_towel,
        "HandTowelHolder": bathroom.holder,
        "HousePlant": belongings.house_plant,
        "Kettle": tableware.kettle,
        "KeyChain": belongings.key_chain,
        "Knife": tableware.knife,
        "Ladle": tableware.ladle,
        "Laptop": electronics.laptop,
        "LaundryHamper": belongings.laundry_hamper,
        "Lettuce": food.lettuce,
        "LettuceSliced": food.slice_of,
        "LightSwitch": electronics.light_switch,
        "Microwave": appliances.microwave,
        "Mirror": bathroom.mirror,
        "Mug": tableware.mug,
        "Newspaper": belongings.newspaper,
        "Ottoman": seating.ottoman,
        "Painting": structure.painting,
        "Pan": tableware.pan,
        "PaperTowelRoll": belongings.paper_towel,
        "Pen": belongings.pen,
        "Pencil": belongings.pencil,
        "PepperShaker": tableware.shaker,
        "Pillow": seating.pillow,
        "Plate": tableware.plate,
        "Plunger": bathroom.plunger,
        "Poster": structure.poster,
        "Pot": tableware.pot,
        "Potato": food.potato,
        "PotatoSliced": food.slice_of,
        "RemoteControl": electronics.remote_control,
        "RoomDecor": belongings.room_decor,
        "Safe": cabinets.safe,
        "SaltShaker": tableware.shaker,
        "ScreenFrame": structure.screen_frame,
        "ScreenSheet": structure.poster,
        "ScrubBrush": bathroom.scrub_brush,
        "Shelf": furniture.shelf,
        "ShelvingUnit": furniture.shelving_unit,
        "ShowerCurtain": bathroom.shower_curtain,
        "ShowerDoor": bathroom.shower_door,
        "ShowerGlass": bathroom.shower_glass,
        "ShowerHead": bathroom.shower_head,
        "SideTable": furniture.side_table,
        "Sink": cabinets.sink,
        "SinkBasin": cabinets.sink_basin,
        "SoapBar": bathroom.soap_bar,
        "SoapBottle": bathroom.soap_bottle,
        "Sofa": seating.sofa,
        "Spatula": tableware.spatula,
        "Spoon": tableware.spoon,
        "SprayBottle": bathroom.spray_bottle,
        "Statue": belongings.statue,
        "Stool": seating.stool,
        "StoveBurner": cabinets.stove_burner,
        "StoveKnob": cabinets.stove_knob,
        "TVStand": furniture.tv_stand,
        "TableTopDecor": belongings.table_top_decor,
        "TargetCircle": belongings.target_circle,
        "TeddyBear": belongings.teddy_bear,
        "Television": electronics.television,
        "TennisRacket": belongings.tennis_racket,
        "TissueBox": bathroom.tissue_box,
        "Toaster": appliances.toaster,
        "Toilet": bathroom.toilet,
        "ToiletPaper": bathroom.toilet_paper,
        "ToiletPaperHanger": bathroom.toilet_paper_hanger,
        "Tomato": food.tomato,
        "TomatoSliced": food.slice_of,
        "Towel": bathroom.towel,
        "TowelHolder": bathroom.holder,
        "VacuumCleaner": appliances.vacuum_cleaner,
        "Vase": belongings.vase,
        "Wall": structure.wall,
        "WashingMachine": appliances.laundry_machine,
        "Watch": electronics.watch,
        "WateringCan": belongings.watering_can,
        "Window": structure.window,
        "WineBottle": tableware.wine_bottle,
    }
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


@dataclass(frozen=True, slots=True, eq=False)
class Blueprint:
    """Packed parts of one object in its own frame, with the room its mesh takes and its bounding sphere."""

    rows: Float32Array
    infos: Int32Array
    vertices: int
    faces: int
    corners: int
    sphere: Float32Array


def pack(parts: Sequence[Part]) -> Blueprint:
    """Pack parts; an empty sequence makes an empty blueprint."""
    rows = np.zeros((len(parts), at.ROW_WIDTH), np.float32)
    infos = np.zeros((len(parts), at.INFO_WIDTH), np.int32)
    vertices = faces = corners = 0
    if parts:
        rows[:, : at.NORMAL_MAP] = [_row(part) for part in parts]
        infos[:, : at.SLOT] = [(p.shape, p.side, p.faces, p.segments, p.material.pattern) for p in parts]
    for part in parts:
        v, f, c = _room(part)
        vertices, faces, corners = vertices + v, faces + f, corners + c
    return Blueprint(rows, infos, vertices, faces, corners, _sphere(rows))


def _row(part: Part) -> list[float]:
    material = part.material
    return [
        *part.center,
        *part.axes[0],
        *part.axes[1],
        *part.axes[2],
        *part.half,
        part.taper,
        *material.colour,
        *(material.second or _second(material)),
        *_frequencies(material),
        material.gloss,
        material.glow,
    ]


def _second(material: Material) -> tuple[float, ...]:
    return tuple(value * 0.8 for value in material.colour)


def _frequencies(material: Material) -> tuple[float, float]:
    u, v = _PATTERN_SCALE[material.pattern]
    return u * material.frequency * _TEXELS, v * material.frequency * _TEXELS


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
