"""Pairs written to the TATC challenge's calling convention, on our chairs (specification 7.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Action, Role
from teach_agents.benchmarks.tatc.instances import ShownGame
from teach_agents.conventions.calling import ModelCall, made
from teach_agents.conventions.pictures import image_of
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.benchmark.engines import once_per_seat
from teach_agents.core.context import takes
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.interactions import pose_to_values
from teach_agents.errors import TeachAgentsError
from teach_agents.observations import Observation, Pose, Privilege

TATC_METHODS = ("start_new_tatc_instance", "get_next_action_commander", "get_next_action_driver")
"""The methods by which a class is known to be a TATC model."""

NAMES: Mapping[Role, str] = {Role.COMMANDER: "commander", Role.FOLLOWER: "driver"}
"""What the challenge calls the chairs."""

Deed = JsonObject
"""What a model returned: `action`, `utterance`, and `obj_cls` or `predicted_click`; later also `success`."""


class TeachPose(NamedTuple):
    """A pose as TEACh's simulator tells it, in a frame of its own: x forward, y left, z up, metres and degrees.

    These are the six numbers of game files (specification 1.6): AI2-THOR's z, -x and y, 0, horizon, -yaw.
    """

    x: float
    y: float
    z: float
    x_rot: float
    y_rot: float
    z_rot: float


def teach_pose(pose: Pose) -> TeachPose:
    """One of our poses in TEACh's terms."""
    return TeachPose(*map(float, pose_to_values(pose)))


class TatcModel(Protocol):
    """What the challenge's runner asks of a model."""

    def start_new_tatc_instance(self, game: JsonObject) -> bool:
        """A session begins; something true says that the model is ready."""

    def get_next_action_commander(
        self, commander_inputs: JsonObject, game: JsonObject, commander_img_name: str, instance_file: str
    ) -> Deed:
        """The Commander's next action: `action`, `obj_cls`, `utterance`."""

    def get_next_action_driver(
        self, driver_inputs: JsonObject, game: JsonObject, driver_img_name: str, instance_file: str
    ) -> Deed:
        """The Follower's next action: `action`, `predicted_click` (ROW, COLUMN), `utterance`."""


class Past:
    """What one chair did in a session: its actions, each with its success, and where it stood before each."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        self.poses: list[TeachPose] = []
        self._open: tuple[Deed, TeachPose, bool] | None = None

    def did(self, deed: Deed, pose: TeachPose, *, valid: bool) -> None:
        """A deed whose outcome is not known yet; one that is not `valid` is no action and will fail."""
        self._open = deed, pose, valid

    def settle(self, seen: Observation) -> None:
        """Close the last deed, now that the chair's next observation says how it went."""
        if self._open:
            deed, pose, valid = self._open
            deed["success"] = bool(valid and seen.last_result and seen.last_result.success)
            self.deeds.append(deed)
            self.poses.append(pose)
            self._open = None


@dataclass(eq=False)
class Table:
    """One model at both chairs, or at one of them: what belongs to the session that it is at."""

    model: TatcModel
    _begun: set[Role] = field(default_factory=set)

    def begin(self, role: Role, briefing: Briefing, game: JsonObject) -> None:
        """A chair is taken; the first of a session starts the model. Raises `TeachAgentsError` if it is not ready."""
        if not self._begun or role in self._begun:
            self._begun = set()
            self.past = {one: Past() for one in Role}
            self.replies: list[Any] = []
            self.game = {**game, "instance_id": briefing.session_id}
            if not self.model.start_new_tatc_instance(self.game):
                name = type(self.model).__name__
                raise TeachAgentsError(f"model {name}: start_new_tatc_instance returned nothing true")
        self._begun.add(role)


