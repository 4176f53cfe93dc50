"""EDH through the real `ai2thor` package, on the double."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.benchmarks.edh.player import EdhPlayer
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference, instance_files
from teach_agents.data import write_game
from teach_agents.data.edh import write_edh
from teach_agents.simulator.thor import ThorSimulator
from tests.benchmarks.edh.sessions import errand, household
from tests.simulator.thor.support import QUIET

pytest.importorskip("ai2thor")
pytestmark = QUIET


def _outcome(player: EdhPlayer, reference: Reference) -> Mapping[str, Any]:
    outcome = player.play(reference)["outcome"]
    return {key: value for key, value in outcome.items() if key != "costs"}


def test_what_the_person_did_leads_to_the_same_through_the_package(tmp_path: Path) -> None:
    write_game(errand(), tmp_path / "games" / "train" / "recorded.game.json")
    for one in candidates(errand(), household()):
        write_edh(one.instance, tmp_path / "edh_instances" / "train" / f"{one.instance.instance_id}.json")
    last = instance_files(tmp_path / "edh_instances", "edh")[-1]
    player = EdhPlayer(Settings(simulator="thor:executable=double"))
    simulator = player.household.simulator
    assert isinstance(simulator, ThorSimulator)
    try:
        found = _outcome(player, last)
    finally:
        simulator.close()
    assert found["status"] == "done" and found["success"]
    assert found == _outcome(EdhPlayer(Settings()), last)
