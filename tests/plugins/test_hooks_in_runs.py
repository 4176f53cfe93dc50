"""The plugins in TATC runs: named with their parameters, counted, and replayed to the identical state."""

from __future__ import annotations

import json
from pathlib import Path

from teach_agents.benchmarks.tatc.instances import generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.benchmarks.tatc.summary import summary_of
from teach_agents.household import Household
from teach_agents.session import read_record, replay
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

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
    summary = summary_of(run)
    (episode,) = run.episodes().values()
    assert episode["status"] == "done" and [hook["name"] for hook in episode["hooks"]] == list(HOOKS)
    assert tuple(summary["dialogue_hooks"]) == tuple(summary["hook_notes"]) == HOOKS
    notes = summary["hook_notes"][HOOKS[-1]]
    assert notes["translated"] == summary["costs"]["follower"]["utterances"] > 0
    tagged = summary["costs"]["commander"]["dialogue_acts"]
    assert sum(tagged.values()) >= summary["costs"]["commander"]["utterances"] > 0
    record = read_record(next((tmp_path / "records").glob("*.jsonl")))
    assert record.header.hooks == HOOKS
    assert replay(record, Household(EmbeddedSimulator())).identical
    assert "translate:model" in json.dumps(record.result)
