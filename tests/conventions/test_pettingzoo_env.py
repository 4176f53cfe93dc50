"""TATC as a PettingZoo environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from teach_agents.actions import Role
from teach_agents.conventions.pettingzoo_env import TatcEnv, parallel_env
from teach_agents.data import write_game
from teach_agents.errors import InputError
from teach_agents.session.spaces import index_of, wait
from tests.benchmarks.edh.sessions import errand

COMMANDER, FOLLOWER = (role.value for role in Role)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    write_game(errand(), folder / "recorded.game.json")
    return folder


def _made(games: Path, **more: Any) -> TatcEnv:
    return parallel_env(games=str(games), **{"view_size": 48, **more})


def _turn(commander: str = "NoOp", follower: str = "NoOp", **more: Any) -> dict[str, dict[str, Any]]:
    """Both agents' actions."""
    chosen = {Role.COMMANDER: commander, Role.FOLLOWER: follower}
    return {role.value: {**wait(role), **more, "action": index_of(role, name)} for role, name in chosen.items()}


def test_pettingzoo_finds_nothing_wrong(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(_made(games, overhead=True, max_failures=200), num_cycles=60)
    assert "Passed" in capsys.readouterr().out


def test_the_commander_is_told_the_task_and_the_follower_what_the_commander_says(games: Path) -> None:
    environment = _made(games)
    seen, infos = environment.reset(seed=0)
    assert infos[FOLLOWER] == {"instance_id": "recorded", "turn": 0, "failures": 0}
    assert seen[COMMANDER]["reply"] == "" and "reply" not in seen[FOLLOWER]
    seen, *_ = environment.step(_turn("OpenProgressCheck"))
    assert json.loads(seen[COMMANDER]["reply"])["success"] == 0
    seen, *_ = environment.step(_turn("Text", utterance="coffee, please"))
    assert seen[FOLLOWER]["dialogue"] == "Commander: coffee, please"
    assert not seen[COMMANDER]["target_view"].any()
    seen, *_ = environment.step(_turn("SearchObject", query="mug"))
    assert seen[COMMANDER]["target_view"].any()
    for role in (COMMANDER, FOLLOWER):
        assert seen[role] in environment.observation_space(role)


def test_either_ends_the_session_for_both(games: Path) -> None:
    environment = _made(games)
    for turn in (_turn("Finish"), _turn(follower="Stop")):
        environment.reset()
        _, rewards, terminated, truncated, infos = environment.step(turn)
        assert rewards == {COMMANDER: 0.0, FOLLOWER: 0.0}
        assert (terminated, truncated) == ({COMMANDER: True, FOLLOWER: True}, {COMMANDER: False, FOLLOWER: False})
        assert environment.agents == []
        told = infos[COMMANDER]["judgement"]
        assert (told["success"], told["traj_len"], told["gt_path_len"]) == (0, 1, len(errand().episode.interactions))
    with pytest.raises(InputError, match="call reset first"):
        environment.step(_turn())


def test_turns_truncate_and_failures_terminate(games: Path) -> None:
    environment = _made(games, max_turns=2, max_failures=1)
    environment.reset()
    environment.step(_turn())
    assert environment.step(_turn())[3] == {COMMANDER: True, FOLLOWER: True}
    environment.reset()
    assert environment.step(_turn(follower="Slice"))[2] == {COMMANDER: True, FOLLOWER: True}


def test_progress_is_told_only_to_those_who_ask_and_pictures_are_of_both(games: Path) -> None:
    environment = _made(games, judged=True, render_mode="rgb_array", reward="goal_conditions")
    _, infos = environment.reset(options={"instance_id": "recorded"})
    assert infos[FOLLOWER]["progress"]["success"] is False
    picture = environment.render()
    assert isinstance(picture, np.ndarray) and picture.shape == (48, 96, 3)


def test_generated_sessions_repeat_by_seed() -> None:
    environment = parallel_env(generate=4, tasks=["Water Plant"], view_size=32)
    (first, infos), (again, same) = environment.reset(seed=5), environment.reset(seed=5)
    assert infos == same and infos[FOLLOWER]["instance_id"] in environment.instance_ids
    assert (first[FOLLOWER]["view"] == again[FOLLOWER]["view"]).all()


def test_what_is_wrong_is_refused(games: Path) -> None:
    environment = _made(games)
    with pytest.raises(InputError, match="there is no session"):
        TatcEnv(games=str(games), render_mode="ansi").render()
    environment.reset()
    with pytest.raises(InputError, match="needs an action of every agent"):
        environment.step({COMMANDER: wait(Role.COMMANDER)})
    with pytest.raises(InputError, match="there is no such instance; got 'other'"):
        environment.reset(options={"instance_id": "other"})
