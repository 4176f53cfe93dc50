"""`teach-agents rooms`: the 120 iTHOR rooms of the embedded simulator, listed and drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from teach_agents.cli.tables import table_of

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray
    from teach_agents.cli.sheets import SheetFormat
    from teach_agents.simulator.contract import Camera, SimulatorState
    from teach_agents.simulator.embedded.world import World


app = typer.Typer(help="The rooms of the embedded simulator: list them, look at them.", no_args_is_help=True)


_Drawn = Annotated[int, Option(min=16, max=2048, help="Width and height at which is drawn, pixels.")]
_Shown = Annotated[int, Option(min=16, max=2048, help="Width and height shown on the sheet, pixels.")]


class RoomView(StrEnum):
    """From where a room is drawn."""

    OVERHEAD = "overhead"
    FOLLOWER = "follower"


@app.command("list")
def list_rooms() -> None:
    """List every room with its kind and how many objects it has."""
    from rich.console import Console

    from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of, room

    rows = []
    for name in ROOM_NAMES:
        kinds = [obj.kind for obj in room(name).objects.values()]
        counts = len(kinds), sum(kind.pickupable for kind in kinds), sum(kind.receptacle for kind in kinds)
        rows.append((name, kind_of(name), *map(str, counts)))
    Console().print(table_of(("room", "kind", "objects", "pickupable", "receptacles"), rows))


@app.command()
def show(
    room: Annotated[str, Argument(help="A room, for example FloorPlan1.")],
    out: Annotated[Path | None, Option(help="Write a picture (PNG) here.")] = None,
    view: Annotated[RoomView, Option(help="From where to draw.")] = RoomView.FOLLOWER,
    size: Annotated[int, Option(min=16, max=4096, help="Width and height of the picture, pixels.")] = 600,
) -> None:
    """Say what is in a room, and draw it."""
    from teach_agents.simulator.embedded.loading import load_room
    from teach_agents.simulator.embedded.rooms import kind_of

    world = load_room(room)
    counts = Counter(obj.object_type for obj in world.objects.values())
    typer.echo(f"{world.room}: {kind_of(world.room)}, {len(world.objects)} objects of {len(counts)} types")
    for object_type, count in sorted(counts.items()):
        typer.echo(f"  {object_type}" + (f" x{count}" if count > 1 else ""))
    if out is not None:
        _write(out, _picture(world, view, size))


@app.command()
def sheet(
    out: Annotated[Path, Option(help="Write the sheets (JPEG) into this folder.")],
    rooms: Annotated[list[str] | None, Argument(help="Rooms; without any, all 120.")] = None,
    states: Annotated[bool, Option("--states", help="Draw object types and their states instead of rooms.")] = False,
    types: Annotated[list[str] | None, Option("--type", help="With --states: only this type; repeatable.")] = None,
    size: _Drawn = 900,
    tile: _Shown = 300,
    columns: Annotated[int, Option(min=1, max=40, help="Pictures side by side.")] = 6,
) -> None:
    """Draw contact sheets: rooms by kind, two views each, or every object type in every state.

    A room is seen from where most of its objects are in view, then from where most of the others are. With --states
    each object stands alone; types.jpg has every type, states.jpg those with states beside their plain picture. The
    same rooms and types give the same pixels every time.
    """
    from teach_agents.cli.sheets import SheetFormat
    from teach_agents.errors import InputError

    if states and rooms:
        raise InputError("ROOMS", "--states draws object types, of no one room", value=" ".join(rooms))
    if types and not states:
        raise InputError("--type", "goes with --states", value=" ".join(types))
    form = SheetFormat(size, tile, columns)
    if states:
        _state_sheets(out, form, types)
    else:
        _room_sheets(out, form, rooms)


@app.command()
def interface(
    room: Annotated[str, Argument(help="A room, for example FloorPlan1.")],
    out: Annotated[Path, Option(help="Write the sheet (JPEG or PNG) here.")],
    search: Annotated[str, Option(help="What the Commander searches for.")] = "Mug",
    size: _Drawn = 900,
    tile: _Shown = 440,
) -> None:
    """Draw what TEACh's screens show in a room: free camera, map, object search, and the Follower's panels."""
    from teach_agents.cli.sheets import SheetFormat, interface_tiles, write_sheet
    from teach_agents.simulator.embedded.rooms import room_name

    form = SheetFormat(size, tile, 4)
    name = room_name(room)
    write_sheet(out, f"The screens of Commander and Follower, {name}", interface_tiles(name, search, form), form)
    typer.echo(f"wrote {out}")


def _room_sheets(out: Path, form: SheetFormat, rooms: list[str] | None) -> None:
    from teach_agents.cli.sheets import KINDS, room_tiles, rooms_by_kind, write_sheet
    from teach_agents.simulator.embedded.rooms import room_name

    by_kind = rooms_by_kind([room_name(name) for name in rooms] if rooms else None)
    with _counted("drawing rooms", sum(map(len, by_kind.values()))) as step:
        tiles = {kind: list(room_tiles(names, form, step)) for kind, names in by_kind.items()}
    for kind, pictures in tiles.items():
        path = out / f"{KINDS[kind]}.jpg"
        write_sheet(path, KINDS[kind].replace("_", " ").capitalize(), pictures, form)
        typer.echo(f"wrote {path}")


def _state_sheets(out: Path, form: SheetFormat, types: list[str] | None) -> None:
    from teach_agents.cli.sheets import state_tiles, write_sheet
    from teach_agents.simulator.embedded.shapes.table import BUILDERS

    with _counted("drawing types", len(types) if types else len(BUILDERS)) as step:
        plain, changed = state_tiles(form, types, step)
    for name, title, pictures in (("types", "Object types", plain), ("states", "Types in their states", changed)):
        if pictures:
            path = out / f"{name}.jpg"
            write_sheet(path, title, pictures, form)
            typer.echo(f"wrote {path}")


@contextmanager
def _counted(what: str, total: int) -> Iterator[Callable[[str], None]]:
    """A progress bar on standard error; call what it yields with the name of each thing done."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda name: progress.update(task, advance=1, description=f"{what}: {name}")


def _picture(world: World, view: RoomView, size: int) -> ByteArray:
    from teach_agents.simulator.contract import Channel, follower_camera
    from teach_agents.simulator.embedded.render import Renderer

    camera = _overhead(world) if view is RoomView.OVERHEAD else follower_camera(world.agent)
    rgb = Renderer().view(world, camera, frozenset((Channel.RGB,)), size).rgb
    assert rgb is not None
    return rgb


def _overhead(state: SimulatorState) -> Camera:
    """A camera straight above the floor that sees all of it."""
    from teach_agents.observations import Vec3
    from teach_agents.simulator.contract import Camera

    floor = next(obj.box for obj in state.objects.values() if obj.object_type == "Floor")
    height = max(obj.box.high.y for obj in state.objects.values()) + 0.5
    middle = Vec3(floor.center.x, height, floor.center.z)
    return Camera(middle, pitch=90.0, orthographic=max(floor.size.x, floor.size.z) / 2 + 0.1)


def _write(path: Path, picture: ByteArray) -> None:
    from PIL import Image

    from teach_agents.errors import InputError

    if path.suffix.lower() != ".png":
        raise InputError("--out", "pictures are written as PNG; give a name that ends in .png", value=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(path)
    except OSError as error:
        raise InputError("--out", f"the picture cannot be written: {error}", value=path) from error
    typer.echo(f"wrote {path}")
