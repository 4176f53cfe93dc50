"""What agents that play by a world's scaffold have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import Any

from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.values import Result, Utterance
from teach_agents.models.scaffold import Candidate, Scaffold

_PAST = 40
"""Lines of what was said and done that are remembered."""


class ScaffoldAgent(Agent):
    """Plays a seat by a world's scaffold: chooses a candidate (`_choose`), then does what that comes to.

    A choice of several actions is dropped where one of them fails. What was said and done is remembered in lines
    (`past`).
    """

    def __init__(self, scaffold: Scaffold[Any], seat: str) -> None:
        self.scaffold = scaffold
        self.seat = seat
        self.privileges = scaffold.privileges
        self._forget()

    def _forget(self) -> None:
        self.thought = None
        self.past: deque[str] = deque(maxlen=_PAST)
        self._plan: deque[Any] = deque()
        self._doing = ""

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._forget()

    def hear(self, utterance: Utterance) -> None:
        """Remember it."""
        self.past.append(f"{utterance.speaker}: {utterance.text}")

    def told(self, result: Result) -> None:
        """Remember it; what was to follow an action that failed is not done."""
        self.past.append(f"({self._doing}: {result.message or ('done' if result.success else 'failed')})")
        if not result.success:
            self._plan.clear()

    def act(self, observation: Any) -> Any:
        """The next action of what was chosen, or of a new choice."""
        self.thought = None
        if not self._plan:
            offered = self._offered(observation)
            chosen = self._choose(observation, offered)
            self._doing = chosen.text
            self._plan.extend(self._actions(chosen, observation))
        return self._plan.popleft()

    def _actions(self, chosen: Candidate, observation: Any) -> list[Any]:
        """What a choice does, at least one action."""
        done = self.scaffold.choose(chosen, observation)
        actions = [*done] if isinstance(done, list | tuple) else [done]
        return actions or [self.scaffold.codec.wait()]

    def _offered(self, observation: Any) -> dict[str, Candidate]:
        """The candidates by their texts; to wait, where there are none."""
        found = {one.text: one for one in self.scaffold.offered(observation, self.seat, self.valid_actions)}
        return found or {"wait": self._waiting()}

    @abstractmethod
    def _choose(self, observation: Any, offered: Mapping[str, Candidate]) -> Candidate:
        """Choose one; where that is to say something, a candidate with the action that says it."""

    def _waiting(self) -> Candidate:
        return Candidate("wait", self.scaffold.codec.wait())

    def _saying(self, words: str) -> Candidate:
        return Candidate(f"say: {words}", self.scaffold.codec.say(words))
