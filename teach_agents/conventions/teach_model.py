"""TEACh's `TeachModel` classes as Followers (specification 6.1, 6.2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Action, Role
from teach_agents.agents.history import History
from teach_agents.benchmarks.solo.assignment import Assignment, ShownInstance, blinded
from teach_agents.conventions.calling import ModelCall, invoke, made
from teach_agents.conventions.pictures import LazyImage, image_of
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.context import takes
from teach_agents.core.json_types import JsonObject
from teach_agents.data.follower_actions import dialogue_to_json
from teach_agents.errors import SpecError, TeachAgentsError
from teach_agents.observations import Observation, Privilege, Utterance

TEACH_METHODS = ("start_new_edh_instance", "get_next_action")
"""The methods by which a class is known to be a TEACh model."""

_RAISES = "Move to"
"""The one name without a way to go by, on which TEACh's runner breaks down (specification 2.2)."""


class TeachModel(Protocol):
    """What TEACh's inference runner asks of a model; the signatures are the reference's."""

    def start_new_edh_instance(
        self, edh_instance: JsonObject, edh_history_images: list[Any] | None, edh_name: str | None = None
    ) -> bool:
        """An instance begins; something true says that the model is ready."""

    def get_next_action(
        self,
        img: Any,
        edh_instance: JsonObject,
        prev_action: JsonObject | None,
        img_name: str | None = None,
        edh_name: str | None = None,
    ) -> tuple[str | None, Any]:
        """The next action's name, and its click as fractions (ROW, COLUMN) of the picture, or `None`."""


class TeachModelFollower(Agent):
    """A Follower that asks a TEACh model.

    The model gets what the reference's runner gives it: the present picture as a PIL image (RGB, of the run's view
    size: 900 x 900 in TEACh), the instance as in its file, the pictures of the history, its own last answer, and the
    names of instance and picture. Without `ground_truth` the instance comes without what people did next. Where there
    is no instance (TATC, free play) it is one in TfD's form whose dialogue grows.

    What the model raises, a start that is not true, `Move to` and an interaction without a click are the instance's
    failure; any other name that is no action of TEACh's is a failed action.
    """

    def __init__(
        self,
        model: TeachModel,
        *,
        assignment: Assignment | ShownInstance | None = None,
        history: History | None = None,
        ground_truth: bool = False,
    ) -> None:
        self._model = model
        self._assignment = assignment
        self._history = history or History()
        self._ground_truth = ground_truth
        self.privileges = frozenset({Privilege.GROUND_TRUTH}) if ground_truth else frozenset()

    def begin(self, briefing: Briefing) -> None:
        """Hand the model its instance. Raises `TeachAgentsError` when it does not say that it is ready."""
        self._id = briefing.session_id
        self._previous: JsonObject | None = None
        if self._assignment is None:
            self._instance, self._name = live_instance(self._id, ()), f"{self._id}.json"
        else:
            whole = self._assignment.to_json()
            self._instance, self._name = whole if self._ground_truth else blinded(whole), self._assignment.file
        size = self._assignment.view_size if self._assignment else None
        images = [LazyImage(view, size) if size else image_of(view) for view in self._history.views]
        if not invoke(self._model.start_new_edh_instance, self._instance, images, edh_name=self._name):
            raise TeachAgentsError(
                f"model {type(self._model).__name__}: start_new_edh_instance returned nothing true; TEACh's runner "
                "loses such an instance without a word, here it has failed (register entry Q5)"
            )

    def act(self, observation: Observation) -> Action:
        """The model's next action."""
        if self._assignment is None:
            self._instance = live_instance(self._id, observation.dialogue)
        answer = invoke(
            self._model.get_next_action,
            image_of(observation.view),
            self._instance,
            self._previous,
            img_name=f"img__{self._id}_{observation.turn + 1}.jpeg",
            edh_name=self._name,
        )
        name, click = answer
        self._previous = {"action": name, "obj_relative_coord": click}
        return action_of(name, click)


def live_instance(session_id: str, dialogue: Sequence[Utterance]) -> JsonObject:
    """A session that goes on, such as TATC's, in the form of a TfD instance whose dialogue grows."""
    said = tuple((Role(one.speaker), one.text) for one in dialogue)
    return {
        "dialog_history": dialogue_to_json(said),
        "driver_action_history": [],
        "driver_image_history": [],
        "interactions": [],
        "game_id": session_id,
        "dialog_history_cleaned": dialogue_to_json(said),
    }


def action_of(name: Any, click: Any) -> Action:
    """What a model answered, as an action; a name that stands for none is handed on as it is, to be refused.

    Raises `TeachAgentsError` where TEACh's runner breaks down: `Move to`, and an interaction without a finite click.
    """
    if name == _RAISES:
        raise TeachAgentsError(f"the model answered {_RAISES!r}, on which TEACh's runner breaks down")
    if name in OBJECT_ACTIONS:
        if click is None:
            raise TeachAgentsError(f"the model answered {name!r} without a click, on which TEACh's runner breaks down")
        row, column = map(float, click)
        if not math.isfinite(row + column):
            raise TeachAgentsError(f"the model's click must be finite; TEACh's runner breaks down on {click!r}")
        return Action.click(name, column, row)
    if name in MOTIONS or name == "Stop":
        return Action(name)
    return cast(Action, name if isinstance(name, str) else "")  # no action: household and session refuse it


@takes("assignment", when="ground_truth")
def teach_model(  # noqa: PLR0913  # one parameter of a SPEC each, and what the benchmark knows
    module: str,
    class_: str,
    args: str | int | float = "",
    process_index: int = 0,
    num_processes: int = 1,
    fresh: bool = False,
    ground_truth: bool = False,
    *,
    allow_import: bool = False,
    assignment: Assignment | None = None,
    instance: ShownInstance | None = None,
    history: History | None = None,
) -> TeachModelFollower:
    """A Follower that asks a class with TEACh's `TeachModel` methods.

    `args` are the model's own arguments, as on TEACh's command line. The model is made once a process, unless it is to
    be `fresh` for every instance. With `ground_truth` it may read what people did next, and every result says so.
    """
    call = ModelCall.of(module, class_, args, process_index, num_processes, allow_import=allow_import)
    model = call.make() if fresh else made(call)
    return TeachModelFollower(model, assignment=assignment or instance, history=history, ground_truth=ground_truth)


def follower_of(found: type, context: Mapping[str, object]) -> TeachModelFollower:
    """A Follower that asks a class which a SPEC of the form `module:Class` named; it gets no arguments.

    Raises `SpecError` for the Commander's chair.
    """
    if context.get("role") == Role.COMMANDER:
        problem = "has TEACh's model interface, which can only take the Follower's chair"
        raise SpecError("agent SPEC", problem, value=found.__qualname__)
    known: Any = {"assignment": context.get("instance"), "history": context.get("history")}
    return TeachModelFollower(made(ModelCall(found)), **known)
