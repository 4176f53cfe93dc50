"""Sessions that an Episodic Transformer can learn: what is seen says what to do, until there is nothing to do."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from teach_agents.actions import Role
from teach_agents.learning.episodic.running import Asked
from teach_agents.learning.episodic.sessions import Session, SessionFolder
from tests.models.episodic.tiny import CELLS, CHANNELS, tiny_sight

__all__ = ["DONE", "asked", "kept", "session"]

DONE = (("Forward", ""), ("Turn Left", ""), ("Pickup", "Mug"), ("Backward", ""), ("Place", "Sink"))
"""What each of five sights calls for."""
_SIZE = 300


def session(number: int, room: str = "FloorPlan1") -> Session:
    """Two stretches of some steps each, with talk before, between and after."""
    dice = np.random.default_rng(number)
    sights = dice.integers(len(DONE), size=9).tolist()
    steps = [DONE[one] for one in sights]
    first, second = 1 + len(steps[:4]), 2 + len(steps)
    places = (*range(1, first), *range(first + 1, second))
    features = np.zeros((len(steps) + 1, CELLS, CHANNELS), np.float16)
    for at, one in enumerate(sights):
        features[at, :, one] = 1
    features[(4, -1), :, 7] = 1
    game_id = f"{number:016x}_abcd"
    return Session(
        game_id=game_id,
        room=room,
        source=hashlib.sha256(game_id.encode()).hexdigest(),
        said=(
            (0, Role.COMMANDER, "bring the mug"),
            (first, Role.FOLLOWER, "the sink ok"),
            (second, Role.COMMANDER, "thanks"),
        ),
        stretches=((1, first), (first + 1, second)),
        actions=tuple(name for name, _ in steps),
        objects=tuple(name for _, name in steps),
        places=places,
        features=features,
    )


def kept(folder: Path, count: int = 6, rooms: int = 1) -> tuple[Path, Path]:
    """Sessions whose features are kept already: where the games lie, and where the features."""
    games, features = folder / "train", folder / "features"
    games.mkdir(parents=True)
    shelf = SessionFolder(features, {**tiny_sight().identity, "view_size": _SIZE})
    for number in range(count):
        one = session(number, f"FloorPlan{1 + number % rooms}")
        (games / f"{one.game_id}.game.json").write_text(one.game_id)
        shelf.keep(one)
    return games, features


def asked(games: Path, features: Path, **more: object) -> Asked:
    """A training of a second or two."""
    small = {"width": 64, "epochs": 2, "batch": 4, "fewest": 1, "held_out": 0.0, "context": 8, "device": "cpu"}
    return Asked.of([games], features, {**small, **more})
