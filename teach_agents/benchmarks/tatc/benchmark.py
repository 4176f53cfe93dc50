"""TATC: a Commander and a Follower play TEACh's tasks with each other."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean, pstdev
from typing import Annotated, Any

from teach_agents.actions import Role
from teach_agents.benchmarks.base import OUTPUTS, VIEW_SIZE, TeachBenchmark, games_of, splits_of
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.reporting.report import closing_table
from teach_agents.benchmarks.solo.judging import counts_of, unmet_of
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.tatc.instances import (
    ShownGame,
    TatcInstance,
    TatcSettings,
    game_instances,
    generated_instances,
)
from teach_agents.benchmarks.tatc.records import again, checks, episode_of, write_run_outputs
from teach_agents.benchmarks.tatc.summary import (
    goal_success,
    goals_done,
    goals_to_do,
    outcome_of,
    summary_of,
    weight_of,
)
from teach_agents.core.benchmark.contract import RUNNING, WHICH, WHO, Choice, Option, Setup
from teach_agents.core.benchmark.reporting.parts import Report, Table
from teach_agents.core.benchmark.selection import chosen
from teach_agents.core.benchmark.statistics import COMPARABLE
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.data.games import Game, read_game
from teach_agents.errors import GameFileError, InputError, TeachAgentsError
from teach_agents.household import Household, Scenario
from teach_agents.installed import installed_tasks
from teach_agents.tasks import Task, TaskLibrary

_GENERATED = "generated"
_GAMES = "games"


@dataclass(eq=False)
class TatcBenchmark(TeachBenchmark[TatcInstance]):
    """Play TATC self-play and write a summary and a report.

    A Commander, who knows the task, and a Follower, who can act, talk their way through household tasks.

    [bold]Examples[/bold]

      teach-agents tatc --generate 24 --workers 2 --out runs/demo

      teach-agents tatc --games games/valid_seen --workers 2 --out runs/valid_seen

      teach-agents tatc --games games/valid_seen --names valid_seen_60 --out runs/valid_seen_60

      teach-agents tatc --out runs/valid_seen --resume

      teach-agents tatc --task Coffee --room FloorPlan7 --follower mypackage.agents:MyFollower

    Exits with status 3 where no session came to an end of its own: each crashed, timed out or never started.
    """

    commander: Annotated[str, Option("SPEC of the Commander: name[:key=value,...] or module:Class.", WHO)] = "planner"
    follower: Annotated[str, Option("SPEC of the Follower: name[:key=value,...] or module:Class.", WHO)] = "planner"
    simulator: Annotated[str, Option("SPEC of the simulator.", WHO)] = "embedded"
    _: KW_ONLY
    games: Annotated[
        tuple[Path, ...] | str,
        Option("TEACh game files, or folders of them: play their tasks from their initial states.", WHICH, source=True),
    ] = ()
    data: Annotated[
        Path | None, Option("Folder of TEACh's data: play the sessions of --split in its games.", WHICH, source=True)
    ] = None
    generate: Annotated[
        int | None,
        Option("Play this many generated instances instead (12 when neither is given).", WHICH, source=True),
    ] = None
    task: Annotated[
        tuple[str, ...],
        Option("Generate only this task, as NAME or NAME:p0,p1,...; may be repeated.", WHICH, source=True),
    ] = ()
    add_tasks: Annotated[
        tuple[Path, ...],
        Option("Task definitions besides those installed: a file or folder; may be repeated.", WHICH),
    ] = ()
    room: Annotated[
        tuple[str, ...],
        Option("Generate only in this room, such as FloorPlan7; may be repeated.", WHICH, source=True),
    ] = ()
    seed: Annotated[int, Option("Seed of instances and agents.", WHICH)] = 0
    max_turns: Annotated[int, Option("Turns after which a session ends.", RUNNING, least=1)] = 1000
    max_failures: Annotated[int, Option("Failed actions of either agent that end a session.", RUNNING, least=1)] = 30
    view_size: Annotated[int, VIEW_SIZE] = 300
    reference_outputs: Annotated[Path | None, OUTPUTS] = None
    names: str = ""
    count: int = 12
    call_time_limit_s: float = 120.0

    name = "tatc"
    title = "TATC self-play"
    published = True
    last_column = "paper's rule-based pair"
    folders = ("records", "games", "pictures")
    outcome_of = staticmethod(outcome_of)
    summary = staticmethod(summary_of)
    again = staticmethod(again)
    episode = staticmethod(episode_of)

    def __post_init__(self) -> None:
        if isinstance(self.games, str):
            self.games = (Path(self.games),) if self.games else ()
        self.agents = {"commander": self.commander, "follower": self.follower}
        found = (_GAMES,) if self.games else splits_of(self.data, "games") if self.data else ()
        self.splits = (*found, _GENERATED) if self.data else (_GENERATED, *found)

    def instances(self, split: str) -> Sequence[TatcInstance]:
        """The instances of `generated`, `games`, or a split of `data`. Raises `InputError` where there are none."""
        if self.known(split) == _GENERATED:
            count = self.count if self.generate is None else self.generate
            return generated_instances(count, seed=self.seed, tasks=self.task, rooms=self.room, library=self._library)
        sources = self.games if split == _GAMES else (games_of(self.data or "", split),)
        found = game_instances(map(Path, sources), seed=self.seed)
        return chosen(found, self.read_list(self.names)) if self.names else found

    def select(self, choice: Choice) -> Sequence[TatcInstance]:
        """Those of games, or generated ones."""
        recorded = bool(self.games or self.data)
        if choice.names and not recorded:
            raise InputError(
                "--names", "names sessions: say with --games where they are", value=", ".join(choice.names)
            )
        if recorded and (self.generate or self.task or self.room):
            raise InputError("--games", "cannot be combined with --generate, --task or --room")
        if recorded and not choice.split:
            choice = replace(choice, split=_GAMES if self.games else self.splits[0])
        return super().select(choice)

    def rehearse(self, instance: TatcInstance, setup: Setup) -> None:
        """Make the agents as for the first session; a game that cannot be read fails its own session, not the run."""
        with suppress(GameFileError):
            super().rehearse(instance, setup)

    def context(self, instance: TatcInstance, seat: str) -> Mapping[str, Any]:
        """The role, what any pair is shown of a game, and the game itself for an oracle that says so."""
        shown = ShownGame.of(instance.game, None)
        return {"role": Role(seat), "game": instance.game or None, "household": None, "instance": shown}

    def settings(self, setup: Setup) -> TatcSettings:
        """What decides a run, as `settings.json` has it."""
        added = tuple(str(Path(one).resolve()) for one in self.add_tasks)
        told: dict[str, Any] = dict(setup.agents)
        told |= {name: getattr(setup, name) for name in ("hooks", "pictures", "seed", "call_time_limit_s")}
        told |= {name: getattr(self, name) for name in ("simulator", "max_turns", "max_failures", "view_size")}
        return TatcSettings(**told, add_tasks=added)

    def play(self, instance: TatcInstance, setup: Setup) -> Mapping[str, Any]:
        """Play one session; its record and game go into the run's folder."""
        from teach_agents.benchmarks.tatc.episode import play_session

        if setup.folder is None:
            with tempfile.TemporaryDirectory() as folder:
                for name in self.folders:
                    Path(folder, name).mkdir()
                return self.play(instance, replace(setup, folder=Path(folder), pictures=0))
        return play_session(instance, self.settings(setup), setup.folder, pictures=bool(setup.pictures))

    def asked(self, setup: Setup, instances: Sequence[TatcInstance]) -> dict[str, Any]:
        """Settings and instances; where games lie does not count, and no benchmark is named."""
        told = [{key: value for key, value in one.to_json().items() if key != "game"} for one in instances]
        return {"settings": self.settings(setup).to_json(), "instances": told}

    @classmethod
    def claims(cls, claim: Mapping[str, Any]) -> bool:
        """TATC's runs name no benchmark."""
        return "benchmark" not in claim

    def instance_from_json(self, data: Mapping[str, Any]) -> TatcInstance:
        """Read `instance_to_json`'s form."""
        return TatcInstance.from_json(data)

    def foreseen(self, instance: TatcInstance) -> dict[str, Any]:
        """Of a game its task, room, goal conditions and the demonstration's length, as far as the file can be read."""
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
            task = self._library.task(game.task.task_name, game.task.task_params)
            found = task.check(game.episode.initial_state.objects)
        except (TeachAgentsError, KeyError, TypeError):
            return known
        return {**known, "initial": asdict(counts_of(found))}

    def finish(self, run: StoredRun, *, workers: int = 1) -> None:
        """Write what the challenge's own runner would leave behind, where that is asked for."""
        if self.reference_outputs is not None:
            write_run_outputs(self.reference_outputs, run, processes=workers)

    def expected(self, run: StoredRun, name: str) -> Outcome:
        """Of a generated instance the task."""
        blank = Outcome.blank(name, Status.MISSING)
        return replace(blank, task_name=run.asked[name].get("task_name") or blank.task_name)

    def set_up(self, reference: Reference, game: Game) -> tuple[Household, Task, None]:
        """The whole session, from its beginning."""
        self._household.reset(Scenario.from_game(game))
        return self._household, self._household.task, None

    @property
    def _library(self) -> TaskLibrary:
        return installed_tasks(tuple(map(str, self.add_tasks)))

    @cached_property
    def _household(self) -> Household:
        from teach_agents.benchmarks.solo.player import household_for

        return household_for(self.simulator, self.view_size)

    def end_of(self, run: StoredRun, outcome: Outcome) -> str:
        """By the session's own word."""
        done = outcome.status is Status.DONE
        return str(run.lines[outcome.instance_id]["end_reason"]) if done else outcome.status.value

    def unmet(self, run: StoredRun, line: Mapping[str, Any]) -> list[str]:
        """Checked in the last state of its game."""
        return unmet_of(checks(run, line)[1])

    def goal_success(self, run: StoredRun, outcome: Outcome) -> float:
        """0 for what was never played."""
        return goal_success(outcome)

    def rates(self, summary: Mapping[str, Any]) -> dict[str, Any]:
        """The summary has them all, but for the paths' under another name."""
        path = "path_weighted_success_rate"
        return {**summary, "path_weighted": summary.get(path), "path_weighted_ci": summary.get(f"{path}_ci", ())}

    def last(self, row: Mapping[str, Any]) -> float | None:
        """The paper's figure, beside enough of ours."""
        return row["rule_based_pair_success_rate"] if row["n"] >= COMPARABLE else None

    def table(self, summary: Mapping[str, Any]) -> Table:
        """Beside the paper's rule-based pair."""
        title = f"TATC on {summary['simulator']}: success in percent, beside the TEACh paper's rule-based pair"
        note = f"The paper's figure stands beside ours of {COMPARABLE} sessions and more."
        return closing_table(self, summary, title, "sessions", "paper", note)

    def report(self, run: StoredRun) -> Report:
        """With the initial states that were thrown away."""
        from teach_agents.benchmarks.reporting.report import report_on
        from teach_agents.core.benchmark.reporting.page import counted

        rejected = self.summary(run)["rejected_initial_states"]
        what = "Generated states that were not solvable"
        return report_on(run, reasons=[counted(what, ("reason", "states"), rejected.items())])

    def measured_rows(self, outcomes: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """The mean number of actions besides."""
        yield from super().measured_rows(outcomes)
        for task in ("", *sorted({one.task_name for one in outcomes})):
            steps = [one.steps for one in outcomes if task in ("", one.task_name)]
            mean, spread = round(fmean(steps), 2), round(pstdev(steps), 2)
            yield {"metric": "mean_actions", "task": task, "value": mean, "n": len(steps), "spread": spread}

    def score(self, record: Mapping[str, Any]) -> Mapping[str, float]:
        """Success, goal-condition success with its counts, actions of both agents, and the path weight."""
        one = outcome_of(record)
        return {
            "success": float(one.success),
            "goal_condition_success": goal_success(one),
            "goals_done": float(goals_done(one)),
            "goals_to_do": float(goals_to_do(one)),
            "length": float(one.steps),
            "path_weight": weight_of(one),
        }

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """Rates over all instances; `micro` is over all goal conditions (0 when there were none to reach)."""
        means = super().aggregate(scores)
        to_do = sum(score["goals_to_do"] for score in scores)
        return {
            "n": float(len(scores)),
            "success_rate": means["success"],
            "goal_condition_success_macro": means["goal_condition_success"],
            "goal_condition_success_micro": sum(score["goals_done"] for score in scores) / to_do if to_do else 0.0,
            "mean_length": means["length"],
        }
