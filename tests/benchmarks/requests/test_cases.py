from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.requests.cases import Reply, case_of, read_cases, room_kind
from teach_agents.errors import InputError

_CASE: dict[str, Any] = {
    "id": "one",
    "kind": "plain",
    "pair": "p",
    "room": "FloorPlan1",
    "talk": ["Get me an apple."],
    "check": {"true": ["any Apple held"]},
}


def _written(folder: Path, *cases: dict[str, Any]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in cases))
    return path


def test_a_case_is_read() -> None:
    case = case_of("here", {**_CASE, "setup": ["dirty Mug"]})
    assert (case.instance_id, case.cluster, case.setup) == ("one", "p", ("dirty Mug",))
    assert case.groups == {"kind": "plain", "room": "kitchen", "words": "clear"}
    assert (case.talk[0].when, case.check.since, case.wants_reply) == ("start", 0, False)


def test_what_follows_an_answer_counts_from_the_question_on() -> None:
    talk = [
        "Hello.",
        {"say": "The mug.", "reply": {"asks": ["sink", "table|desk"]}},
        {"say": "On it.", "when": "asked"},
    ]
    case = case_of("here", {**_CASE, "talk": talk})
    assert case.check.since == 1
    assert case.talk[1].reply == Reply(asks=(("sink",), ("table", "desk")))
    assert case.groups["words"] == "ambiguous"


def test_something_is_said_after_so_many_actions() -> None:
    case = case_of("here", {**_CASE, "talk": ["Go.", {"say": "Stop!", "when": {"after": 3}}]})
    assert (case.talk[1].when, case.talk[1].after, case.check.since) == ("after", 3, 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "odd"}, "unknown kind"),
        ({"more": 1}, "more"),
        ({"talk": []}, "'talk'"),
        ({"talk": ["Go.", {"say": "Stop!", "when": "soon"}]}, "unknown 'when'"),
        ({"check": {}}, "asks for nothing"),
        ({"check": {"true": "any Apple held"}}, "a list of texts"),
        ({"check": {"reply": {"say": []}}}, "say"),
        ({"check": {"true": ["any Apple held"], "since": 1}}, "'since'"),
    ],
)
def test_what_is_no_case_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        case_of("here", {**_CASE, **change})


def test_pairs_are_of_two(tmp_path: Path) -> None:
    other = {**_CASE, "id": "other"}
    assert [one.instance_id for one in read_cases(_written(tmp_path, other, _CASE))] == ["one", "other"]
    with pytest.raises(InputError, match="a pair is of two"):
        read_cases(_written(tmp_path, _CASE))
    with pytest.raises(InputError, match="two cases go by one id"):
        read_cases(_written(tmp_path, _CASE, _CASE))


def test_files_that_hold_no_cases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no"):
        read_cases(tmp_path)
    (tmp_path / "a.jsonl").write_text("{\n")
    with pytest.raises(InputError, match="line 1"):
        read_cases(tmp_path)


def test_rooms_are_told_apart_by_their_numbers() -> None:
    kinds = [room_kind(f"FloorPlan{number}") for number in (7, 30, 201, 310, 425)]
    assert kinds == ["kitchen", "kitchen", "living room", "bedroom", "bathroom"]
