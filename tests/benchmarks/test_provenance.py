"""What agents are made of is stamped on the results of every benchmark."""

from __future__ import annotations

from pathlib import Path

from teach_agents.actions import Action
from teach_agents.benchmarks.solo.log import log_path, read_log
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.run import FollowerRun
from teach_agents.benchmarks.tatc.instances import generated_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.benchmarks.tfd.benchmark import tfd_references
from teach_agents.core.agents.contract import Agent
from teach_agents.data import write_game
from teach_agents.observations import Observation
from tests.benchmarks.edh.sessions import errand

SPEC = "tests.benchmarks.test_provenance:Promptful"
MADE_OF = {"model": "tiny", "prompt_hash": "c0ffee"}


class Promptful(Agent):
    """Stops at once, as its prompt says."""

    provenance = MADE_OF

    def act(self, observation: Observation) -> Action:
        return Action.stop()


def test_a_followers_run_says_what_it_is_made_of(tmp_path: Path) -> None:
    write_game(errand(), tmp_path / "games" / "train" / "recorded.game.json")
    references = tfd_references(games=str(tmp_path / "games"))
    run = FollowerRun(tmp_path / "run", "tfd", Settings(SPEC), references)
    run.play()
    assert run.summary()["provenance"] == MADE_OF
    assert run.records()["recorded.tfd"]["provenance"] == MADE_OF
    assert read_log(log_path(run.folder, "recorded.tfd")).beginning.agent["provenance"] == MADE_OF


def test_self_play_says_it_by_role(tmp_path: Path) -> None:
    settings = TatcSettings(commander="silent", follower=SPEC, pictures=0)
    run = TatcRun(tmp_path, settings, generated_instances(1, seed=3, tasks=["Coffee"]))
    run.play()
    summary = run.summary()
    assert summary["provenance"] == {"commander": {}, "follower": MADE_OF}
    assert (summary["model"], summary["prompt_hash"]) == ({"follower": "tiny"}, {"follower": "c0ffee"})
