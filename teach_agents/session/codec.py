"""The world called `teach`: how its values are written, in its first version, which files do not state; its agents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.codec import Codec, too_long
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.registry import load_target
from teach_agents.core.values import NoAction, Say, Stop, Wait
from teach_agents.core.world import World
from teach_agents.household import Scenario
from teach_agents.observations import Observation, Pose, Vec3
from teach_agents.simulator.contract import Scene, StoredState

AnyAction = Action | Say | Wait | Stop | NoAction
"""What a role may answer."""

_SHOWN = 80
_WIRE = "teach_agents.conventions.observation_wire"


def as_action(role: Role, action: AnyAction) -> Any:
    """An action of the household for one of the core's; anything else as it is."""
    if isinstance(action, Action):
        return action
    if isinstance(action, Say):
        return Action.say(action.text)
    if isinstance(action, Wait):
        return Action.wait()
    if isinstance(action, Stop):
        return Action.finish() if role is Role.COMMANDER else Action.stop()
    return action


class TeachCodec(Codec[Scenario, Action, Observation]):
    """Scenarios, actions and results as TEACh's records have them from the first. Observations travel by their wire."""

    def __init__(self) -> None:
        super().__init__("teach", instance=Scenario, actions=(Action,), observation=Observation)

    def check(self, where: str, world: object, version: object) -> None:
        """The same; what states neither world nor version is TEACh's first."""
        super().check(where, world or self.world, version or self.version)

    def instance_to_json(self, instance: Scenario) -> JsonObject:
        """A scenario with its stored state."""
        return scenario_to_json(instance)

    def instance_from_json(self, data: Any) -> Scenario:
        """Read `instance_to_json`'s form. Raises `InputError` for anything else."""
        try:
            return scenario_from_json(data)
        except (LookupError, TypeError, ValueError) as error:
            raise InputError("scenario", f"cannot be read: {type(error).__name__}: {error}") from error

    def observation_to_json(self, observation: Observation) -> JsonObject:
        """As it travels to an agent over HTTP, with nothing sent before it, role and privileges beside it."""
        return cast("JsonObject", load_target(f"{_WIRE}:whole_to_json", "wire")(observation))

    def observation_from_json(self, data: object) -> Observation:
        """Read `observation_to_json`'s form. Raises `InputError` for anything else."""
        return cast("Observation", load_target(f"{_WIRE}:whole_from_json", "wire")(data))

    def pack(self, observation: Observation) -> bytes:
        """Its JSON: pictures are files in base64."""
        return json.dumps(self.observation_to_json(observation), separators=(",", ":")).encode()

    def unpack(self, packed: bytes) -> Observation:
        """Read `pack`'s form. Raises `InputError` for anything else."""
        try:
            return self.observation_from_json(json.loads(packed))
        except ValueError as error:
            raise InputError("observation", f"cannot be unpacked: {error}") from error

    def action_to_json(self, action: AnyAction) -> JsonObject:
        """`Action.to_json`."""
        return action.to_json() if isinstance(action, Action) else super().action_to_json(action)

    def action_from_json(self, data: object) -> Any:
        """`Action.from_json`, or one of the core's actions."""
        if isinstance(data, Mapping) and "type" in data:
            return super().action_from_json(data)
        return Action.from_json(data)

    def problem_of(self, answer: object) -> str:
        """Why an agent's answer is none; empty for an `Action` and the core's."""
        if isinstance(answer, Action):
            return too_long(answer) if len(answer.utterance) + len(answer.query) > _SHOWN else ""
        problem = super().problem_of(answer)
        return problem and problem.replace("no action of the world 'teach'", "no Action")

    def own(self, seat: str, action: Any) -> Any:
        """A role's Text, NoOp, Finish or Stop for the core's."""
        return action if isinstance(action, Action) else as_action(Role(seat), action)

    def said(self, action: object) -> str | None:
        """What a Text says."""
        if isinstance(action, Action):
            return action.utterance if action.name == "Text" else None
        return super().said(action)

    def say(self, text: str) -> Action:
        """A Text. Raises `ActionError` for text that cannot be said."""
        return Action.say(text)

    def wait(self) -> Action:
        """NoOp."""
        return Action.wait()

    def stop(self, seat: str) -> Action:
        """The Commander's Finish, the Follower's Stop."""
        return Action.finish() if seat == Role.COMMANDER else Action.stop()

    def result_to_json(self, result: ActionResult) -> JsonObject:
        """`ActionResult.to_json`."""
        return result.to_json()

    def result_from_json(self, data: Any) -> ActionResult:
        """Read `result_to_json`'s form."""
        if not isinstance(data, Mapping) or not isinstance(data.get("success"), bool):
            raise InputError("result", "is a JSON object with a boolean 'success'", value=data)
        try:
            return ActionResult(**data)
        except TypeError as error:
            raise InputError("result", f"cannot be read: {error}") from error


