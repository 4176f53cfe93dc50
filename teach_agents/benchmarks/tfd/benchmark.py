"""TfD: a Follower carries out a whole session's task from all that was said in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from teach_agents.benchmarks.solo.benchmark import FollowerBenchmark
from teach_agents.benchmarks.solo.references import (
    THOROUGH,
    Reference,
    Search,
    game_paths,
    instance_files,
    split_of,
)
from teach_agents.core.benchmark.selection import chosen
from teach_agents.data.games import GAME_SUFFIX, read_game
from teach_agents.data.tfd import tfd_from_game, tfd_id, write_tfd
from teach_agents.errors import InputError


def tfd_references(
    *,
    instances: str = "",
    games: str = "",
    names: Sequence[str] = (),
    simulator: str = "",
    search: Search = THOROUGH,
) -> list[Reference]:
    """TfD instances: the files in the folder `instances`, or one of every session in the folder `games`.

    `names` are ids of instances or games, in whose order the instances then come; no simulator and no search is
    needed to tell what there is. Raises `InputError` when nothing is found.
    """
    if instances:
        found = instance_files(Path(instances), "tfd", Path(games) if games else None)
    elif games:
        found = [
            Reference(tfd_id(path.name.removesuffix(GAME_SUFFIX)), split_of(path), str(path.resolve()))
            for path in game_paths(Path(games))
        ]
    else:
        raise InputError("tfd", "needs instances=FOLDER of instance files, or games=FOLDER of sessions")
    ids = [name if name.endswith(".tfd") else tfd_id(name) for name in names]
    return list(chosen(found, ids)) if ids else found


class TfdBenchmark(FollowerBenchmark):
    """Trajectory from dialogue: let a Follower carry out a whole session from all that was said in it.

    Success is the session's task in the final state. The format of instance files is inferred: no released one was at
    hand (specification 1.8); games may be named for their instances.

    [bold]Example[/bold]

      teach-agents tfd --games teach/games/valid_seen --follower random --workers 2 --out runs/tfd_random

    Exits with status 3 where no instance came to an end of its own: each crashed, timed out or could not be restored.
    """

    name = "tfd"
    title = "TfD"
    player = "teach_agents.benchmarks.tfd.player:TfdPlayer"
    find = staticmethod(tfd_references)

    @staticmethod
    def cut(path: Path, out: Path, *, every: bool) -> Iterator[str]:
        """Write one session's instance; tells that."""
        instance = tfd_from_game(read_game(path))
        write_tfd(instance, out / f"{instance.instance_id}.json")
        yield "instances written"
