"""What the TATC challenge's own runner would leave behind of a run, made from the run's folder (specification 7.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from teach_agents.actions import Role
from teach_agents.benchmarks.metrics import Outcome, aggregate, measure
from teach_agents.benchmarks.tatc.rescoring import game_path, record_path
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.data import Game, read_game
from teach_agents.data.inference import METRICS_FILE, InferenceOutput, write_metrics, write_output
from teach_agents.session import Done, read_record

_QUERIES = frozenset({"OpenProgressCheck", "SearchObject", "SelectOid"})


def write_run_outputs(folder: Path, run: StoredRun, *, processes: int = 1) -> None:
    """Write the two files of every session that was played, the metrics file, and those of the processes.

    Sessions that left no record have no files; like every instance asked for they count in the metrics.
    """
    steps: dict[str, tuple[Any, ...]] = {}
    for name in run.lines:
        record, game = record_path(run.folder, name), game_path(run.folder, name)
        if record.is_file() and game.is_file():
            pairs = [_pair(turn.done) for turn in read_record(record).turns]
            output = output_of(name, read_game(game), pairs)
            write_output(output, folder)
            steps[name] = output.steps
    outcomes = [outcome_of_pairs(one, steps.get(one.instance_id, ())) for one in run.outcomes]
    limits = {"max_steps": run.settings["max_turns"], "max_failures": run.settings["max_failures"]}
    figures = aggregate([measure(one) for one in outcomes], **limits)
    for name, record in figures["traj_stats"].items():
        record["pred_actions"] = list(steps.get(name, ()))
    write_metrics(figures, folder / METRICS_FILE, processes=processes)


def output_of(instance_id: str, game: Game, pairs: Sequence[Any]) -> InferenceOutput:
    """One session as the challenge's runner writes it; both states share the end's custom properties (Q1)."""
    episode = game.episode
    initial = replace(episode.initial_state, custom_object_metadata=episode.final_state.custom_object_metadata)
    return InferenceOutput(
        instance_id, replace(game, episodes=(replace(episode, initial_state=initial),)), tuple(pairs)
    )


def outcome_of_pairs(known: Outcome, pairs: Sequence[Any]) -> Outcome:
    """An outcome as the challenge counts it: a step is both agents', and has failed where either has.

    Its path lengths are steps against all recorded interactions of both people.
    """
    failed = sum(not (commander["success"] and driver["success"]) for commander, driver in pairs)
    stopped = any(driver["action"] == "Stop" for _, driver in pairs)
    return replace(known, steps=len(pairs), failed_actions=failed, predicted_stop=stopped)


def _pair(done: Mapping[Role, Done]) -> list[dict[str, Any]]:
    """One turn: the Commander's and the Driver's dictionaries."""
    return [_deed(role, done[role]) for role in (Role.COMMANDER, Role.FOLLOWER)]


def _deed(role: Role, done: Done) -> dict[str, Any]:
    """What one agent did. A Commander that finishes waits: the convention has no word for it."""
    action = done.action
    if action is None or not action.allowed_for(role):
        name, success = "", False
    else:
        name = "NoOp" if action.name == "Finish" else action.name
        success = action.name in _QUERIES or done.result.success
    said = action.utterance if action is not None and action.utterance else None
    if role is Role.COMMANDER:
        query = action.query if action is not None and action.query else None
        return {"action": name, "obj_cls": query, "utterance": said, "success": success}
    click = None if action is None or action.x is None or action.y is None else [action.y, action.x]
    return {"action": name, "predicted_click": click, "utterance": said, "success": success}
