"""The person of a case: says what the case has, when its time has come, and ends the session."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Any

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.requests.cases import Case
from teach_agents.benchmarks.requests.moments import Moment
from teach_agents.benchmarks.requests.words import asks, has_content
from teach_agents.core.agents.contract import Agent
from teach_agents.household import Household
from teach_agents.observations import Observation
from teach_agents.session import DialogueHook

SETTLING = 40
"""Turns that a Follower may look round for before the person says anything; two in which it waits are enough."""
_SETTLED = 2
_IDLE = 3
"""Turns in which the Follower does nothing until the person goes on, once it has done or said something."""
_OVER = 8
"""The same until the case is over."""
_SILENT = 12
"""Turns without anything at all until the person goes on, or the case is over."""
MOST_ACTIONS = 250
"""Actions after what was said last until the case is over."""
LOOKS = frozenset({"Look Up", "Look Down", "Turn Left", "Turn Right"})


class Part:
    """What followed one thing that was said: the moment in which it was, actions and replies since."""

    def __init__(self, moment: Moment, at_s: float) -> None:
        self.moment = moment
        self.replies: list[str] = []
        self.asked_first = False
        """Whether it asked something before it did anything."""
        self.acted = 0
        self.touched: set[str] = set()
        """The ids of what has changed."""
        self.turns = 0
        self.at_s = at_s
        self.latency_s: float | None = None
        """Seconds to the first reply with content or action; looking round counts for less."""


class Watch(DialogueHook):
    """Watches a session: what the Follower does and says after each thing that was said to it.

    `looks` are the actions that are no more than looking round.
    """

    stamped = False

    def __init__(
        self,
        household: Household,
        *,
        looks: Collection[str] = LOOKS,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._household = household
        self._looks = looks
        self._clock = clock
        self.parts: list[Part] = []
        self.idle = 0
        self.turns = 0

    def begin(self, session_id: str, seed: int) -> None:
        """The first moment is that in which nothing was said yet."""
        self.first = Moment.of(self._household)
        self._seen = self.first.objects

    def turn_executed(self, record: Any) -> None:
        """Count what the Follower did, then note what was said to it, which it hears in the next turn."""
        self.turns += 1
        self._noted(record.done[Role.FOLLOWER].action)
        spoken = record.done[Role.COMMANDER].action
        if isinstance(spoken, Action) and spoken.name == "Text":
            self.parts.append(Part(Moment.of(self._household), self._clock()))
            self.idle = 0

    def _noted(self, action: Any) -> None:
        part = self.parts[-1] if self.parts else None
        waits = isinstance(action, Action) and action.name == "NoOp"
        self.idle = self.idle + 1 if waits else 0
        if part is None:
            return
        part.turns += 1
        part.touched |= self._changed()
        if waits or not isinstance(action, Action):
            return
        says = action.name == "Text"
        if says:
            part.replies.append(action.utterance)
            part.asked_first |= asks(action.utterance) and not part.acted
        else:
            part.acted += 1
        if part.latency_s is None and (has_content(action.utterance) if says else action.name not in self._looks):
            part.latency_s = self._clock() - part.at_s

    def _changed(self) -> set[str]:
        """The ids of what has changed since this was asked last."""
        before, self._seen = self._seen, dict(self._household.simulator.state.objects)
        return {one for one, obj in self._seen.items() if before.get(one) is not obj}

    def now(self) -> Moment:
        """The present moment."""
        return Moment.of(self._household)


class Person(Agent):
    """The Commander of a case. It sees what a person in the room would: whether the Follower is at work."""

    timed = False

    def __init__(self, case: Case, watch: Watch) -> None:
        self._talk = case.talk
        self._watch = watch

    def act(self, observation: Observation) -> Action:
        """The next thing to say, nothing, or the end."""
        watch = self._watch
        said = len(watch.parts)
        if said < len(self._talk) and self._comes(said):
            return Action.say(self._talk[said].text)
        return Action.finish() if said and self._over(said == len(self._talk)) else Action.wait()

    def _comes(self, number: int) -> bool:
        """Whether the time for something has come."""
        watch, turn = self._watch, self._talk[number]
        if not number:
            return watch.idle >= _SETTLED or watch.turns >= SETTLING
        part = watch.parts[-1]
        if turn.when == "after":
            return part.acted >= turn.after
        rests = watch.idle >= (_IDLE if part.acted or part.replies else _SILENT)
        return rests and (turn.when == "idle" or any(map(asks, part.replies)))

    def _over(self, last: bool) -> bool:
        """Whether nothing more will come: the Follower rests, or has done too much."""
        watch, part = self._watch, self._watch.parts[-1]
        spent = part.acted >= MOST_ACTIONS or part.turns >= 2 * MOST_ACTIONS
        return spent or watch.idle >= (_OVER if part.acted or part.replies else _SILENT + (not last))
