"""Our Followers behind TEACh's model interface: for its inference runner, and for whoever serves them over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from teach_agents.actions import ACTION_TYPES, MOTIONS, OBJECT_ACTIONS, Action, Role
from teach_agents.agents.history import History
from teach_agents.conventions.calling import asked, click_of, model_options, without_privileges
from teach_agents.conventions.pictures import view_of_image
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.agents.runner import Runner
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.seats import Seated
from teach_agents.core.specs import build
from teach_agents.data.fields import Fields
from teach_agents.data.follower_actions import read_actions, read_dialogue
from teach_agents.data.interactions import pose_from_values
from teach_agents.errors import ActionError, MissingParameterError, SpecError
from teach_agents.household.geometry import moved
from teach_agents.kinds import AGENT
from teach_agents.observations import Observation, Pose, Utterance, Vec3, View
from teach_agents.session.codec import TEACH

Answer = tuple[str | None, list[float] | None]
"""An action's name, and its click as fractions [ROW, COLUMN], or `None`."""

_PATIENT = Timeouts.live()
_LATE = "gave no answer"
UNKNOWN = Pose(Vec3(0.0, 0.9, 0.0), yaw=0.0, horizon=30.0)
"""The origin, looking as a session begins: used where the history says nothing."""
_DRIVER = 1
_LOWEST, _HIGHEST = 60.0, -30.0


def check_servable(spec: str, *, allow_import: bool = False) -> None:
    """Refuse a Follower that needs what TEACh's model interface cannot carry. Raises `SpecError`."""
    WireFollower(spec, {}, (), allow_import=allow_import).close()


class WireFollower:
    """One of our Followers on one instance, given what TEACh's protocol carries (specification 6.8).

    `instance` is the instance's dictionary, of which any key may be absent; `views` are the pictures of its history.
    `seed` is the run's, `name` the path of the instance's file, which gives its id where the dictionary lacks one. The
    Follower hears the instance's dialogue. It does not learn whether its actions succeeded, and its pose is
    reckoned from its own actions. It has a thread of its own, and `timeouts`: what takes longer raises `LateError`, and
    is left behind there. Raises `SpecError` for a SPEC that is none, or an agent that needs privileges, and
    `GameFileError` for an instance whose keys hold something else than TEACh's. What the agent raises it raises as
    `conventions.calling.asked` does.
    """

    def __init__(
        self,
        spec: str,
        instance: JsonMapping,
        views: Sequence[View],
        *,
        name: str = "",
        seed: int = 0,
        allow_import: bool = False,
        timeouts: Timeouts = _PATIENT,
    ) -> None:
        self._instance = instance
        self._pose = first_pose(instance)
        self._turn = 0
        self._timeouts = timeouts
        actions = read_actions(Fields(instance, _WHERE), _ACTIONS) if instance.get(_ACTIONS) else ()
        history = History(actions, tuple(views))
        stem = name.replace("\\", "/").rpartition("/")[2].removesuffix(".json")  # TfD's id is nowhere else
        known = str(instance.get("instance_id") or stem or instance.get("game_id") or "")
        briefing = Briefing(known, Role.FOLLOWER, instance_seed(seed, known))
        self._runner = runner = Runner(f"follower at {known or 'an instance'}")

        def begun() -> Seated:
            made = runner.call(lambda: _made(spec, history, allow_import), timeouts.begin_s, _LATE)
            seated = Seated(made, Role.FOLLOWER, runner, TEACH)
            seated.begin(briefing, timeouts.begin_s, _LATE)
            return seated

        try:
            self._seated = asked(self._runner, begun)
        except BaseException:
            self.close()
            raise

    def answer(self, view: View, instance: JsonMapping | None, previous: JsonMapping | None) -> Answer:
        """What the Follower does next: name, and click as [row, column].

        `instance` is the present one where the client sends it; `previous` is what was answered last, `None` at first.
        Talk and waiting go by the names of ours, `Text` and `NoOp`, which the reference's runner counts as failed
        calls. An answer that is no action goes by the name "".
        """
        return asked(self._runner, partial(self._answered, view, instance, previous), self._timeouts.act_s, _LATE)

    def _answered(self, view: View, instance: JsonMapping | None, previous: JsonMapping | None) -> Answer:
        last = _action_of(previous)
        self._pose = reckoned(self._pose, last)
        now = self._instance if instance is None else instance
        said = read_dialogue(Fields(now, _WHERE), _DIALOGUE) if now.get(_DIALOGUE) else ()
        seen = Observation(
            Role.FOLLOWER,
            self._turn,
            self._pose,
            view,
            dialogue=tuple(Utterance(role, text) for role, text in said),
            last_action=last,
        )
        self._turn += 1
        action: Action | None = self._seated.answer(seen, self._timeouts.act_s, _LATE).action
        return action.name if action else "", click_of(action)

    def close(self) -> None:
        """Let the agent go when it has answered what it is asked; one that hangs stays behind in its thread."""
        self._runner.stop()


