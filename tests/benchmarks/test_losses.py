"""Why a demonstration is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.agents.demonstration import demonstrated_turns
from teach_agents.benchmarks.losses import Cause, Parting, losses, partings
from teach_agents.benchmarks.metrics import GoalCounts, Outcome
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.core.benchmark.stored import read_run
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction, write_game
from teach_agents.household import Household, Scenario
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.benchmarks.edh.sessions import BACKWARD, PICKUP, PLACE, errand
from tests.benchmarks.fidelity.recording import changed


@pytest.fixture(scope="module")
def household() -> Household:
    return Household(EmbeddedSimulator())


def _partings(household: Household, game: Game) -> list[Parting]:
    interactions = game.episode.interactions
    household.reset(Scenario.from_game(game))
    deeds = [deed for _, deed in demonstrated_turns(interactions) if deed]
    return list(partings(household, interactions, deeds))


def _elsewhere(one: Interaction) -> Interaction:
    assert isinstance(one, Motion)
    return replace(one, values=(one.values[0] + 0.25, *one.values[1:]))


def _of_another(one: Interaction) -> Interaction:
    assert isinstance(one, ObjectInteraction)
    return replace(one, object_id="Mug|+09.00|+09.00|+09.00")


def test_what_was_recorded_here_parts_nowhere(household: Household) -> None:
    assert _partings(household, errand()) == []


@pytest.mark.parametrize(
    ("index", "change", "cause"), [(BACKWARD, _elsewhere, Cause.ELSEWHERE), (PICKUP, _of_another, Cause.UNSEEN)]
)
def test_the_first_parting_has_its_index_and_cause(
    household: Household, index: int, change: Callable[[Interaction], Interaction], cause: Cause
) -> None:
    first = _partings(household, changed(errand(), index, change))[0]
    assert (first.index, first.cause) == (index, cause)


def test_a_motion_that_is_refused_and_a_placement_without_a_hand(household: Household) -> None:
    game = errand()
    failed = changed(game, PICKUP, lambda one: replace(one, success=False))
    refused = {one.index: one for one in _partings(household, failed)}
    assert refused[PLACE].cause in (Cause.REFUSED, Cause.UNSEEN) and refused[PLACE].action == "Place"


def test_what_is_lost_is_told_once_for_each_instance(tmp_path: Path) -> None:
    path = tmp_path / "recorded.game.json"
    write_game(errand(), path)
    lost = Outcome(
        instance_id="recorded.tfd",
        game_id="recorded",
        task_name="Coffee",
        cluster="FloorPlan1",
        initial=GoalCounts(2, 0),
        final=GoalCounts(2, 0),
    )
    won = replace(lost, instance_id="other.tfd", success=True)
    claim = {"benchmark": "tfd", "settings": {"simulator": "embedded"}, "instances": ["recorded.tfd", "other.tfd"]}
    (tmp_path / "settings.json").write_text(json.dumps(claim))
    lines = "".join(json.dumps({"outcome": one.to_json()}) + "\n" for one in (lost, won))
    (tmp_path / "records.jsonl").write_text(lines)
    references = {"recorded.tfd": Reference("recorded.tfd", "train", str(path))}
    (found,) = losses(read_run(tmp_path), references)
    assert (found.instance_id, found.task, found.room) == ("recorded.tfd", "Coffee", "FloorPlan1")
    assert (found.index, found.cause, found.partings) == (None, Cause.JUDGED, 0)
    assert found.unmet
