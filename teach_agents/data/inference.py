"""What TEACh's inference runner leaves behind, in and out (specification 6.5 and 6.7; TATC's in 7.2).

`inference__<instance_id>.json` has the form of a game file, `pred_actions__<instance_id>.json` lists what was
predicted, a metrics file holds the figures, and `<metrics file>.json.<i>` the records of process i.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields
from teach_agents.data.games import Game, read_game, read_json, write_game, write_json
from teach_agents.errors import GameFileError

METRICS_FILE = "metrics.json"
"""The reference's own default name of a metrics file."""

_GAME = "inference__"
_ACTIONS = "pred_actions__"
_AGGREGATE = (
    "success goal_condition_success path_length_weighted_success_rate path_length_weighted_goal_condition_success_rate "
    "num_predicted_stops num_fails_by_api_limit num_fails_by_traj_len_limit num_fails_by_error traj_stats"
).split()

Predicted = tuple[str, tuple[float, float] | None]
"""An action's name and its click as fractions (ROW, COLUMN)."""


class InferenceOutput(NamedTuple):
    """What became of one instance.

    `game` holds the evaluation task and the episode: the state after loading, what was replayed and then done, the
    state that was left; its `custom_object_metadata` is the end's in both states (register entry Q1). `steps` are the
    entries of the file of predicted actions: objects with `action` and `obj_relative_coord` in EDH and TfD, pairs of
    the Commander's and the Driver's objects in TATC.
    """

    instance_id: str
    game: Game
    steps: tuple[Any, ...]

    @property
    def predicted(self) -> tuple[Predicted, ...]:
        """The steps of EDH or TfD. Raises `GameFileError` for TATC's."""
        return tuple(_prediction(step, f"{_ACTIONS}{self.instance_id}") for step in self.steps)

    @property
    def pairs(self) -> tuple[tuple[JsonMapping, JsonMapping], ...]:
        """The steps of TATC: what the Commander and what the Driver did. Raises `GameFileError` for others."""
        for step in self.steps:
            if not (isinstance(step, list) and len(step) == 2 and all(isinstance(one, dict) for one in step)):
                where = f"{_ACTIONS}{self.instance_id}"
                raise GameFileError(where, "must hold pairs of the Commander's and the Driver's actions", value=step)
        return tuple((step[0], step[1]) for step in self.steps)


def _prediction(step: Any, where: str) -> Predicted:
    fields = Fields(step, where)
    click = fields.value("obj_relative_coord")
    row_column = isinstance(click, list) and len(click) == 2
    if click is not None and not (row_column and all(isinstance(one, int | float) for one in click)):
        raise fields.refuse("obj_relative_coord", "must be [row, column] or null", click)
    name = fields.value("action")
    return name or "", None if click is None else (float(click[0]), float(click[1]))


def prediction_to_json(predicted: Predicted) -> JsonObject:
    """One step of EDH or TfD as in the file of predicted actions."""
    name, click = predicted
    return {"action": name, "obj_relative_coord": None if click is None else list(click)}


def write_output(output: InferenceOutput, folder: Path) -> None:
    """Write the two files of one instance, each whole or not at all. Raises `GameFileError` for what is no JSON."""
    write_json(list(output.steps), folder / f"{_ACTIONS}{output.instance_id}.json")
    write_game(output.game, folder / f"{_GAME}{output.instance_id}.json")


def read_output(folder: Path, instance_id: str) -> InferenceOutput:
    """Read the two files of one instance; raises `GameFileError`."""
    path = folder / f"{_ACTIONS}{instance_id}.json"
    steps = read_json(path)
    if not isinstance(steps, list):
        raise GameFileError(str(path), "must hold a list", value=type(steps).__name__)
    return InferenceOutput(instance_id, read_game(folder / f"{_GAME}{instance_id}.json"), tuple(steps))


def read_outputs(folder: Path) -> dict[str, InferenceOutput]:
    """Every instance in a folder, by id. Raises `GameFileError` for one without its predicted actions."""
    names = sorted(path.name for path in folder.glob(f"{_GAME}*.json"))
    ids = [name.removeprefix(_GAME).removesuffix(".json") for name in names]
    return {instance_id: read_output(folder, instance_id) for instance_id in ids}


def write_metrics(aggregate: JsonMapping, path: Path, *, processes: int = 1) -> None:
    """Write a metrics file, and one file of records for each of so many processes.

    The records are dealt out as the reference deals out instances: int(n / processes) + 1 to each, in order.
    """
    records = aggregate["traj_stats"]
    share = len(records) // processes + 1
    left = iter(records.items())
    for index in range(processes):
        write_json(dict(islice(left, share)), path.with_name(f"{path.name}.json.{index}"))
    write_json({key: aggregate[key] for key in _AGGREGATE}, path)


def read_metrics(path: Path) -> JsonObject:
    """Read a metrics file with all of the reference's keys; raises `GameFileError`."""
    fields = Fields(read_json(path), str(path))
    found = {key: fields.value(key) for key in _AGGREGATE}
    for instance_id, record in fields.mapping("traj_stats").items():
        if not isinstance(record, dict) or record.get("instance_id") != instance_id:
            raise fields.refuse("traj_stats", "must hold one record per instance, under its id", instance_id)
    return found
