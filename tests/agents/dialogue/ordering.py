"""A body that is told what to do, in the notation of meanings, in a real room without a session around it."""

from __future__ import annotations

import random
from collections.abc import Mapping

from teach_agents.agents.acting.skills.searching import survey
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.order_execution import OrderExecutor, Outcome
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.notation import read_meaning
from tests.agents.perceiving.looking_around import Explorer

MOST = 400


class Omniscience(Perception):
    """Knows the whole room."""

    name = "all"
    privileges = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})

    def perceive(self, observation: Observation) -> Observation:
        return observation


class Servant:
    """Carries out one order after another; `acted` counts the actions of the last one."""

    def __init__(self, room: str, *, looks_for_itself: bool = False, seed: int | None = None) -> None:
        self.explorer = Explorer(room, OraclePerception() if looks_for_itself else Omniscience(), seed)
        self.explorer.carry_out(survey(self.explorer.body))
        self.state = DialogueState()
        body = self.explorer.body
        self._orders = OrderExecutor(body, self.state, Resolver(body, self.state), random.Random(1))
        self.acted = 0

    def told(self, order: str) -> Outcome:
        """The outcome of an order as it is written, after which what it was about is spoken of."""
        (act,) = read_meaning(order)
        steps, self.acted = self._orders.carry_out(act), 0
        while True:
            try:
                action = next(steps)
            except StopIteration as over:
                outcome: Outcome = over.value
                break
            assert action.name != "Text"
            assert self.acted < MOST, "the order does not end"
            self.explorer.do(action)
            self.acted += 1
        self.state.last_said = outcome.said
        self.state.mention("place", outcome.place)
        self.state.mention(act.slots[0].phrase.noun if act.slots else "thing", outcome.ids)
        return outcome

    def would_look(self, question: str) -> bool:
        """Whether it looks before it answers a question as it is written."""
        (act,) = read_meaning(question)
        return self._orders.is_worth_a_look(act)

    def all(self, kind: str) -> list[Mapping[str, object]]:
        """What there is of a type, as it truly is."""
        return [row for row in self.explorer.rows.values() if row["objectType"] == kind]

    def one(self, kind: str) -> Mapping[str, object]:
        """The first of a type, as it truly is."""
        return self.all(kind)[0]

    def is_in(self, kind: str, holder: str) -> bool:
        """Whether any of a type is truly in or on any of another."""
        return any(
            str(parent).startswith(f"{holder}|")
            for row in self.all(kind)
            for parent in row.get("parentReceptacles") or ()  # type: ignore[attr-defined]
        )
