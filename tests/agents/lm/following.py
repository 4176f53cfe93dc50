"""Followers for tests: eyes that see the whole room, models made of functions, situations made of sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from teach_agents.actions import Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.knowledge import Coverage, Remembered
from teach_agents.agents.conformance import blank_observation
from teach_agents.agents.lm.candidates import Situation
from teach_agents.agents.lm.follower import LanguageFollower, lm_follower
from teach_agents.agents.lm.plan import Plan
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.models import LanguageModel, Prompt, ScriptedModel
from teach_agents.observations import Observation, Privilege, Privileged, Utterance

__all__ = ["Whole", "follower", "heard", "playing"]

Row = dict[str, object]


class Whole(Perception):
    """Sees everything, remembers nothing."""

    name = "whole"
    privileges = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})

    def perceive(self, observation: Observation) -> Observation:
        """The observation itself."""
        return observation


def follower(model: LanguageModel | str, **settings: object) -> LanguageFollower:
    """A Follower that sees the whole room."""
    return lm_follower(model, Whole(), **settings)  # type: ignore[arg-type,return-value]  # tests give wrong ones too


def playing(choose: Callable[[Sequence[str]], str]) -> ScriptedModel:
    """A model that chooses among the choices that it is shown."""

    def answer(prompt: Prompt) -> str:
        return choose(prompt.choices)

    return ScriptedModel(answer)


class _Seen:
    """What a body that looks for itself knows of its map, as far as candidates are concerned."""

    coverage: Coverage
    ground: object = None
    hunches: Sequence[Mapping[str, object]] = ()
    covered: Mapping[str, frozenset[str]] = MappingProxyType({})

    def __init__(self, rows: Sequence[Row]) -> None:
        self.in_view = frozenset(str(row["objectId"]) for row in rows)
        self.doubt = 0.0


def heard(*said: str, rows: Sequence[Row] = (), knows_all: bool = True, alone: bool = False) -> Situation:
    """The situation after the Commander said these things, among visible objects."""
    seen = [{**row, "visible": True} for row in rows]
    parts: dict[Privilege, Callable[[], object]] = {Privilege.OBJECTS: lambda: seen, Privilege.REACHABLE: frozenset}
    privileged = Privileged(parts) if knows_all else Remembered(parts, _Seen(rows))
    body = Body()
    body.see(replace(blank_observation(Role.FOLLOWER), privileged=privileged))
    plan = Plan()
    for text in said:
        plan.hear([Utterance(Role.COMMANDER, text)])
    return Situation(body, plan, alone)
