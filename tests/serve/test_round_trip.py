"""Our client drives our server in whole benchmark instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from teach_agents_serve import create_app

from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.edh.benchmark import EdhBenchmark
from teach_agents.benchmarks.metrics import Outcome
from teach_agents.benchmarks.tfd.benchmark import TfdBenchmark
from teach_agents.conventions.wire_follower import FollowerAsTeachModel
from teach_agents.errors import SpecError
from tests.conventions.sessions import written
from tests.serve.serving import serving


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield written(tmp_path_factory.mktemp("teach"))


def _outcomes(benchmark: EdhBenchmark | TfdBenchmark) -> list[Outcome]:
    found = [Outcome.from_json(benchmark.run(one)["outcome"]) for one in benchmark.instances("train")]
    return [replace(one, costs=Costs()) for one in found]


def test_a_served_follower_does_what_it_does_here(data: Path) -> None:
    edh, tfd = str(data / "edh_instances"), str(data / "tfd_instances")
    with serving(create_app("random:stops=false", seed=7)) as url:
        remote = f"teach-remote:url={url}"
        there = _outcomes(EdhBenchmark(remote, instances=edh, seed=3, view_size=60, max_steps=40))
        there += _outcomes(TfdBenchmark(remote, instances=tfd, seed=3, view_size=60, max_steps=40))
    here = _outcomes(EdhBenchmark("random:stops=false", instances=edh, seed=7, view_size=60, max_steps=40))
    here += _outcomes(TfdBenchmark("random:stops=false", instances=tfd, seed=7, view_size=60, max_steps=40))
    assert there == here and len({one.predicted for one in here}) == 3
    assert sum(one.steps for one in here) > 100


def test_a_follower_of_ours_in_teachs_runner_does_what_it_does_here(data: Path) -> None:
    module = "teach_agents.conventions.wire_follower"
    args = "--follower random:stops=false --seed 7"
    wired = f"teach-model:module={module},class=FollowerAsTeachModel,args={args}"
    there = _outcomes(TfdBenchmark(wired, instances=str(data / "tfd_instances"), view_size=60, max_steps=20))
    here = TfdBenchmark("random:stops=false", instances=str(data / "tfd_instances"), seed=7, view_size=60, max_steps=20)
    assert there == _outcomes(here)
    with pytest.raises(SpecError, match="reads what the protocol cannot carry"):
        FollowerAsTeachModel(0, 1, ["--follower", "planner"])


def test_the_history_travels(data: Path) -> None:
    edh = str(data / "edh_instances")
    historian = "tests.serve.agents:Historian"
    (local, *_), *_ = (one.predicted for one in _outcomes(EdhBenchmark(historian, instances=edh, max_steps=1)))
    with serving(create_app(historian, allow_import=True)) as url:
        sent, unsent = (
            _outcomes(EdhBenchmark(f"teach-remote:url={url}{more}", instances=edh, max_steps=1))[0].predicted[0]
            for more in ("", ",send_history=false")
        )
    assert sent[0] == unsent[0] == local[0] == "Open"
    assert local[1] and sent[1] and unsent[1]
    assert sent[1][1] == local[1][1] == unsent[1][1], "the actions are in the instance"
    assert abs(sent[1][0] - local[1][0]) < 0.02 and unsent[1][0] == 0.0
