"""Every type in every state, each object alone before a plain ground, for contact sheets and for measuring looks; and
from where a room is seen best.

Models are the ones that the 120 rooms hold. A state's picture is drawn with the camera of its plain picture, so that
the two can be compared pixel by pixel.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import attrgetter

import numpy as np

from teach_agents.arrays import BoolArray, ByteArray, Float32Array, FloatArray
from teach_agents.core.json_types import JsonMapping
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera, Channel, ObjectState, follower_camera
from teach_agents.simulator.embedded.facts import PIECES, STAYS_WHEN_BROKEN, USED_UP
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.navigation import NavigationMap
from teach_agents.simulator.embedded.render import Renderer, paint
from teach_agents.simulator.embedded.rooms import ROOM_NAMES
from teach_agents.simulator.embedded.shapes.assembly import Arena, seen_as
from teach_agents.simulator.embedded.shapes.look import Setting, frame_of
from teach_agents.simulator.embedded.shapes.surroundings import Surroundings
from teach_agents.simulator.embedded.shapes.table import blueprint_of
from teach_agents.simulator.embedded.slicing import pieces_of
from teach_agents.simulator.embedded.world import World

GREY_STEP = 24.0
"""Grey levels (0.299 R + 0.587 G + 0.114 B) by which a pixel must change to count as different."""

_DAY = (-0.05, 0.08, -0.11)
_GROUND = (226, 229, 233)
_YAW = 32.0
_PITCH = 34.0
_VIEW = 26.0
_AIR = 1.06
_NOT_SHOWN = frozenset({"Floor"})
_FLAGS: JsonMapping = {
    "openness": 0.0,
    "is_toggled": False,
    "is_broken": False,
    "is_filled": False,
    "liquid": None,
    "is_dirty": False,
    "is_used_up": False,
    "is_cooked": False,
    "temperature": "RoomTemp",
}
_LID_UP = frozenset({("Laptop", "on"), ("Laptop", "broken")})
"""What can be seen only with the lid up; there the plain state is the opened one."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One model of a type: an object of a room in its plain state, and how the room lets it stand."""

    plain: ObjectState
    setting: Setting

    @property
    def object_type(self) -> str:
        """AI2-THOR's objectType."""
        return self.plain.object_type


