"""One TATC run: a folder that fills with episodes, can be interrupted and goes on, and ends in a summary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.tatc.instances import TatcInstance
from teach_agents.core.benchmark.engines import Job, JobResult, engine_named
from teach_agents.core.benchmark.folder import RunFolder, storing
from teach_agents.errors import TeachAgentsError

__all__ = ["TatcRun", "TatcSettings"]

_WORKER = "teach_agents.benchmarks.tatc.episode:play"


@dataclass(frozen=True, slots=True)
class TatcSettings:
    """What decides the outcome of a run, apart from its instances. Agents, simulator and dialogue hooks are SPECs.

    `add_tasks` are definition files and folders besides what is installed, `call_time_limit_s` is how long an agent may
    take over one answer.
    """

    commander: str = "planner"
    follower: str = "planner"
    simulator: str = "embedded"
    hooks: tuple[str, ...] = ()
    add_tasks: tuple[str, ...] = ()
    max_turns: int = 1000
    max_failures: int = 30
    view_size: int = 300
    pictures: int = 24
    seed: int = 0
    call_time_limit_s: float = 120.0

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TatcSettings:
        """Read `to_json`'s form."""
        return cls(**{**data, **{key: tuple(data[key]) for key in ("hooks", "add_tasks")}})


class TatcRun:
    """The folder of one run.

    `settings.json` says what was asked, `episodes.jsonl` holds one line per finished episode (written through to the
    disk the moment it ends), `records/` and `games/` what happened, `summary.json` and `report.html` the result.
    Opening a folder in which sessions were played with other settings or instances (to `resume`: or were asked for), or
    are being played, raises `InputError`, one that cannot be written `TeachAgentsError`.
    """

    def __init__(
        self, folder: Path, settings: TatcSettings, instances: Sequence[TatcInstance], *, resume: bool = False
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.instances = tuple(instances)
        self._pictured = frozenset(one.instance_id for one in self.instances[: settings.pictures])
        asked = {"settings": settings.to_json(), "instances": [_identity(instance) for instance in self.instances]}
        self._results = RunFolder(folder, "episodes.jsonl", asked, resume=resume)
        with storing(folder):
            for name in ("records", "games", "pictures"):
                (folder / name).mkdir(exist_ok=True)

    def episodes(self) -> dict[str, dict[str, Any]]:
        """Every finished episode by instance id; a line cut short by a crash is passed over and played again."""
        found = {one["instance_id"]: one for one in self._results.journal if "instance_id" in one}
        return {one.instance_id: found[one.instance_id] for one in self.instances if one.instance_id in found}

    def play(
        self,
        *,
        workers: int = 1,
        time_limit_s: float = 1800.0,
        engine: str = "local",
        concurrent: int = 1,
        on_episode: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        """Play what is not yet finished, `concurrent` at a time in each process of one of `engines.ENGINES`.

        Each episode is durable the moment it ends. Raises `InputError` while another process plays in the folder, and
        `TeachAgentsError` when the disk is full: sessions that this spoilt are left to be played again.
        """
        with self._results.running():
            done = self.episodes()
            todo = {one.instance_id: one for one in self.instances if one.instance_id not in done}
            jobs = [Job(instance_id, self._payload(instance)) for instance_id, instance in todo.items()]
            made = engine_named(engine, workers=workers, time_limit_s=time_limit_s, concurrent=concurrent)
            for result in made.run(jobs, _WORKER):
                episode = self._episode(todo[result.job_id], result)
                self._results.keep(episode, broke_down=episode["status"] == "crashed")
                if on_episode:
                    on_episode(episode)

    def _payload(self, instance: TatcInstance) -> dict[str, Any]:
        return {
            "instance": instance.to_json(),
            "settings": self.settings.to_json(),
            "folder": str(self.folder.resolve()),
            "pictures": instance.instance_id in self._pictured,
        }

    def _episode(self, instance: TatcInstance, result: JobResult) -> dict[str, Any]:
        if result.status == "done":
            return {**result.value, "wall_s": round(result.wall_s, 3)}
        return {
            "instance_id": instance.instance_id,
            "status": result.status,
            "reason": result.reason,
            **self._known_of(instance),
            "wall_s": round(result.wall_s, 3),
        }

    def _known_of(self, instance: TatcInstance) -> dict[str, Any]:
        """What is known of an episode that broke down, so that it counts as failed in every denominator.

        Of a game its task, room, goal conditions and the demonstration's length, as far as the file can be read.
        """
        from teach_agents.data import read_game
        from teach_agents.installed import installed_tasks

        if not instance.game:
            return {"task_name": instance.task_name}
        try:
            game = read_game(Path(instance.game))
        except TeachAgentsError:
            return {"task_name": "unknown"}
        known: dict[str, Any] = {
            "task_name": game.task.task_name,
            "room": game.episode.room,
            "reference_length": len(game.episode.interactions),
        }
        try:
            task = installed_tasks(self.settings.add_tasks).task(game.task.task_name, game.task.task_params)
            found = task.check(game.episode.initial_state.objects)
        except (TeachAgentsError, KeyError, TypeError):
            return known
        counts = {"total": found.goal_conditions_total, "satisfied": found.goal_conditions_satisfied}
        return {**known, "initial": counts}


def _identity(instance: TatcInstance) -> dict[str, Any]:
    """What makes an instance the same one; where its game lies does not."""
    return {key: value for key, value in instance.to_json().items() if key != "game"}
