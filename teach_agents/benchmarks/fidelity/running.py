"""One fidelity run: many games over several processes, then the figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.fidelity.rows import SessionRows
from teach_agents.benchmarks.fidelity.summary import Measured, summary_of
from teach_agents.benchmarks.fidelity.worst import worst_classes
from teach_agents.core.benchmark.engines import Job, JobResult, run_jobs
from teach_agents.data.games import GAME_SUFFIX

_WORKER = "teach_agents.benchmarks.fidelity.replay:measure"


def measure_games(
    games: Sequence[Path],
    *,
    click_size: int = 300,
    workers: int = 1,
    time_limit_s: float = 300.0,
    pictures: Path | None = None,
    on_session: Callable[[Measured], None] | None = None,
) -> list[Measured]:
    """Measure every game; the result has one entry per game, in the given order, whoever finishes first.

    A game that cannot be read or replayed, or outlives its time, is an entry with the reason. `click_size` is the size
    in pixels of the pictures that clicks are resolved in. Pictures of missed clicks go into the folder `pictures`.
    """
    folder = None if pictures is None else str(pictures)
    jobs = [
        Job(str(path), {"game": str(path), "click_size": click_size, "pictures": folder})
        for path in dict.fromkeys(games)
    ]
    found: dict[str, Measured] = {}
    for result in run_jobs(jobs, _WORKER, workers=workers, time_limit_s=time_limit_s):
        measured = _measured(result)
        found[result.job_id] = measured
        if on_session is not None:
            on_session(measured)
    return [found[job.job_id] for job in jobs]


def _measured(result: JobResult) -> Measured:
    game_id = Path(result.job_id).name.removesuffix(GAME_SUFFIX)
    rows = result.value.get("rows") if result.status == "done" else None
    if isinstance(rows, SessionRows):
        return Measured(game_id, rows)
    last = result.reason.strip().splitlines()[-1:]
    return Measured(game_id, None, f"{result.status}: {' '.join(last)}")


def figures(sessions: Sequence[Measured], *, click_size: int) -> dict[str, Any]:
    """Everything that `--json` writes: figures, tables, and the worst classes of misses with examples."""
    rows = [one.rows for one in sessions if one.rows is not None]
    worst = {kind: [one.to_json() for one in classes] for kind, classes in worst_classes(rows).items()}
    return {**summary_of(sessions, click_size=click_size), "worst": worst}
