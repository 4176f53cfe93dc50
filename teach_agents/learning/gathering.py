"""Demonstrations gathered session by session, over processes, into a folder that is gone on with; their chat form."""

from __future__ import annotations

import shutil
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from teach_agents.actions import Role
from teach_agents.benchmarks.base import teach_environment
from teach_agents.core.benchmark.engines import Job, JobResult, run_jobs
from teach_agents.core.benchmark.folder import RunFolder, storing, write_json
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.learning.demonstrations import (
    Demonstration,
    read_demonstrations,
    whole_file,
    write_demonstrations,
    write_lines,
)

DEMONSTRATIONS = "demonstrations.jsonl.gz"
"""What a folder's demonstrations are in when all sessions are done."""
_SESSIONS = "sessions"

Made = tuple[list[Demonstration], JsonObject]
"""A session's demonstrations, and what is to be told of it."""
if TYPE_CHECKING:
    from teach_agents_prompts import Prompts


class Gathering:
    """The folder of one run.

    `settings.json` says what was asked, `sessions/` holds a file for each session, whole or absent, `sessions.jsonl`
    what is to be told of each, `demonstrations.jsonl.gz` all of them and `summary.json` the counts. Opened again for
    the same it goes on, and takes up again what broke. Raises `InputError` where the folder holds something else.
    """

    def __init__(self, folder: Path, worker: str, how: JsonMapping, sources: Sequence[Job]) -> None:
        self.folder = folder
        self._worker = worker
        self._sources = tuple(sources)
        self._how = dict(how)
        asked = {"worker": worker, "how": self._how, "sessions": [one.job_id for one in sources]}
        self._results = RunFolder(folder, "sessions.jsonl", asked, environment=teach_environment)
        with storing(folder):
            (folder / _SESSIONS).mkdir(exist_ok=True)

    def results(self) -> dict[str, JobResult]:
        """What became of each session so far, by name."""
        rows = (
            JobResult(str(row["name"]), row["status"], row["told"], row["reason"])
            for row in self._results.journal
            if "name" in row
        )
        return {one.job_id: one for one in rows}

    def gather(
        self, *, workers: int = 1, time_limit_s: float = 1800.0, on_session: Callable[[JobResult], None] | None = None
    ) -> JsonMapping:
        """Make what is not yet made; the summary. Raises `InputError` while another process does."""
        with self._results.running():
            known = self.results()
            jobs = [
                Job(
                    one.job_id,
                    {"source": dict(one.payload), "how": self._how, "file": str(self._file(one.job_id).resolve())},
                )
                for one in self._sources
                if one.job_id not in known or known[one.job_id].status != "done"
            ]
            for one in run_jobs(jobs, self._worker, workers=workers, time_limit_s=time_limit_s):
                row = {"name": one.job_id, "status": one.status, "told": dict(one.value), "reason": one.reason}
                self._results.keep(row, broke_down=one.status == "crashed")
                if on_session:
                    on_session(one)
            return self._finish()

    def _file(self, name: str) -> Path:
        return self.folder / _SESSIONS / f"{name}.jsonl.gz"

    def _finish(self) -> JsonMapping:
        """Put all sessions' files into one, in order, and count."""
        known = self.results()
        results = [known[one.job_id] for one in self._sources if one.job_id in known]
        with storing(self.folder):
            _joined(self.folder / DEMONSTRATIONS, [self._file(one.job_id) for one in results if one.status == "done"])
            summary = _summary(results)
            write_json(self.folder / "summary.json", summary)
        return summary


def stored(payload: JsonMapping, make: Callable[[], Made]) -> JsonObject:
    """Carry a job of a `Gathering` out: make a session's demonstrations and write its file; what is told of it."""
    begun = process_time()
    made, told = make()
    write_demonstrations(payload["file"], made)
    sizes: dict[str, Counter[str]] = defaultdict(Counter)
    for one in made:
        sizes[f"{one.kind} {one.role}"][str(len(one.choices))] += 1
    return {
        **told,
        "demonstrations": {name: found.total() for name, found in sizes.items()},
        "candidates": {name: dict(found) for name, found in sizes.items()},
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
        raise InputError(path, "holds no demonstrations: name a file of them, or a folder that was gathered")
    for file in files:
        yield from read_demonstrations(file)


def _joined(path: Path, parts: Sequence[Path]) -> None:
    """One packed file of several: packed files behind one another are one (RFC 1952)."""
    try:
        with whole_file(path) as whole:
            for one in parts:
                with one.open("rb") as file:
                    shutil.copyfileobj(file, whole)
    except FileNotFoundError as error:
        raise TeachAgentsError(f"{error.filename}: a session's file is gone; gather into a new folder") from error


def _summary(results: Sequence[JobResult]) -> JsonObject:
    told = [one.value for one in results if one.status == "done"]
    hits = [one["success"] for one in told if "success" in one]
    return {
        "sessions": len(told),
        "broken": {one.job_id: one.reason.strip().splitlines()[-1:] for one in results if one.status != "done"},
        "demonstrations": _sum(one["demonstrations"] for one in told),
        "median_candidates": _medians(one["candidates"] for one in told),
        "characters": sum(one["characters"] for one in told),
        **{name: _sum(one.get(name, {}) for one in told) for name in ("dropped", "labels", "notes")},
        "success_rate": round(statistics.fmean(hits), 4) if hits else None,
        "cpu_s": round(sum(one["cpu_s"] for one in told), 1),
    }


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(total.most_common())


def _medians(sizes: Iterable[Mapping[str, Mapping[str, int]]]) -> dict[str, float]:
    total: dict[str, list[int]] = defaultdict(list)
    for one in sizes:
        for name, found in one.items():
            total[name] += Counter({int(size): n for size, n in found.items()}).elements()
    return {name: float(statistics.median(found)) for name, found in sorted(total.items())}


def write_chats(out: Path, data: Sequence[Path], role: Role | None = None, *, show_choices: bool = False) -> int:
    """Write the demonstrations of files and folders, of one role if any, as JSON lines; how many.

    With `show_choices` a prompt lists them, as it does for models that are not held to one (template `lm_choices`).
    The file is whole or absent. Raises `InputError` for data that cannot be read, or of which none is to be written,
    and `TeachAgentsError` where `out` cannot be written.
    """
    from teach_agents_prompts import load_prompts

    prompts = load_prompts(None) if show_choices else None

    def rows() -> Iterator[JsonObject]:
        for path in data:
            for one in gathered(path):
                if role in (None, one.role):
                    yield chat_of(one, prompts)

    if out.is_dir():
        raise InputError("--out", "is a folder; name a file", value=str(out))
    first = next(rows(), None)
    if not first:
        raise InputError("--data", "holds no demonstrations of this role", value=", ".join(map(str, data)))
    with storing(out.parent):
        out.parent.mkdir(parents=True, exist_ok=True)
        return write_lines(out, rows())


def chat_of(one: Demonstration, prompts: Prompts | None = None) -> JsonObject:
    """A demonstration as a chat with its choices beside it; given `prompts`, the user's message lists them."""
    user = one.user
    if prompts is not None:
        user = f"{user.rstrip()}\n\n{prompts.render('lm_choices', choices=list(one.choices))}"
    told = (("system", one.system), ("user", user), ("assistant", one.choice))
    return {
        "messages": [{"role": role, "content": content} for role, content in told if content],
        "metadata": {"session": one.session, "kind": one.kind, "role": one.role.value, "choices": list(one.choices)},
    }
