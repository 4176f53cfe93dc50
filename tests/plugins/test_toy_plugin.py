"""The toy plugin under `tests/toy_plugin`: an agent, a task and a benchmark come in through the door like ours."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent, ScriptedAgent
from teach_agents.agents.conformance import AgentContract
from teach_agents.core.benchmark.conformance import BenchmarkContract
from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.core.registry import Registry
from teach_agents.core.specs import build
from teach_agents.errors import SpecError
from teach_agents.household import Household
from teach_agents.session import EndReason, Session
from teach_agents.tasks import TaskLibrary
from tests.household.fake import FakeSimulator
from tests.session.support import scenario

ROOT = Path(__file__).parent.parent / "toy_plugin"


def _toy() -> Registry:
    import importlib

    sys.path.insert(0, str(ROOT))
    try:
        plugin = importlib.import_module("toy_plugin")
        for name in ("parrot", "definitions", "guessing"):
            importlib.import_module(f"toy_plugin.{name}")
    finally:
        sys.path.remove(str(ROOT))
    registry = Registry()
    registry.register(plugin, "toy")
    return registry


REGISTRY = _toy()


class TestParrot(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return build("agent", "parrot:times=2", registry=REGISTRY, role=Role.FOLLOWER)


class TestGuessing(BenchmarkContract):
    def make_benchmark(self) -> Benchmark[Any, Any]:
        return build("benchmark", "guessing:limit=12", registry=REGISTRY)


def test_the_plugins_agent_plays_a_session() -> None:
    parrot = build("agent", "parrot:times=2", registry=REGISTRY, role=Role.FOLLOWER)
    commander = ScriptedAgent([Action.say("hello"), Action.wait(), Action.say("bye"), Action.wait()])
    household = Household(FakeSimulator(), view_size=64)
    result = asyncio.run(Session(household, commander, parrot).run(scenario()))
    assert result.end_reason is EndReason.STOPPED
    assert result.agents[Role.FOLLOWER] == "parrot:times=2"
    said = [utterance.text for utterance in household.dialogue if utterance.speaker is Role.FOLLOWER]
    assert said == ["hello hello", "hello hello"]
    with pytest.raises(SpecError, match="seat"):
        build("agent", "parrot", registry=REGISTRY, role=Role.COMMANDER)


def test_the_plugins_task_is_loaded_and_judged() -> None:
    folder = build("task", "toy", registry=REGISTRY)
    assert isinstance(folder, Path)
    library = TaskLibrary.builtin().extended([folder])
    household = Household(FakeSimulator(), library, view_size=64)
    household.reset(scenario("Wet Mug"))
    assert not household.progress().success
    assert household.progress().description == "Fill a mug with water."


def test_the_plugins_benchmark_judges_failures_as_results() -> None:
    def lazy(low: int, high: int) -> object:
        return "no idea" if high > 500 else low // 0

    benchmark = build("benchmark", "guessing", registry=REGISTRY, guesser=lazy)
    for split in benchmark.splits:
        scores = [benchmark.score(benchmark.run(instance)) for instance in benchmark.instances(split)]
        assert benchmark.aggregate(scores)["success"] == 0.0


def _installed(site: Path, name: str, entry: str) -> None:
    info = site / f"{name}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[teach_agents]\n{entry}\n")


def _python(code: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment, check=False
    )


def test_an_installed_plugin_is_discovered(tmp_path: Path) -> None:
    _installed(tmp_path, "toy_plugin", "toy = toy_plugin")
    code = """
import json
from teach_agents.core.registry import default_registry
from teach_agents.core.specs import build
registry = default_registry()
found = {kind: registry.entries(kind)[name].plugin
         for kind, name in (("agent", "parrot"), ("task", "toy"), ("benchmark", "guessing"), ("agent", "random"))}
print(json.dumps([found, type(build("benchmark", "guessing")).__name__]))
"""
    done = _python(code, tmp_path, ROOT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        {"agent": "built-in", "task": "toy", "benchmark": "toy"},
        "GuessingBenchmark",
    ]


def test_a_broken_installed_plugin_is_named_and_breaks_nobody_else(tmp_path: Path) -> None:
    _installed(tmp_path, "toy_plugin", "toy = toy_plugin")
    _installed(tmp_path, "sad_plugin", "sad = sad_plugin")
    (tmp_path / "sad_plugin.py").write_text("import a_module_that_is_nowhere\n")
    code = """
from teach_agents.errors import PluginError
from teach_agents.core.registry import default_registry
from teach_agents.core.specs import build
build("agent", "parrot", role="follower")
print(default_registry().problems["sad"])
try:
    build("agent", "sadness", role="follower")
except PluginError as error:
    print(error)
"""
    done = _python(code, tmp_path, ROOT)
    assert done.returncode == 0, done.stderr
    problem, unknown = done.stdout.splitlines()
    assert problem.startswith("plugin 'sad' (sad_plugin) cannot be imported: ModuleNotFoundError")
    assert "no agent of this name is registered" in unknown
    assert "plugin 'sad'" in unknown
