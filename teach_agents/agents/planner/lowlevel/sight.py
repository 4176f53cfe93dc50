"""What the Follower should see, worked out from boxes: for a Commander that must say where to click."""

from __future__ import annotations

import numpy as np

from teach_agents.agents.acting.looking import EYE_HEIGHT, camera_axes
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.arrays import Float32Array, FloatArray
from teach_agents.observations import Pose, Segmentation

_SIZE = 60
_FAR = 20.0
_SLAB = 0.05
_SURFACES = frozenset("CounterTop DiningTable SideTable CoffeeTable Desk Shelf TVStand Dresser Plate Pan".split())
_SINKS = frozenset({"Sink", "SinkBasin"})
_UNSEEN = frozenset("Floor Curtains Window Mirror Painting Poster ShelvingUnit".split())


def imagined_view(things: Things, pose: Pose) -> tuple[Segmentation, Float32Array]:
    """Object ids (60 x 60) and depth along the optical axis, metres, as if everything were its box.

    A closed or solid thing shows its near faces; an open one shows its far faces, so that what it holds is seen;
    surfaces are slabs at the bottom of their box, with holes for sinks.
    """
    seen = [thing for thing in things if not thing.has("isPickedUp") and thing.object_type not in _UNSEEN]
    ids = [thing.object_id for thing in seen]
    eye = np.asarray(pose.position) + (0.0, EYE_HEIGHT, 0.0)
    rays, forward = _rays(pose)
    low = np.array([thing.low for thing in seen])
    high = np.array([_top(thing) for thing in seen])
    through = np.array(
        [thing.object_type not in _SURFACES and thing.has("receptacle") and not thing.is_shut for thing in seen]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = ((corner - eye) / rays[:, None] for corner in (low, high))
    enter = np.nanmax(np.minimum(first, second), axis=2)
    leave = np.nanmin(np.maximum(first, second), axis=2)
    met = (enter < leave) & (leave > 0.0)
    distance = np.where(met, np.where(through | (enter < 0.0), leave, enter), np.inf)
    sinks, counters = (np.array([thing.object_type in kinds for thing in seen]) for kinds in (_SINKS, {"CounterTop"}))
    distance = np.where(met[:, sinks].any(axis=1, keepdims=True) & counters, np.inf, distance)
    nearest = distance.argmin(axis=1)
    best = distance.min(axis=1)
    found = np.where(np.isfinite(best), nearest, -1).astype(np.int32).reshape(_SIZE, _SIZE)
    depth = np.where(np.isfinite(best), best * (rays @ forward), _FAR).astype(np.float32).reshape(_SIZE, _SIZE)
    return Segmentation(found, ids), depth


def _rays(pose: Pose) -> tuple[FloatArray, FloatArray]:
    right, up, forward = camera_axes(pose)
    at = (np.arange(_SIZE) + 0.5) / _SIZE * 2 - 1
    across, above = np.meshgrid(at, -at)
    rays = forward + np.outer(across, right) + np.outer(above, up)
    return rays / np.linalg.norm(rays, axis=1, keepdims=True), forward


def _top(thing: Thing) -> tuple[float, float, float]:
    x, y, z = thing.high
    if thing.object_type in _SINKS:
        return x, y + _SLAB, z
    return (x, min(y, thing.low.y + _SLAB), z) if thing.object_type in _SURFACES else (x, y, z)
