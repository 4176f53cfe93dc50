"""A session played in process ends in the same state through the package and the double."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents import play, read_record, to_game
from teach_agents.core.registry import default_registry
from teach_agents.household import Household
from teach_agents.session.game_replay import replay_game
from teach_agents.simulator import EmbeddedSimulator
from teach_agents.simulator.double import command
from teach_agents.simulator.double.releases import install
from teach_agents.simulator.thor import ThorSimulator
from tests.simulator.thor.support import QUIET

pytest.importorskip("ai2thor")
pytestmark = QUIET

_SAME = (
    "position rotation openness is_toggled is_broken is_filled is_dirty is_cooked is_sliced is_picked_up "
    "temperature exists"
).split()


def test_a_session_ends_in_the_same_state(tmp_path: Path) -> None:
    record = tmp_path / "coffee.jsonl"
    played = play("Coffee", room="FloorPlan1", seed=1, record=record)
    assert played.success
    embedded, thor = EmbeddedSimulator(), ThorSimulator(executable="double", start_time=120.0)
    game, _ = to_game(read_record(record), Household(EmbeddedSimulator()))
    here = replay_game(game, Household(embedded))
    there = replay_game(game, Household(thor))
    assert there.progress.to_json() == here.progress.to_json()
    assert (there.executed, there.as_recorded, there.failed) == (here.executed, here.as_recorded, 0)
    assert thor.restored is not None and thor.restored.unmatched == thor.restored.unmet == ()
    assert thor.state.agent == embedded.state.agent
    assert thor.state.objects.keys() == embedded.state.objects.keys()
    differing = [
        (object_id, field)
        for object_id, obj in embedded.state.objects.items()
        for field in _SAME
        if getattr(obj, field) != getattr(thor.state.objects[object_id], field)
    ]
    assert differing == []
    at_home = [thor.state.objects[i].parents[:1] == obj.parents[:1] for i, obj in embedded.state.objects.items()]
    assert sum(at_home) >= 0.95 * len(at_home)
    thor.close()


def test_it_is_registered_and_says_what_it_runs_on() -> None:
    made = default_registry().entry("simulator", "thor").factory()(executable="double")
    assert isinstance(made, ThorSimulator)
    assert made.name == "thor:executable=double"
    assert ThorSimulator().name == "ai2thor"
    assert default_registry().entry("simulator", "ai2thor").factory() is ThorSimulator


def test_the_double_is_never_taken_for_ai2thor_however_it_is_started() -> None:
    for way in (command(), "/usr/local/bin/teach-agents-unity"):
        assert ThorSimulator(executable=way).name == "thor:executable=double"
    assert ThorSimulator(executable="/opt/thor/build").name == "ai2thor"
    install("Linux64")
    assert ThorSimulator().name == ThorSimulator(platform="Linux64").name == "thor:executable=double"
    assert ThorSimulator(platform="CloudRendering").name == "ai2thor"