@dataclass(frozen=True, slots=True)
class Variant:
    """A state: its name, the objects that are there before and after; what falls to shards leaves nothing."""

    name: str
    before: tuple[ObjectState, ...]
    after: tuple[ObjectState, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """`rgb` uint8 H x W x 3, and which of its pixels show the object."""

    rgb: ByteArray
    mask: BoolArray


def exhibits(models: int = 1, types: Iterable[str] | None = None) -> dict[str, tuple[Exhibit, ...]]:
    """Up to `models` models of every type (or of `types`), by type in alphabetical order; the same ones every time.

    They are spread evenly over the type's models from the smallest to the largest; one model is the middle one.
    """
    wanted = None if types is None else frozenset(types)
    found: dict[str, dict[tuple[float, str, str], Exhibit]] = defaultdict(dict)
    for name in ROOM_NAMES:
        state = load_room(name)
        surroundings = Surroundings(state)
        for obj in _with_pieces(state.objects.values()):
            if obj.object_type in _NOT_SHOWN if wanted is None else obj.object_type not in wanted:
                continue
            setting = surroundings.setting(obj)
            if setting.drawn:
                size = frame_of(obj, setting.turns)[1]
                key = (round(math.prod(size), 5), name, obj.object_id)
                found[obj.object_type][key] = Exhibit(replace(obj, **_FLAGS), setting)
    return {kind: _spread(found[kind], models) for kind in sorted(found)}


def _with_pieces(objects: Iterable[ObjectState]) -> Iterator[ObjectState]:
    for obj in objects:
        yield obj
        if obj.object_type in PIECES:
            yield pieces_of(obj)[0]


def _spread(found: Mapping[tuple[float, str, str], Exhibit], models: int) -> tuple[Exhibit, ...]:
    alike = {key[0]: key for key in sorted(found, reverse=True)}
    keys = [alike[volume] for volume in sorted(alike)]
    if models == 1:
        return (found[keys[len(keys) // 2]],)
    count = min(models, len(keys))
    picks = sorted({round(i * (len(keys) - 1) / max(count - 1, 1)) for i in range(count)})
    return tuple(found[keys[i]] for i in picks)


def variants_of(exhibit: Exhibit) -> tuple[Variant, ...]:
    """Every state that the object can be in besides its plain one, by what AI2-THOR says of its kind."""
    return tuple(Variant(name, (_before(exhibit.plain, name),), after) for name, after in _states(exhibit.plain))


def _before(plain: ObjectState, name: str) -> ObjectState:
    return replace(plain, openness=1.0) if (plain.object_type, name) in _LID_UP else plain


_ALWAYS: tuple[tuple[str, Callable[[ObjectState], bool], JsonMapping], ...] = (
    ("dirty", attrgetter("kind.dirtyable"), {"is_dirty": True}),
    ("cooked", attrgetter("kind.cookable"), {"is_cooked": True}),
    ("water", attrgetter("kind.fillable"), {"is_filled": True, "liquid": "water"}),
    ("coffee", attrgetter("kind.fillable"), {"is_filled": True, "liquid": "coffee"}),
    ("open", attrgetter("kind.openable"), {"openness": 1.0}),
    ("on", lambda obj: obj.kind.toggleable and obj.object_type != "StoveBurner", {"is_toggled": True}),
    ("on", lambda obj: obj.object_type == "StoveBurner", {"is_toggled": True, "temperature": "Hot"}),
    ("used up", lambda obj: obj.object_type in USED_UP, {"is_used_up": True}),
    ("broken", lambda obj: obj.kind.breakable and obj.object_type in STAYS_WHEN_BROKEN, {"is_broken": True}),
)
"""The states that leave the object where it is: name, whose, and the fields that they set."""


def _states(plain: ObjectState) -> Iterator[tuple[str, tuple[ObjectState, ...]]]:
    for name, has, fields in _ALWAYS:
        if has(plain):
            yield name, (replace(_before(plain, name), **fields),)
    if plain.object_type in PIECES:
        yield "sliced", pieces_of(plain)
    if plain.kind.breakable and plain.object_type not in STAYS_WHEN_BROKEN:
        yield "broken", pieces_of(plain) if plain.object_type == "Egg" else ()


def draw_variants(exhibit: Exhibit, size: int) -> tuple[Picture, dict[str, tuple[Picture, Picture]]]:
    """The plain picture, and for every state by name the pictures before and after; each `size` x `size`.

    All are drawn with one camera, from the left of the object's front and above, that holds every state.
    """
    variants = variants_of(exhibit)
    turns = exhibit.setting.turns
    scenes = [(exhibit.plain,), *(scene for variant in variants for scene in (variant.before, variant.after))]
    arenas = [_arena(scene, exhibit.setting) for scene in scenes]
    camera = _camera(exhibit.plain, turns, np.concatenate([_extent(arena) for arena in arenas]))
    pictures = [_picture(arena, camera, size) for arena in arenas]
    pairs = zip(pictures[1::2], pictures[2::2], strict=True)
    return pictures[0], {variant.name: pair for variant, pair in zip(variants, pairs, strict=True)}


def changed_share(before: Picture, after: Picture) -> float:
    """The share of the object's pixels, in either picture, that differ by more than `GREY_STEP` grey levels.

    Raises `ValueError` where there is no object to compare: in one picture nothing is drawn, as of what fell to shards.
    """
    if not (before.mask.any() and after.mask.any()):
        raise ValueError("a picture shows no object")
    mask = before.mask | after.mask
    return float((np.abs(_grey(before.rgb) - _grey(after.rgb)) > GREY_STEP)[mask].mean())


def _grey(rgb: ByteArray) -> FloatArray:
    return np.asarray(rgb @ np.array((0.299, 0.587, 0.114)), np.float64)


def _arena(objects: Iterable[ObjectState], setting: Setting) -> Arena:
    arena = Arena()
    for obj in objects:
        look, frame = seen_as(obj, setting)
        arena.put(arena.add(0), blueprint_of(look), frame)
    return arena


def _extent(arena: Arena) -> FloatArray:
    """The corners of every part's box, in world coordinates: n x 3."""
    rows = np.concatenate([np.zeros((0, at.ROW_WIDTH), np.float32), *_slots(arena)])
    axes = rows[:, at.AXES : at.HALF].reshape(-1, 3, 3).astype(np.float64)
    wide = np.maximum(rows[:, at.TAPER : at.TAPER + 1], 1.0)
    half = rows[:, at.HALF : at.TAPER] * np.hstack([wide, np.ones_like(wide), wide])
    signs = np.array(list(product((-1, 1), repeat=3)))
    corners = rows[:, None, :3] + np.einsum("sk,nk,nkc->nsc", signs, half, axes)
    return np.asarray(corners.reshape(-1, 3), np.float64)


def _slots(arena: Arena) -> Iterator[Float32Array]:
    for slot in arena.pool.slots:
        first = int(slot[at.SLOT_PART])
        yield arena.pool.rows[first : first + int(slot[at.SLOT_PARTS])]


def _camera(plain: ObjectState, turns: int, points: FloatArray) -> Camera:
    """A camera that looks at the object's front from its left and above, and holds all points."""
    front = frame_of(plain, turns)[0].axes[2]
    level = math.hypot(front.x, front.z)
    facing = math.degrees(math.atan2(front.x, front.z)) if level > 0.3 else 0.0  # else it lies on its back
    yaw = facing + 180.0 + _YAW
    heading, slope = math.radians(yaw), math.radians(_PITCH)
    forward = np.array((math.sin(heading) * math.cos(slope), -math.sin(slope), math.cos(heading) * math.cos(slope)))
    right = np.array((math.cos(heading), 0.0, -math.sin(heading)))
    up = np.cross(forward, right)
    seen = points @ np.stack([right, up, forward]).T
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    away = seen - middle
    reach = float(np.max(np.abs(away[:, :2]).max(axis=1) / math.tan(math.radians(_VIEW / 2)) - away[:, 2]))
    eye = middle[0] * right + middle[1] * up + (middle[2] - reach * _AIR) * forward
    return Camera(Vec3(*eye.tolist()), yaw=yaw % 360.0, pitch=_PITCH, field_of_view=_VIEW)


def _picture(arena: Arena, camera: Camera, size: int) -> Picture:
    light = np.zeros(at.LIGHT_WIDTH, np.float32)
    x, y, z = camera.position
    light[:3] = (x, y + 1.0, z)
    light[at.STRENGTH] = light[at.AMBIENT] = 0.52
    light[at.DAY : at.DAY + 3] = _DAY
    pixels = paint(arena, camera, light, frozenset((Channel.RGB, Channel.IDS)), size)
    mask = pixels.ids >= 0
    pixels.rgb[~mask] = _GROUND
    return Picture(pixels.rgb, mask)


_GLANCE = 72
"""Size in pixels of the pictures by which places are compared."""
_LEAST = 6
"""An object with fewer of those pixels does not count as seen."""
_CLOSE = 0.25
"""No single object may fill more of the picture than this, unless nothing better is to be had."""
_NEAR = 0.3
_NOSE = 0.02
"""Nor may more than this share of the picture be nearer than 30 cm."""
_DOWNWARD = 15.0
_APART = 90.0
"""Views look at least this far apart, degrees, where they can."""
_YAWS = (0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0)
_MOST_PLACES = 40

_View = tuple[Pose, frozenset[str], float]
"""A place, what is seen from there, and how much of the picture is filled by one thing."""


def best_views(world: World, count: int = 2) -> tuple[Pose, ...]:
    """Where the Follower, looking 15 degrees down, sees the most objects; the same places every time.

    The first shows most; each further one looks another way, and what was not seen yet counts three times. Places are
    those the Follower can walk to, thinned out to forty, at eight headings; a view that one object fills by more than
    25 % is a last resort, one with the nose against something is none. The world is left as it is.
    """
    visitor = world.copy()
    seen = [(pose, *_seen(visitor, pose)) for pose in _candidates(world)]
    chosen: list[Pose] = []
    known: frozenset[str] = frozenset()
    for _ in range(min(count, len(seen))):
        rest = [view for view in seen if view[0] not in chosen]
        pose, objects, _ = max(rest, key=lambda view: _worth(view, chosen, known))
        chosen.append(pose)
        known |= objects
    return tuple(chosen)


def _worth(view: _View, chosen: Sequence[Pose], known: frozenset[str]) -> tuple[bool, bool, int]:
    pose, objects, fullest = view
    turned = all(abs((pose.yaw - other.yaw + 180.0) % 360.0 - 180.0) >= _APART for other in chosen)
    return fullest <= _CLOSE, turned, 2 * len(objects - known) + len(objects)


def _candidates(world: World) -> Iterator[Pose]:
    cells = sorted(NavigationMap(world).reachable(world))
    step = max(1, -(-len(cells) // _MOST_PLACES))
    height = world.agent.position.y
    for x, z in cells[::step]:
        for yaw in _YAWS:
            yield replace(world.agent, position=Vec3(x, height, z), yaw=yaw, horizon=_DOWNWARD)


def _seen(visitor: World, pose: Pose) -> tuple[frozenset[str], float]:
    """What is seen from a pose, and the share of the picture of what fills it most; bare wall counts half."""
    visitor.move_agent(pose)
    frame = Renderer().view(visitor, follower_camera(pose), frozenset((Channel.IDS, Channel.DEPTH)), _GLANCE)
    assert frame.ids is not None
    assert frame.depth is not None
    shown = frame.ids[frame.ids >= 0]
    if not len(shown) or np.mean(frame.depth < _NEAR) > _NOSE:
        return frozenset(), 1.0
    counts = np.bincount(shown, minlength=len(frame.object_ids))
    pixels = dict(zip(frame.object_ids, counts, strict=True))
    names = frozenset(i for i, count in pixels.items() if count >= _LEAST)
    solid = (count for i, count in pixels.items() if visitor.objects[i].object_type != "Floor")
    wall = np.count_nonzero(frame.ids < 0) / 2
    return names, float(max((*solid, wall))) / frame.ids.size
