"""Our Commander and Follower behind the TATC challenge's calling convention (specification 7.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.conventions.calling import asked, click_of, model_options, without_privileges
from teach_agents.conventions.pictures import view_of_image
from teach_agents.conventions.tatc_model import NAMES, Deed, action_of_deed
from teach_agents.conventions.wire_follower import UNKNOWN
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.agents.runner import Runner
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.seats import Seated
from teach_agents.core.specs import build
from teach_agents.data.interactions import pose_from_values
from teach_agents.kinds import AGENT
from teach_agents.observations import Observation, Utterance
from teach_agents.session.codec import TEACH

_ROLES = {name: role for role, name in NAMES.items()}


class PairAsTatcModel:
    """A model for the TATC challenge's own runner that answers with a pair of ours.

    Its arguments are `--commander SPEC --follower SPEC [--seed N]`. A Commander that finishes waits, and the Follower
    stops in the step after: the convention has no word for Finish. Raises `SpecError` for agents that read what the
    convention does not carry: privileges, the map, the search camera's picture.
    """

    def __init__(self, process_index: int, num_processes: int, model_args: list[str]) -> None:
        options = model_options(self, model_args, "commander", "follower")
        self._seed = options.seed
        self._agents = {role: _made(getattr(options, role), role) for role in Role}
        self._runner = Runner("pair in TATC's convention")

    def start_new_tatc_instance(self, game: JsonObject) -> bool:
        """Let both agents forget the last session."""
        name = str(game.get("instance_id") or "")
        self._finished = False
        self._turns = dict.fromkeys(Role, 0)
        self._last: dict[Role, Action | None] = dict.fromkeys(Role)
        self._seated = {role: Seated(agent, role, self._runner, TEACH) for role, agent in self._agents.items()}
        for role, seated in self._seated.items():
            briefing = Briefing(name, role, instance_seed(self._seed, f"{name} {role}"))
            asked(self._runner, partial(seated.begin, briefing, None))
        return True

    def get_next_action_commander(
        self, commander_inputs: JsonObject, game: JsonObject, commander_img_name: str, instance_file: str
    ) -> Deed:
        """The Commander's answer."""
        if self._finished:
            return {"action": "NoOp", "obj_cls": None, "utterance": None}
        replies = commander_inputs.get("commander_action_result_history") or ()
        parts = {
            "view": view_of_image(commander_inputs["commander_img"]),
            "follower_view": view_of_image(commander_inputs["driver_img"]),
            "pose": commander_inputs.get("commander_curr_pose"),
        }
        action = self._asked(Role.COMMANDER, commander_inputs, parts, replies)
        name = action.name if action else ""
        self._finished = name == "Finish"
        return {
            "action": "NoOp" if self._finished else name,
            "obj_cls": (action.query or None) if action else None,
            "utterance": (action.utterance or None) if action else None,
        }

    def get_next_action_driver(
        self, driver_inputs: JsonObject, game: JsonObject, driver_img_name: str, instance_file: str
    ) -> Deed:
        """The Follower's answer."""
        if self._finished and self._turns[Role.COMMANDER] == self._turns[Role.FOLLOWER]:
            return {"action": "Stop", "predicted_click": None, "utterance": None}
        parts = {"view": view_of_image(driver_inputs["driver_img"]), "pose": driver_inputs.get("driver_curr_pose")}
        action = self._asked(Role.FOLLOWER, driver_inputs, parts, ())
        return {
            "action": action.name if action else "",
            "predicted_click": click_of(action),
            "utterance": (action.utterance or None) if action else None,
        }

    def _asked(self, role: Role, inputs: JsonMapping, parts: JsonMapping, replies: Sequence[Any]) -> Action | None:
        """An agent's action; `None` for an answer that is none."""
        past = inputs.get(f"{NAMES[role]}_action_history") or ()
        last, result = _last(role, past[-1] if past else None, replies)
        values, said = parts["pose"], inputs.get("dialogue_history") or ()  # it begins with an empty line
        seen = Observation(
            role,
            self._turns[role],
            **{**parts, "pose": UNKNOWN if values is None else pose_from_values(tuple(values))},
            dialogue=tuple(Utterance(_ROLES[name], words) for words, name in said if words),
            last_action=last,
            last_result=result,
        )
        self._turns[role] += 1
        action: Action | None = asked(self._runner, partial(self._seated[role].answer, seen, None)).action
        return action


def _made(spec: str, role: Role) -> Agent:
    made = build(AGENT, spec, allow_import=True, role=role)
    problem = "reads what the convention does not carry ({wanted}); take an agent without privileges"
    return without_privileges(made, spec, f"{role} in TATC's convention", problem)


def _last(role: Role, deed: JsonMapping | None, replies: Sequence[Any]) -> tuple[Action | None, ActionResult | None]:
    """The last deed and what came of it, as a session would tell it."""
    if deed is None:
        return None, None
    action = action_of_deed(role, deed)
    known = action if isinstance(action, Action) else None
    checked = known is not None and known.name == "OpenProgressCheck" and replies
    return known, ActionResult(bool(deed.get("success")), reply=replies[-1] if checked else None)