class TatcChair(Agent):
    """One chair of a TATC model.

    Each turn the model gets the keys of the challenge's runner: pictures as PIL images, RGB, of the run's view size;
    poses as `TeachPose`; both histories; the dialogue as (words, "commander" or "driver"), which begins with an empty
    line; the Commander's progress checks. Unlike in that runner, each pose is its own chair's. What the Commander knows
    of the Follower it knows through the `instance`; without one it is one turn late. Without a `game`, the whole file,
    the game that the model starts with has neither task nor recording.

    What the model raises and a start that is not true end the session; a name that is no action fails.
    """

    def __init__(
        self,
        table: Table,
        role: Role,
        *,
        instance: ShownGame | None = None,
        game: str | None = None,
        ground_truth: bool = False,
    ) -> None:
        self._table = table
        self._role = role
        self._instance = instance or ShownGame()
        self._game = game
        self.privileges = frozenset({Privilege.GROUND_TRUTH}) if ground_truth else frozenset()

    def begin(self, briefing: Briefing) -> None:
        """Start the model, unless the other chair has."""
        self._id = briefing.session_id
        game = json.loads(Path(self._game).read_bytes()) if self._game else self._instance.to_json()
        self._table.begin(self._role, briefing, game)

    def act(self, observation: Observation) -> Action:
        """What the model does in this chair."""
        past, name = self._table.past[self._role], NAMES[self._role]
        past.settle(observation)
        inputs = self._commander(observation) if self._role is Role.COMMANDER else self._driver(observation)
        ask = getattr(self._table.model, f"get_next_action_{name}")
        image = f"{name}_img__{self._id}_{observation.turn + 1}.jpeg"
        deed = ask(inputs, self._table.game, image, self._game or self._instance.file or f"{self._id}.game.json")
        action = action_of_deed(self._role, deed)
        past.did(deed, teach_pose(observation.pose), valid=isinstance(action, Action))
        return action

    def _commander(self, seen: Observation) -> JsonObject:
        table, driver = self._table, self._table.past[Role.FOLLOWER]
        action, result = seen.last_action, seen.last_result
        if action and action.name == "OpenProgressCheck" and result:
            table.replies.append(result.reply)
        partner = self._instance.follower() if self._instance.follower else None
        if partner:
            driver.settle(partner)
        own = table.past[Role.COMMANDER]
        assert seen.follower_view, "a Commander sees what the Follower sees"
        return {
            "driver_img": image_of(seen.follower_view),
            "driver_position": teach_pose(partner.pose) if partner else driver.poses[-1] if driver.poses else None,
            "commander_img": image_of(seen.view),
            "commander_curr_pose": teach_pose(seen.pose),
            "commander_action_history": own.deeds,
            "commander_pose_history": own.poses,
            "driver_action_history": driver.deeds,
            "driver_pose_history": driver.poses,
            "driver_obs_history": None,
            "dialogue_history": _dialogue(seen),
            "commander_action_result_history": table.replies,
        }

    def _driver(self, seen: Observation) -> JsonObject:
        own = self._table.past[Role.FOLLOWER]
        return {
            "driver_img": image_of(seen.view),
            "driver_curr_pose": teach_pose(seen.pose),
            "dialogue_history": _dialogue(seen),
            "driver_action_history": own.deeds,
            "driver_pose_history": own.poses,
            "driver_obs_history": None,
        }


def _dialogue(seen: Observation) -> list[tuple[str, str]]:
    return [("", NAMES[Role.COMMANDER]), *((said.text, NAMES[Role(said.speaker)]) for said in seen.dialogue)]


def action_of_deed(role: Role, deed: JsonMapping) -> Action:
    """What a model returned, as an action; a name that stands for none in this chair is handed on, to be refused.

    Raises `TeachAgentsError` for an interaction without a click, on which the challenge's runner breaks down.
    """
    name = deed["action"]
    if name == "Text":
        return Action.say(str(deed.get("utterance") or ""))
    follows = role is Role.FOLLOWER
    if name in MOTIONS or name == "NoOp" or (follows and name == "Stop"):
        return Action(name)
    if not follows and name in ("OpenProgressCheck", "SearchObject", "SelectOid"):
        return Action(name, query="" if name == "OpenProgressCheck" else str(deed.get("obj_cls") or ""))
    if follows and name in OBJECT_ACTIONS:
        click = deed.get("predicted_click")
        if click is None:
            raise TeachAgentsError(f"the model answered {name!r} without a click")
        row, column = click
        return Action.click(name, float(column), float(row))
    return cast(Action, str(name))  # no action: the session refuses it


@once_per_seat
def _table(call: ModelCall) -> Table:
    """A seat's one table of a model: both chairs that name it sit at it."""
    return Table(made(call))


@takes("game", when="ground_truth")
def tatc_model(  # noqa: PLR0913  # one parameter of a SPEC each, and what the benchmark knows
    module: str,
    class_: str,
    args: str | int | float = "",
    process_index: int = 0,
    num_processes: int = 1,
    ground_truth: bool = False,
    *,
    role: Role = Role.FOLLOWER,
    allow_import: bool = False,
    game: str | None = None,
    instance: ShownGame | None = None,
) -> TatcChair:
    """One chair of a class with the TATC challenge's methods; chairs that name the same model share it.

    `args` are the model's own arguments, as on the challenge's command line. With `ground_truth` it is given the whole
    game, task and recording included, and every result says so.
    """
    call = ModelCall.of(module, class_, args, process_index, num_processes, allow_import=allow_import)
    return TatcChair(_table(call), Role(role), instance=instance, game=game, ground_truth=ground_truth)


def chair_of(found: type, context: Mapping[str, object]) -> TatcChair:
    """One chair of a class which a SPEC of the form `module:Class` named; it gets no arguments."""
    known: Any = context.get("instance")
    return TatcChair(_table(ModelCall(found)), Role(cast(Any, context["role"])), instance=known)
