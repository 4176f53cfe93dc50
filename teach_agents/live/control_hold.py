"""What a person's stop, wait and go on do to whoever acts: the session sees to it, whatever the agent makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from teach_agents.actions import Action, Role
from teach_agents.core.control import control_of
from teach_agents.core.dialogue import CONTROL, COURTESIES, Act
from teach_agents.live.events import EventKind, LiveEvent
from teach_agents.understanding.rules_reader import RulesReader

_AT_REST = frozenset({"Text", "NoOp", "Stop"})
"""What may be done by who was told to stop or to wait."""
_NAMES = tuple(role.value for role in Role)
_HALTS = frozenset({Act.STOP, Act.WAIT})
_ASKS_NOTHING = (
    COURTESIES | (CONTROL - {Act.RESUME}) | {Act.NO, Act.NEVER, Act.NOT_UNTIL, Act.FACT, Act.SAY_AGAIN, Act.COMPLAIN}
)
_KEEPS = {Act.STOP: _ASKS_NOTHING, Act.WAIT: (_ASKS_NOTHING - {Act.OK}) | {Act.QUESTION}}
"""What may be said to who stopped, or waits, without its being free to act again."""


class _Heard(NamedTuple):
    """An utterance: a stop, a wait or a go on in it, and what acts the rules find; none where they do not read it."""

    control: Act | None
    acts: frozenset[Act]


class Hold:
    """Whether an agent may act, by what a person says to it.

    Behind a stop nothing is done until something is asked for; behind a wait, until it may go on or has a new order.
    """

    def __init__(self) -> None:
        self.by: Act | None = None
        """`STOP` or `WAIT` while the agent may not act."""
        self.interruptions = 0
        """How often what was chosen before became void."""
        self._reader = RulesReader()

    def take_up(self, events: Sequence[LiveEvent]) -> None:
        """A session goes on behind these: who had been told to stop or to wait still has."""
        told = (Act(event.data["act"]) for event in reversed(events) if event.kind is EventKind.CONTROL)
        last = next(told, None)
        self.by = last if last in _HALTS else None

    def interrupt(self, text: str) -> None:
        """Something is about to be said: where it is a stop or a wait, what was chosen so far is void."""
        self.interruptions += self._heard(text).control in _HALTS

    def hear(self, text: str) -> Act | None:
        """Something was said: what it changes, `STOP`, `WAIT`, or `RESUME` (it may act again); `None` for nothing."""
        control, acts = self._heard(text)
        before, self.by = self.by, None
        if control in _HALTS:
            self.interruptions += 1
            if acts <= _KEEPS[control] | {Act.QUESTION}:
                self.by = control
            return control
        if before and control is None and acts and acts <= _KEEPS[before]:
            self.by = before
            return None
        return Act.RESUME if before else None

    def bars(self, action: Action | None) -> bool:
        """Whether something may not be done now."""
        return self.by is not None and action is not None and action.name not in _AT_REST

    def _heard(self, text: str) -> _Heard:
        control = control_of(text, _NAMES)
        acts = [act.act for act in self._reader.read(text).acts]
        if control is Act.WAIT and acts and Act.WAIT not in acts:  # "wait, what do you see?"
            control = None
        if control is None and acts and acts[0] in _HALTS:
            control = acts[0]
        return _Heard(control, frozenset(acts))
