"""A Follower in a room who is asked in the notation of meanings, without a session around it."""

from __future__ import annotations

import random

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.answers import Answers
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.notation import read_meaning
from tests.agents.perceiving.looking_around import Explorer


class AllKnown(Perception):
    """Hands on what is true of the whole room."""

    name = "all known"
    privileges = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})

    def perceive(self, observation: Observation) -> Observation:
        """The observation as it is."""
        return observation


class Asked(Explorer):
    """A body in a room, and what it answers; it knows the `whole` room, or what it has seen."""

    def __init__(self, room: str, *, whole: bool = True) -> None:
        super().__init__(room, AllKnown() if whole else None)
        self.state = DialogueState()
        self.answers = Answers(self.body, self.state, Resolver(self.body, self.state), random.Random(0))

    def ask(self, meaning: str) -> str:
        """The answer to the one question of a line."""
        (question,) = read_meaning(meaning)
        return self.answers.answer(question)

    def one(self, kind: str) -> Thing:
        """A known thing of a type."""
        return next(thing for thing in self.body.things if thing.object_type == kind)
