"""Carries EDH instances through."""

from __future__ import annotations

from functools import partial

from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.benchmarks.edh.restoring import Restorer, relived, remember
from teach_agents.benchmarks.metrics import GoalCounts
from teach_agents.benchmarks.solo.assignment import Assignment
from teach_agents.benchmarks.solo.player import Player, Prepared
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.data.edh import EdhInstance, Stretch, edh_from_game, parse_edh_id, read_edh, stretches
from teach_agents.data.games import Game
from teach_agents.errors import GameFileError, InputError
from teach_agents.household import Household, Scenario


class EdhPlayer(Player):
    """Restores the session up to the instance's beginning; success is judged by the changes (specification 3.9)."""

    kind = "edh"

    def prepare(self, reference: Reference, game: Game, household: Household) -> Prepared:
        """Restore the session's state at the instance's beginning."""
        instance = _instance(reference, game, household)
        if instance.state_changes is None:
            raise InputError(f"instance {reference.instance_id!r}", "has no state changes to judge by")
        household.reset(Scenario.from_game(game))
        restorer = Restorer(household)
        begun = instance.interactions[: instance.pred_start_idx]
        history = remember(household, restorer, begun, instance.history)
        assignment = Assignment(instance, reference.path(self.kind), household.view_size)
        judge = {"state_changes": instance.state_changes.objects}
        overrides = tuple(one.to_json() for one in restorer.overrides)
        past = partial(relived, household, game, begun)
        return Prepared(judge, instance.future, assignment, _first_counts(instance), overrides, history, past)

    @staticmethod
    def foreknown(reference: Reference, game: Game) -> tuple[int, GoalCounts | None]:
        """From the instance's file, or cut from the session."""
        found = read_edh(reference.file) if reference.file else edh_from_game(game, _stretch(reference, game))
        return len(found.future or ()), _first_counts(found)


def _first_counts(instance: EdhInstance) -> GoalCounts | None:
    """The counts that a file states."""
    if instance.goal_conditions_total is None or instance.goal_conditions_satisfied is None:
        return None
    return GoalCounts(instance.goal_conditions_total, instance.goal_conditions_satisfied)


def _stretch(reference: Reference, game: Game) -> Stretch:
    """The part of the session that an instance's name says."""
    number = parse_edh_id(reference.instance_id)[1]
    for one in stretches(game.episode.interactions):
        if one.number == number:
            return one
    raise InputError(f"instance {reference.instance_id!r}", "its session has no candidate of this number")


def _instance(reference: Reference, game: Game, household: Household) -> EdhInstance:
    """Read an instance's file, or cut it from its session."""
    if not reference.file:
        number = _stretch(reference, game).number
        return next(one.instance for one in candidates(game, household, numbers={number}))
    instance = read_edh(reference.file)
    for key, found, named in (
        ("instance_id", instance.instance_id, reference.instance_id),
        ("game_id", instance.game_id, game.game_id),
    ):
        if found != named:
            raise GameFileError(reference.file, f"{key!r} must be {named!r}", value=found)
    return instance
