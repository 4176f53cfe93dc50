"""EDH and TfD as Gymnasium environments."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from teach_agents.actions import Role
from teach_agents.agents.demonstration import recorded_as_action
from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.conventions import gymnasium_env
from teach_agents.conventions.gymnasium_env import FollowerEnv
from teach_agents.data import write_game
from teach_agents.data.edh import write_edh
from teach_agents.errors import InputError, MissingExtraError
from teach_agents.session.spaces import index_of, wait
from tests.benchmarks.edh.sessions import errand, household

_SIZE = 64


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """TEACh's layout, with one session and its two instances' files."""
    data = tmp_path_factory.mktemp("teach")
    write_game(errand(), data / "games" / "train" / "recorded.game.json")
    for one in candidates(errand(), household()):
        write_edh(one.instance, data / "edh_instances" / "train" / f"{one.instance.instance_id}.json")
    yield data


def _made(folder: Path, name: str = "TEACh/EDH-v0", **more: Any) -> FollowerEnv:
    where = {"instances": str(folder / "edh_instances")} if "EDH" in name else {"games": str(folder / "games")}
    made = gymnasium.make(name, **{**where, "view_size": _SIZE, **more}).unwrapped
    assert isinstance(made, FollowerEnv)
    return made


def _does(name: str, click: tuple[float, float] = (0.0, 0.0), utterance: str = "") -> dict[str, Any]:
    action = index_of(Role.FOLLOWER, name)
    return {"action": action, "click": np.array(click, np.float32), "utterance": utterance}


def _future(environment: FollowerEnv, instance_id: str) -> list[dict[str, Any]]:
    """What the person did in an instance, then Stop."""
    number = int(instance_id.rpartition("edh")[2])
    found = next(one.instance for one in candidates(errand(), household(), numbers={number}))
    actions = [recorded_as_action(one) for one in found.interactions[found.pred_start_idx :]]
    deeds = [_does(one.name, (one.x or 0.0, one.y or 0.0), one.utterance) for one in actions if one is not None]
    return [*deeds, _does("Stop")]


@pytest.mark.parametrize("name", ["TEACh/EDH-v0", "TEACh/TfD-v0"])
def test_gymnasium_finds_nothing_wrong(folder: Path, name: str) -> None:
    check_env(_made(folder, name, overhead=True))


@pytest.mark.parametrize("reward", ["success", "goal_conditions"])
def test_what_the_person_did_is_rewarded_and_judged_at_the_end(folder: Path, reward: str) -> None:
    environment = _made(folder, reward=reward, view_size=300)
    first = environment.instance_ids[0]
    seen, info = environment.reset(options={"instance_id": first})
    assert "a mug, please" in seen["dialogue"] and info == {"instance_id": first, "steps": 0, "failures": 0}
    rewards, ends = [], []
    for action in _future(environment, first):
        _, gained, terminated, truncated, info = environment.step(action)
        rewards.append(gained)
        ends.append((terminated, truncated))
    assert sum(rewards) == pytest.approx(1.0)
    assert ends[-1] == (True, False) and not any(map(any, ends[:-1]))
    told = info["judgement"]
    assert (told["success"], told["predicted_stop"], told["traj_len"], told["gt_path_len"]) == (1, 1, 7, 6)


def test_only_the_end_and_those_who_ask_are_told_how_it_goes(folder: Path) -> None:
    environment = _made(folder)
    environment.reset(seed=1)
    assert environment.step(wait(Role.FOLLOWER))[4].keys() == {"instance_id", "steps", "failures"}
    judged = _made(folder, judged=True)
    progress = judged.reset(seed=1)[1]["progress"]
    assert progress["success"] is False and progress["goal_conditions_total"] > progress["goal_conditions_satisfied"]


def test_failures_terminate_and_steps_truncate(folder: Path) -> None:
    environment = _made(folder, max_failures=2, max_steps=3)
    environment.reset(seed=0)
    nowhere = _does("Slice", (0.5, 0.01))
    assert [environment.step(nowhere)[2:4] for _ in range(2)] == [(False, False), (True, False)]
    environment.reset(seed=0)
    assert [environment.step(wait(Role.FOLLOWER))[2:4] for _ in range(3)][-1] == (False, True)
    with pytest.raises(InputError, match="call reset first"):
        environment.step(wait(Role.FOLLOWER))


def test_a_seed_draws_the_instance_and_words_are_heard(folder: Path) -> None:
    environment = _made(folder, render_mode="ansi")
    drawn = {environment.reset(seed=seed)[1]["instance_id"] for seed in range(12)}
    assert drawn == set(environment.instance_ids)
    assert environment.reset(seed=3)[1] == environment.reset(seed=3)[1]
    seen, *_ = environment.step(_does("Text", utterance="which\nmug? ☕"))
    assert seen["dialogue"].splitlines()[-1] == "Follower: which mug? ?" and seen in environment.observation_space
    assert environment.render() == seen["dialogue"]


def test_pictures_are_those_of_the_follower(folder: Path) -> None:
    environment = _made(folder, render_mode="rgb_array")
    seen, _ = environment.reset(seed=0)
    picture = environment.render()
    assert isinstance(picture, np.ndarray) and (picture == seen["view"]).all()
    assert seen["view"].shape == (_SIZE, _SIZE, 3) and seen["view"].std() > 5


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (3, "must be a dictionary"),
        ({"action": 99}, "whole number from 0 to 18; got 99"),
        ({"action": True}, "whole number"),
        ({"action": index_of(Role.FOLLOWER, "Open"), "click": [0.5]}, "needs a 'click' of two fractions"),
        ({"action": index_of(Role.FOLLOWER, "Text"), "utterance": 5}, "must be text"),
    ],
)
def test_what_is_no_action_is_refused(folder: Path, action: Any, said: str) -> None:
    environment = _made(folder)
    environment.reset(seed=0)
    with pytest.raises(InputError, match=said):
        environment.step(action)


def test_what_cannot_be_made_is_refused(folder: Path) -> None:
    for wrong, said in (({"reward": "luck"}, "there is no such reward"), ({"ids": ["x.edh0"]}, "x.edh0")):
        with pytest.raises(InputError, match=said):
            _made(folder, **wrong).reset()
    with pytest.raises(InputError, match="there is no such instance"):
        _made(folder).reset(options={"instance_id": "recorded.edh99"})
    with pytest.raises(InputError, match="needs instances=FOLDER"):
        gymnasium_env.EdhEnv()
    with pytest.raises(InputError, match="render_mode: is unknown; got 'human'"):
        gymnasium_env.EdhEnv(instances=str(folder / "edh_instances"), render_mode="human")


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("conventions.environment_gymnasium", "gymnasium"),
        ("conventions.environment_pettingzoo", "pettingzoo"),
        ("conventions.environment_spaces", "gymnasium"),
        ("session.spaces", "gymnasium"),
    ],
)
def test_without_the_extra_the_error_names_it(module: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"teach_agents.{module}"
    monkeypatch.delitem(sys.modules, address, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{package} is not installed.*teach-agents\[gym\]"):
        importlib.import_module(address)
