"""Episodes of every world: played, recorded, gone on with wherever they were cut off, and replayed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.environment import Forced
from teach_agents.core.session.policies import READING, Probe, RealTime, Turns
from teach_agents.core.session.record import read_record
from teach_agents.core.session.replay import replay
from teach_agents.core.session.session import Session
from teach_agents.core.values import Stop, Wait
from tests.core.worlds import clock, graph, questions
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
    report = replay(read_record(path, world.form), world, world.form)
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
    first, *ended = [one.data for turn in turns for one in turn.events]
    assert first == {"phase": "find"}, "what happens at once is in the first turn"
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


def test_a_forced_prefix_is_done_whatever_anybody_would_do_and_agents_look_on(tmp_path: Path) -> None:
    case, path = CASES["grid"], tmp_path / "a.jsonl"
    _session(case, path).play(case.instance)
    turns = read_record(path, case.world().form).turns
    assert [turn.done["walker"].forced for turn in turns[:4]] == [True, True, True, False]
    assert [turn.done["walker"].trace.get("node") for turn in turns[:3]] == [1, 5, 6]
    assert len(turns) == 7, "it stops at the seventh place that it saw, those that it was led to included"


def test_a_distribution_is_read_behind_the_prefix_and_kept(tmp_path: Path) -> None:
    case, path = CASES["probe"], tmp_path / "a.jsonl"
    _session(case, path).play(case.instance)
    last = read_record(path, case.world().form).turns[-1]
    (event,) = last.events
    assert (last.turn, last.done, event.kind, event.data["how"]) == (3, {}, READING, "distribution")
    assert event.data["chances"][0] == [{"type": "Stop"}, 0.5]
    assert [share for _, share in event.data["chances"]] == [0.5, 0.125, 0.125, 0.125, 0.125]


def test_paired_runs_differ_in_what_was_said_besides(tmp_path: Path) -> None:
    def led(seen: graph.Here) -> Any:
        return Stop() if "stop" in seen.text else graph.Move(seen.neighbours[0])

    read = {}
    for more in ("", "or stop"):
        path = tmp_path / f"{len(more)}.jsonl"
        probe = Probe("walker", prefix=[Forced("walker", graph.Move(1))])
        session = Session(graph.Grid(), {"walker": led}, policy=probe, record=path)
        session.play(graph.Probe("a", "a", (0, 4), "go on", more))
        *_, last = read_record(path, graph.Grid().form).turns
        read[more] = last.turn, last.events[0].data["how"], last.events[0].data["chances"]
    one_move = [{"type": "Move", "to": 0}, 1.0]
    assert read == {"": (1, "one_hot", [one_move]), "or stop": (1, "one_hot", [[{"type": "Stop"}, 1.0]])}


def test_time_passes_behind_every_turn_and_where_nobody_may_act(tmp_path: Path) -> None:
    case, path = CASES["boiling"], tmp_path / "a.jsonl"
    result = _session(case, path).play(case.instance)
    turns = read_record(path, case.world().form).turns
    assert [len(turn.done) for turn in turns] == [0] * 3 + [1] * (len(turns) - 3)
    assert [turn.passed_s for turn in turns] == [1.0] * (len(turns) - 1) + [
        0.0
    ] and result.reason == "it is taken off at 85 degrees"
    assert [turn.turn for turn in turns if turn.events] == [11], "events of passing time are kept where they happened"


def test_without_turn_s_no_time_passes_and_that_is_said() -> None:
    case = CASES["boiling"]
    result = Session(case.world(), case.agents()).play(case.instance)
    assert result.end_reason == "crashed" and "Turns(turn_s=...)" in result.reason
    still = Session(case.world(), case.agents(), policy=Turns(7)).play(clock.Pot("a", 5.0, 0.0))
    assert (still.end_reason, still.turns) == ("turn_limit", 7)


def test_in_real_time_the_clock_goes_on_while_agents_think_and_the_record_replays_it(tmp_path: Path) -> None:
    def slow(seen: clock.Milk) -> Any:
        time.sleep(0.02)
        return clock.TakeOff() if seen.degrees > 80 else Wait()

    path = tmp_path / "a.jsonl"
    session = Session(clock.Boiling(), {"cook": slow}, policy=RealTime(), record=path)
    result = session.play(clock.Pot("a", 1000.0, 0.0))
    record, world = read_record(path, clock.Boiling().form), clock.Boiling()
    passed = [turn.passed_s for turn in record.turns]
    assert result.turns < 6 and 0.02 <= passed[0] < 5.0
    assert replay(record, world, world.form).identical and abs(world.seconds - sum(passed)) < 0.001
