"""Other colours and other light for a room: what must not matter to eyes that are to know a mug from a cup.

Every object gets a colour change of its own, most of them slight, some wild, since a tomato is red but a vase may have
any colour; so do floor and walls. Then what a camera does: exposure, tint, noise, blur, JPEG.
"""

from __future__ import annotations

import io
import math

import numpy as np
from PIL import Image, ImageFilter

from teach_agents.arrays import BoolArray, ByteArray, Float32Array, FloatArray, Int32Array
from teach_agents.simulator.contract import Camera, Channel, Frame, SimulatorState
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.render import paint
from teach_agents.simulator.embedded.room_shell import RoomShell
from teach_agents.simulator.embedded.shapes.assembly import assembly_of

_WILD, _WILD_STRUCTURE = 0.1, 0.5
"""Share of objects, and of walls, floors and fittings, that get any colour at all."""
_HUE_DEG = 10.0
_ALL = frozenset(Channel)
_GREY = np.full((3, 3), 1 / 3)
_CROSS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]) / math.sqrt(3)
_NOISY, _BLURRED, _PACKED = 0.5, 0.15, 0.2
"""How often a picture is noisy, out of focus, compressed."""


def drawn(state: SimulatorState, camera: Camera, size: int, dice: np.random.Generator | None) -> Frame:
    """All channels of a view, in the colours and light that `dice` make of it (`None`: as it is).

    The state's own colours are put back before this returns.
    """
    assembly = assembly_of(state)
    shell = RoomShell.of(assembly, state)
    shell.prepare(assembly, state, camera)
    light, pool = shell.light(state), assembly.arena.meshed()
    kept = pool.rows.copy()
    try:
        if dice is not None:
            _paint_over(pool.rows, pool.infos[:, at.SLOT], pool.slots[:, at.SLOT_ID] >= 0, dice)
            light = _relit(light, dice)
        pixels = paint(assembly.arena, camera, light, _ALL, size)
    finally:
        pool.rows[:] = kept
    return Frame(assembly.object_ids, pixels.rgb, pixels.ids, pixels.depth)


def _paint_over(rows: Float32Array, slots: Int32Array, objects: BoolArray, dice: np.random.Generator) -> None:
    """Change the colours of part rows, alike within a slot; `objects` says which slots are no structure."""
    count = len(objects)
    wild = dice.random(count) < np.where(objects, _WILD, _WILD_STRUCTURE)
    hue = np.where(wild, dice.uniform(-180, 180, count), dice.normal(0, _HUE_DEG, count))
    rich = dice.uniform(0.6, 1.4, count)
    bright = np.where(wild, dice.uniform(0.45, 1.25, count), dice.uniform(0.75, 1.2, count))
    changes = _colour_changes(hue, rich, bright).astype(np.float32)[slots]
    for first in (at.COLOUR, at.SECOND):
        colours = np.einsum("nij,nj->ni", changes, rows[:, first : first + 3])
        rows[:, first : first + 3] = np.clip(colours, 4.0, 255.0)
    rows[:, at.GLOSS] *= dice.uniform(0.5, 1.4, count).astype(np.float32)[slots]


def _colour_changes(hue: FloatArray, rich: FloatArray, bright: FloatArray) -> FloatArray:
    """Matrices, n x 3 x 3, that turn colours about the grey axis by `hue` degrees, and scale their distance to it."""
    sine, cosine = (f(np.radians(hue))[:, None, None] for f in (np.sin, np.cos))
    turn = _GREY + cosine * (np.eye(3) - _GREY) + sine * _CROSS
    spread = _GREY + rich[:, None, None] * (np.eye(3) - _GREY)
    made: FloatArray = bright[:, None, None] * (turn @ spread)
    return made


def _relit(light: Float32Array, dice: np.random.Generator) -> Float32Array:
    """The lamp elsewhere, brighter or darker, and daylight from elsewhere."""
    made = light.copy()
    made[at.LAMP : at.LAMP + 3] += dice.uniform((-1.0, -0.4, -1.0), (1.0, 0.1, 1.0)).astype(np.float32)
    made[at.STRENGTH] *= dice.uniform(0.5, 1.35)
    made[at.AMBIENT] *= dice.uniform(0.7, 1.2)
    around, up, strength = dice.uniform(0, 2 * math.pi), dice.uniform(-0.2, 0.9), dice.uniform(0.0, 0.4)
    made[at.DAY : at.DAY + 3] = strength * np.array([math.cos(around), up, math.sin(around)])
    return made


def photographed(rgb: ByteArray, dice: np.random.Generator) -> ByteArray:
    """The picture (H x W x 3) as some camera would have taken it."""
    exposure, tint = dice.uniform(0.75, 1.25), dice.normal(1.0, 0.04, 3)
    contrast = dice.uniform(0.85, 1.15)
    made = (rgb.astype(np.float32) - 128) * np.float32(contrast) + 128
    made *= (exposure * tint).astype(np.float32)
    if dice.random() < _NOISY:
        made += np.float32(dice.uniform(1, 7)) * dice.standard_normal((*rgb.shape[:2], 1), np.float32)
    picture: ByteArray = np.clip(made, 0, 255).astype(np.uint8)
    if dice.random() < _BLURRED:
        picture = np.asarray(Image.fromarray(picture).filter(ImageFilter.GaussianBlur(dice.uniform(0.3, 0.9))))
    if dice.random() < _PACKED:
        file = io.BytesIO()
        Image.fromarray(picture).save(file, "JPEG", quality=int(dice.integers(45, 95)))
        picture = np.asarray(Image.open(file).convert("RGB"))
    return picture