_WHERE = "edh_instance"
_ACTIONS = "driver_action_history"
_DIALOGUE = "dialog_history"


def _made(spec: str, history: History, allow_import: bool) -> Agent:
    where = "follower over TEACh's protocol"
    try:
        made = build(AGENT, spec, allow_import=allow_import, role=Role.FOLLOWER, history=history)
    except MissingParameterError as error:
        raise SpecError(where, f"cannot be had: {error}; the protocol carries pictures and instances only") from error
    problem = "reads what the protocol cannot carry ({wanted}); serve an agent without privileges"
    return without_privileges(made, spec, where, problem)


def _action_of(previous: JsonMapping | None) -> Action | None:
    """The last answer as an action, where it was one."""
    name, click = (previous or {}).get("action"), (previous or {}).get("obj_relative_coord")
    try:
        if name in OBJECT_ACTIONS and isinstance(click, list | tuple) and len(click) == 2:
            return Action.click(name, click[1], click[0])
        return Action(name) if isinstance(name, str) else None
    except ActionError:
        return None


def first_pose(instance: JsonMapping) -> Pose:
    """Where the last recorded motion of an instance's history led; the origin where there is none.

    `instance` is in the released format; whatever of it cannot be read is passed over.
    """
    interactions = instance.get("interactions")
    start = instance.get("pred_start_idx")
    if isinstance(interactions, list) and isinstance(start, int):
        for one in reversed(interactions[:start]):
            values = one.get("pose") if isinstance(one, dict) and one.get("agent_id") == _DRIVER else None
            if (
                isinstance(values, list)
                and len(values) == 6
                and all(isinstance(one, int | float) and abs(one) <= sys.float_info.max for one in values)
            ):
                return pose_from_values(tuple(map(float, values)))
    return UNKNOWN


def reckoned(pose: Pose, action: Action | None) -> Pose:
    """The pose after a motion, were it to succeed; any other action leaves it."""
    if action is None or action.name not in MOTIONS:
        return pose
    ahead, left, _, _, pitch, yaw_left = ACTION_TYPES[action.name].pose_delta
    horizon = min(max(pose.horizon + pitch, _HIGHEST), _LOWEST)
    position = moved(pose.position, pose.yaw, ahead, -left)
    return replace(pose, position=position, yaw=(pose.yaw - yaw_left) % 360.0, horizon=horizon)


class FollowerAsTeachModel:
    """A `TeachModel` for the reference's own runner that answers with one of our Followers.

    Its arguments are `--follower SPEC [--seed N]`, beside `--model_module teach_agents.conventions.wire_follower` and
    `--model_class FollowerAsTeachModel`. Raises `SpecError` for an agent that needs more than a TEACh model is given.
    """

    def __init__(self, process_index: int, num_processes: int, model_args: list[str]) -> None:
        options = model_options(self, model_args, "follower")
        self._spec, self._seed = options.follower, options.seed
        self._playing: WireFollower | None = None
        check_servable(self._spec, allow_import=True)

    def start_new_edh_instance(
        self, edh_instance: JsonObject, edh_history_images: list[Any] | None, edh_name: str | None = None
    ) -> bool:
        """Make a fresh Follower for an instance."""
        if self._playing:
            self._playing.close()
        views = tuple(view_of_image(image) for image in edh_history_images or ())
        self._playing = WireFollower(
            self._spec, edh_instance, views, name=edh_name or "", seed=self._seed, allow_import=True
        )
        return True

    def get_next_action(
        self,
        img: Any,
        edh_instance: JsonObject,
        prev_action: JsonObject | None,
        img_name: str | None = None,
        edh_name: str | None = None,
    ) -> Answer:
        """The Follower's next action."""
        assert self._playing, "start_new_edh_instance comes first"
        return self._playing.answer(view_of_image(img), edh_instance, prev_action)
