"""Any world as a PettingZoo and as a Gymnasium environment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test

from teach_agents.conventions.environment_gymnasium import SeatEnv, seat_env
from teach_agents.conventions.environment_pettingzoo import EnvironmentParallelEnv, parallel_env
from teach_agents.conventions.environment_spaces import SAY, WAIT
from teach_agents.core.agents.contract import Agent
from teach_agents.core.environment import Clocked, Forced, Prefixed, Status, Valid
from teach_agents.core.errors import InputError
from teach_agents.core.values import Wait
from teach_agents.household import Household
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.core.environment.worlds import Go, Path, Point, Walk
from tests.session.support import scenario

EAST, WEST, WALK = 2, 3, 2
"""Numbers of the guide's two actions, and of the walker's one: to walk a step."""


@dataclass(frozen=True)
class Verdict:
    """Whether the treasure is found."""

    success: bool

    def to_json(self) -> Mapping[str, Any]:
        """As JSON."""
        return {"found": self.success}


class Trail(Path, Valid):
    """The path, of which it is known what can be done, and which is judged."""

    def valid_actions(self, seat: str) -> Sequence[Any]:
        return (Go(1),) if seat == "walker" else (Point(True), Point(False))

    def judge(self) -> Verdict:
        return Verdict(self.found)


def _trail(treasure: int = 2) -> EnvironmentParallelEnv:
    return parallel_env(Trail(), [Walk(treasure)], privileges=["place"])


def _do(**numbers: int) -> dict[str, Any]:
    return {seat: {"action": number, "utterance": "straight on"} for seat, number in numbers.items()}


def test_pettingzoo_finds_nothing_wrong_with_any_world(capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(_trail(), num_cycles=60)
    assert "Passed" in capsys.readouterr().out


def test_gymnasium_finds_nothing_wrong_with_a_seat_beside_an_agent() -> None:
    check_env(seat_env(Trail(), [Walk(2)], "walker", agents={"guide": lambda seen: Wait()}), skip_render_check=True)


def test_who_may_not_act_now_is_told_so_and_need_not_choose() -> None:
    environment = _trail()
    seen, infos = environment.reset(seed=0)
    assert [infos[one]["may_act"] for one in environment.agents] == [True, False]
    assert json.loads(seen["walker"]["text"]) == {"turn": 0, "heard": [], "treasure": None, "place": 0}
    assert [int(seen[one]["valid"].sum()) for one in environment.agents] == [4, 3]
    seen, rewards, terminated, truncated, infos = environment.step(_do(guide=SAY))
    assert json.loads(seen["walker"]["text"])["heard"] == ["guide: straight on"]
    assert [infos[one]["may_act"] for one in environment.agents] == [False, True]
    with pytest.raises(InputError, match="needs an action of every agent"):
        environment.step(_do(guide=EAST))
    environment.step(_do(walker=WALK, guide=WEST))
    assert json.loads(environment.reset(seed=0)[0]["guide"]["text"])["turn"] == 0


def test_what_the_world_judges_is_rewarded_and_its_end_is_told() -> None:
    environment = _trail(treasure=1)
    environment.reset(seed=0)
    gained = 0.0
    while environment.agents:
        _, rewards, terminated, truncated, infos = environment.step(_do(guide=WAIT, walker=WALK))
        gained += rewards["walker"]
    assert gained == 1.0 and terminated == {"guide": True, "walker": True} and not any(truncated.values())
    assert infos["guide"]["judgement"] == {"found": True} and infos["guide"]["end_reason"] == "found"
    with pytest.raises(InputError, match="call reset first"):
        environment.step(_do(guide=WAIT))


def test_turns_are_cut_off_and_numbers_that_stand_for_nothing_are_the_worlds_to_count() -> None:
    environment = parallel_env(Trail(), [Walk(9)], max_turns=2)
    environment.reset(seed=0)
    assert environment.step(_do(guide=40))[2:4] == ({"guide": False, "walker": False},) * 2
    assert environment.step(_do(walker=WAIT))[3] == {"guide": True, "walker": True}
    with pytest.raises(InputError, match="a whole number below 66"):
        environment.reset()
        environment.step({"guide": {"action": 66}})


class Pointer(Agent):
    """A guide that points east, and breaks when asked a third time."""

    def begin(self, briefing: Any) -> None:
        self.asked = 0

    async def act(self, observation: Any) -> Point:
        self.asked += 1
        if self.asked == 3:
            raise RuntimeError("enough")
        return Point(True)


def _walker(environment: SeatEnv, steps: int) -> list[Any]:
    environment.reset(seed=1)
    return [environment.step({"action": WAIT}) for _ in range(steps)]


def test_agents_have_the_other_seats_and_their_turns_pass_by_themselves() -> None:
    environment = seat_env(Trail(), [Walk(9)], "walker", agents={"guide": Pointer()})
    seen, info = environment.reset(seed=1)
    assert json.loads(seen["text"])["heard"] == ["east"] and info["may_act"]
    (seen, *_), (_, _, terminated, truncated, info) = _walker(environment, 2)
    assert json.loads(seen["text"])["heard"] == ["east", "east"]
    assert (terminated, truncated, info["end_reason"]) == (True, False, "crashed") and "enough" in info["reason"]
    assert not _walker(environment, 1)[0][2], "a new episode begins afresh"
    environment.close()


class Began(Trail, Prefixed, Clocked):
    """A path on which the walker has been made to walk a step; then time has to pass."""

    rests = 4

    def prefix(self) -> Sequence[Forced]:
        return (Forced("guide", Wait()), Forced("walker", Go(3)))

    def advance(self, seconds: float) -> Sequence[Any]:
        self.rests -= 1
        return ()

    def status(self) -> Status:
        return Status(may_act=()) if self.turn == 2 and self.rests else super().status()


def test_forced_actions_and_time_in_which_nobody_may_act_pass_at_once() -> None:
    world = Began()
    environment = seat_env(world, [Walk(9)], "guide", agents={"walker": lambda seen: Go(1)})
    seen, info = environment.reset(seed=1)
    assert world.rests == 0 and json.loads(seen["text"])["turn"] == 2 and info["may_act"]
    environment.close()


def test_a_household_has_spaces_of_its_own() -> None:
    home = HouseholdEnvironment(Household(EmbeddedSimulator(), view_size=32))
    environment = parallel_env(home, [scenario()], render_mode="ansi")
    seen, _ = environment.reset(seed=0)
    assert seen["follower"] in environment.observation_space("follower") and seen["follower"]["view"].shape[0] == 32
    acts = {seat: {**environment.action_space(seat).sample(), "action": 0} for seat in environment.agents}
    _, rewards, *_, infos = environment.step(acts)
    assert rewards == dict.fromkeys(("commander", "follower"), 0.0) and infos["follower"]["turn"] == 1
    assert environment.render() is not None
    assert isinstance(seen["follower"]["pose"], np.ndarray)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(InputError, match="needs the ability Spaced, or at least Valid"):
        parallel_env(Path(), [Walk(1)])
    with pytest.raises(InputError, match="are not of this world"):
        seat_env(Trail(), [Walk(1)], "cook")
    with pytest.raises(InputError, match="there is no such instance"):
        _trail().reset(options={"instance_id": "elsewhere"})