TEACH = TeachCodec()


def scenario_to_json(scenario: Scenario) -> JsonObject:
    """A scenario as JSON, its stored state included."""
    stored = scenario.scene.stored
    return {
        "scenario_id": scenario.scenario_id,
        "task_name": scenario.task_name,
        "task_params": list(scenario.task_params),
        "seed": scenario.seed,
        "room": scenario.scene.room,
        "randomize": scenario.scene.randomize,
        "stored": None if stored is None else _stored_to_json(stored),
    }


def _stored_to_json(stored: StoredState) -> JsonObject:
    return {
        "room": stored.room,
        "agent": pose_to_json(stored.agent),
        "commander": None if stored.commander is None else pose_to_json(stored.commander),
        "objects": list(stored.objects),
    }


def scenario_from_json(data: JsonMapping) -> Scenario:
    """Read `scenario_to_json`'s form; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    stored = None
    if (found := data["stored"]) is not None:
        commander = None if found["commander"] is None else pose_from_json(found["commander"])
        stored = StoredState(found["room"], found["objects"], pose_from_json(found["agent"]), commander)
    scene = Scene(data["room"], stored, data["randomize"])
    try:
        return Scenario(data["scenario_id"], data["task_name"], tuple(data["task_params"]), scene, data["seed"])
    except InputError as error:
        raise ValueError(str(error)) from error


def pose_to_json(pose: Pose) -> list[Any]:
    """`[x, y, z, yaw, horizon, standing]`."""
    return [*pose.position, pose.yaw, pose.horizon, pose.standing]


def pose_from_json(values: list[Any]) -> Pose:
    """Read `pose_to_json`'s form."""
    x, y, z, yaw, horizon, standing = values
    return Pose(Vec3(x, y, z), yaw, horizon, standing)


_LOTS = "teach_agents.agents.random_agents"
_TEACH = World(
    TEACH,
    agents={
        "demonstration": "teach_agents.agents.demonstration:DemonstrationAgent",
        "episodic": {"follower": "teach_agents.agents.episodic.follower:episodic_follower"},
        "idle": {"follower": "teach_agents.benchmarks.solo.recorded:IdleFollower"},
        "lm": {
            "commander": "teach_agents.agents.lm.commander:lm_commander",
            "follower": "teach_agents.agents.lm.follower:lm_follower",
        },
        "planner": {
            "commander": "teach_agents.agents.planner:planner_commander",
            "follower": "teach_agents.agents.planner:planner_follower",
        },
        "random": {"commander": f"{_LOTS}:RandomCommander", "follower": f"{_LOTS}:RandomFollower"},
        "recorded": {"follower": "teach_agents.benchmarks.solo.recorded:RecordedFollower"},
        "silent": {"commander": f"{_LOTS}:SilentCommander"},
        "tatc-model": "teach_agents.conventions.tatc_model:tatc_model",
        "teach-model": {"follower": "teach_agents.conventions.teach_model:teach_model"},
        "teach-remote": {"follower": "teach_agents.conventions.remote_model:teach_remote"},
    },
    scaffold="teach_agents.agents.lm.scaffold:HouseholdScaffold",
    wire="teach_agents.conventions.observation_wire:TeachWire",
)


def teach_world() -> World:
    """The household, with a Commander and a Follower."""
    return _TEACH
