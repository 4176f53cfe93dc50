"""What TEACh's own runner would leave behind of our runs, and the metrics computed again from that (6.5 to 6.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from teach_agents.actions import ACTION_TYPES, Role
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status, aggregate, measure
from teach_agents.benchmarks.solo.judging import counts_of, judging_task
from teach_agents.benchmarks.solo.log import EpisodeLog
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.data import Episode, Game, Interaction, StateRecord, game_definitions, recorded_action
from teach_agents.data.inference import METRICS_FILE, InferenceOutput, prediction_to_json, write_metrics
from teach_agents.household import Household, Scenario
from teach_agents.session.format import Done
from teach_agents.session.game import game_task
from teach_agents.tasks import Task

_UNWRITTEN = frozenset({"Stop", "NoOp"})
_CLICKED = frozenset({"click", "refused", "lost"})
"""Overrides for which the reference's replay takes a second try, and writes it down."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What of an instance the reference's files hold and its log does not.

    `history` are the interactions that were restored, `initial` and `final` the states after loading and at the end.
    """

    history: tuple[Interaction, ...]
    initial: StateRecord
    final: StateRecord
    room: str

    @classmethod
    def of(cls, household: Household, game: Game, history: Sequence[Interaction], log: EpisodeLog) -> Seen:
        """Look at the household in which an instance has just been played; it is reset for that."""
        final = household.state_record(_last_s(history) + len(log.played.done) + 1)
        household.reset(Scenario.from_game(game))
        return cls(tuple(history), household.state_record(0.0), final, game.episode.room)


def output_of(seen: Seen, log: EpisodeLog) -> InferenceOutput:
    """One instance as the reference's runner writes it.

    Both states share the end's custom properties (register entry Q1). What game files have no place for (Stop, waiting,
    answers that were no action) is among the predicted actions only.
    """
    known = log.beginning.known
    initial = replace(seen.initial, custom_object_metadata=seen.final.custom_object_metadata)
    interactions = (*_replayed(seen.history, log.beginning.overrides), *_done(seen.history, log.played.done))
    episode = Episode.create(known.game_id, seen.room, initial, interactions, seen.final)
    task = game_task(judging_task(log.beginning.judge))
    game = Game("2.0", "eqa_complex", "", game_definitions(), task, (episode,))
    steps = tuple(map(prediction_to_json, log.played.predicted))
    return InferenceOutput(known.instance_id, game, steps)


def _replayed(history: Iterable[Interaction], overrides: Iterable[Mapping[str, Any]]) -> Iterator[Interaction]:
    """The successful interactions of the history; a second one where a click or a refusal was overridden."""
    again = {one["index"] for one in overrides if one["why"] in _CLICKED}
    for index, one in enumerate(history):
        if one.success:
            yield one
            if index in again:
                yield one


def _done(history: Sequence[Interaction], steps: Sequence[Done]) -> Iterator[Interaction]:
    """What the Follower did, a second each, from a second after the history on."""
    start = _last_s(history)
    for number, done in enumerate(steps, 1):
        action = done.action
        if action is None or action.name in _UNWRITTEN or not action.allowed_for(Role.FOLLOWER):
            continue
        yield recorded_action(
            Role.FOLLOWER,
            action,
            time_start=start + number,
            success=done.result.success,
            pose=done.pose,
            object_id=done.result.object_id,
        )


def _last_s(history: Sequence[Interaction]) -> float:
    return max((one.time_start for one in history), default=0.0)


def outcome_of(
    output: InferenceOutput, task: Task, *, reference_length: int, stated: GoalCounts | None = None
) -> Outcome:
    """An instance's outcome from the reference's files alone, as its offline evaluation takes it (6.7).

    `task` judges; `stated` are EDH's first goal counts, from the instance's file; without them they are those of the
    initial state. Failed calls are the steps that are no Stop and have no successful interaction.
    """
    episode, predicted = output.game.episode, output.predicted
    first, last = episode.initial_state, episode.final_state
    final = task.check(last.objects, agent_position=last.follower.position)
    initial = stated or counts_of(task.check(first.objects, agent_position=first.follower.position))
    stopped = bool(predicted) and predicted[-1][0] == "Stop"
    return replace(
        Outcome.blank(output.instance_id, Status.MISSING),
        status=Status.DONE,
        success=final.success,
        initial=initial,
        final=counts_of(final),
        reference_length=reference_length,
        steps=len(predicted),
        predicted_stop=stopped,
        failed_actions=_failures(episode.interactions, [name for name, _ in predicted]),
        predicted=predicted,
    )


def _failures(interactions: Sequence[Interaction], names: Sequence[str]) -> int:
    """How many predicted actions failed: those written down without success, and those without a name."""
    written = [name for name in names if name in ACTION_TYPES and name not in _UNWRITTEN]
    own = interactions[len(interactions) - len(written) :]
    nameless = sum(name not in ACTION_TYPES for name in names)
    return nameless + sum(not one.success for one in own)


def write_run_metrics(folder: Path, run: StoredRun, *, processes: int = 1) -> None:
    """Write the metrics file of a run over EDH or TfD, and those of its processes; all instances asked for count."""
    limits = {key: run.settings[key] for key in ("max_steps", "max_failures")}
    figures = aggregate([measure(one) for one in run.outcomes], **limits)
    write_metrics(figures, folder / METRICS_FILE, processes=processes)
