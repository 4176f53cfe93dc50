"""The bench of the language-model pair: what it plays, and the blanked control."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from teach_agents.actions import Action
from teach_agents.benchmarks.tatc.episode import make_hook
from teach_agents.specs import parse
from tests.session.support import Recall, scenario, session

_SCRIPT = Path(__file__).parents[2] / "benchmarks" / "lm_agents.py"


@pytest.fixture
def lm_agents(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("lm_agents", _SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "lm_agents", module)
    spec.loader.exec_module(module)
    return module


def test_every_system_is_the_language_model_pair_with_so_many_decisions(lm_agents: ModuleType) -> None:
    for system in lm_agents.SYSTEMS:
        made = lm_agents.settings(system, 7)
        for spec in (made.commander, made.follower):
            named = parse(spec, where="SPEC")
            assert named.name == "lm" and named.parameters["max_decisions"] == 7


def test_blanked_utterances_are_heard_without_their_words(lm_agents: ModuleType) -> None:
    (spec,) = lm_agents.settings("blanked", 7).hooks
    follower = Recall(Action.say("which mug?"))
    held = session([Action.say("a mug, please"), Action.wait(), Action.finish()], follower).with_hook(make_hook(spec))
    result = asyncio.run(held.run(scenario()))
    assert result.utterances == {"commander": 1, "follower": 1}
    assert [said.text for said in follower.seen[-1].dialogue] == [" ", " "]
