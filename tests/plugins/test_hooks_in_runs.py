"""The plugins in TATC runs: named with their parameters, counted, and replayed to the identical state."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents import ScriptedAgent
from teach_agents.agents.lm.follower import lm_follower
from teach_agents.benchmarks.tatc.instances import generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.core.benchmark.playing import made_hooks
from teach_agents.core.benchmark.reporting.page import write_report
from teach_agents.household import Household, Limits, Scenario
from teach_agents.models import ScriptedModel
from teach_agents.observations import Observation
from teach_agents.session import DialogueHook, Session, read_record, replay
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

pytestmark = pytest.mark.usefixtures("warm_workers")

HOOKS = (
    "dialogue_acts",
    "recovery:patience=3",
    "confirm",
    "clarify:wait=1",
    "translate:model=scripted:oui,follower=French",
)


def test_a_run_with_every_plugin_names_counts_and_replays_them(tmp_path: Path) -> None:
    settings = TatcSettings(hooks=HOOKS, pictures=0, max_turns=60)
    run = TatcRun(tmp_path, settings, generated_instances(1, tasks=["Coffee"], rooms=["FloorPlan7"]))
    run.play(workers=1)
    summary = run.summary()
    (episode,) = run.episodes().values()
    assert episode["status"] == "done" and [hook["name"] for hook in episode["hooks"]] == list(HOOKS)
    assert tuple(summary["dialogue_hooks"]) == tuple(summary["hook_notes"]) == HOOKS
    notes = summary["hook_notes"][HOOKS[-1]]
    assert notes["translated"] == summary["costs"]["follower"]["utterances"] > 0
    tagged = summary["costs"]["commander"]["dialogue_acts"]
    assert sum(tagged.values()) >= summary["costs"]["commander"]["utterances"] > 0
    page = write_report(tmp_path).read_text(encoding="utf8")
    assert "Dialogue hooks" in page and "recovery:patience=3" in page
    record = read_record(next((tmp_path / "records").glob("*.jsonl")))
    assert record.header.hooks == HOOKS
    assert replay(record, Household(EmbeddedSimulator())).identical
    assert "translate:model" in json.dumps(record.result)


class _Looking(DialogueHook):
    """Counts what it is shown of the room in the Follower's observations."""

    def begin(self, session_id: str, seed: int) -> None:
        self.known: list[int] = []

    def before_action(self, observation: Observation, action: Action) -> Action:
        self.known += [len(observation.privileged.objects)] if observation.role is Role.FOLLOWER else []
        return action


def test_a_language_model_reads_the_hints_and_hooks_see_what_it_perceives() -> None:
    model = ScriptedModel(["look down"])  # once it has looked around the room, which takes it forty turns
    household = Household(EmbeddedSimulator())
    looking = _Looking()
    limits = Limits(max_turns=60)
    session = Session(household, ScriptedAgent([]), lm_follower(model, actions="primitive"), limits=limits)
    session.with_hook(made_hooks(["recovery"])[0][1]).with_hook(looking)
    result = asyncio.run(session.run(Scenario("s", "Coffee", (), Scene("FloorPlan7"))))
    assert result.failures[Role.FOLLOWER] > 0
    assert "Step back, then look again" in model.prompts[-1].messages[-1].text
    assert 0 < looking.known[0] < looking.known[-1] < len(household.objects)
