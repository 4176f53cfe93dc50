"""Acts on conditions: what they speak of, and which of the ways that an utterance leaves open is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.conditions import is_so, liquid_in
from teach_agents.agents.dialogue.noun_text import sentence, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.states import state_called
from teach_agents.core.dialogue import Condition, DialogueAct, Phrase


class Branches:
    """Conditions are judged once an utterance, all that speak of the same at once: what is done for one of them
    ("if it is dirty, wash it") decides nothing about the next ("if it is clean, put it away").
    """

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._met: dict[Condition, bool] = {}

    def begin(self) -> None:
        """Another utterance is attended to."""
        self._met = {}

    def closed(self, act: DialogueAct, waiting: Sequence[DialogueAct]) -> str | None:
        """What is said where an act is not to be done, "" where another way was gone; `None` where it is to be done.

        `waiting` are the acts that come behind it.
        """
        condition = act.condition
        if condition is None:
            return None
        for one in (act, *waiting):
            other = one.condition
            if other is not None and other not in self._met and (_subject(one) == _subject(act)):
                self._met[other] = holds(other, one, self._resolver)
        if self._met[condition]:
            return None
        gone = any(met for other, met in self._met.items() if other.phrase == condition.phrase)
        return "" if gone else not_so(condition, act)


def of_condition(act: DialogueAct) -> DialogueAct:
    """ "If there is an egg in the fridge, bring it": "it" is what the condition speaks of."""
    if act.condition is None:
        return act
    spoken = act.condition.phrase
    if spoken.noun in ANYTHING and spoken.place is not None:
        spoken = spoken.place[1]
    if spoken.noun in PRONOUNS | ANYTHING:
        return act
    pointing = (Phrase("it"), Phrase("them"))
    slots = (slot._replace(phrase=spoken) if slot.phrase in pointing else slot for slot in act.slots)
    return act._replace(slots=tuple(slots))


def holds(condition: Condition, order: DialogueAct, resolver: Resolver) -> bool:
    """Whether a condition is met, as far as can be told."""
    phrase = _spoken(condition, order)
    things = resolver.find(phrase).chosen
    if not condition.state:
        return (bool(things) or _holds_liquid(phrase, resolver)) == condition.holds
    state = state_called(condition.state)
    told = [is_so(thing, state, resolver.body.things) for thing in things]
    return (None in told and not any(told)) or any(told) == condition.holds


def not_so(condition: Condition, order: DialogueAct) -> str:
    """That nothing is done, as a condition is not met."""
    phrase = _spoken(condition, order)
    if condition.state == "held":
        return "I do not have it, so I leave that." if condition.holds else "I have it, so I leave that."
    if not condition.state:
        word = "no" if condition.holds else "a"
        return f"There is {words_of(replace(phrase, count=''), word)}, so I leave that."
    verb = "is not" if condition.holds else "is"
    return sentence(f"{words_of(phrase)} {verb} {condition.state.replace('_', ' ')}, so there is nothing to do")


def _spoken(condition: Condition, order: DialogueAct) -> Phrase:
    """What a condition speaks of: what the order does, where it only points."""
    pointing = condition.phrase.noun in PRONOUNS and order.slots
    within = any(phrase.noun in PRONOUNS for phrase in _places(order))
    return order.slots[0].phrase if pointing and not within else condition.phrase


def _places(order: DialogueAct) -> list[Phrase]:
    """The places that an order names."""
    inner = [slot.phrase.place[1] for slot in order.slots if slot.phrase.place is not None]
    return [*inner, *(slot.phrase for slot in order.slots if slot.role)]


def _subject(act: DialogueAct) -> Phrase | None:
    return None if act.condition is None else _spoken(act.condition, act)


def _holds_liquid(phrase: Phrase, resolver: Resolver) -> bool:
    """ "If there is anything in the cup": coffee is something."""
    if phrase.noun not in ANYTHING or phrase.place is None or phrase.place[0] != "in":
        return False
    return any(map(liquid_in, resolver.find(phrase.place[1]).chosen))
