"""Every object type has a shape of its own, fitted to its box, and its states can be seen."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Channel, ObjectState
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room
from teach_agents.simulator.embedded.shapes.assembly import assembly_of
from teach_agents.simulator.embedded.shapes.look import Look, Setting
from teach_agents.simulator.embedded.shapes.parts import Part, Shape
from teach_agents.simulator.embedded.shapes.surroundings import Surroundings
from teach_agents.simulator.embedded.shapes.table import BUILDERS, parts_for
from tests.simulator.embedded.showroom import CAMERA, exhibit, showroom

SLICES = ("AppleSliced", "BreadSliced", "EggCracked", "LettuceSliced", "PotatoSliced", "TomatoSliced")
ROOM_MADE = {"Floor", "CounterTop"}
"""Types whose shape comes from the room."""
STATES = [
    ("AppleSliced", {"is_cooked": True}),
    ("Bed", {"is_dirty": True}),
    ("Blinds", {"openness": 1.0}),
    ("Book", {"openness": 1.0}),
    ("Bottle", {"is_filled": True, "liquid": "water"}),
    ("Bowl", {"is_dirty": True}),
    ("Bowl", {"is_filled": True, "liquid": "water"}),
    ("Box", {"openness": 1.0}),
    ("BreadSliced", {"is_cooked": True}),
    ("Cabinet", {"openness": 1.0}),
    ("Candle", {"is_toggled": True}),
    ("CellPhone", {"is_broken": True}),
    ("CellPhone", {"is_toggled": True}),
    ("Cloth", {"is_dirty": True}),
    ("CoffeeMachine", {"is_toggled": True}),
    ("Cup", {"is_dirty": True}),
    ("Cup", {"is_filled": True, "liquid": "water"}),
    ("DeskLamp", {"is_toggled": True}),
    ("Desktop", {"is_toggled": True}),
    ("Drawer", {"openness": 1.0}),
    ("EggCracked", {"is_cooked": True}),
    ("Faucet", {"is_toggled": True}),
    ("FloorLamp", {"is_toggled": True}),
    ("Fridge", {"openness": 1.0}),
    ("HousePlant", {"is_filled": True, "liquid": "water"}),
    ("Kettle", {"is_filled": True, "liquid": "water", "openness": 1.0}),
    ("Kettle", {"openness": 1.0}),
    ("Laptop", {"is_broken": True, "openness": 1.0}),
    ("Laptop", {"openness": 1.0}),
    ("LaundryHamper", {"openness": 1.0}),
    ("LightSwitch", {"is_toggled": True}),
    ("Microwave", {"is_toggled": True}),
    ("Microwave", {"openness": 1.0}),
    ("Mirror", {"is_broken": True}),
    ("Mirror", {"is_dirty": True}),
    ("Mug", {"is_dirty": True}),
    ("Mug", {"is_filled": True, "liquid": "coffee"}),
    ("Pan", {"is_dirty": True}),
    ("PaperTowelRoll", {"is_used_up": True}),
    ("Plate", {"is_dirty": True}),
    ("Pot", {"is_dirty": True}),
    ("Pot", {"is_filled": True, "liquid": "water"}),
    ("Potato", {"is_cooked": True}),
    ("PotatoSliced", {"is_cooked": True}),
    ("Safe", {"openness": 1.0}),
    ("ShowerCurtain", {"openness": 1.0}),
    ("ShowerDoor", {"is_broken": True}),
    ("ShowerDoor", {"openness": 1.0}),
    ("ShowerGlass", {"is_broken": True}),
    ("ShowerHead", {"is_toggled": True}),
    ("SoapBottle", {"is_used_up": True}),
    ("StoveBurner", {"temperature": "Hot"}),
    ("StoveKnob", {"is_toggled": True}),
    ("Television", {"is_broken": True}),
    ("Television", {"is_toggled": True}),
    ("TissueBox", {"is_used_up": True}),
    ("Toaster", {"is_toggled": True}),
    ("Toilet", {"openness": 1.0}),
    ("ToiletPaper", {"is_used_up": True}),
    ("WateringCan", {"is_filled": True, "liquid": "water"}),
    ("Window", {"is_broken": True}),
    ("WineBottle", {"is_filled": True, "liquid": "wine"}),
]


def picture(*objects: ObjectState, size: int = 64) -> NDArray[np.uint8]:
    """What the showroom's camera sees of these objects."""
    rgb = Renderer().view(showroom(*objects), CAMERA, frozenset((Channel.RGB,)), size).rgb
    assert rgb is not None
    return rgb


