"""One TATC run: a folder that fills with episodes, can be interrupted and goes on, and ends in a summary."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.runner import Job, JobResult, run_jobs
from teach_agents.benchmarks.tatc.instances import TatcInstance
from teach_agents.errors import InputError, TeachAgentsError

__all__ = ["TatcRun", "TatcSettings"]

_WORKER = "teach_agents.benchmarks.tatc.episode:play"


@dataclass(frozen=True, slots=True)
class TatcSettings:
    """What decides the outcome of a run, apart from its instances. Agents, simulator and dialogue hooks are SPECs."""

    commander: str = "planner"
    follower: str = "planner"
    simulator: str = "embedded"
    hooks: tuple[str, ...] = ()
    max_turns: int = 1000
    max_failures: int = 30
    view_size: int = 300
    pictures: int = 24
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TatcSettings:
        """Read `to_json`'s form."""
        return cls(**{**data, "hooks": tuple(data["hooks"])})


class TatcRun:
    """The folder of one run.

    `settings.json` says what was asked, `episodes.jsonl` holds one line per finished episode (written through to the
    disk before the next is begun), `records/` and `games/` what happened, `summary.json` and `report.html` the result.
    Opening a folder that was begun with other settings or instances raises `InputError`.
    """

    def __init__(self, folder: Path, settings: TatcSettings, instances: Sequence[TatcInstance]) -> None:
        self.folder = folder
        self.settings = settings
        self.instances = tuple(instances)
        for name in ("records", "games", "pictures"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._claim()

    def _claim(self) -> None:
        path = self.folder / "settings.json"
        mine = {
            "settings": {**self.settings.to_json(), "hooks": list(self.settings.hooks)},
            "instances": [instance.instance_id for instance in self.instances],
        }
        if path.exists():
            theirs = json.loads(path.read_text(encoding="utf8"))
            changed = [key for key in mine if theirs.get(key) != mine[key]]
            if changed:
                raise InputError(
                    "--out",
                    f"holds a run with other {' and '.join(changed)}; choose a new folder",
                    value=str(self.folder),
                )
        else:
            write_atomically(path, json.dumps(mine, indent=1))

    @property
    def _episodes_file(self) -> Path:
        return self.folder / "episodes.jsonl"

    def episodes(self) -> dict[str, dict[str, Any]]:
        """Every finished episode by instance id; a line cut short by a crash is passed over and played again."""
        found: dict[str, dict[str, Any]] = {}
        if self._episodes_file.exists():
            for line in self._episodes_file.read_text(encoding="utf8").splitlines():
                try:
                    episode = json.loads(line)
                except json.JSONDecodeError:
                    continue
                found[episode["instance_id"]] = episode
        return {one.instance_id: found[one.instance_id] for one in self.instances if one.instance_id in found}

    def play(
        self,
        *,
        workers: int = 1,
        time_limit_s: float = 1800.0,
        on_episode: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        """Play what is not yet finished; each episode is durable the moment it ends."""
        done = self.episodes()
        todo = {one.instance_id: one for one in self.instances if one.instance_id not in done}
        jobs = [Job(instance_id, self._payload(instance)) for instance_id, instance in todo.items()]
        for result in run_jobs(jobs, _WORKER, workers=workers, time_limit_s=time_limit_s):
            episode = self._episode(todo[result.job_id], result)
            self._keep(episode)
            if on_episode:
                on_episode(episode)

    def _payload(self, instance: TatcInstance) -> dict[str, Any]:
        pictured = self.instances.index(instance) < self.settings.pictures
        return {
            "instance": instance.to_json(),
            "settings": self.settings.to_json(),
            "folder": str(self.folder),
            "pictures": pictured,
        }

    def _episode(self, instance: TatcInstance, result: JobResult) -> dict[str, Any]:
        if result.status == "done":
            return {**result.value, "wall_s": round(result.wall_s, 3)}
        return {
            "instance_id": instance.instance_id,
            "status": result.status,
            "reason": result.reason,
            "task_name": instance.task_name or _task_of(instance.game),
            "wall_s": round(result.wall_s, 3),
        }

    def _keep(self, episode: Mapping[str, Any]) -> None:
        with self._episodes_file.open("a+", encoding="utf8") as file:
            if file.tell() and not _ends_in_newline(self._episodes_file):
                file.write("\n")
            file.write(json.dumps(episode) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _ends_in_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _task_of(game: str) -> str:
    """The task of a game whose episode never ran; `unknown` when the file itself cannot be read."""
    from teach_agents.data import read_game

    try:
        return read_game(Path(game)).task.task_name
    except TeachAgentsError:
        return "unknown"


def write_atomically(path: Path, text: str) -> None:
    """Write a whole file or nothing."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf8")
    os.replace(part, path)
