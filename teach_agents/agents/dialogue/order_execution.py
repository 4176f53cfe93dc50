"""Orders carried out as people mean them, and what is honestly said of what became of them."""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, SkillError
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.conditions import is_so
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.noun_text import called, words_of
from teach_agents.agents.dialogue.order_text import Form, act_words
from teach_agents.agents.dialogue.orders import (
    delivery,
    dishes,
    food,
    inspection,
    movement,
    open_and_switch,
    pick_and_place,
    pickup,
    put_back,
    recipes,
    refusals,
    table_clearing,
    throwing_away,
)
from teach_agents.agents.dialogue.orders.order_context import OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.per_thing import Ready
from teach_agents.agents.dialogue.prohibitions import off_limits, told_not_to, unshut
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.understanding.notation import RESULTS

__all__ = ["LONG", "OrderExecutor", "Outcome", "announced"]

_ORDERS: Mapping[str, Ready] = {
    "get": delivery.brought,
    "pick_up": pickup.picked_up,
    "put": pick_and_place.put,
    "put_back": put_back.put_back,
    "drop": pick_and_place.dropped,
    "throw_away": throwing_away.thrown_away,
    "serve": delivery.served,
    "move": throwing_away.moved,
    "go_to": movement.gone_to,
    "come": movement.came,
    "find": movement.found,
    "look_at": movement.looked_at,
    "look_around": movement.looked_around,
    "show": movement.shown,
    **dict.fromkeys(movement.MOTIONS, movement.moved_a_little),
    "look_in": open_and_switch.looked_in,
    "open": open_and_switch.opened,
    "close": open_and_switch.closed,
    "turn_on": open_and_switch.turned_on,
    "turn_off": open_and_switch.turned_off,
    "wash": dishes.washed,
    "fill": dishes.filled,
    "empty": dishes.emptied,
    "pour": dishes.poured,
    "water": dishes.watered,
    "slice": food.sliced,
    "crack": food.cracked,
    "cook": recipes.prepared,
    "boil": food.boiled,
    "toast": food.toasted,
    "make": recipes.made,
    "clear": table_clearing.cleared,
}


_WITH_TOOLS = frozenset("slice crack water pour empty cook boil toast".split())
"""What is done with a tool, or with what is in a vessel, that nobody wants to be held out afterwards."""
LONG = frozenset("wash slice cook boil toast make fill water clear serve find throw_away".split())
"""Orders that take long: they are acknowledged first."""
_SEVERAL = frozenset({"get", "put", "put_back", "move", "empty"})
"""Orders that do, where they are about several things."""
_KEPT = 30
"""Of more that was opened on the way only the latest is remembered."""


def announced(steps: Generator[Action, None, Outcome], words: str) -> Generator[Action, None, Outcome]:
    """Steps with words before the first: what needs none, or cannot be done, is not promised."""
    try:
        first = next(steps)
    except StopIteration as over:
        outcome: Outcome = over.value
        return outcome
    try:
        yield Action.say(words)
        yield first
        return (yield from steps)
    finally:
        steps.close()


