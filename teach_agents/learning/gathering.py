"""Gathering demonstrations session by session, over several processes, into a folder that can be gone on with."""

from __future__ import annotations

import json
import shutil
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from teach_agents.benchmarks.base import teach_environment
from teach_agents.core.benchmark.engines import Job, run_jobs
from teach_agents.core.benchmark.folder import RunFolder, storing, write_atomically
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.learning.demonstrations import Demonstration, read_demonstrations, write_demonstrations

DEMONSTRATIONS = "demonstrations.jsonl.gz"
"""What a folder's demonstrations are in when all sessions are done."""
_SESSIONS = "sessions"

Made = tuple[list[Demonstration], JsonObject]
"""A session's demonstrations, and what is to be told of it."""


@dataclass(frozen=True, slots=True)
class Source:
    """One session to make demonstrations of: `payload` is all that the worker is told of it."""

    name: str
    payload: JsonMapping


@dataclass(frozen=True, slots=True)
class Gathered:
    """What became of one session: `status` is `done`, `crashed` or `timed_out`."""

    name: str
    status: str
    told: JsonMapping
    reason: str = ""


class Gathering:
    """The folder of one run.

    `settings.json` says what was asked, `sessions/` holds a file for each session, whole or absent, `sessions.jsonl`
    what is to be told of each, `demonstrations.jsonl.gz` all of them and `summary.json` the counts. Opened again for
    the same it goes on, and takes up again what broke. Raises `InputError` where the folder holds something else.
    """

    def __init__(self, folder: Path, worker: str, how: JsonMapping, sources: Sequence[Source]) -> None:
        self.folder = folder
        self._worker = worker
        self._sources = tuple(sources)
        self._how = dict(how)
        asked = {"worker": worker, "how": self._how, "sessions": [one.name for one in sources]}
        self._results = RunFolder(folder, "sessions.jsonl", asked, environment=teach_environment)
        with storing(folder):
            (folder / _SESSIONS).mkdir(exist_ok=True)

    def results(self) -> dict[str, Gathered]:
        """What became of each session so far, by name."""
        rows = {str(row["name"]): row for row in self._results.journal if "name" in row}
        return {name: Gathered(name, row["status"], row["told"], row["reason"]) for name, row in rows.items()}

    def gather(
        self, *, workers: int = 1, time_limit_s: float = 1800.0, on_session: Callable[[Gathered], None] | None = None
    ) -> JsonMapping:
        """Make what is not yet made; the summary. Raises `InputError` while another process does."""
        with self._results.running():
            known = self.results()
            todo = [one for one in self._sources if one.name not in known or known[one.name].status != "done"]
            jobs = [Job(one.name, self._payload(one)) for one in todo]
            for result in run_jobs(jobs, self._worker, workers=workers, time_limit_s=time_limit_s):
                one = Gathered(result.job_id, result.status, result.value, result.reason)
                row = {"name": one.name, "status": one.status, "told": dict(one.told), "reason": one.reason}
                self._results.keep(row, broke_down=one.status == "crashed")
                if on_session:
                    on_session(one)
            return self._finish()

    def _payload(self, source: Source) -> JsonObject:
        return {"source": dict(source.payload), "how": self._how, "file": str(self._file(source.name).resolve())}

    def _file(self, name: str) -> Path:
        return self.folder / _SESSIONS / f"{name}.jsonl.gz"

    def _finish(self) -> JsonMapping:
        """Put all sessions' files into one, in order, and count."""
        results = self.results()
        done = [one.name for one in self._sources if one.name in results and results[one.name].status == "done"]
        with storing(self.folder):
            _joined(self.folder / DEMONSTRATIONS, [self._file(name) for name in done])
            summary = _summary([results[one.name] for one in self._sources if one.name in results])
            write_atomically(self.folder / "summary.json", json.dumps(summary, indent=1) + "\n")
        return summary


def stored(payload: JsonMapping, make: Callable[[], Made]) -> JsonObject:
    """Carry a job of a `Gathering` out: make a session's demonstrations and write its file; what is told of it."""
    begun = process_time()
    made, told = make()
    write_demonstrations(payload["file"], made)
    counts = Counter(f"{one.kind} {one.role.value}" for one in made)
    sizes: dict[str, Counter[int]] = {}
    for one in made:
        sizes.setdefault(f"{one.kind} {one.role.value}", Counter())[len(one.choices)] += 1
    return {
        **told,
        "demonstrations": dict(counts),
        "candidates": {name: {str(size): n for size, n in found.items()} for name, found in sizes.items()},
        "characters": sum(len(one.user) + len(one.choice) for one in made),
        "cpu_s": round(process_time() - begun, 2),
    }


def gathered(source: str | Path) -> Iterator[Demonstration]:
    """The demonstrations of a file, or of the folder of a `Gathering`, as far as that is done.

    Raises `InputError` for a folder that holds none, and what cannot be read.
    """
    path = Path(source)
    if not path.is_dir():
        yield from read_demonstrations(path)
        return
    whole = path / DEMONSTRATIONS
    files = [whole] if whole.is_file() else sorted((path / _SESSIONS).glob("*.jsonl.gz"))
    if not files:
        raise InputError(str(path), "holds no demonstrations: name a file of them, or a folder that was gathered")
    for file in files:
        yield from read_demonstrations(file)


def _joined(path: Path, parts: Sequence[Path]) -> None:
    """One packed file of several: packed files behind one another are one (RFC 1952)."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as whole:
            for one in parts:
                with one.open("rb") as file:
                    shutil.copyfileobj(file, whole)
        part.replace(path)
    except FileNotFoundError as error:
        raise TeachAgentsError(f"{error.filename}: a session's file is gone; gather into a new folder") from error
    finally:
        part.unlink(missing_ok=True)


def _summary(results: Sequence[Gathered]) -> JsonObject:
    told = [one.told for one in results if one.status == "done"]
    broken = [one for one in results if one.status != "done"]
    return {
        "sessions": len(told),
        "broken": {one.name: one.reason.strip().splitlines()[-1:] for one in broken},
        "demonstrations": _sum(one["demonstrations"] for one in told),
        "median_candidates": _medians(one["candidates"] for one in told),
        "characters": sum(one["characters"] for one in told),
        "dropped": _sum(one.get("dropped", {}) for one in told),
        "labels": _sum(one.get("labels", {}) for one in told),
        "notes": _sum(one.get("notes", {}) for one in told),
        "success_rate": _share([one["success"] for one in told if "success" in one]),
        "cpu_s": round(sum(one["cpu_s"] for one in told), 1),
    }


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(total.most_common())


def _medians(sizes: Iterable[Mapping[str, Mapping[str, int]]]) -> dict[str, float]:
    total: dict[str, list[int]] = {}
    for one in sizes:
        for name, found in one.items():
            total.setdefault(name, []).extend(int(size) for size, n in found.items() for _ in range(n))
    return {name: float(statistics.median(found)) for name, found in sorted(total.items())}


def _share(hits: Sequence[bool]) -> float | None:
    return round(sum(hits) / len(hits), 4) if hits else None
