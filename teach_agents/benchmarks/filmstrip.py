"""Pictures of an episode for its report: the room from above, and what the Follower saw at even distances of time."""

from __future__ import annotations

import glob
import io
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from teach_agents.actions import Role
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.household import Household

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_FRAMES = 8
_SIZE = 240
"""Pixels; larger pictures are made smaller."""

_QUALITY = 82
_FOLDER = "pictures"
_ROOM = "room"


class Filmstrip:
    """Pictures of one episode: `watch` between its steps, `finish` when it is over, then `write`.

    However long an episode becomes, up to 8 frames at even distances are kept, the first among them, and the last one;
    few more are drawn.
    """

    def __init__(self) -> None:
        self._household: Household | None = None
        self._frames: dict[int, NDArray[np.uint8]] = {}
        self._rooms: dict[str, NDArray[np.uint8]] = {}
        self._stride = 1
        self._steps = 0

    def watch(self, household: Household, steps: int) -> None:
        """The household stands after so many steps."""
        self._household, self._steps = household, steps
        if steps == 0:
            self._draw_room(household, "0")
        if steps % self._stride == 0:
            self._frames[steps] = household.observe(Role.FOLLOWER).view.rgb
            if len(self._frames) > _FRAMES:
                self._stride *= 2
                self._frames = {step: frame for step, frame in self._frames.items() if step % self._stride == 0}

    def finish(self) -> None:
        """The household stands at the episode's end. What can no longer be drawn is left out."""
        household = self._household
        if household is None:
            return
        try:
            self._frames[self._steps] = household.observe(Role.FOLLOWER).view.rgb
            self._draw_room(household, "1")
        except Exception:  # noqa: BLE001  # a simulator that broke down has failed the episode already
            return

    def write(self, folder: Path, instance_id: str) -> None:
        """Write `pictures/<instance_id>.*.jpg`, in place of any that are there. Raises `OSError`."""
        found = {f"{_ROOM}{name}": room for name, room in self._rooms.items()}
        found |= {f"{step:05d}": frame for step, frame in sorted(self._frames.items())}
        pictures = folder / _FOLDER
        pictures.mkdir(parents=True, exist_ok=True)
        for old in pictures.glob(f"{glob.escape(instance_id)}.*.jpg"):
            old.unlink()
        for name, picture in found.items():
            write_atomically(pictures / f"{instance_id}.{name}.jpg", _jpeg(picture))

    def _draw_room(self, household: Household, name: str) -> None:
        overhead = household.observe(Role.FOLLOWER).overhead
        if overhead is not None:
            self._rooms[name] = overhead.rgb


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    image = Image.fromarray(picture)
    image.thumbnail((_SIZE, _SIZE))
    file = io.BytesIO()
    image.save(file, format="jpeg", quality=_QUALITY)
    return file.getvalue()


def pictures_in(folder: Path) -> dict[str, list[tuple[str, Path]]]:
    """The pictures of a run's episodes by instance, each with what it shows: the room, the frames, the room again."""
    found: dict[str, list[tuple[str, Path]]] = defaultdict(list)
    rooms: dict[str, list[Path]] = defaultdict(list)
    for path in sorted((folder / _FOLDER).glob("*.jpg")):
        instance_id, _, name = path.name.removesuffix(".jpg").rpartition(".")
        if name.startswith(_ROOM):
            rooms[instance_id].append(path)
        elif name.isdecimal():
            found[instance_id].append((f"step {int(name)}", path))
    for instance_id, (first, *last) in rooms.items():
        frames = found[instance_id]
        found[instance_id] = [("the room", first), *frames, *(("the room at the end", path) for path in last)]
    return dict(found)
