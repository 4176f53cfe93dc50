"""The record of one instance: everything said, seen in figures, answered and done, step by step, and what judges it.

One compressed JSON file an instance. Nothing in it but the times in thoughts depends on when it was made, so that a
seeded instance's record repeats byte for byte where there are none.
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic_core import to_json

from teach_agents.actions import Role
from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.episodes import Episode, said_in, steps_of
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status
from teach_agents.benchmarks.solo.judging import Rows, counts_of, judging_task, kept_rows, restored_rows
from teach_agents.benchmarks.solo.playing import Played
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import RecordError
from teach_agents.observations import Pose, Utterance
from teach_agents.session.codec import pose_from_json, pose_to_json
from teach_agents.session.format import TEACH_FORMAT
from teach_agents.tasks import Progress

FORMAT = "teach_agents.follower"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Beginning:
    """How an instance begins, and what it is judged by.

    `agent` says who plays: `spec`, `seed`, `privileges`, `provenance`; `setting` the benchmark, its settings and the
    simulator's name. `judge` is `judging`'s, `stated` the first goal counts where the instance's file states them,
    `reference_length` the ground truth's. `dialogue` was said before the first step; `pose` and `objects` are the
    Follower's and the room's then. `overrides` is what restoring had to enforce.
    """

    known: Outcome
    setting: JsonMapping
    agent: JsonMapping
    judge: JsonMapping
    stated: GoalCounts | None
    reference_length: int
    dialogue: tuple[Utterance, ...]
    pose: Pose
    objects: Rows
    overrides: tuple[JsonMapping, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeLog:
    """How an instance began, what was done in it, and the state that was left (`objects`, with the body at `pose`)."""

    beginning: Beginning
    played: Played
    pose: Pose
    objects: Rows

    def judged(self) -> tuple[Outcome, Progress]:
        """The outcome and the check of the final state, from nothing but what is recorded."""
        beginning, played = self.beginning, self.played
        task = judging_task(beginning.judge)
        final = task.check(self.objects, agent_position=self.pose.position)
        initial = beginning.stated or counts_of(task.check(beginning.objects, agent_position=beginning.pose.position))
        outcome = replace(
            beginning.known,
            status=played.status,
            reason=played.reason,
            success=final.success and played.status is Status.DONE,
            initial=initial,
            final=counts_of(final),
            reference_length=beginning.reference_length,
            steps=played.steps,
            predicted_stop=played.stopped,
            failed_actions=played.failed_actions,
            predicted=played.predicted,
            costs=played.costs,
        )
        return outcome, final

    def to_json(self) -> JsonObject:
        """The record as JSON; it says nothing of the time that passed but what thoughts say.

        A step has its `thought` where the Follower told one.
        """
        begun, played = self.beginning, self.played
        return {
            "format": FORMAT,
            "version": VERSION,
            "instance_id": begun.known.instance_id,
            "task_name": begun.known.task_name,
            "room": begun.known.cluster,
            **begun.setting,
            "agent": dict(begun.agent),
            "judge": dict(begun.judge),
            "stated": None if begun.stated is None else [begun.stated.total, begun.stated.satisfied],
            "reference_length": begun.reference_length,
            "overrides": [dict(one) for one in begun.overrides],
            "dialogue": [[str(one.speaker), one.text, one.time_ms] for one in begun.dialogue],
            "pose": pose_to_json(begun.pose),
            "steps": [
                TEACH_FORMAT.done_to_json(done) | ({} if done.thought is None else {"thought": dict(done.thought)})
                for done in played.done
            ],
            "end": {
                "status": played.status.value,
                "reason": played.reason,
                "steps": played.steps,
                "pose": pose_to_json(self.pose),
                "usage": played.usage.to_json(),
            },
            "objects": {"initial": list(begun.objects), "final": kept_rows(begun.objects, self.objects)},
        }

    @classmethod
    def from_json(cls, data: JsonMapping) -> EpisodeLog:
        """Read `to_json`'s form; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
        end, known = data["end"], Outcome.blank(data["instance_id"], Status.NOT_STARTED)
        initial = data["objects"]["initial"]
        beginning = Beginning(
            known=replace(known, task_name=data["task_name"], cluster=data["room"]),
            setting={key: data[key] for key in ("benchmark", "settings", "simulator", "task_params")},
            agent=data["agent"],
            judge=data["judge"],
            stated=None if data["stated"] is None else GoalCounts(*data["stated"]),
            reference_length=data["reference_length"],
            dialogue=tuple(Utterance(Role(speaker), text, time) for speaker, text, time in data["dialogue"]),
            pose=pose_from_json(data["pose"]),
            objects=initial,
            overrides=tuple(data["overrides"]),
        )
        done = tuple(TEACH_FORMAT.done_from_json(one, one.get("thought")) for one in data["steps"])
        played = Played(Status(end["status"]), end["reason"], end["steps"], done, Costs(**end["usage"]))
        final = restored_rows(initial, data["objects"]["final"])
        return cls(beginning, played, pose_from_json(end["pose"]), final)

    def write(self, path: Path) -> None:
        """Write the record, whole or not at all. Raises `OSError`."""
        write_atomically(path, gzip.compress(to_json(self.to_json()), compresslevel=3, mtime=0))


def log_path(folder: Path, instance_id: str) -> Path:
    """Where the folder of a run keeps an instance's record."""
    return folder / "records" / f"{instance_id}.json.gz"


def read_log(path: Path) -> EpisodeLog:
    """Read a record. Raises `RecordError` naming the file and what is wrong with it."""
    try:
        data = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise RecordError(path, f"cannot be read: {error}") from error
    found = (data.get("format"), data.get("version")) if isinstance(data, dict) else None
    if found != (FORMAT, VERSION):
        raise RecordError(path, "is no record of an instance", value=found, valid=(f"{FORMAT} {VERSION}",))
    try:
        return EpisodeLog.from_json(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(path, f"is damaged: {type(error).__name__}: {error}") from error


def bare_record(outcome: Outcome) -> JsonObject:
    """A line with no more than the outcome."""
    empty: JsonObject = {"overrides": [], "refused": [], "unmet": [], "privileges": [], "provenance": {}}
    return {"status": outcome.status.value, "outcome": outcome.to_json(), **empty}


def episode_of(outcome: Outcome, log: EpisodeLog) -> Episode:
    """An instance as it was played."""
    begun, turns = log.beginning, [{Role.FOLLOWER: done} for done in log.played.done]
    return Episode(
        benchmark=begun.setting["benchmark"],
        outcome=outcome,
        task_params=tuple(begun.setting["task_params"]),
        simulator=begun.setting["simulator"],
        agents={Role.FOLLOWER: begun.agent["spec"]},
        privileges={Role.FOLLOWER: tuple(begun.agent["privileges"])},
        dialogue=(*begun.dialogue, *(said for turn in turns for said in said_in(turn))),
        steps=tuple(steps_of({Role.FOLLOWER: begun.pose}, begun.dialogue, turns)),
    )
