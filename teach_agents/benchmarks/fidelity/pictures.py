"""Pictures of misses: what the Follower sees here where a click or a step went otherwise than recorded."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import numpy as np

from teach_agents.actions import Action
from teach_agents.arrays import ByteArray
from teach_agents.household.search import rim
from teach_agents.observations import Pose
from teach_agents.simulator.contract import Camera, Channel, ObjectState, Simulator, follower_camera

Picture = ByteArray

_SIZE = 600
_CROP = 300
_QUALITY = 85
_ARM = 12
_RECORDED = (40, 200, 70)
_FOUND = (220, 50, 40)
_CLICK = (250, 220, 40)
_NEAR = 0.05
_HEADINGS = {"Forward": 0.0, "Pan Right": 90.0, "Backward": 180.0, "Pan Left": 270.0}
_STEP_PITCH = 40.0


class MissCamera:
    """Takes the pictures of one session; they go into `folder`, each under `GAME_ID.INDEX.jpg`."""

    def __init__(self, folder: Path, game_id: str, simulator: Simulator) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._game_id = game_id
        self._simulator = simulator

    def click(self, index: int, action: Action, wanted: str, found: str) -> str:
        """The present view and a part of it around the click, side by side; returns the file's name.

        What was recorded is outlined in green (a rectangle where it would be if nothing hid it, when no pixel shows
        it), what the click chooses here in red; the click is a yellow cross.
        """
        camera = follower_camera(self._simulator.state.agent)
        frame = self._simulator.view(camera, frozenset({Channel.RGB, Channel.IDS}), size=_SIZE)
        assert frame.rgb is not None and frame.ids is not None
        picture = frame.rgb.copy()
        ids = list(frame.object_ids)
        for object_id, colour in ((found, _FOUND), (wanted, _RECORDED)):
            mask = frame.ids == (ids.index(object_id) if object_id in ids else -2)
            if mask.any():
                picture[rim(mask)] = colour
            elif object_id == wanted and object_id in self._simulator.state.objects:
                _frame(picture, camera, self._simulator.state.objects[object_id])
        column, row = (_pixel(at) for at in (action.x, action.y))
        _cross(picture, row, column)
        return self._keep(index, np.hstack([picture[::2, ::2], _crop(picture, row, column)]))

    def step(self, index: int, action: str) -> str:
        """What lies where a step of this name leads, with the eyes turned that way; returns the file's name."""
        pose = self._simulator.state.agent
        ahead = Pose(pose.position, (pose.yaw + _HEADINGS[action]) % 360.0, _STEP_PITCH, pose.standing)
        frame = self._simulator.view(follower_camera(ahead), frozenset({Channel.RGB}), size=_CROP)
        assert frame.rgb is not None
        return self._keep(index, frame.rgb)

    def _keep(self, index: int, picture: Picture) -> str:
        from PIL import Image

        name = f"{self._game_id}.{index}.jpg"
        Image.fromarray(np.ascontiguousarray(picture)).save(self._folder / name, quality=_QUALITY)
        return name


def _pixel(at: float | None) -> int:
    """A click's row or column, drawn into the picture where it lies outside."""
    return min(max(round((at or 0.0) * _SIZE), 0), _SIZE - 1)


def _cross(picture: Picture, row: int, column: int) -> None:
    for side in (-1, 1):
        low, high = sorted((side * 4, side * _ARM))
        rows, columns = (slice(max(at + low, 0), max(at + high, 0)) for at in (row, column))
        picture[rows, max(column - 1, 0) : column + 1] = _CLICK
        picture[max(row - 1, 0) : row + 1, columns] = _CLICK


def _crop(picture: Picture, row: int, column: int) -> Picture:
    top, left = (min(max(at - _CROP // 2, 0), _SIZE - _CROP) for at in (row, column))
    part: Picture = picture[top : top + _CROP, left : left + _CROP]
    return part


def _frame(picture: Picture, camera: Camera, obj: ObjectState) -> None:
    found = projected(camera, obj)
    if found is None:
        return
    left, top, right, bottom = map(_pixel, found)
    for row in (top, bottom):
        picture[row, left:right:2] = _RECORDED
    for column in (left, right):
        picture[top:bottom:2, column] = _RECORDED


def projected(camera: Camera, obj: ObjectState) -> tuple[float, float, float, float] | None:
    """(left, top, right, bottom) of an object's box in a camera's frame, as fractions; `None` behind the camera.

    Fractions outside [0, 1] lie outside the frame.
    """
    spread = math.tan(math.radians(camera.field_of_view) / 2)
    angles = map(math.radians, (camera.yaw, camera.pitch))
    (sin_yaw, cos_yaw), (sin_pitch, cos_pitch) = ((math.sin(angle), math.cos(angle)) for angle in angles)
    points = []
    for corner in product(*zip(obj.box.low, obj.box.high, strict=True)):
        dx, dy, dz = (there - here for there, here in zip(corner, camera.position, strict=True))
        level = dx * sin_yaw + dz * cos_yaw
        depth = level * cos_pitch - dy * sin_pitch
        if depth < _NEAR:
            return None
        across = (dx * cos_yaw - dz * sin_yaw) / (depth * spread)
        upward = (level * sin_pitch + dy * cos_pitch) / (depth * spread)
        points.append(((1 + across) / 2, (1 - upward) / 2))
    columns, rows = zip(*points, strict=True)
    return min(columns), min(rows), max(columns), max(rows)
