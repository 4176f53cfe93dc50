"""Which EDH instances there are: files, a list of names, or what the filter keeps of a folder of sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from teach_agents.benchmarks.solo.references import (
    THOROUGH,
    Reference,
    Search,
    game_paths,
    instance_files,
    split_of,
)
from teach_agents.core.benchmark.engines import Job, run_jobs
from teach_agents.core.benchmark.selection import chosen
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.edh import edh_id, parse_edh_id, stretches
from teach_agents.data.games import GAME_SUFFIX, read_game
from teach_agents.errors import InputError, TeachAgentsError

if TYPE_CHECKING:
    from teach_agents.household import Household

_WORKER = "teach_agents.benchmarks.edh.finding:kept"


def edh_references(
    *,
    instances: str = "",
    games: str = "",
    names: Sequence[str] = (),
    simulator: str = "embedded",
    search: Search = THOROUGH,
) -> list[Reference]:
    """EDH instances: the files in the folder `instances`, or those cut from the sessions in the folder `games`.

    `names` are ids (a divided split's), in whose order the instances then come, whatever the filter says; without them
    the sessions are carried out, on `simulator`, to see which of their candidates the filter keeps: `search` says how
    many at a time, and how far. Raises `InputError` when nothing is found, and `TeachAgentsError` naming a session that
    could not be carried out.
    """
    if instances:
        found = instance_files(Path(instances), "edh", Path(games) if games else None)
    elif games:
        paths = game_paths(Path(games))
        found = list(_named(paths, names) if names else _filtered(paths, simulator, search))
    else:
        raise InputError("edh", "needs instances=FOLDER of instance files, or games=FOLDER of sessions")
    return list(chosen(found, names)) if names else found


def _named(paths: Sequence[Path], names: Sequence[str]) -> Iterator[Reference]:
    """Every candidate of the sessions that `names` are of."""
    wanted = {parse_edh_id(name)[0] for name in names}
    for path in paths:
        if path.name.removesuffix(GAME_SUFFIX) in wanted:
            game = read_game(path)
            yield from _references(
                path, [edh_id(game.game_id, one.number) for one in stretches(game.episode.interactions)]
            )


def _filtered(paths: Sequence[Path], simulator: str, search: Search) -> Iterator[Reference]:
    """What the filter keeps, in the order of the sessions, however they come back from their processes."""
    ids: dict[Path, list[str]] = {}
    found = reached = 0
    for path, those in _carried_out(paths, simulator, search.workers):
        ids[path] = those
        if search.told:
            search.told(len(ids), len(paths))
        while reached < len(paths) and paths[reached] in ids:
            found += len(ids[paths[reached]])
            reached += 1
            if search.enough is not None and found >= search.enough:
                return (one for path in paths[:reached] for one in _references(path, ids[path]))
    return (one for path in paths for one in _references(path, ids[path]))


def _carried_out(paths: Sequence[Path], simulator: str, workers: int) -> Iterator[tuple[Path, list[str]]]:
    if workers == 1:
        yield from ((path, kept({"game": path, "simulator": simulator})["ids"]) for path in paths)
        return
    jobs = [Job(str(number), {"game": str(path), "simulator": simulator}) for number, path in enumerate(paths)]
    for result in run_jobs(jobs, _WORKER, workers=workers):
        path = paths[int(result.job_id)]
        if result.status != "done":
            raise TeachAgentsError(f"{path}: {' '.join(result.reason.strip().splitlines()[-1:])}")
        yield path, list(result.value["ids"])


def kept(payload: JsonMapping) -> JsonObject:
    """The ids that the filter keeps of one session; `payload` names its file and the simulator."""
    from teach_agents.benchmarks.edh.generating import candidates

    found = candidates(read_game(Path(payload["game"])), _household(payload["simulator"]))
    return {"ids": [one.instance.instance_id for one in found if not one.rejected]}


@lru_cache(maxsize=1)
def _household(simulator: str) -> Household:
    """One household a process."""
    from teach_agents.benchmarks.solo.player import household_for

    return household_for(simulator)


def _references(path: Path, ids: Sequence[str]) -> Iterator[Reference]:
    return (Reference(one, split_of(path), str(path.resolve())) for one in ids)
