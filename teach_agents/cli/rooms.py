"""`teach-agents rooms`: the 120 iTHOR rooms of the embedded simulator, listed and drawn."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from teach_agents.simulator.contract import Camera, SimulatorState
    from teach_agents.simulator.embedded.world import World

__all__ = ["RoomView", "app"]

app = typer.Typer(help="The rooms of the embedded simulator: list them, look at them.", no_args_is_help=True)

_KINDS = {1: "kitchen", 2: "living room", 3: "bedroom", 4: "bathroom"}
_GAP = 4
_COLUMNS = 5


class RoomView(StrEnum):
    """From where a room is drawn."""

    OVERHEAD = "overhead"
    FOLLOWER = "follower"


@app.command("list")
def list_rooms() -> None:
    """List every room with its kind and how many objects it has."""
    from rich.console import Console
    from rich.table import Table

    from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room

    table = Table("room", "kind", "objects", "pickupable", "receptacles")
    for name in ROOM_NAMES:
        objects = room(name).objects.values()
        movable = sum(obj.kind.pickupable for obj in objects)
        holders = sum(obj.kind.receptacle for obj in objects)
        table.add_row(name, _kind_of(name), str(len(objects)), str(movable), str(holders))
    Console().print(table)


def _kind_of(name: str) -> str:
    number = int(name.removeprefix("FloorPlan"))
    return _KINDS[number // 100 if number >= 100 else 1]


@app.command()
def show(
    room: Annotated[str, typer.Argument(help="A room, for example FloorPlan1.")],
    out: Annotated[Path | None, typer.Option(help="Write a picture (PNG) here.")] = None,
    view: Annotated[RoomView, typer.Option(help="From where to draw.")] = RoomView.FOLLOWER,
    size: Annotated[int, typer.Option(min=16, max=4096, help="Width and height of the picture, pixels.")] = 600,
) -> None:
    """Say what is in a room, and draw it."""
    from teach_agents.simulator.embedded.loading import load_room

    world = load_room(room)
    counts = Counter(obj.object_type for obj in world.objects.values())
    typer.echo(f"{world.room}: {_kind_of(world.room)}, {len(world.objects)} objects of {len(counts)} types")
    for object_type, count in sorted(counts.items()):
        typer.echo(f"  {object_type}" + (f" x{count}" if count > 1 else ""))
    if out is not None:
        _write(out, _picture(world, view, size))


@app.command()
def sheet(
    out: Annotated[Path, typer.Option(help="Write the contact sheet (PNG) here.")],
    rooms: Annotated[list[str] | None, typer.Argument(help="Rooms; without any, the first five of each kind.")] = None,
    view: Annotated[RoomView, typer.Option(help="From where to draw.")] = RoomView.FOLLOWER,
    size: Annotated[int, typer.Option(min=16, max=2048, help="Width and height of each picture, pixels.")] = 300,
) -> None:
    """Draw many rooms into one picture, five in a row."""
    import numpy as np

    from teach_agents.simulator.embedded.loading import load_room
    from teach_agents.simulator.embedded.rooms import ROOM_NAMES

    names = rooms or [name for i, name in enumerate(ROOM_NAMES) if i % 30 < _COLUMNS]
    pictures = [_picture(load_room(name), view, size) for name in names]
    columns = min(_COLUMNS, len(pictures))
    rows = -(-len(pictures) // columns)
    cell = size + _GAP
    page = np.full((rows * cell - _GAP, columns * cell - _GAP, 3), 255, np.uint8)
    for i, picture in enumerate(pictures):
        y, x = i // columns * cell, i % columns * cell
        page[y : y + size, x : x + size] = picture
    _write(out, page)


def _picture(world: World, view: RoomView, size: int) -> NDArray[np.uint8]:
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


def _write(path: Path, picture: NDArray[np.uint8]) -> None:
    from PIL import Image

    from teach_agents.errors import InputError

    if path.suffix.lower() != ".png":
        raise InputError("--out", "pictures are written as PNG; give a name that ends in .png", value=str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(path)
    except OSError as error:
        raise InputError("--out", f"the picture cannot be written: {error}", value=str(path)) from error
    typer.echo(f"wrote {path}")
