"""Followers that understand nothing, which a sound benchmark gives next to no credit."""

from __future__ import annotations

import random

from teach_agents.actions import MOTIONS, Action, Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation


class Silent(Agent):
    """Does nothing and says nothing."""

    def act(self, observation: Observation) -> Action:
        """Wait."""
        return Action.wait()


class _Answering(Agent):
    """Answers whatever it is told with the same words."""

    words: str

    def begin(self, briefing: Briefing) -> None:
        """Nothing was heard yet."""
        self._heard = 0

    def act(self, observation: Observation) -> Action:
        """The words, once for everything that was said."""
        heard = sum(said.speaker is Role.COMMANDER for said in observation.dialogue)
        news, self._heard = heard > self._heard, heard
        return Action.say(self.words) if news else Action.wait()


class AlwaysAsking(_Answering):
    """Asks which one is meant."""

    words = "Which one do you mean, the one on the table, on the counter, on the desk or in the cabinet?"


class OneParagraph(_Answering):
    """Says a paragraph that would do for much."""

    words = (
        "Yes, I see it on the counter, and one is in the fridge. No, I am sorry, I cannot do that, it is already done. "
        "I do not know, I have not looked in there. You told me not to touch it. It is clean, closed and off. Thanks!"
    )


class RandomMotion(Agent):
    """Walks and turns about."""

    def begin(self, briefing: Briefing) -> None:
        """Draw by the session's seed."""
        self._draws = random.Random(briefing.seed)

    def act(self, observation: Observation) -> Action:
        """Any motion."""
        return Action(self._draws.choice(MOTIONS))


STUBS = {"silent": Silent, "asking": AlwaysAsking, "paragraph": OneParagraph, "motion": RandomMotion}
"""All of them."""
