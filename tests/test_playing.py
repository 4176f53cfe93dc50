"""`play`: one session in one call, and what it refuses before it begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents import Action, Observation, play, read_record
from teach_agents.agents import RandomFollower
from teach_agents.errors import DefinitionError, InputError, SceneError, SpecError
from teach_agents.session import EndReason


def quitter(seen: Observation) -> Action:
    return Action.stop()


def test_a_session_is_played_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    result = play("Clean X", ["Mug"], room="FloorPlan7", commander="silent", follower=quitter, seed=3, record=path)
    assert (result.end_reason, result.turns, result.success) == (EndReason.STOPPED, 1, False)
    assert result.task_params == ("Mug",)
    assert read_record(path).header.scenario.room == "FloorPlan7"


def test_the_same_seed_furnishes_the_same_room(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        play("Coffee", room="FloorPlan7", commander="silent", follower=quitter, seed=seed, record=tmp_path / name)
    first, second, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == second != other


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"task": "Cofee"}, DefinitionError, "did you mean 'Coffee'"),
        ({"task": "Clean X"}, DefinitionError, "takes 1 parameters, not 0"),
        ({"task": "Clean X", "params": "Mug"}, InputError, "must be a list of texts, for example .'Mug'."),
        ({"task": "Coffee", "room": "FloorPlan99"}, SceneError, "did you mean 'FloorPlan9'"),
        ({"task": "Coffee", "room": "FloorPlan301"}, InputError, "no solvable state|has none"),
        ({"task": "Coffee", "seed": "7"}, InputError, "whole number; got '7'"),
        ({"task": "Coffee", "follower": "planer"}, SpecError, "did you mean 'planner'"),
        ({"task": "Coffee", "follower": None}, InputError, "must be an Agent or a function"),
        ({"task": "Coffee", "commander": RandomFollower}, InputError, "must be an Agent or a function"),
    ],
)
def test_mistakes_are_told_before_anything_begins(
    tmp_path: Path, arguments: dict[str, Any], error: type[InputError], message: str
) -> None:
    with pytest.raises(error, match=message):
        play(**arguments, record=tmp_path / "record.jsonl")
    assert not list(tmp_path.iterdir())
