"""Pairs in the TATC challenge's calling convention, theirs here and ours there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from teach_agents.actions import Action, Role
from teach_agents.agents.scripted import ScriptedAgent
from teach_agents.benchmarks.solo.assignment import ShownInstance
from teach_agents.benchmarks.tatc.instances import ShownGame
from teach_agents.conventions.calling import ModelCall, made
from teach_agents.conventions.tatc_model import Table, TatcChair, teach_pose
from teach_agents.conventions.teach_model import TeachModelFollower
from teach_agents.conventions.wire_pair import PairAsTatcModel
from teach_agents.core.agents.contract import Agent
from teach_agents.core.specs import build
from teach_agents.errors import SpecError
from teach_agents.household import Household, Scenario
from teach_agents.kinds import AGENT
from teach_agents.observations import Pose, Vec3
from teach_agents.session import EndReason, SessionResult, read_record, run_session
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.conventions.sessions import written
from tests.conventions.tatc_models import Pair

PAIR = "tests.conventions.tatc_models:Pair"
SCENARIO = Scenario("talk", "Coffee", (), Scene("FloorPlan1"))


@pytest.fixture(scope="module")
def world() -> Household:
    return Household(EmbeddedSimulator(), view_size=60)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield str(written(tmp_path_factory.mktemp("teach")) / "games" / "train" / "recorded.game.json")


def _agent(spec: str, role: Role, **context: Any) -> Agent:
    return build(AGENT, spec, allow_import=True, role=role, **context)


def _seated(spec: str, **context: Any) -> tuple[Agent, Agent]:
    return _agent(spec, Role.COMMANDER, **context), _agent(spec, Role.FOLLOWER, **context)


def _wired(world: Household, model: PairAsTatcModel) -> tuple[TatcChair, TatcChair]:
    table = Table(model)
    return tuple(TatcChair(table, role, instance=ShownGame.of(None, world)) for role in Role)  # type: ignore[return-value]  # two roles


def _held(world: Household, spec: str, **context: Any) -> SessionResult:
    commander, follower = _seated(spec, **context)
    return run_session(world, commander, follower, SCENARIO)


def test_one_model_sits_in_both_chairs_and_is_given_what_the_challenges_runner_gives_it(
    world: Household, game: str
) -> None:
    result = _held(world, PAIR, instance=ShownGame.of(game, world))
    assert (result.end_reason, result.turns) == (EndReason.STOPPED, 6)
    assert result.failures == {Role.COMMANDER: 1, Role.FOLLOWER: 2}
    assert [(said.speaker, said.text) for said in world.dialogue] == [
        (Role.COMMANDER, "make coffee"),
        (Role.FOLLOWER, "with a mug?"),
    ]
    model = made(ModelCall(Pair))
    assert model.made == 1 and len(model.games) == 1
    assert {one[2:] for one in model.commander} == {
        (f"commander_img__talk_{n}.jpeg", Path(game).name) for n in range(1, 7)
    }
    assert {one[2:] for one in model.driver} == {(f"driver_img__talk_{n}.jpeg", Path(game).name) for n in range(1, 7)}
    first, last = model.commander[0][0], model.commander[-1][0]
    assert list(first) == [
        "driver_img",
        "driver_position",
        "commander_img",
        "commander_curr_pose",
        "commander_action_history",
        "commander_pose_history",
        "driver_action_history",
        "driver_pose_history",
        "driver_obs_history",
        "dialogue_history",
        "commander_action_result_history",
    ]
    assert first["dialogue_history"] == [("", "commander")] and first["driver_obs_history"] is None
    assert first["commander_action_history"] == first["driver_pose_history"] == []
    assert all(
        isinstance(first[key], Image.Image) and first[key].size == (60, 60) for key in ("driver_img", "commander_img")
    )
    assert [(one["action"], one["success"]) for one in last["commander_action_history"]] == [
        ("OpenProgressCheck", True),
        ("Text", True),
        ("SearchObject", True),
        ("Forward", True),
        ("Pickup", False),
    ]
    assert [(one["action"], one["success"]) for one in last["driver_action_history"]] == [
        ("NoOp", True),
        ("Turn Left", True),
        ("Text", True),
        ("Pickup", False),
        ("Jump", False),
    ]
    (reply,) = last["commander_action_result_history"]
    assert reply["task_desc"] and reply["success"] == 0 and reply["subgoals"]
    assert last["dialogue_history"] == [("", "commander"), ("make coffee", "commander"), ("with a mug?", "driver")]


def test_each_pose_is_its_own_chairs(world: Household) -> None:
    _held(world, PAIR, instance=ShownGame.of(None, world))
    model = made(ModelCall(Pair))
    inputs, driver = model.commander[-1][0], model.driver[-1][0]
    assert list(driver) == [
        "driver_img",
        "driver_curr_pose",
        "dialogue_history",
        "driver_action_history",
        "driver_pose_history",
        "driver_obs_history",
    ]
    assert inputs["driver_position"] == driver["driver_curr_pose"] == teach_pose(world.simulator.state.agent)
    assert inputs["commander_curr_pose"] == teach_pose(world.commander) != inputs["driver_position"]
    assert len(inputs["driver_pose_history"]) == len(inputs["commander_pose_history"]) == 5
    turned = inputs["driver_pose_history"]
    assert turned[1].z_rot != turned[2].z_rot and turned[0] == turned[1]
    assert teach_pose(Pose(Vec3(1.0, 0.9, -2.0), 90.0, 30.0)) == (-2.0, -1.0, 0.9, 0.0, 30.0, -90.0)


def test_without_a_household_the_commander_knows_of_the_follower_a_turn_late(world: Household) -> None:
    result = _held(world, PAIR)
    model = made(ModelCall(Pair))
    assert result.end_reason is EndReason.STOPPED
    assert model.commander[0][0]["driver_position"] is None
    assert [len(one[0]["driver_action_history"]) for one in model.commander] == [0, 0, 1, 2, 3, 4]


def test_the_game_says_neither_task_nor_recording_unless_asked(world: Household, game: str) -> None:
    result = _held(world, PAIR, game=game, instance=ShownGame.of(game, None))
    (shown,) = made(ModelCall(Pair)).games[-1]["tasks"]
    assert list(shown) == ["episodes"] and shown["episodes"][0]["interactions"] == []
    assert "final_state" not in shown["episodes"][0] and made(ModelCall(Pair)).games[-1]["instance_id"] == "talk"
    assert not any(result.privileges.values())
    module, _, name = PAIR.partition(":")
    spec = f"tatc-model:module={module},class={name},ground_truth=true"
    result = _held(world, spec, game=game)
    whole = {**json.loads(Path(game).read_bytes()), "instance_id": "talk"}
    assert made(ModelCall(Pair)).games[-1] == whole
    assert all(list(one) == ["ground_truth"] for one in result.privileges.values())


def test_a_model_can_take_one_chair(world: Household) -> None:
    follower = ScriptedAgent([Action("Forward"), Action.click("Pickup", 0.1, 0.2), Action.stop()])
    commander, _ = _seated(PAIR, instance=ShownGame.of(None, world))
    run_session(world, commander, follower, SCENARIO)
    assert len(made(ModelCall(Pair)).games) > 1 and made(ModelCall(Pair)).driver == []


def test_a_model_that_is_not_ready_ends_the_session(world: Household) -> None:
    result = _held(world, "tests.conventions.tatc_models:Unready")
    assert result.end_reason is EndReason.CRASHED and "returned nothing true" in result.reason


def test_a_class_with_both_conventions_is_asked_by_the_benchmarks(world: Household) -> None:
    both = "tests.conventions.tatc_models:Silent"
    live = build("agent", both, allow_import=True, role=Role.FOLLOWER)
    alone = build("agent", both, allow_import=True, role=Role.FOLLOWER, instance=ShownInstance("", 60, dict))
    assert isinstance(live, TatcChair) and isinstance(alone, TeachModelFollower)


def _acted(world: Household, pair: tuple[Agent, Agent], record: Path) -> list[Any]:
    run_session(world, pair[0], pair[1], SCENARIO, record=record)
    return [[(done.action, done.result) for done in turn.done.values()] for turn in read_record(record).turns]


def test_a_pair_of_ours_does_the_same_in_the_challenges_convention(world: Household, tmp_path: Path) -> None:
    commander, follower = "random:seed=5", "random:seed=6,stops=false"
    model = PairAsTatcModel(0, 1, ["--commander", commander, "--follower", follower])
    direct = _agent(commander, Role.COMMANDER), _agent(follower, Role.FOLLOWER)
    ours = _acted(world, direct, tmp_path / "direct.jsonl")
    theirs = _acted(world, _wired(world, model), tmp_path / "wired.jsonl")
    assert len(ours) > 30 and ours == theirs


def test_what_ours_see_comes_through_the_convention(world: Household) -> None:
    seen: dict[Role, list[Any]] = {role: [] for role in Role}

    class Looking(ScriptedAgent):
        """Keeps what it sees."""

        def act(self, observation: Any) -> Action:
            rgb = np.array(observation.view.rgb)
            seen[observation.role].append((observation, rgb))
            answer: Action = super().act(observation)
            return answer

    orders = Looking([Action.progress_check(), Action.say("go"), Action("Forward"), Action.finish()])
    deeds = Looking([Action("Turn Left"), Action.wait(), Action.say("where?"), Action.wait(), Action.wait()])
    model = PairAsTatcModel(0, 1, ["--commander", "silent", "--follower", "idle"])
    model._agents = {Role.COMMANDER: orders, Role.FOLLOWER: deeds}
    commander, follower = _wired(world, model)
    result = run_session(world, commander, follower, SCENARIO)
    assert (result.end_reason, result.turns) == (EndReason.STOPPED, 5), "Finish is a Stop in the step after"
    last, _ = seen[Role.COMMANDER][1]
    assert last.last_action == Action.progress_check() and last.last_result.reply["task_desc"]
    last, rgb = seen[Role.FOLLOWER][3]
    assert [(said.speaker, said.text) for said in last.dialogue] == [(Role.COMMANDER, "go"), (Role.FOLLOWER, "where?")]
    pose = world.simulator.state.agent
    assert (rgb == world.observe(Role.FOLLOWER).view.rgb).all()
    assert last.pose.position == pytest.approx(pose.position) and (last.pose.yaw, last.pose.horizon) == (
        pose.yaw,
        pose.horizon,
    )


def test_a_pair_that_reads_more_than_the_convention_carries_is_refused() -> None:
    with pytest.raises(SpecError, match="reads what the convention does not carry"):
        PairAsTatcModel(0, 1, ["--commander", "silent", "--follower", "planner"])


def test_models_are_imported_on_the_command_line_only() -> None:
    with pytest.raises(SpecError, match="only imported on the command line"):
        build("agent", "tatc-model:module=tests.conventions.tatc_models,class=Pair", role=Role.FOLLOWER)
