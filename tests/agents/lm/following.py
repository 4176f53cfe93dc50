"""Followers for tests: eyes that see the whole room, models made of functions, situations made of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from teach_agents.actions import Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.knowledge import Knowledge
from teach_agents.agents.lm.candidates import Situation
from teach_agents.agents.lm.follower import LanguageFollower, lm_follower
from teach_agents.agents.lm.plan import Plan
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.models import LanguageModel, Prompt, ScriptedModel
from teach_agents.observations import Observation, Pose, Privilege, Privileged, Utterance, Vec3, View

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
    return lm_follower(model, Whole(), **settings)  # type: ignore[arg-type]  # tests give wrong ones too


def playing(choose: Callable[[Sequence[str]], str]) -> ScriptedModel:
    """A model that chooses among the choices that it is shown."""

    def answer(prompt: Prompt) -> str:
        return choose(prompt.choices)

    return ScriptedModel(answer)


class _Body(Body):
    """A body that looks for itself, as far as candidates are concerned."""

    @property
    def knowledge(self) -> Knowledge | None:
        return self

    @property
    def in_view(self) -> frozenset[str]:
        return self.observation.privileged.visible


def heard(*said: str, rows: Sequence[Row] = (), knows_all: bool = True, alone: bool = False) -> Situation:
    """The situation after the Commander said these things, among visible objects."""
    body = Body() if knows_all else _Body()
    parts = {Privilege.OBJECTS: lambda: [{**row, "visible": True} for row in rows], Privilege.REACHABLE: frozenset}
    pose = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 30.0)
    body.see(Observation(Role.FOLLOWER, 0, pose, View(lambda: None), privileged=Privileged(parts)))  # type: ignore[arg-type,return-value]  # never drawn
    plan = Plan()
    for text in said:
        plan.hear([Utterance(Role.COMMANDER, text)])
    return Situation(body, plan, alone)
