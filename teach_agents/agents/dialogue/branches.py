"""Acts on conditions: what they speak of, and which of the ways that an utterance leaves open is gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from teach_agents.agents.dialogue.agenda import Due
from teach_agents.agents.dialogue.conditions import is_so, liquid_in
from teach_agents.agents.dialogue.noun_text import sentence, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.states import state_called
from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase, Slot


class Branches:
    """Conditions are judged once an utterance, all that speak of the same at once: what is done for one of them
    ("if it is dirty, wash it") decides nothing about the next ("if it is clean, put it away").
    """

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._said = ""
        self._met: dict[Condition, bool] = {}

    def begin(self, said: str = "") -> None:
        """Another utterance is attended to."""
        self._said, self._met = said, {}

    def is_open(self, due: Due) -> bool:
        """Whether an act's condition is still to be judged."""
        condition = _about_its_subject(due.act)
        return condition is not None and (due.said != self._said or condition not in self._met)

    def closed(self, due: Due, waiting: Iterable[Due]) -> str | None:
        """What is said where an act is not to be done, "" where another way was gone; `None` where it is to be done.

        `waiting` are the acts that come behind it.
        """
        condition = _about_its_subject(due.act)
        if condition is None:
            return None
        if due.said != self._said:
            self.begin(due.said)
        for act in (due.act, *(one.act for one in waiting if one.said == due.said)):
            other = _about_its_subject(act)
            if other is not None and other not in self._met and other.phrase == condition.phrase:
                self._met[other] = holds(other, self._resolver)
        if self._met[condition]:
            return None
        gone = any(met for other, met in self._met.items() if other.phrase == condition.phrase)
        return "" if gone else not_so(condition, self._resolver)


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

    def named(phrase: Phrase) -> Phrase:
        if phrase.place is not None and phrase.place[1] in pointing:
            return replace(phrase, place=(phrase.place[0], spoken))
        return spoken if phrase in pointing else phrase

    return act._replace(slots=tuple(slot._replace(phrase=named(slot.phrase)) for slot in act.slots))


def question_of(act: DialogueAct) -> DialogueAct | None:
    """What somebody would ask to know whether an act's condition is met; `None` where it has none."""
    condition = _about_its_subject(act)
    if condition is None or condition.state == "held":
        return None
    role, topic = (f":{condition.state}", "state") if condition.state else ("", "there")
    return DialogueAct(Act.QUESTION, topic, (Slot(role, condition.phrase),))


def holds(condition: Condition, resolver: Resolver) -> bool:
    """Whether a condition is met, as far as can be told."""
    phrase = condition.phrase
    things = resolver.find(phrase).chosen
    if not condition.state:
        return (bool(things) or _holds_liquid(phrase, resolver)) == condition.holds
    state = state_called(condition.state)
    told = [is_so(thing, state, resolver.body.things) for thing in things]
    return (None in told and not any(told)) or any(told) == condition.holds


def not_so(condition: Condition, resolver: Resolver) -> str:
    """That nothing is done, as a condition is not met, or what it is about is not known."""
    phrase = condition.phrase
    is_known = phrase.noun in PRONOUNS or bool(resolver.find(phrase).things)
    if condition.state == "held":
        return "I do not have it, so I leave that." if condition.holds else "I have it, so I leave that."
    if not condition.state or not is_known:
        one = not condition.state and not condition.holds
        return f"There is {_one_or_none(replace(phrase, count=''), one=one)}, so I leave that."
    verb = "is not" if condition.holds else "is"
    return sentence(f"{words_of(phrase)} {verb} {condition.state.replace('_', ' ')}, so there is nothing to do")


def _one_or_none(phrase: Phrase, *, one: bool) -> str:
    if phrase.noun not in ANYTHING:
        return words_of(phrase, "a" if one else "no")
    words = words_of(replace(phrase, noun="something"))
    return words if one else words.replace("something", "nothing", 1)


def _about_its_subject(act: DialogueAct) -> Condition | None:
    """An act's condition; where that only points, it is about what the act is about."""
    condition = act.condition
    if condition is None or condition.phrase.noun not in PRONOUNS or not act.slots:
        return condition
    within = any(phrase.noun in PRONOUNS for phrase in _places(act))
    return condition if within else condition._replace(phrase=act.slots[0].phrase)


def _places(order: DialogueAct) -> list[Phrase]:
    """The places that an order names."""
    inner = [slot.phrase.place[1] for slot in order.slots if slot.phrase.place is not None]
    return [*inner, *(slot.phrase for slot in order.slots if slot.role)]


def _holds_liquid(phrase: Phrase, resolver: Resolver) -> bool:
    """ "If there is anything in the cup": coffee is something."""
    if phrase.noun not in ANYTHING or phrase.place is None or phrase.place[0] != "in":
        return False
    return any(map(liquid_in, resolver.find(phrase.place[1]).chosen))
