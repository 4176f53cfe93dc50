"""Contact sheets: labelled pictures side by side, of rooms and of object types in their states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from teach_agents.actions import Action, Role
from teach_agents.arrays import ByteArray
from teach_agents.errors import InputError
from teach_agents.household import Household, Scenario
from teach_agents.simulator.contract import Channel, Scene, follower_camera
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from teach_agents.simulator.embedded.showcase import Exhibit, best_views, draw_variants, exhibits, variants_of
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

KINDS: Mapping[str, str] = MappingProxyType(
    {"kitchen": "kitchens", "living room": "living_rooms", "bedroom": "bedrooms", "bathroom": "bathrooms"}
)
"""The kinds of rooms, and the names of their sheets."""

_GAP = 6
_LABEL = 22
_INK = (28, 30, 34)
_FONT_SIZE = 15
_QUALITY = 84
_GONE = "gone"

Step = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Tile:
    """A labelled square picture, uint8 H x W x 3."""

    label: str
    picture: ByteArray


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """How large pictures are drawn and shown on a sheet, pixels, and how many stand side by side."""

    drawn: int = 900
    shown: int = 300
    columns: int = 6


def rooms_by_kind(rooms: Sequence[str] | None) -> dict[str, list[str]]:
    """The named rooms, or all, by kind; rooms of each kind in the order given."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name in rooms or ROOM_NAMES:
        found[kind_of(name)].append(name)
    return {kind: names for kind, names in found.items() if names}


def room_tiles(rooms: Sequence[str], form: SheetFormat, step: Step = lambda _: None) -> Iterator[Tile]:
    """Two views of every room, from where most of its objects are seen; `step` is told each room when it is done."""
    renderer = Renderer()
    for name in rooms:
        world = load_room(name)
        for number, pose in enumerate(best_views(world), 1):
            world.move_agent(pose)
            rgb = renderer.view(world, follower_camera(pose), frozenset((Channel.RGB,)), form.drawn).rgb
            assert rgb is not None
            yield Tile(f"{world.room}  view {number}", _shrunk(rgb, form.shown))
        step(name)


def interface_tiles(room: str, words: str, form: SheetFormat) -> list[Tile]:
    """What TEACh's screens show in a room: both roles' panels after the Commander flew and searched for `words`.

    Raises `InputError` when no object is like the words.
    """
    household = Household(EmbeddedSimulator(), view_size=form.drawn)
    household.reset(Scenario("interface", "Coffee", (), Scene(room), 0))
    for name in ("Backward", "Backward", "Pan Right", "Pan Right", "Look Up"):
        household.act(Role.COMMANDER, Action(name))
    if not household.act(Role.COMMANDER, Action.search(words)).success:
        raise InputError("--search", "no object of the room is like it", value=words)
    commander, follower = household.observe(Role.COMMANDER), household.observe(Role.FOLLOWER)
    views = {
        "Commander: free camera": commander.view,
        "Commander: map (Follower blue, its camera red, search yellow)": commander.overhead,
        f"Commander: search for {words!r}": commander.target_view,
        f"Commander: search for {words!r}, lit": commander.target_lit,
        "Commander: Follower's view": commander.follower_view,
        "Follower: own view": follower.view,
        "Follower: map": follower.overhead,
    }
    return [Tile(label, _shrunk(view.rgb, form.shown)) for label, view in views.items() if view is not None]


def state_tiles(
    form: SheetFormat, types: Sequence[str] | None = None, step: Step = lambda _: None
) -> tuple[list[Tile], list[Tile]]:
    """A picture of every type in its plain state, and one of each state of the types that have any.

    Raises `InputError` for a type that is in no room.
    """
    shown = exhibits(1, types)
    for wanted in types or ():
        if wanted not in shown:
            raise InputError("--type", "no room holds an object of this type", value=wanted)
    plain: list[Tile] = []
    states: list[Tile] = []
    for object_type, (exhibit, *_) in shown.items():
        first, *others = _tiles_of(exhibit, form)
        plain.append(first)
        states.extend((first, *others) if others else ())
        step(object_type)
    return plain, states


def _tiles_of(exhibit: Exhibit, form: SheetFormat) -> Iterator[Tile]:
    plain, pairs = draw_variants(exhibit, form.drawn)
    yield Tile(exhibit.object_type, _shrunk(plain.rgb, form.shown))
    for variant in variants_of(exhibit):
        gone = "" if variant.after else f" ({_GONE})"
        yield Tile(f"{exhibit.object_type} {variant.name}{gone}", _shrunk(pairs[variant.name][1].rgb, form.shown))


def _shrunk(rgb: ByteArray, size: int) -> ByteArray:
    if rgb.shape[0] == size:
        return rgb
    return np.asarray(Image.fromarray(rgb).resize((size, size), Image.Resampling.LANCZOS))


def write_sheet(path: Path, title: str, tiles: Sequence[Tile], form: SheetFormat) -> None:
    """Write tiles row by row below a title, as JPEG or PNG by the name's ending. Raises `InputError` if it cannot."""
    columns = min(form.columns, len(tiles))
    rows = -(-len(tiles) // columns)
    wide, high = form.shown + _GAP, form.shown + _LABEL + _GAP
    page = Image.new("RGB", (columns * wide + _GAP, rows * high + 2 * _LABEL + _GAP), "white")
    pen = ImageDraw.Draw(page)
    pen.text((_GAP, _GAP), title, _INK, ImageFont.load_default(_FONT_SIZE * 1.4))
    font = ImageFont.load_default(_FONT_SIZE if form.shown >= 150 else _FONT_SIZE * 0.7)
    for i, tile in enumerate(tiles):
        x, y = _GAP + i % columns * wide, 2 * _LABEL + i // columns * high
        page.paste(Image.fromarray(tile.picture), (x, y + _LABEL))
        pen.text((x + 2, y + 2), tile.label, _INK, font)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        page.save(path, quality=_QUALITY, optimize=True)
    except OSError as error:
        raise InputError("--out", f"the sheet cannot be written: {error}", value=path) from error
