"""Recorded human sessions as steps and placements, for measuring geometry against what people could do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.data import Game, iter_games
from teach_agents.data.interactions import Interaction, Motion, ObjectInteraction
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera, StoredState, follower_camera
from teach_agents.simulator.embedded.loading import load_stored
from teach_agents.simulator.embedded.world import World

__all__ = ["Step", "click_on_plane", "follower_turns", "sample", "steps_of", "world_of"]

_WAYS = {"Forward": (0, 1), "Backward": (0, -1), "Pan Left": (-1, 0), "Pan Right": (1, 0)}


@dataclass(frozen=True)
class Step:
    """One recorded motion of the Follower by 0.25 m."""

    start: Vec3
    dx: float
    dz: float
    allowed: bool


def sample(folder: Path, every: int) -> Iterator[Game]:
    """Every n-th game of a split, in file order."""
    yield from iter_games(sorted(folder.glob("*.game.json"))[::every])


def world_of(game: Game) -> World:
    """The session's initial state."""
    state = game.episode.initial_state
    return load_stored(StoredState(game.episode.room, state.objects, state.follower))


def follower_turns(game: Game) -> Iterator[tuple[Interaction, Pose]]:
    """The Follower's actions, each with the body's pose before it."""
    pose = game.episode.initial_state.follower
    for interaction in game.episode.interactions:
        if interaction.role is Role.FOLLOWER:
            yield interaction, pose
            if isinstance(interaction, Motion):
                z, minus_x, y, _, horizon, minus_yaw = interaction.values
                pose = Pose(Vec3(-minus_x, y, z), -minus_yaw % 360.0, horizon)


def steps_of(game: Game) -> Iterator[Step]:
    """The Follower's recorded steps in world coordinates."""
    for interaction, pose in follower_turns(game):
        way = _WAYS.get(interaction.action)
        if way is not None:
            sine, cosine = round(math.sin(math.radians(pose.yaw))), round(math.cos(math.radians(pose.yaw)))
            right, ahead = way
            dx, dz = right * cosine + ahead * sine, ahead * cosine - right * sine
            yield Step(pose.position, dx * 0.25, dz * 0.25, bool(interaction.success))


def click_on_plane(pose: Pose, click: ObjectInteraction, height: float) -> Vec3:
    """Where the ray of a click meets a level plane, at most 3 m out."""
    camera: Camera = follower_camera(pose)
    yaw, pitch = math.radians(camera.yaw), math.radians(camera.pitch)
    u, v = 2 * click.x - 1, 1 - 2 * click.y
    level = math.cos(pitch) + v * math.sin(pitch)
    ray = Vec3(
        math.sin(yaw) * level + u * math.cos(yaw),
        -math.sin(pitch) + v * math.cos(pitch),
        math.cos(yaw) * level - u * math.sin(yaw),
    )
    length = math.sqrt(ray.x**2 + ray.y**2 + ray.z**2)
    far = 3.0 / length
    along = min(far, (height - camera.position.y) / ray.y) if ray.y < -1e-3 else far
    x, y, z = camera.position
    return Vec3(x + along * ray.x, y + along * ray.y, z + along * ray.z)
