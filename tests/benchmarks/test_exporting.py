"""Runs as data for others."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action
from teach_agents.benchmarks.exporting import FEATURES
from teach_agents.benchmarks.tatc.records import record_path
from teach_agents.core.benchmark.exporting import export
from teach_agents.core.benchmark.stored import read_run
from teach_agents.errors import InputError, RecordError
from teach_agents.session import read_record


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def _of_type(value: Any, wanted: Any) -> bool:
    """Whether a value fits a column of the card; numbers and structs may be absent."""
    if isinstance(wanted, list):
        return isinstance(value, list) and all(_of_type(one, wanted[0]) for one in value)
    if isinstance(wanted, Mapping):
        return value is None or (value.keys() == wanted.keys() and all(_of_type(value[k], wanted[k]) for k in wanted))
    types: dict[str, Any] = {"string": str, "bool": bool, "int64": int, "float64": (float, int, type(None))}
    return isinstance(value, types[wanted]) and (wanted == "bool" or not isinstance(value, bool))


def test_every_row_fits_the_columns_of_its_card(finished_tfd: Path, finished_tatc: Path, tmp_path: Path) -> None:
    for run in (finished_tfd, finished_tatc):
        out = tmp_path / run.parent.name
        found = export(run, "hf", out)
        assert len(found.rows) == 3 and all(found.rows.values())
        for name, columns in ((path.stem, FEATURES[path.stem]) for path in found.rows):
            for row in _rows(out / "data" / f"{name}.jsonl"):
                assert row.keys() == columns.keys() and _of_type(row, columns), row
        card = (out / "README.md").read_text(encoding="utf8").split("---\n")
        head = dict(line.split(": ", 1) for line in card[1].splitlines())
        assert [one["config_name"] for one in json.loads(head["configs"])] == [path.stem for path in found.rows]
        assert json.loads(head["dataset_info"])[0]["features"][0] == {"name": "benchmark", "dtype": "string"}
        assert not list(out.rglob("*.part"))


def test_steps_hold_observation_message_action_and_result(finished_tatc: Path, tmp_path: Path) -> None:
    rows = _rows(next(iter(export(finished_tatc, "steps", tmp_path).rows)))
    name = rows[0]["instance_id"]
    turns = read_record(record_path(finished_tatc, name)).turns
    own = [row for row in rows if row["instance_id"] == name]
    assert [(row["step"], row["role"]) for row in own[:3]] == [(0, "commander"), (0, "follower"), (1, "commander")]
    assert len(own) == 2 * len(turns)
    for row in own:
        done = turns[row["step"]].done[row["role"]]
        assert done.action is not None and row["action"]["name"] == done.action.name
        assert row["message"] == done.action.utterance and row["result"]["success"] == done.result.success
    heard = [said for row in own if row["role"] == "follower" for said in row["observation"]["heard"]]
    spoken = [{"speaker": row["role"], "text": row["message"]} for row in own if row["message"]]
    assert heard == spoken[: len(heard)] and heard
    then, now = (next(row for row in own if (row["step"], row["role"]) == (step, "follower")) for step in (0, 1))
    assert now["observation"]["last_result"] and not then["observation"]["last_result"]


def test_conversations_alternate_and_answer_with_actions(
    finished_tatc: Path, finished_tfd: Path, tmp_path: Path
) -> None:
    for run, roles in ((finished_tatc, ["commander", "follower"]), (finished_tfd, ["follower"])):
        rows = _rows(next(iter(export(run, "jsonl", tmp_path / run.parent.name).rows)))
        assert [row["role"] for row in rows[: len(roles)]] == roles
        for row in rows:
            speakers = [message["role"] for message in row["messages"]]
            assert speakers[0] == "system" and speakers[1:] == ["user", "assistant"] * (len(speakers) // 2)
            for message in row["messages"][2::2]:
                assert Action.from_json(json.loads(message["content"])).allowed_for(row["role"])
    assert "Follower: a mug, please" in rows[0]["messages"][1]["content"]
    assert "Pickup: success" in rows[0]["messages"][3]["content"]


def test_what_has_no_record_is_named(finished_tfd: Path, tmp_path: Path) -> None:
    found = export(finished_tfd, "steps", tmp_path)
    assert found.unrecorded == ("garbled.tfd",)
    assert {row["instance_id"] for row in _rows(tmp_path / "steps.jsonl")} == {"one.tfd", "two.tfd"}


def test_a_damaged_record_or_another_format_leaves_nothing(finished_tatc: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'jsonl'"):
        export(finished_tatc, "json", tmp_path / "out")
    run = Path(shutil.copytree(finished_tatc, tmp_path / "run"))
    record_path(run, list(read_run(run).asked)[1]).write_text("{}\n")
    with pytest.raises(RecordError):
        export(run, "steps", tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_datasets_loads_it(finished_tfd: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    load_dataset = pytest.importorskip("datasets").load_dataset
    for name in (path.stem for path in export(finished_tfd, "hf", tmp_path / "out").rows):
        found = load_dataset(str(tmp_path / "out"), name, split="train", cache_dir=str(tmp_path / "cache"))
        assert found.num_rows == len(_rows(tmp_path / "out" / "data" / f"{name}.jsonl"))


def test_what_people_said_is_left_out_unless_it_is_asked_for(finished_tatc: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished_tatc, run)
    said: dict[str, set[str]] = {"commander": set(), "follower": set()}
    for path in (run / "records").glob("*.jsonl"):
        header, *turns = path.read_text(encoding="utf8").splitlines(keepends=True)
        person = {**json.loads(header), "agents": {"commander": "human", "follower": "planner"}}
        path.write_text(json.dumps(person) + "\n" + "".join(turns), encoding="utf8")
        for row in map(json.loads, turns):
            for role, texts in said.items():
                texts.add(((row.get(role) or {}).get("action") or {}).get("utterance", ""))
    mine, its = (texts - {""} for texts in said.values())
    assert mine and its - mine
    for words in (False, True):
        files = export(run, "hf", tmp_path / str(words), words=words).rows
        texts = set(_texts([row for path in files for row in _rows(path)]))
        assert bool(mine & texts) is words and ("[left out]" in texts) is not words
        assert its - mine <= texts


def _texts(value: Any) -> list[str]:
    """All texts in JSON."""
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inside for text in _texts(one)]
