"""Agents that draw their actions: the floor any other agent has to beat.

Each turn is drawn from the agent's seed and the turn's number alone, so a session that is resumed goes on as it would
have gone.
"""

from __future__ import annotations

import random

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Action
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation

CLICK_RANGE = 0.99
"""Clicks are uniform in [0, 0.99) on both axes (specification 6.1)."""

_WORDS = ("Mug", "Plate", "Fridge", "Sink", "Tomato", "Knife", "Bowl", "CoffeeMachine", "Bread", "Drawer")
_PHRASES = ("what do you see?", "please look around", "try somewhere else", "thank you")
_MOTION_SHARE = 0.5


class _Seeded(Agent):
    """Draws by seed and turn. `seed` overrides the session's."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._session_seed = 0

    def begin(self, briefing: Briefing) -> None:
        """Take the session's seed unless one was given."""
        self._session_seed = briefing.seed

    def _draw(self, observation: Observation) -> random.Random:
        seed = self._session_seed if self._seed is None else self._seed
        return random.Random(f"{seed} {observation.role} {observation.turn}")


class RandomFollower(_Seeded):
    """TEACh's sample model: uniform over the Follower's 16 actions and Stop, clicks uniform (specification 6.1).

    Without `stops` it never ends the session itself.
    """

    def __init__(self, seed: int | None = None, stops: bool = True) -> None:
        super().__init__(seed)
        self._names = (*MOTIONS, *OBJECT_ACTIONS, *(("Stop",) if stops else ()))

    def act(self, observation: Observation) -> Action:
        """Any action, anywhere."""
        draw = self._draw(observation)
        name = draw.choice(self._names)
        if name in OBJECT_ACTIONS:
            return Action.click(name, draw.random() * CLICK_RANGE, draw.random() * CLICK_RANGE)
        return Action(name)


class RandomCommander(_Seeded):
    """Half camera motions, half progress checks, searches and small talk; it never ends the session."""

    def act(self, observation: Observation) -> Action:
        """Any action but Finish."""
        draw = self._draw(observation)
        if draw.random() < _MOTION_SHARE:
            return Action(draw.choice(MOTIONS))
        search, talk = Action.search(draw.choice(_WORDS)), Action.say(draw.choice(_PHRASES))
        return draw.choice((Action.progress_check(), search, talk, Action.wait()))


class SilentCommander(Agent):
    """Says nothing and does nothing: what a Follower achieves beside it, it achieves without language."""

    def act(self, observation: Observation) -> Action:
        """Let the turn pass."""
        return Action.wait()
