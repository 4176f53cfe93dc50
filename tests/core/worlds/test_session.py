"""Episodes of every world: played, recorded, gone on with wherever they were cut off, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.core.session.record import read_record, replay
from teach_agents.core.session.session import Session
from tests.core.worlds import questions
from tests.core.worlds.cases import CASES, Case

every_world = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def _session(case: Case, record: Path) -> Session:
    return Session(case.world(), case.agents(), policy=case.policy(), record=record)


@every_world
def test_an_episode_is_played_and_replayed(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    result = _session(case, path).play(case.instance, seed=4)
    assert (result.end_reason, result.success, result.details) == (case.end, case.success, "")
    world = case.world()
    report = replay(read_record(path, world.form), world)
    assert report.identical, report.differences
    assert report.turns == result.turns > 1


@every_world
def test_wherever_it_is_cut_off_it_goes_on_to_the_same_bytes(case: Case, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    _session(case, whole).play(case.instance, seed=4)
    lines = whole.read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines)):
        cut = tmp_path / f"{kept}.jsonl"
        cut.write_bytes(b"".join(lines[:kept]) + lines[kept][: len(lines[kept]) // 2])
        _session(case, cut).play_on()
        assert cut.read_bytes() == whole.read_bytes(), f"cut off behind line {kept}"


def test_a_phase_that_nobody_ends_is_ended_by_force_and_the_record_says_so(tmp_path: Path) -> None:
    case, path = CASES["building"], tmp_path / "a.jsonl"
    _session(case, path).play(case.instance)
    turns = read_record(path, case.world().form).turns
    ended = [one.data for turn in turns for one in turn.events if one.kind == "phase_ended"]
    assert ended == [
        {"phase": "find", "at": 2, "goal": 2, "forced": False},
        {"phase": "place", "at": 5, "goal": 6, "forced": True},
    ]
    assert [tuple(turn.done) for turn in turns] == [("caller",), *[("builder",)] * 3] * 2
    assert turns[-1].done["builder"].trace == ended[-1]


def test_questions_are_answered_by_the_world_and_charged(tmp_path: Path) -> None:
    case, path = CASES["errand"], tmp_path / "a.jsonl"
    assert _session(case, path).play(case.instance).costs == {"robot": 21.0}
    record = read_record(path, case.world().form)
    asked = [turn.done["robot"] for turn in record.turns]
    assert [one.result.cost for one in asked] == [10.0, 10.0, 1.0]
    assert [one.kind for turn in record.turns for one in turn.events] == ["request", "answered", "answered"]
    assert asked[0].result.message.endswith("blue.")


def test_forty_moves_end_it(tmp_path: Path) -> None:
    case = CASES["errand"]
    session = Session(case.world(), {"robot": lambda room: questions.Ask("clearly")})
    result = session.play(case.instance)
    assert (result.turns, result.reason, result.costs) == (40, "the 40 moves are spent", {"robot": 1200.0})
