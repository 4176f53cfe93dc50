"""The rows that the benches of understanding and of eyes make for the registry."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teach_agents.core.benchmark.results import Measurement, Results

_BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def results_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Results]:
    monkeypatch.syspath_prepend(str(_BENCHMARKS))
    return lambda name, *given: importlib.import_module(name).results_of(*given)


def _share(value: float) -> dict[str, Any]:
    return {"right": 3, "share": value, "ci": [value - 0.1, value + 0.1]}


def test_shares_of_what_was_understood_are_percents_with_their_agent(results_of: Callable[..., Results]) -> None:
    about = {"privileges": ["objects"], "model": "smollm2", "prompt_hash": "abc"}
    found = {
        **{"sessions": 9, "n": 6, "median_candidates": 40.0},
        "systems": {"mine": {**_share(0.5), **about}, "offered": _share(0.85)},
        "spoken_of": {"n": 4, "systems": {"mine": _share(0.75), "offered": _share(0.9)}},
        "begun_alike": {"n": 6, "systems": {"mine": _share(0.6)}},
    }
    asked = argparse.Namespace(games=Path("games/valid_seen"), limit=9, encoder="minilm")
    made = results_of("understanding", found, asked, {"mine": "lm:model=smollm2"})
    values = {(row.system, row.metric): (row.value, row.n) for row in made.rows}
    assert values["mine", "understood"] == (50.0, 6) and values["mine", "understood_spoken_of"] == (75.0, 4)
    assert values["mine", "begun_alike"] == (60.0, 6) and ("offered", "begun_alike") not in values
    source = made.sources["understanding mine"]
    assert isinstance(source, Measurement) and source.privileges == {"follower": ("objects",)}
    assert source.command.endswith("--agent 'lm:model=smollm2'") and "9 sessions" in source.instances


def test_eyes_have_precision_depth_and_time(results_of: Callable[..., Results]) -> None:
    found = {
        "detector": {"name": "household", "hash": "abc"},
        "ap50": {"value": 0.5, "ci": [0.4, 0.6], "types": 30},
        "ms": {"median": 50.0},
        **{"frames": 100, "rooms": 25, "depth_error": 0.05, "varied": False},
    }
    made = results_of("detector", found, "household", argparse.Namespace(frames=4, seed=7))
    assert {row.metric: row.value for row in made.rows} == {"ap50": 50.0, "depth_error": 5.0, "frame_time": 50.0}
    blind = results_of("detector", {**found, "depth_error": None}, "household", argparse.Namespace(frames=4, seed=7))
    assert {row.metric for row in blind.rows} == {"ap50", "frame_time"}
    other = results_of("detector", {**found, "varied": True}, "household", argparse.Namespace(frames=4, seed=7))
    (source,) = other.sources.values()
    assert isinstance(source, Measurement) and source.command.endswith("--varied")
    assert not {row.key for row in other.rows} & {row.key for row in made.rows}


def test_an_agent_may_have_a_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(_BENCHMARKS))
    titled = importlib.import_module("understanding").titled
    assert titled("mine=lm:model=smollm2") == ("mine", "lm:model=smollm2")
    assert titled("lm:model=lmstudio") == ("lm:model=lmstudio", "lm:model=lmstudio")
