"""The benchmarks in which a Follower is alone, by name, and what worker processes do for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.edh.benchmark import EdhBenchmark
from teach_agents.benchmarks.filmstrip import Filmstrip
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.reference_outputs import Seen, write_outputs
from teach_agents.benchmarks.solo.benchmark import FollowerBenchmark
from teach_agents.benchmarks.solo.log import log_path
from teach_agents.benchmarks.solo.player import Player, Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.tfd.benchmark import TfdBenchmark
from teach_agents.core.benchmark.engines import once_per_seat
from teach_agents.data.games import read_game
from teach_agents.errors import TeachAgentsError

__all__ = ["BENCHMARKS", "known_of", "work"]

BENCHMARKS: Mapping[str, type[FollowerBenchmark]] = {one.name: one for one in (EdhBenchmark, TfdBenchmark)}


@once_per_seat
def _player(kind: str, settings: Settings) -> Player:
    """One player, with its household, a seat."""
    return BENCHMARKS[kind].player(settings)


def work(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Carry one instance through, write its log and pictures into the run's folder, and return its line.

    `payload` is made by `FollowerRun`.
    """
    player = _player(payload["kind"], Settings(**payload["settings"]))
    reference, folder = Reference(**payload["reference"]), Path(payload["folder"])
    filmstrip = Filmstrip() if payload["pictures"] else None
    carried = player.carry(reference, filmstrip.watch if filmstrip else None)
    if carried.log is not None:
        carried.log.write(log_path(folder, reference.instance_id))
    if filmstrip:
        filmstrip.finish()
        filmstrip.write(folder, reference.instance_id)
    if payload["reference_outputs"] and carried.log is not None and carried.assignment is not None:
        seen = Seen.of(player.household, read_game(reference.game), carried.assignment.past, carried.log)
        write_outputs(Path(payload["reference_outputs"]), seen, carried.log)
    return dict(carried.line)


def known_of(kind: str, reference: Reference) -> Outcome:
    """What is known of an instance without running it: its task, room, length, and first counts where a file has them.

    What cannot be read is left blank, so that the instance counts as failed all the same.
    """
    blank = Outcome.blank(reference.instance_id, Status.MISSING)
    try:
        game = read_game(reference.game)
        blank = replace(blank, task_name=game.task.task_name, cluster=game.episode.room)
        length, initial = BENCHMARKS[kind].player.foreknown(reference, game)
    except (TeachAgentsError, KeyError, TypeError):
        return blank
    return replace(blank, reference_length=length, initial=initial)
