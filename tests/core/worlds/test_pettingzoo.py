"""The example of a world is a PettingZoo environment in a line."""

from __future__ import annotations

import json

from pettingzoo.test import parallel_api_test

from teach_agents.conventions.environment_pettingzoo import EnvironmentParallelEnv, parallel_env
from tests.core.worlds.example import two_rooms


def _made() -> EnvironmentParallelEnv:
    return parallel_env(two_rooms.TwoRooms(), two_rooms.Escape().instances("test"))


def test_pettingzoos_own_checks_pass() -> None:
    parallel_api_test(_made(), num_cycles=60)


def test_a_learner_that_does_as_it_hears_gets_out() -> None:
    world = _made()
    seen, _ = world.reset(seed=5)
    rewards, turns = 0.0, 0
    while world.agents:
        told = json.loads(seen["guide"]["text"])["text"]
        walker = json.loads(seen["walker"]["text"])
        heard = " ".join(walker["heard"])
        fits = [
            n for n, one in enumerate(walker["commands"]) if one.split()[1] in heard or len(walker["commands"]) == 1
        ]
        actions = {
            "guide": {"action": 0 if heard else 1, "utterance": told},
            "walker": {"action": 2 + fits[0] if fits else 0, "utterance": ""},
        }
        seen, reward, *_ = world.step(actions)
        rewards, turns = rewards + reward["walker"], turns + 1
    assert (rewards, turns) == (1.0, 5)
