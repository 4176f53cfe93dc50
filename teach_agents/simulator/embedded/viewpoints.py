"""From where a room is seen best: what its Follower could see, chosen by how many different objects are in view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Channel, follower_camera
from teach_agents.simulator.embedded.navigation import NavigationMap
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.world import World

_GLANCE = 72
"""Size in pixels of the pictures by which places are compared."""
_LEAST = 6
"""An object with fewer of those pixels does not count as seen."""
_CLOSE = 0.25
"""No single object may fill more of the picture than this, unless nothing better is to be had."""
_NEAR = 0.3
_NOSE = 0.02
"""Nor may more than this share of the picture be nearer than 30 cm."""
_PITCH = 15.0
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
            yield replace(world.agent, position=Vec3(x, height, z), yaw=yaw, horizon=_PITCH)


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
    names = frozenset(i for i, pixels in zip(frame.object_ids, counts, strict=True) if pixels >= _LEAST)
    solid = (n for i, n in zip(frame.object_ids, counts, strict=True) if visitor.objects[i].object_type != "Floor")
    most = max(solid, default=0)
    wall = np.count_nonzero(frame.ids < 0) / 2
    return names, float(max(most, wall)) / frame.ids.size
