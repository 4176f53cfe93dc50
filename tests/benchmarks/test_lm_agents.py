"""The bench of the language-model pair: what it plays, and the blanked control."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.tatc.episode import make_hook
from teach_agents.data import write_game
from teach_agents.observations import Utterance
from teach_agents.specs import parse
from tests.benchmarks.edh.sessions import errand, household
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


def test_every_system_is_the_language_model_pair_that_shares_so_many_decisions(lm_agents: ModuleType) -> None:
    for system in lm_agents.SYSTEMS:
        made = lm_agents.settings(system, 14)
        for spec in (made.commander, made.follower):
            named = parse(spec, where="SPEC")
            assert named.name == "lm" and named.parameters["max_decisions"] == 7


def test_blanked_utterances_are_heard_without_their_words(lm_agents: ModuleType) -> None:
    (spec,) = lm_agents.settings("blanked", 14).hooks
    follower = Recall(Action.say("which mug?"))
    held = session([Action.say("a mug, please"), Action.wait(), Action.finish()], follower).with_hook(make_hook(spec))
    result = asyncio.run(held.run(scenario()))
    assert result.utterances == {"commander": 1, "follower": 1}
    assert [said.text for said in follower.seen[-1].dialogue] == [" ", " "]


def test_in_edh_the_follower_has_all_decisions(lm_agents: ModuleType) -> None:
    for system in ("oracle", "smollm2", "uniform"):
        named = parse(lm_agents.edh_settings(system, 7).follower, where="SPEC")
        assert named.name == "lm" and named.parameters["max_decisions"] == 7
    assert lm_agents.edh_settings("blanked", 7).follower == "lm_agents:BlankedFollower"


def test_blanked_eyes_see_what_others_see(lm_agents: ModuleType) -> None:
    home = household()
    home.reset(scenario())
    eyes = lm_agents.BlankedEyes()
    eyes.begin(0)
    shown = home.observe(Role.FOLLOWER, eyes.privileges)
    seen = eyes.perceive(replace(shown, dialogue=(Utterance(Role.COMMANDER, "a mug, please", 5),)))
    assert seen.dialogue == (Utterance(Role.COMMANDER, " ", 5),)
    assert seen.privileged.objects and seen.pose == shown.pose


def test_edh_is_carried_through_and_gone_on_with(lm_agents: ModuleType, tmp_path: Path) -> None:
    write_game(errand(), tmp_path / "games" / "train" / "recorded.game.json")
    options = {"names": "", "limit": None, "workers": 1, "concurrent": 1, "max_decisions": 4}
    asked = argparse.Namespace(games=tmp_path / "games", **options)
    found = lm_agents.edh("uniform", tmp_path / "uniform", asked)
    assert found["n"] == 2 and found["perception"] == "oracle" and found["status"]["done"] == 2
    assert 2 <= found["decisions"]["follower"] <= 8 and 0 <= found["goal_condition_success_macro"] <= 1
    records = (tmp_path / "uniform" / "records.jsonl").read_bytes()
    assert lm_agents.edh("uniform", tmp_path / "uniform", asked) == found
    assert (tmp_path / "uniform" / "records.jsonl").read_bytes() == records
