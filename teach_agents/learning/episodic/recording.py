"""People's sessions carried out again, and what their Followers saw turned into features at once."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from teach_agents.actions import Role
from teach_agents.benchmarks.edh.restoring import Restorer, remember
from teach_agents.benchmarks.solo.player import household_for
from teach_agents.data import Game, Keyboard, read_game
from teach_agents.data.edh import stretches
from teach_agents.data.follower_actions import follower_actions
from teach_agents.household import Household, Scenario
from teach_agents.learning.demonstrations import digest
from teach_agents.learning.episodic.sessions import Session, SessionFolder
from teach_agents.models.batches import in_batches
from teach_agents.models.episodic.sight import CHANNELS, ENCODER, Sight
from teach_agents.models.episodic.vocabulary import ACTION_NUMBER, object_class
from teach_agents.models.local.packages import torch
from teach_agents.observations import View

_AT_ONCE = 16
"""Frames that are drawn before they are encoded."""


@dataclass(frozen=True, slots=True)
class How:
    """How sessions become features. `view_size` is the width and height of frames in pixels, as runs show them."""

    encoder: str = ENCODER
    channels: int = CHANNELS
    view_size: int = 300


@dataclass(frozen=True, slots=True)
class Source:
    """A game file: the session's id, and the SHA-256 of the file."""

    path: Path
    game_id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A session that could not be carried out, and why."""

    game_id: str
    why: str


def sources(paths: Sequence[Path]) -> list[Source]:
    """The game files `*.game.json`, by their ids."""
    found = (Source(path, path.name.removesuffix(".game.json"), digest(path)) for path in paths)
    return sorted(found, key=lambda one: one.game_id)


def record(game: Game, sha256: str, household: Household, sight: Sight) -> Session:
    """Carry a session out again and look at what its Follower saw. Raises `SceneError` or `DefinitionError`."""
    interactions = game.episode.interactions
    household.reset(Scenario.from_game(game))
    actions = follower_actions(interactions)
    indices = [index for index, one in enumerate(interactions) if one.role is Role.FOLLOWER and one.success]
    history = remember(household, Restorer(household), interactions, actions)
    kept = [number for number, one in enumerate(actions) if one.action in ACTION_NUMBER]
    last = household.observe(Role.FOLLOWER).view
    return Session(
        game_id=game.game_id,
        room=game.episode.room,
        source=sha256,
        said=tuple((at, one.role, one.utterance) for at, one in enumerate(interactions) if isinstance(one, Keyboard)),
        stretches=tuple((one.start, one.end) for one in stretches(interactions)),
        actions=tuple(actions[number].action for number in kept),
        objects=tuple(object_class(actions[number].object_id or "") for number in kept),
        places=tuple(indices[number] for number in kept),
        features=_looked(sight, [*(history.views[number] for number in kept), last]),
    )


def _looked(sight: Sight, views: Sequence[View]) -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
    return np.concatenate([sight.look([one.rgb for one in batch]) for batch in in_batches(views, _AT_ONCE)])


def fill(
    folder: SessionFolder,
    wanted: Sequence[Source],
    how: How,
    *,
    workers: int = 1,
    told: Callable[[int, int], None] = lambda done, total: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[Failure]:
    """Put every session into the folder that is not there, or came from another file of this name.

    A session is carried out in one of `workers` processes, with one thread each. `told` how many are there of how many;
    once `stopped`, no other is begun. What fails is given back, and breaks nothing else.
    """
    missing = [one for one in wanted if folder.source(one.game_id) != one.sha256]
    done, failures = len(wanted) - len(missing), []
    told(done, len(wanted))
    for failed in _recorded(folder, missing, how, workers, stopped):
        done += 1
        failures += [failed] if failed else []
        told(done, len(wanted))
    return failures


def _recorded(
    folder: SessionFolder, missing: Sequence[Source], how: How, workers: int, stopped: Callable[[], bool]
) -> Iterator[Failure | None]:
    if workers == 1 or len(missing) < 2:
        for source in missing:
            if stopped():
                return
            yield _keep(folder, source, how)
        return
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(missing)), mp_context=spawning, initializer=_alone) as pool:
        left, running = list(reversed(missing)), set[Future[Failure | None]]()
        while True:
            while left and len(running) < workers and not stopped():
                running.add(pool.submit(_keep, folder, left.pop(), how))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)


def _alone() -> None:
    """One thread; Ctrl-C, which a terminal sends to all processes, is the first one's to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch().set_num_threads(1)


def _keep(folder: SessionFolder, source: Source, how: How) -> Failure | None:
    """Make one session and keep it."""
    sight, household = _tools(how)
    try:
        made = record(read_game(source.path), source.sha256, household, sight)
    except Exception as error:  # noqa: BLE001  # a broken game is a session less, never a lost training
        return Failure(source.game_id, f"{type(error).__name__}: {error}")
    folder.keep(made)
    return None


@cache
def _tools(how: How) -> tuple[Sight, Household]:
    return Sight(how.encoder, how.channels), household_for("embedded", how.view_size)
