"""TATC's episodes judged again from a run's records and games, without a simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from teach_agents.actions import ActionKind, Role
from teach_agents.benchmarks.episodes import Episode, said_in, steps_of
from teach_agents.benchmarks.metrics import Outcome, aggregate, measure
from teach_agents.benchmarks.solo.judging import counts_of, library
from teach_agents.benchmarks.tatc.summary import outcome_of
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data import Game, read_game
from teach_agents.data.inference import METRICS_FILE, InferenceOutput, write_metrics, write_output
from teach_agents.session import Done, EndReason, SessionRecord, read_record
from teach_agents.tasks import Progress


def record_path(folder: Path, instance_id: str) -> Path:
    """Where the folder of a run keeps a session's record."""
    return folder / "records" / f"{instance_id}.jsonl"


def game_path(folder: Path, instance_id: str) -> Path:
    """Where the folder of a run keeps the same session as a TEACh game."""
    return folder / "games" / f"{instance_id}.game.json"


def again(run: StoredRun, line: JsonMapping) -> JsonObject | None:
    """An episode's line with everything that its record and game tell put in anew.

    `None` where there is no record of an end: its process died, or was killed. Of an episode that broke off in the
    middle of a turn, or whose game is not what happened, the record's own counts hold. Raises `RecordError` or
    `GameFileError` for files that are damaged.
    """
    name = line["instance_id"]
    path = record_path(run.folder, name)
    record = read_record(path) if path.exists() else None
    if record is None or record.result is None:
        return None
    end = EndReason(record.result["end_reason"])
    if line["status"] != (end if end.broken else "done"):
        return None
    if line["status"] != "done" or line.get("replay_differences"):
        return {**line, **_as_recorded(record.result)}
    initial, final = checks(run, line)
    goals = {"initial": asdict(counts_of(initial)), "final": asdict(counts_of(final))}
    return {**line, **_counted(record), "success": final.success, **goals}


def checks(run: StoredRun, line: JsonMapping) -> tuple[Progress, Progress]:
    """An episode's task checked in the first and the last state of its game. Raises `GameFileError`."""
    episode = read_game(game_path(run.folder, line["instance_id"])).episode
    task = library(tuple(run.settings["add_tasks"])).task(line["task_name"], line["task_params"])
    first, last = episode.initial_state, episode.final_state
    initial = task.check(first.objects, agent_position=first.follower.position)
    return initial, task.check(last.objects, agent_position=last.follower.position)


def episode_of(run: StoredRun, line: JsonMapping) -> Episode | None:
    """A session as it was played; `None` without record or game. Raises `RecordError` or `GameFileError`."""
    name = line["instance_id"]
    path, game = record_path(run.folder, name), game_path(run.folder, name)
    if not path.exists() or not game.exists():
        return None
    first, record = read_game(game).episode.initial_state, read_record(path)
    poses = {Role.COMMANDER: first.commander, Role.FOLLOWER: first.follower}
    header, turns = record.header, [turn.done for turn in record.turns]
    return Episode(
        benchmark=run.benchmark,
        outcome=outcome_of(line),
        task_params=tuple(line.get("task_params", ())),
        simulator=header.simulator,
        agents=header.agents,
        privileges=header.privileges,
        dialogue=tuple(said for turn in turns for said in said_in(turn)),
        steps=tuple(steps_of(poses, (), turns)),
    )


def _as_recorded(result: JsonMapping) -> JsonObject:
    goals = {"initial": goals_in(result["initial_progress"]), "final": goals_in(result["progress"])}
    same = {key: result[key] for key in ("success", "turns", "actions", "utterances", "failures", "end_reason")}
    return {**goals, **same, "length": sum(result["actions"].values())}


def goals_in(progress: JsonMapping) -> dict[str, int]:
    """The goal conditions of a check as a result has it."""
    return {"total": progress["goal_conditions_total"], "satisfied": progress["goal_conditions_satisfied"]}


def _counted(record: SessionRecord) -> JsonObject:
    """What the turns of a record add up to, by role."""
    done = {role: [turn.done[role] for turn in record.turns] for role in Role}
    names = {role: ["" if one.action is None else one.action.name for one in found] for role, found in done.items()}
    actions = {role: sum(name not in ("", "NoOp") for name in found) for role, found in names.items()}
    return {
        "turns": len(record.turns),
        "actions": actions,
        "utterances": {role: found.count("Text") for role, found in names.items()},
        "failures": {role: sum(_failed(role, one) for one in found) for role, found in done.items()},
        "length": sum(actions.values()),
    }


def _failed(role: Role, done: Done) -> bool:
    """Whether an action counts as failed; progress checks and searches never do (specification 7.2)."""
    action = done.action
    if action is None:
        return True
    query = action.type.kind is ActionKind.PROGRESS and action.allowed_for(role)
    return not done.result.success and not query


_QUERIES = frozenset({"OpenProgressCheck", "SearchObject", "SelectOid"})


def write_run_outputs(folder: Path, run: StoredRun, *, processes: int = 1) -> None:
    """Write the two files of every session that was played, the metrics file, and those of the processes.

    Sessions that left no record have no files; like every instance asked for they count in the metrics.
    """
    steps: dict[str, tuple[Any, ...]] = {}
    for name in run.lines:
        record, game = record_path(run.folder, name), game_path(run.folder, name)
        if record.is_file() and game.is_file():
            turns = read_record(record).turns
            pairs = [[_deed(role, turn.done[role]) for role in (Role.COMMANDER, Role.FOLLOWER)] for turn in turns]
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
    game = replace(game, episodes=(replace(episode, initial_state=initial),))
    return InferenceOutput(instance_id, game, tuple(pairs))


def outcome_of_pairs(known: Outcome, pairs: Sequence[Any]) -> Outcome:
    """An outcome as the challenge counts it: a step is both agents', and has failed where either has.

    Its path lengths are steps against all recorded interactions of both people.
    """
    failed = sum(not (commander["success"] and driver["success"]) for commander, driver in pairs)
    stopped = any(driver["action"] == "Stop" for _, driver in pairs)
    return replace(known, steps=len(pairs), failed_actions=failed, predicted_stop=stopped)


def _deed(role: Role, done: Done) -> JsonObject:
    """What one agent did. A Commander that finishes waits: the convention has no word for it."""
    action = done.action
    if action is None or not action.allowed_for(role):
        name, success = "", False
    else:
        name = "NoOp" if action.name == "Finish" else action.name
        success = action.name in _QUERIES or done.result.success
    said = (action and action.utterance) or None
    if role is Role.COMMANDER:
        return {"action": name, "obj_cls": (action and action.query) or None, "utterance": said, "success": success}
    click = None if action is None or action.x is None or action.y is None else [action.y, action.x]
    return {"action": name, "predicted_click": click, "utterance": said, "success": success}