@cache
def drawn(object_type: str, state: tuple[tuple[str, Any], ...] = ()) -> NDArray[np.uint8]:
    """The exhibit's picture, 64 x 64."""
    size = (0.3, 0.05, 0.3) if object_type.endswith("Sliced") or object_type == "EggCracked" else (0.3, 0.3, 0.3)
    return picture(exhibit(object_type, size, None, **dict(state)))


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Mean absolute difference of two pictures."""
    return float(np.abs(one.astype(int) - other.astype(int)).mean())


def types_of_rooms() -> set[str]:
    return {obj.object_type for name in ROOM_NAMES for obj in room(name).objects.values()}


def test_every_type_of_the_rooms_has_a_builder() -> None:
    missing = (types_of_rooms() | set(SLICES)) - set(BUILDERS)
    assert not missing


def test_every_type_draws_something_and_no_two_look_alike() -> None:
    empty = picture()
    names = sorted(set(BUILDERS) - ROOM_MADE)
    pictures = {name: drawn(name) for name in names}
    assert [name for name in names if difference(pictures[name], empty) < 0.3] == []
    alike = [
        (one, other)
        for i, one in enumerate(names)
        for other in names[i + 1 :]
        if difference(pictures[one], pictures[other]) < 0.2
    ]
    assert alike == []


@pytest.mark.parametrize(("object_type", "state"), STATES)
def test_a_state_changes_the_picture(object_type: str, state: dict[str, object]) -> None:
    changed = drawn(object_type, tuple(sorted(state.items())))
    assert difference(changed, drawn(object_type)) > 0.02


def test_what_has_no_geometry_is_not_drawn() -> None:
    vase = exhibit("Vase")
    assert np.array_equal(picture(replace(vase, exists=False)), picture())
    assert not np.array_equal(picture(vase), picture())


def extent_of(part: Part) -> tuple[Vec3, Vec3]:
    widest = max(part.taper, 1.0) if part.shape is Shape.TUBE else 1.0
    half = Vec3(part.half.x * widest, part.half.y, part.half.z * widest)
    reach = [sum(abs(axis[c]) * h for axis, h in zip(part.axes, half, strict=True)) for c in range(3)]
    low = Vec3(*(part.center[c] - reach[c] for c in range(3)))
    high = Vec3(*(part.center[c] + reach[c] for c in range(3)))
    return low, high


@pytest.mark.parametrize("object_type", sorted(set(BUILDERS) - ROOM_MADE))
def test_closed_shapes_stay_in_their_box(object_type: str) -> None:
    size = Vec3(0.5, 0.4, 0.45)
    slack = 0.06
    for part in parts_for(Look(object_type, size, setting=Setting(support=0.3))):
        low, high = extent_of(part)
        assert low.x > -size.x / 2 - slack
        assert high.x < size.x / 2 + slack
        assert low.z > -size.z / 2 - slack
        assert high.z < size.z / 2 + slack
        assert low.y > -slack
        assert high.y < size.y + slack


def test_a_table_is_a_slab_at_the_height_of_its_surface() -> None:
    parts = parts_for(Look("DiningTable", Vec3(1.2, 0.9, 0.8), setting=Setting(support=0.74)))
    assert max(extent_of(part)[1].y for part in parts) == pytest.approx(0.74, abs=1e-3)


def test_models_of_one_type_differ_in_colour() -> None:
    mugs = {parts_for(Look("Mug", Vec3(0.12, 0.1, 0.1), seed=seed))[0].material.colour for seed in range(7)}
    assert len(mugs) > 3


@pytest.mark.parametrize("name", ROOM_NAMES[::6])
def test_everything_in_a_room_is_drawn_about_where_it_is(name: str) -> None:
    world = load_room(name)
    assembly = assembly_of(world)
    pool = assembly.arena.meshed()
    for object_id, obj in world.objects.items():
        first, count = pool.slots[assembly.slot(object_id), :2]
        if obj.object_type in ("Floor", "Sink", "SinkBasin") and not count:
            continue  # the room's floor, and the one of sink and basin that the other stands for
        assert count, object_id
        vertices = pool.mesh.vertices[first : first + count]
        middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
        reach = max(obj.box.size) / 2 + 0.3
        assert np.abs(middle - np.array(obj.box.center)).max() < reach, object_id


@pytest.mark.parametrize("support", [0.0, 0.015, 0.2])
def test_a_shelf_is_no_higher_than_what_lies_on_it(support: float) -> None:
    parts = parts_for(Look("Shelf", Vec3(0.6, 0.3, 0.3), setting=Setting(support=support)))
    assert max(extent_of(part)[1].y for part in parts) == pytest.approx(support)


def test_a_chest_around_cabinets_has_no_front() -> None:
    size = Vec3(2.0, 1.0, 0.7)
    solid, frame = (
        parts_for(Look("Dresser", size, setting=Setting(support=0.98, hosting=hosting))) for hosting in (False, True)
    )

    def before(part: Part) -> bool:
        low, high = extent_of(part)
        return low.x < 0.5 < high.x and low.y < 0.5 < high.y and high.z > 0.0

    assert any(before(part) for part in solid)
    assert not any(before(part) for part in frame)
    assert any(extent_of(part)[1].y == pytest.approx(0.98, abs=1e-3) for part in frame)
    there = load_room("FloorPlan322")
    chest = next(obj for obj in there.objects.values() if obj.object_type == "Dresser")
    assert Surroundings(there).setting(chest).hosting
    elsewhere = load_room("FloorPlan301")
    assert not any(
        Surroundings(elsewhere).setting(o).hosting for o in elsewhere.objects.values() if o.object_type == "Dresser"
    )


def test_an_open_microwave_is_seen_into_from_below() -> None:
    parts = parts_for(Look("Microwave", Vec3(0.6, 0.35, 0.4), setting=Setting(support=0.09), openness=1.0))
    lip = [extent_of(part)[1].y for part in parts if extent_of(part)[1].z > 0.15 and part.shape is Shape.BOX]
    assert min(lip) < 0.03, "the floor is low at the front"
    plate = next(part for part in parts if part.shape is Shape.TUBE)
    assert extent_of(plate)[1].y == pytest.approx(0.09) and extent_of(plate)[1].z < 0.15


def test_below_a_loft_bed_nothing_is_drawn_but_its_posts() -> None:
    size = Vec3(1.2, 1.9, 2.4)
    bed, loft = (
        parts_for(Look("Bed", size, setting=Setting(support=1.7, hosting=hosting))) for hosting in (False, True)
    )

    def below(part: Part) -> bool:
        low, high = extent_of(part)
        return low.x < 0.0 < high.x and low.y < 1.2 and low.z < 0.5

    assert any(map(below, bed)) and not any(map(below, loft))
    assert max(extent_of(part)[1].y for part in loft) == pytest.approx(1.9, abs=1e-3)
    there = load_room("FloorPlan318")
    beds = [one for one in there.objects.values() if one.object_type == "Bed"]
    assert all(Surroundings(there).setting(one).hosting for one in beds)


@pytest.mark.parametrize("support", [0.42, 0.56, 0.7])
def test_no_blanket_of_a_made_bed_hides_a_phone(support: float) -> None:
    parts = parts_for(Look("Bed", Vec3(1.5, 0.9, 2.0), setting=Setting(support=support)))
    lying = [part for part in parts if extent_of(part)[0].z < 0.5]
    assert max(extent_of(part)[1].y for part in lying) < support + 0.004
