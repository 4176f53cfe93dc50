"""Carries TfD instances through."""

from __future__ import annotations

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.metrics import GoalCounts
from teach_agents.benchmarks.solo.assignment import Assignment
from teach_agents.benchmarks.solo.judging import counts_of
from teach_agents.benchmarks.solo.player import Player, Prepared
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.data.games import Game
from teach_agents.data.tfd import TfdInstance, read_tfd, tfd_from_game
from teach_agents.errors import GameFileError
from teach_agents.household import Household, Scenario
from teach_agents.installed import installed_tasks


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
        return len(_instance(reference, game).future or ()), counts_of(found)


def _instance(reference: Reference, game: Game) -> TfdInstance:
    if not reference.file:
        return tfd_from_game(game)
    instance = read_tfd(reference.file)
    if instance.game_id != game.game_id:
        raise GameFileError(reference.file, f"'game_id' must be {game.game_id!r}", value=instance.game_id)
    return instance