class OrderExecutor:
    """Carries out orders with a body, for a `person` or another agent; what they name is resolved by the talk they are
    said in.
    """

    def __init__(
        self, body: Body, state: DialogueState, resolver: Resolver, rng: random.Random, *, person: bool = True
    ) -> None:
        self._person = person
        self._body = body
        self._state = state
        self._resolver = resolver
        self._rng = rng
        self._broken_off: tuple[str, Sequence[str]] = ("", ())

    def is_worth_a_look(self, question: DialogueAct) -> bool:
        """Whether looking may tell more of what a question asks than is known."""
        return inspection.is_worth_a_look(self._context(question))

    def _context(self, act: DialogueAct) -> OrderContext:
        context = OrderContext(self._body, self._state, self._resolver, self._rng, act)
        context.for_person = self._person
        return context

    def acknowledged(self, order: DialogueAct) -> str:
        """What is said before an order is begun that takes long, or, to a person, for which something has to be looked
        for; "" for any other."""
        if order.about in LONG:
            return f"All right, I will {act_words(order)}."
        if not self._person:
            return ""
        context = self._context(order)
        sought = None if order.about not in _ORDERS or order.about in movement.MOTIONS else context.not_known()
        number = int(context.phrase.count) if context.phrase.count.isdecimal() else 1
        if order.about == "pick_up" and number > 1:
            words = words_of(replace(context.phrase, count="1"), "a")
            return "" if sought is None else f"{pickup.ONE_HAND}. I will look for {words}."
        if order.about in _SEVERAL and (number > 1 or context.phrase.count in ("all", "rest")):
            return f"All right, I will {act_words(order)}."
        return "" if sought is None else f"All right, I will look for {words_of(sought)}."

    def carry_out(self, order: DialogueAct) -> Generator[Action, None, Outcome]:
        """Do what an order asks, as far as it can be done, or look at what a question is about.

        Yields motions and clicks, no words; never raises. What an order that was broken off opened is shut by the next
        of its kind, which goes on with it or corrects it.
        """
        context = self._context(order)
        self._body.memory.may_open = partial(_may_open, context)
        self._body.memory.off_limits = off_limits(self._state.in_force, self._body.things)
        verb, opened = self._broken_off
        if verb == order.about:
            context.take_over(opened)
        self._broken_off = ("", ())
        context.meant |= unshut(self._state.in_force, self._body.things)
        ready = inspection.inspected if order.act is Act.QUESTION else _ORDERS.get(order.about, refusals.refused)
        try:
            outcome = yield from context.watched(ready(context))
        except GeneratorExit:
            self._broken_off = (order.about, context.opened)
            raise
        except UnableError as error:
            outcome = Outcome(False, error.words, error.ids)
        except SkillError as error:
            ids = (error.thing.object_id,) if error.thing is not None else ()
            outcome = Outcome(False, context.unable(error), ids)
        if order.about in _WITH_TOOLS:
            yield from context.watched(context.hand_freed())
        yield from context.put_right()
        context.remember_places()
        self._state.opened = [*self._state.opened, *context.opened][-_KEPT:]
        if not outcome.done and context.kept_shut:
            outcome = outcome._replace(said=f"{outcome.said} {context.kept_shut}".strip())
        if context.lacking and context.lacking not in outcome.said:
            outcome = outcome._replace(done=False, said=f"{outcome.said} {context.lacking}")
        if context.spared:
            left = "the rest" if outcome.done else "some of it"
            outcome = outcome._replace(said=f"{outcome.said} I left {left}: {context.spared}")
        return outcome._replace(said=self._otherwise(outcome.said))

    def broken_off(self, order: DialogueAct, said: str) -> Outcome:
        """What an order came to that was broken off for what somebody `said`: what it asks may be so already."""
        why, result = told_not_to(said, lower=True), RESULTS.get(order.about)
        phrase = next((slot.phrase for slot in order.slots if not slot.role), None)
        things = self._resolver.find(phrase).chosen if result is not None and phrase is not None else []
        if result is None or not things or not all(is_so(one, result, self._body.things) for one in things):
            return Outcome(False, f"I did not finish: {why}")
        return Outcome(True, f"I {act_words(order, Form.PAST)}. I left the rest: {why}", ids_of(things))

    def _otherwise(self, said: str) -> str:
        """In other words where it was said just before."""
        if not said or said not in self._state.last_said:
            return said
        first = said if said.startswith(("I ", "I'")) else said[:1].lower() + said[1:]
        return f"{self._rng.choice(('As before', 'It is still so'))}: {first}"


def _may_open(context: OrderContext, thing: Thing) -> bool:
    """Whether nothing forbids to open a thing in a search; where something does, that is told if it was in vain."""
    rule = context.barred("Open", thing)
    if rule is not None:
        alike = [one for one in context.body.things.of(thing.object_type) if context.barred("Open", one) is not None]
        words = context.the([thing]) if len(alike) == 1 else f"the {called(thing).many}"
        context.kept_shut = f"I left {words} shut: {told_not_to(rule.said, lower=True)}"
    return rule is None
