"""EDH and TfD as benchmarks: what the two have in common."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, cast

from teach_agents.benchmarks.base import OUTPUTS, VIEW_SIZE, TeachBenchmark, games_of, splits_of
from teach_agents.benchmarks.episodes import Episode
from teach_agents.benchmarks.metrics import Outcome, Status, measure
from teach_agents.benchmarks.reference_outputs import Seen, output_of, write_run_metrics
from teach_agents.benchmarks.reporting.report import closing_table
from teach_agents.benchmarks.solo.judging import judging_task, unmet_of
from teach_agents.benchmarks.solo.log import bare_record, episode_of, log_path, read_log
from teach_agents.benchmarks.solo.references import THOROUGH, Reference, Search
from teach_agents.benchmarks.solo.run import Settings
from teach_agents.benchmarks.summary import summary_of
from teach_agents.core.benchmark.contract import RUNNING, WHICH, WHO, Choice, Option, Setup
from teach_agents.core.benchmark.engines import JobResult, once_per_seat
from teach_agents.core.benchmark.lookup import check_registered
from teach_agents.core.benchmark.reporting.parts import Table
from teach_agents.core.benchmark.selection import chosen, ordered, sharded
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.registry import load_target
from teach_agents.data.games import Game, read_game
from teach_agents.data.inference import write_output
from teach_agents.errors import TeachAgentsError
from teach_agents.household import Household
from teach_agents.tasks import Task

if TYPE_CHECKING:
    from teach_agents.benchmarks.solo.player import Player

_FIGURES = (
    "success",
    "goal_condition_success",
    "completed_goal_conditions",
    "total_goal_conditions",
    "success_spl",
    "path_len_weighted_success_spl",
    "goal_condition_spl",
    "path_len_weighted_goal_condition_spl",
    "gt_path_len",
    "traj_len",
    "num_api_fails",
    "predicted_stop",
    "error",
)


class FollowerBenchmark(TeachBenchmark[Reference]):
    """A Follower alone in restored states of recorded sessions.

    `instances` and `games` are folders; `find` says what they hold. `names` is a list of instances, shipped or in a
    file. Splits are the names of the folders that the files lie in; records are the lines of `player.Player`.
    """

    journal = "records.jsonl"
    last_column = "path weighted"
    time_limit_s = 600.0
    player: ClassVar[str]
    """The address of what carries instances through."""

    def __init__(  # noqa: PLR0913  # one parameter of a SPEC each
        self,
        follower: Annotated[
            str, Option("SPEC of the Follower: name[:key=value,...] or module:Class.", WHO)
        ] = "recorded",
        simulator: Annotated[str, Option("SPEC of the simulator.", WHO)] = "embedded",
        *,
        instances: Annotated[
            Path | str | None,
            Option(
                "Folder of instance files; their sessions are looked for in --games, else beside it as in TEACh.",
                WHICH,
                source=True,
            ),
        ] = None,
        games: Annotated[
            Path | str | None,
            Option("Folder of sessions; without --instances they are cut from these.", WHICH, source=True),
        ] = None,
        data: Annotated[
            Path | str | None,
            Option(
                "Folder of TEACh's data: the instance files, or else the sessions, of --split in it.",
                WHICH,
                source=True,
            ),
        ] = None,
        only: Annotated[
            tuple[str, ...], Option("Only the instance of this id; may be repeated.", WHICH, name="id")
        ] = (),
        order: Annotated[int | None, Option("Order them by this seed instead of by id.", WHICH)] = None,
        names: str = "",
        seed: Annotated[int, Option("Seed of the Follower.", WHO)] = 0,
        max_steps: Annotated[int, Option("Steps after which an instance ends.", RUNNING, least=1)] = 1000,
        max_failures: Annotated[int, Option("Failed actions that end an instance.", RUNNING, least=1)] = 30,
        view_size: Annotated[int, VIEW_SIZE] = 300,
        call_time_limit_s: float = 120.0,
        reference_outputs: Annotated[Path | str | None, OUTPUTS] = None,
    ) -> None:
        self._settings = Settings(follower, simulator, seed, max_steps, max_failures, view_size, call_time_limit_s)
        self.simulator, self.seed, self.call_time_limit_s = simulator, seed, call_time_limit_s
        self._places: JsonObject = {"instances": str(instances or ""), "games": str(games or "")}
        self._data = data
        self._only = tuple(only)
        self._order = order
        self._names = names
        self._outputs = None if reference_outputs is None else Path(reference_outputs)
        self.agents = {"follower": follower}

    @classmethod
    def player_class(cls) -> type[Player]:
        """What carries instances through."""
        return cast("type[Player]", load_target(cls.player, cls.name))

    @staticmethod
    @abstractmethod
    def find(
        *,
        instances: str = "",
        games: str = "",
        names: Sequence[str] = (),
        simulator: str = "embedded",
        search: Search = THOROUGH,
    ) -> list[Reference]:
        """The instances of files, or of sessions; `simulator` carries sessions out where that tells what there is.

        `names` are ids; `search` says how sessions are looked through. Raises `InputError` when nothing is found.
        """

    @staticmethod
    @abstractmethod
    def cut(path: Path, out: Path, *, every: bool) -> Iterator[str]:
        """Cut instances from a session into files; tells, for each candidate, what became of it."""

    @property
    def splits(self) -> tuple[str, ...]:  # type: ignore[override]  # to be known they have to be looked for
        """The folders in `data`, or those that the instances lie in."""
        if self._data is not None:
            return splits_of(self._data, *self._kept_in)
        return tuple(sorted({one.split for one in self._found}))

    @property
    def _kept_in(self) -> tuple[str, str]:
        return f"{self.name}_instances", "games"

    @cached_property
    def _found(self) -> tuple[Reference, ...]:
        names = self.read_list(self._names) if self._names else ()
        return ordered(self.find(**self._places, names=names, simulator=self.simulator))

    def _where(self, split: str) -> JsonMapping:
        """Where the instances of a split are to be looked for."""
        if self._data is None:
            return self._places
        split = self.known(split or self.splits[0])
        files = Path(self._data, self._kept_in[0], split)
        games = str(games_of(self._data, split))
        return {"instances": str(files) if files.is_dir() else "", "games": games}

    def instances(self, split: str) -> Sequence[Reference]:
        """The instances of a split, by id. Raises `InputError` for a split there is none of."""
        self.known(split)
        if self._data is not None:
            return ordered(self.find(**self._where(split), simulator=self.simulator))
        return tuple(one for one in self._found if one.split == split)

    def select(self, choice: Choice) -> Sequence[Reference]:
        """Those of the folders; sessions are carried out only as far as the choice needs it."""
        names = self.names_in(choice.names) or self._only
        whole = self._order is None and choice.shard == "1/1" and not names and not choice.split
        search = Search(choice.workers, choice.limit if whole else None, choice.told)
        where = self._where(choice.split)
        found: Iterable[Reference] = self.find(**where, names=names, simulator=self.simulator, search=search)
        if choice.split:
            found = [one for one in found if one.split == choice.split]
        found = ordered(chosen(found, self._only) if self._only else found, self._order)
        return sharded(found, choice.shard)[: choice.limit]

    def settings(self, setup: Setup) -> Settings:
        """What decides a run, as `settings.json` has it."""
        follower, limit_s = setup.agents["follower"], setup.call_time_limit_s
        return replace(self._settings, follower=follower, seed=setup.seed, call_time_limit_s=limit_s)

    def check(self, setup: Setup) -> None:
        """The Follower is only looked up, for want of an instance."""
        check_registered("agent", setup.agents["follower"], "--follower")
        super().check(setup)

    def rehearse(self, instance: Reference, setup: Setup) -> None:
        """To make the Follower an instance would have to be restored."""

    def play(self, instance: Reference, setup: Setup) -> JsonMapping:
        """Carry one instance through; its log and pictures go into the run's folder."""
        from teach_agents.benchmarks.filmstrip import Filmstrip

        player = _player(type(self), self.settings(setup), setup.hooks)
        if setup.folder is None:
            return player.play(instance)
        filmstrip = Filmstrip() if setup.pictures else None
        carried = player.carry(instance, filmstrip.watch if filmstrip else None)
        if carried.log is not None:
            carried.log.write(log_path(setup.folder, instance.instance_id))
        if filmstrip:
            filmstrip.finish()
            filmstrip.write(setup.folder, instance.instance_id)
        if self._outputs is not None and carried.log is not None and carried.assignment is not None:
            seen = Seen.of(player.household, read_game(instance.game), carried.assignment.past, carried.log)
            write_output(output_of(seen, carried.log), self._outputs)
        return {**carried.line, "hooks": list(setup.hooks)} if setup.hooks else carried.line

    def asked(self, setup: Setup, instances: Sequence[Reference]) -> JsonObject:
        """Of the instances the ids; hooks are told of where there are any."""
        hooks = {"hooks": list(setup.hooks)} if setup.hooks else {}
        ids = [one.instance_id for one in instances]
        return {"benchmark": self.name, "settings": {**self.settings(setup).to_json(), **hooks}, "instances": ids}

    def instance_from_json(self, data: JsonMapping) -> Reference:
        """Read `instance_to_json`'s form."""
        return Reference(**data)

    def ended(self, instance: Reference, result: JobResult) -> JsonObject:
        """An outcome has its own time."""
        done = result.status == Status.DONE
        return dict(result.value) if done else self.broken(instance, result.status, result.reason)

    def broken(self, instance: Reference, status: str, reason: str) -> JsonObject:
        """A line with no more than the outcome."""
        return bare_record(replace(known_of(type(self), instance), status=Status(status), reason=reason))

    def foreseen(self, instance: Reference) -> JsonObject:
        """An outcome."""
        return known_of(type(self), instance).to_json()

    def set_up(self, reference: Reference, game: Game) -> tuple[Household, Task, Set[float]]:
        """By its player; of its session an instance is the ground truth."""
        player = _player(type(self), self._settings, ())
        prepared = player.prepare(reference, game, player.household)
        return player.household, judging_task(prepared.judge), {one.time_start for one in prepared.future or ()}

    def finish(self, run: StoredRun, *, workers: int = 1) -> None:
        """Write the metrics as TEACh's runner would, where that is asked for; instances have been written."""
        if self._outputs is not None:
            write_run_metrics(self._outputs, run, processes=workers)

    def id_of(self, line: JsonMapping) -> str:
        """That of its outcome."""
        return str(line.get("outcome", line).get("instance_id", ""))

    def outcome_of(self, line: JsonMapping) -> Outcome:
        """The one it holds."""
        return Outcome.from_json(line["outcome"])

    def expected(self, run: StoredRun, name: str) -> Outcome:
        """What the summary says is known of it."""
        for one in run.summary.get("not_run", ()):
            if one.get("instance_id") == name:
                return Outcome.from_json(one)
        return Outcome.blank(name, Status.MISSING)

    def summary(self, run: StoredRun) -> JsonObject:
        """See `summary.summary_of`."""
        return summary_of(self.name, run.settings, run.lines.values(), run.outcomes)

    def again(self, run: StoredRun, line: JsonMapping) -> JsonObject | None:
        """A line with a new outcome; only the time that passed is what the run noted."""
        path = log_path(run.folder, self.id_of(line))
        then = Outcome.from_json(line["outcome"])
        log = read_log(path) if path.exists() else None
        if log is None or log.played.status is not then.status:
            return None
        outcome, final = log.judged()
        timed = replace(outcome, costs=replace(outcome.costs, wall_s=then.costs.wall_s))
        made = {**line, "outcome": timed.to_json(), "unmet": unmet_of(final)}
        found: JsonObject = json.loads(json.dumps(made))
        return found

    def episode(self, run: StoredRun, line: JsonMapping) -> Episode | None:
        """From its log."""
        path = log_path(run.folder, self.id_of(line))
        return episode_of(self.outcome_of(line), read_log(path)) if path.exists() else None

    def end_of(self, run: StoredRun, outcome: Outcome) -> str:
        """By what it has used up, where the Follower did not stop."""
        if outcome.status is not Status.DONE:
            return outcome.status.value
        if outcome.predicted_stop:
            return "stopped"
        return "failure_limit" if outcome.failed_actions >= run.settings["max_failures"] else "step_limit"

    def unmet(self, run: StoredRun, line: JsonMapping) -> list[str]:
        """As the line has it."""
        return list(line["unmet"])

    def goal_success(self, run: StoredRun, outcome: Outcome) -> float:
        """As the reference counts it."""
        return measure(outcome).goal_condition_success

    def rates(self, summary: JsonMapping) -> JsonObject:
        """From where the reference's aggregate has them."""
        path = "path_length_weighted_success_rate"
        return {
            **summary,
            **summary["status"],
            "success_rate": summary["success"]["success_rate"],
            "goal_condition_success_micro": summary["goal_condition_success"]["goal_condition_success_rate"],
            "path_weighted": summary[path],
            "path_weighted_ci": summary[f"{path}_ci"],
        }

    def last(self, row: JsonMapping) -> float | None:
        """Weighted by path lengths."""
        found: float | None = row["path_length_weighted_success_rate"]
        return found

    def table(self, summary: JsonMapping) -> Table:
        """By task."""
        title = f"{self.name.upper()}, {summary['follower']} on {summary['simulator']}: percent"
        return closing_table(self, summary, title, "instances", "weighted by path")

    def score(self, record: JsonMapping) -> Mapping[str, float]:
        """The figures of 6.6, under the reference's names."""
        figures = measure(Outcome.from_json(record["outcome"])).to_json()
        return {name: float(figures[name]) for name in _FIGURES}

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """The rates of 6.7 and macro goal-condition success; 0 where there is nothing to divide by.

        `summary.summarize` makes more of the records: intervals, costs, tasks, reasons.
        """
        means = super().aggregate(scores)

        def rate(top: str, bottom: str) -> float:
            below = sum(score[bottom] for score in scores)
            return sum(score[top] for score in scores) / below if below else 0.0

        return {
            "n": float(len(scores)),
            "success_rate": means["success"],
            "goal_condition_success_macro": means["goal_condition_success"],
            "goal_condition_success_micro": rate("completed_goal_conditions", "total_goal_conditions"),
            "path_length_weighted_success_rate": rate("path_len_weighted_success_spl", "gt_path_len"),
            "path_length_weighted_goal_condition_success_rate": rate(
                "path_len_weighted_goal_condition_spl", "gt_path_len"
            ),
        }


@once_per_seat
def _player(kind: type[FollowerBenchmark], settings: Settings, hooks: tuple[str, ...]) -> Player:
    """One player, with its household, a seat."""
    return kind.player_class()(settings, hooks)


def known_of(kind: type[FollowerBenchmark], reference: Reference) -> Outcome:
    """What is known of an instance without running it: its task, room, length, and first counts where a file has them.

    What cannot be read is left blank, so that the instance counts as failed all the same.
    """
    blank = Outcome.blank(reference.instance_id, Status.MISSING)
    try:
        game: Game = read_game(reference.game)
        blank = replace(blank, task_name=game.task.task_name, cluster=game.episode.room)
        length, initial = kind.player_class().foreknown(reference, game)
    except (TeachAgentsError, KeyError, TypeError):
        return blank
    return replace(blank, reference_length=length, initial=initial)
