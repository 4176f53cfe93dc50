"""`play`: one session in one call, and what it refuses before it begins."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from teach_agents import Action, Agent, EmbeddedSimulator, Household, Observation, play, read_record
from teach_agents.actions import ActionResult, Role
from teach_agents.agents import RandomFollower
from teach_agents.errors import DefinitionError, InputError, SceneError, SpecError
from teach_agents.household import Limits
from teach_agents.installed import installed_tasks
from teach_agents.session import DialogueHook, EndReason
from teach_agents.session.environment import HouseholdEnvironment


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
        ({"task": "Coffee", "limits": 5}, InputError, "must be Limits.*got 5"),
        ({"task": "Coffee", "simulator": 5}, InputError, "must be a Simulator or a SPEC; got 5"),
        ({"task": "Coffee", "environment": 5}, InputError, "needs an Environment; got 5"),
        ({"task": "Coffee", "hooks": "recovery"}, InputError, "must be a list, for example .'recovery'."),
        ({"task": "Coffee", "hooks": [5]}, InputError, "needs a DialogueHook; got 5"),
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


class Shouting(DialogueHook):
    def say(self, turn: int, speaker: Any, text: str) -> str:
        return text.upper()


def test_hooks_and_limits_are_those_that_are_given(tmp_path: Path) -> None:
    path, said = tmp_path / "record.jsonl", Action.say("hello")
    result = play(
        "Coffee",
        room="FloorPlan7",
        commander="silent",
        follower=lambda seen: said,
        hooks=[Shouting(), "tests.test_playing:Shouting"],
        limits=Limits(3),
        record=path,
    )
    assert (result.end_reason, result.turns) == (EndReason.TURN_LIMIT, 3)
    assert [name for name, _ in result.hooks] == ["Shouting", "tests.test_playing:Shouting"]
    assert read_record(path).turns[0].done[Role.FOLLOWER].action == Action.say("HELLO")


def test_a_simulator_or_a_world_of_ones_own_is_played_in() -> None:
    seen = []

    class Watched(HouseholdEnvironment):
        def act(self, seat: str, action: Any) -> ActionResult:
            seen.append(str(seat))
            return super().act(seat, action)

    world = Watched(Household(EmbeddedSimulator(), installed_tasks()), Limits(2))
    chairs: dict[str, Any] = {"room": "FloorPlan7", "commander": "silent", "follower": "idle"}
    assert play("Coffee", environment=world, **chairs).end_reason == EndReason.STOPPED
    simulator = EmbeddedSimulator()
    result = play("Coffee", simulator=simulator, limits=Limits(2), **{**chairs, "follower": lambda seen: Action.wait()})
    assert result.turns == 2 and simulator.state.objects
    assert seen[:2] == ["commander", "follower"]


def test_it_plays_inside_a_running_event_loop() -> None:
    async def cell() -> Any:
        return play("Coffee", room="FloorPlan7", commander="silent", follower=quitter)

    assert asyncio.run(cell()).turns == 1


def test_an_agent_for_the_other_chair_is_refused() -> None:
    class Boss(Agent):
        seats = (Role.COMMANDER,)

        def act(self, seen: Observation) -> Action:
            return Action.wait()

    with pytest.raises(InputError, match="agent Boss: is not made for this seat; got 'follower'; valid: commander"):
        play("Coffee", room="FloorPlan7", follower=Boss())
