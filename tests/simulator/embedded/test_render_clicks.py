"""Recorded people's clicks hit, in our pictures, what they hit in AI2-THOR (fidelity notes, section 2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Channel, Frame, ObjectState, StoredState, follower_camera
from teach_agents.simulator.embedded.loading import load_stored
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.world import World

SIZE = 300
SCREEN = 900
WINDOW = 10
PICKUP, PLACE, OPEN, CLOSE, TOGGLE_ON, TOGGLE_OFF, SLICE = 200, 201, 202, 203, 204, 205, 206
QUALIFIES: Mapping[int, Callable[[ObjectState], bool]] = {
    PICKUP: lambda obj: obj.kind.pickupable and not obj.is_picked_up,
    PLACE: lambda obj: obj.kind.receptacle,
    OPEN: lambda obj: obj.kind.openable and not obj.is_open,
    CLOSE: lambda obj: obj.kind.openable and obj.is_open,
    TOGGLE_ON: lambda obj: obj.kind.toggleable and not obj.is_toggled,
    TOGGLE_OFF: lambda obj: obj.kind.toggleable and obj.is_toggled,
    SLICE: lambda obj: obj.kind.sliceable and not obj.is_sliced,
}
"""Which objects an action can mean (TEACh specification 5.2)."""
EFFECTS: Mapping[int, Mapping[str, Any]] = {
    OPEN: {"openness": 1.0},
    CLOSE: {"openness": 0.0},
    TOGGLE_ON: {"is_toggled": True},
    TOGGLE_OFF: {"is_toggled": False},
}
MOVES_THINGS = (PICKUP, PLACE, SLICE)


def resolve(frame: Frame, world: World, action: int, x: float, y: float) -> str | None:
    """The object a click means: the one under it, else the one with the largest share near it."""
    assert frame.ids is not None
    px, py = (round(SCREEN * value) * SIZE / SCREEN for value in (x, y))
    fits = QUALIFIES[action]
    under = frame.ids[min(int(py), SIZE - 1), min(int(px), SIZE - 1)]
    if under >= 0 and fits(world.objects[frame.object_ids[under]]):
        return str(frame.object_ids[under])
    reach = WINDOW * SIZE / SCREEN
    rows, columns = (slice(max(0, round(p - reach)), round(p + reach)) for p in (py, px))
    best: tuple[float, str] = (0.0, "")
    for index, count in zip(*np.unique(frame.ids[rows, columns], return_counts=True), strict=True):
        if index >= 0 and fits(world.objects[frame.object_ids[index]]):
            best = max(best, (float(count / (frame.ids == index).sum()), frame.object_ids[index]))
    return best[1] or None


def clicks_before_anything_moved(path: Path) -> Iterator[tuple[str, str | None]]:
    """Recorded target and ours, for every successful click of a game up to the first thing that moved."""
    episode = json.loads(path.read_text())["tasks"][0]["episodes"][0]
    body = episode["initial_state"]["agents"][1]
    position = Vec3(*(body["position"][axis] for axis in "xyz"))
    agent = Pose(position, body["rotation"]["y"], body["cameraHorizon"])
    world = load_stored(StoredState(episode["world"], episode["initial_state"]["objects"], agent))
    renderer = Renderer()
    for item in episode["interactions"]:
        action, pose, target = item["action_id"], item.get("pose"), item.get("oid")
        if item["agent_id"] != 1:
            continue
        if pose and action < 10:
            world.move_agent(Pose(Vec3(-pose[1], pose[2], pose[0]), -pose[5] % 360, pose[4]))
        elif action in QUALIFIES and item.get("success") == 1 and target in world.objects and item["x"] >= 0:
            frame = renderer.view(world, follower_camera(world.agent), frozenset((Channel.IDS,)), SIZE)
            yield target, resolve(frame, world, action, item["x"], item["y"])
            if action in MOVES_THINGS:
                return
            world.update(target, **EFFECTS[action])


@pytest.mark.data
def test_clicks_of_recorded_sessions_hit_what_they_hit_in_ai2thor(teach_data: Path) -> None:
    games = sorted((teach_data / "games" / "train").glob("*.game.json"))[5::20][:60]
    assert len(games) == 60
    clicks = [click for game in games for click in clicks_before_anything_moved(game)]
    assert len(clicks) > 60
    assert np.mean([target == ours for target, ours in clicks]) >= 0.85
