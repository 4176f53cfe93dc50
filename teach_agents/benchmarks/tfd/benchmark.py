"""TfD behind the Benchmark contract."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.metrics import GoalCounts
from teach_agents.benchmarks.solo.assignment import Assignment
from teach_agents.benchmarks.solo.benchmark import FollowerBenchmark
from teach_agents.benchmarks.solo.player import Player, Prepared
from teach_agents.benchmarks.solo.references import (
    THOROUGH,
    Reference,
    Search,
    game_paths,
    instance_files,
    split_of,
)
from teach_agents.core.benchmark.selection import chosen
from teach_agents.data.games import GAME_SUFFIX, Game
from teach_agents.data.tfd import TfdInstance, read_tfd, tfd_from_game, tfd_id
from teach_agents.errors import GameFileError, InputError
from teach_agents.household import Household, Scenario
from teach_agents.installed import installed_tasks

__all__ = ["TfdBenchmark", "TfdPlayer", "tfd_references"]


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


class TfdPlayer(Player):
    """Sets up the session's beginning, with all that was said; success is the session's task."""

    kind = "tfd"

    def prepare(self, reference: Reference, game: Game, household: Household) -> Prepared:
        """The session's initial state, with everything said in it already heard."""
        instance = _instance(reference, game)
        household.reset(Scenario.from_game(game))
        for role, text in instance.dialogue:
            household.act(Role(role), Action.say(text))
        judge = {"task_name": game.task.task_name, "task_params": list(game.task.task_params)}
        assignment = Assignment(instance, reference.path(self.kind), household.view_size)
        return Prepared(judge, instance.future, assignment)

    @staticmethod
    def foreknown(reference: Reference, game: Game) -> tuple[int, GoalCounts | None]:
        """The length, and the task's counts in the session's first state."""
        task = installed_tasks(()).task(game.task.task_name, game.task.task_params)
        found = task.check(game.episode.initial_state.objects)
        counts = GoalCounts(found.goal_conditions_total, found.goal_conditions_satisfied)
        return len(_instance(reference, game).future or ()), counts


class TfdBenchmark(FollowerBenchmark):
    """A Follower carries out a whole session's task from all that was said in it.

    Success is the session's task in the final state. The instances' format is inferred (specification 1.8); games may
    be named for their instances.
    """

    name = "tfd"
    player = TfdPlayer
    find = staticmethod(tfd_references)


def _instance(reference: Reference, game: Game) -> TfdInstance:
    if not reference.file:
        return tfd_from_game(game)
    instance = read_tfd(reference.file)
    if instance.game_id != game.game_id:
        raise GameFileError(reference.file, f"'game_id' must be {game.game_id!r}", value=instance.game_id)
    return instance
