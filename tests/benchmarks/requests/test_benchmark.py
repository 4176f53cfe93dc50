"""The benchmark itself: its contract, its cases, what stubs get."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.requests.benchmark import RequestsBenchmark
from teach_agents.benchmarks.requests.cases import KINDS, Case, room_kind
from teach_agents.benchmarks.requests.player import How, play, prepared
from teach_agents.benchmarks.requests.stubs import STUBS
from teach_agents.core.benchmark.conformance import BenchmarkContract
from teach_agents.core.benchmark.contract import Benchmark, Choice
from teach_agents.core.benchmark.playing import world_of
from teach_agents.core.benchmark.reporting.page import write_report
from teach_agents.core.benchmark.run import Run
from teach_agents.core.benchmark.setup import Setup
from teach_agents.errors import InputError
from teach_agents.household import Household

_STUBS = "teach_agents.benchmarks.requests.stubs"


class TestRequests(BenchmarkContract):
    def make_benchmark(self) -> Benchmark[Any, Any]:
        return RequestsBenchmark()


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    return tuple(RequestsBenchmark().instances("dev"))


@pytest.fixture(scope="module")
def household() -> Household:
    household: Household = world_of(RequestsBenchmark()).household  # type: ignore[attr-defined]  # that of a household
    return household


def test_every_case_can_be_played_and_is_not_done_yet(cases: tuple[Case, ...], household: Household) -> None:
    for case in cases:
        prepared(case, household)


def test_kinds_and_rooms_are_even(cases: tuple[Case, ...]) -> None:
    kinds, rooms = Counter(case.kind for case in cases), {case.room for case in cases}
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 16 and max(kinds.values()) <= 1.5 * min(kinds.values())
    assert Counter(map(room_kind, rooms)) == {"kitchen": 10, "living room": 10, "bedroom": 10, "bathroom": 10}


def _words(case: Case) -> list[Counter[str]]:
    return [Counter(re.findall(r"[a-z']+", said.text.lower())) for said in (case.talk[0], case.talk[-1])]


def test_members_of_a_pair_have_the_same_words_or_differ_in_one(cases: tuple[Case, ...]) -> None:
    pairs: dict[str, list[Case]] = {}
    for case in cases:
        pairs.setdefault(case.pair, []).append(case)
    for one, other in pairs.values():
        assert (one.room, one.setup, one.talk) != (other.room, other.setup, other.talk), one.pair
        assert min((mine - its).total() for mine in _words(one) for its in _words(other)) <= 2, one.pair


@pytest.mark.slow
@pytest.mark.parametrize("name", STUBS)
def test_who_understands_nothing_gets_next_to_nothing(name: str, cases: tuple[Case, ...], household: Household) -> None:
    right: dict[str, list[bool]] = {}
    for case in cases:
        record = play(case, household, STUBS[name](), How())
        right.setdefault(case.pair, []).append(not record["verdict"]["missed"])
    credit = Counter(case.kind for case in cases if all(right[case.pair]))
    whole = Counter(case.kind for case in cases)
    assert credit.total() <= 0.03 * whole.total(), credit
    assert all(credit[kind] <= 0.05 * count for kind, count in whole.items()), credit


def _run(folder: Path, benchmark: RequestsBenchmark, follower: str) -> Run[Any]:
    setup = Setup({"follower": follower})
    run = Run(folder, benchmark, setup, benchmark.select(Choice(limit=2)))
    run.play(workers=1)
    return run


def test_a_run_gives_credit_for_pairs(tmp_path: Path, warm_workers: None) -> None:
    told = {"kind": "plain", "pair": "p", "room": "FloorPlan1", "talk": ["Hi."]}
    pair = [{"id": word, **told, "check": {"reply": {"says": [word]}}} for word in ("yes", "maybe")]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pair))
    benchmark = RequestsBenchmark(cases=tmp_path / "cases.jsonl")
    benchmark.name = "requests"
    run = _run(tmp_path / "run", benchmark, f"{_STUBS}:OneParagraph")
    summary = run.write_summary()
    assert summary["aggregate"]["cases"] == 0.5
    assert summary["aggregate"]["score"] == summary["success_rate"] == 0.0
    assert summary["latency"]["n"] == 2
    assert summary["status"]["done"] == 2
    assert "reply lacks maybe" in write_report(tmp_path / "run").read_text()


def test_both_halves_together_are_eight_hundred_requests() -> None:
    cases = RequestsBenchmark().instances("all")
    kinds = Counter(case.kind for case in cases)
    assert len({case.instance_id for case in cases}) == len(cases) >= 800
    assert len(kinds) == 10 and min(kinds.values()) >= 80
    assert len({case.room for case in cases}) >= 40


def test_people_bring_their_own_cases(tmp_path: Path) -> None:
    assert RequestsBenchmark().splits[0] == "dev"
    own = RequestsBenchmark(cases=tmp_path)
    assert own.splits == ("own",)
    with pytest.raises(InputError, match="holds no"):
        own.instances("own")
