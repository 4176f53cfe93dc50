"""Acts on conditions: what they speak of, and which of the ways that an utterance leaves open is gone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from teach_agents.agents.dialogue.agenda import Due
from teach_agents.agents.dialogue.conditions import OPPOSITES, is_so, liquid_in
from teach_agents.agents.dialogue.noun_text import sentence, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.agents.dialogue.referring_expressions import distinct
from teach_agents.agents.dialogue.stances import stance, stance_words, stands_so
from teach_agents.agents.dialogue.states import state_called
from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase, Slot

_POINTING = tuple(map(Phrase, ("it", "them", "that", "this", "those", "these")))
_THERE = Phrase("there")
_EITHER_WAY = {
    **dict.fromkeys(("turn_on", "turn_off"), ("on", "turn_off", "turn_on")),
    **dict.fromkeys(("open", "close"), ("open", "close", "open")),
}
"""By an order's verb, how a thing may be, what is done where it is so, and where it is not."""
_OTHER_STATE = re.compile(
    r"\b(?:whatever|whichever|however)\b.*\b(?:is|are|be|was|happens|finds?)\b.*\b(?:other|opposite|reverse|contrary)\b"
    r"|\b(?:make|do|change|switch|turn|put) (?:it|that|them)(?: (?:in)?to)? (?:to )?the (?:opposite|reverse|contrary)\b"
    r"|\bthe opposite of (?:what|how|whatever)\b|\bopposite state\b|\btoggl(?:e|ing)\b"
    r"|\bif (?:it is|it's) (?:on|open)\b.*\bvice versa\b"
)
_FLIP = re.compile(r"\b(?:flip|flick|invert)\b")
_SAID_WHICH = re.compile(r"\b(?:on|off|open|shut|closed|up|down|over|burger|egg|pancake)\b")
"""What tells how a thing is to be that is not told; "flip the lamp" alone does not tell."""
_SAY_SO = re.compile(
    r"(?:just |only |please |simply )*(?:say|tell|let|inform|shout|speak|report|mention|warn|answer|reply)\b"
)
"""What is done with words alone."""
_TELL = re.compile(
    r"(?:(?:tell|let) me(?: know)?|say so|report(?: back)?)(?: (?:so|if|when|once|after)\b.*)?$|say when"
)
"""What asks for a report."""
_TAKING = frozenset({"get", "pick_up", "put", "move", "throw_away"})
"""What is done to what is somewhere rather than to the place."""

_CHANGING = frozenset({"turn_off", "turn_on", "open", "close", "wash", "clean", "empty"})
"""What is done to each of those that are so: "if any drawer is open, close it"."""
USED = "used"
"""The state of a tool that was needed."""


class Branches:
    """Conditions are judged once an utterance, on how things were before its deeds: what is done for one of them
    ("if it is dirty, wash it") decides nothing about the next ("if it is clean, put it away"). What comes behind a deed
    that hangs on no condition ("open the safe, and if the phone is in there ...") is judged then.
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
        behind = [one.act for one in waiting if one.said == due.said]
        self._judge([due.act, *behind], condition)
        if self._met[condition]:
            return None
        gone = any(met for other, met in self._met.items() if _is_rival(other, condition))
        return "" if gone else not_so(condition, self._resolver)

    def _judge(self, acts: Sequence[DialogueAct], first: Condition) -> None:
        """Judge a condition, and those behind it as far as nothing is done before that may tell more."""
        conditions = [_about_its_subject(act) for act in acts]
        at_once = [*takewhile(lambda act: act.condition is not None, acts)]
        for at, one in enumerate(conditions):
            now = one is not None and (_is_rival(one, first) or (at < len(at_once) and self._is_known(one, first)))
            if one is not None and now and one not in self._met:
                exactly = any(other is not None and _differs_in_number(one, other) for other in conditions)
                self._met[one] = holds(one, self._resolver, exactly=exactly)

    def _is_known(self, condition: Condition, first: Condition) -> bool:
        """Whether looking would tell no more of what a condition is about than is known; what is the opposite of the
        `first` one of the same thing by another name ("the stove", "the burner") was looked at with it."""
        if condition.phrase.noun in PRONOUNS:
            return False
        is_opposite = bool(first.state) and OPPOSITES.get(first.state) == condition.state
        return self._resolver.body.knowledge is None or (
            is_opposite and bool(self._resolver.find(condition.phrase).things)
        )


def _is_rival(one: Condition, other: Condition) -> bool:
    """Whether two conditions speak of the same, be it said to be in something or on it."""
    return _anyhow(one.phrase) == _anyhow(other.phrase)


def _anyhow(phrase: Phrase) -> Phrase:
    relation, mark = phrase.place or ("", None)
    place = phrase.place if mark is None or relation != "on" else ("in", mark)
    return replace(phrase, count="", place=place)


def _differs_in_number(one: Condition, other: Condition) -> bool:
    """Whether it depends on how many there are which of two conditions is met."""
    numbers = {one.phrase.count, other.phrase.count}
    return _is_rival(one, other) and len(numbers) == 2 and all(map(str.isdecimal, numbers))


def either_way(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """ "Whatever the lamp is, make it the other": off where it is on, else on, in place of the one that was read. One
    thing on and another off, as with "whichever is on off, and the other on", is read in full already."""
    plain = text.lower()
    changed = [act for act in acts if act.act is Act.ORDER and act.about in _EITHER_WAY and act.slots]
    if len({act.about for act in changed}) > 1 and len({act.slots[0].phrase for act in changed}) > 1:
        return [*acts]
    if not (_OTHER_STATE.search(plain) or (_FLIP.search(plain) and not _SAID_WHICH.search(plain))):
        return [*acts]
    found: list[DialogueAct] = []
    for act in acts:
        state, undone, done = _EITHER_WAY.get(act.about, ("", "", ""))
        if not state or act.condition is not None or not act.slots or act.act is not Act.ORDER:
            found.append(act)
            continue
        phrase = act.slots[0].phrase
        found.append(act._replace(about=undone, condition=Condition(phrase, state, True)))
        found.append(act._replace(about=done, condition=Condition(phrase, state, False)))
    return list(dict.fromkeys(found))


def of_condition(act: DialogueAct) -> DialogueAct:
    """ "If there is an egg in the fridge, bring it": "it" is what the condition speaks of; where that is anything at
    all, what is there if it is to be taken, else the place. "If no key is in the safe, put one in": one from
    elsewhere."""
    condition = act.condition
    if condition is None:
        return act
    spoken = condition.phrase
    if spoken.noun in LIQUIDS:  # "if there's coffee in the mug bring it, otherwise make some"
        some = (one._replace(phrase=Phrase(spoken.noun)) if one.phrase.noun == "some" else one for one in act.slots)
        act = act._replace(slots=tuple(some))
    if spoken.noun in ANYTHING and spoken.place is not None and act.about in _TAKING:
        if not condition.holds:  # "if there's nothing on the sofa, put it there"
            return act._replace(slots=tuple(_at_place(slot, spoken) for slot in act.slots))
        state = (condition.state,) if condition.state else ()
        return _about(act, replace(spoken, noun="something", count="", looks=(*spoken.looks, *state)))
    if spoken.noun in ANYTHING | {*LIQUIDS} and spoken.place is not None:
        spoken = spoken.place[1]
    if spoken.noun in PRONOUNS | ANYTHING:
        return act
    act = act._replace(slots=tuple(_at_place(slot, condition.phrase) for slot in act.slots))
    if spoken.count == "any" and condition.state and condition.holds:  # "if any burner is on, turn it off": that one
        every = "all" if act.about in _CHANGING else "1"
        spoken = replace(spoken, count=every, looks=(*spoken.looks, condition.state))
    elsewhere = not condition.holds and not condition.state  # it is somewhere else
    return _about(act, replace(spoken, place=None) if elsewhere else spoken)


def _about(act: DialogueAct, spoken: Phrase) -> DialogueAct:
    act = act._replace(of=tuple(_about(one, spoken) for one in act.of))
    return act._replace(slots=tuple(slot._replace(phrase=_pointed_out(slot.phrase, spoken)) for slot in act.slots))


def _at_place(slot: Slot, spoken: Phrase) -> Slot:
    """ "There", as the place of what a condition speaks of: "if my cup is on the desk, wait there"; or as that itself:
    "if the safe is open, put it in there"."""
    if slot.phrase != _THERE:
        return slot
    if spoken.place is None:
        return slot._replace(phrase=spoken) if slot.role in ("in", "on") else slot
    if spoken.place[0] not in ("in", "on", "near"):
        return slot
    relation, mark = spoken.place
    return Slot(relation if slot.role in ("in", "on") else slot.role, mark)


def _pointed_out(phrase: Phrase, spoken: Phrase) -> Phrase:
    """What was spoken of where a description only points, as many of it as it says: "one of them"; also where it
    points at a place: "what is in it"."""
    if phrase.place is not None and phrase.place[1] in _POINTING:
        return replace(phrase, place=(phrase.place[0], spoken))
    if (
        phrase.noun == "one"
        and spoken.noun not in ANYTHING
        and not {"other", "another"} & {phrase.count, *phrase.looks}
    ):
        return replace(phrase, noun=spoken.noun)
    if replace(phrase, count="") not in _POINTING:
        return phrase
    every = "all" if phrase.noun == "them" and spoken.noun in ANYTHING else ""
    return replace(spoken, count=phrase.count or spoken.count or every)


def is_told_anyway(act: DialogueAct, before: Sequence[DialogueAct]) -> bool:
    """ "Wash it and tell me when it is done": what became of an order is told without being asked for."""
    says = act.about == "do" and act.condition is None and len(act.slots) == 1
    asked = any(one.act is Act.ORDER for one in before)
    return says and asked and _TELL.match(act.slots[0].phrase.noun.replace("_", " ")) is not None


def as_report(act: DialogueAct) -> DialogueAct:
    """ "If somebody has sliced it, just say so" is the question whether it is sliced."""
    if act.act is not Act.ORDER or act.about not in ("do", "call") or act.condition is None or len(act.slots) != 1:
        return act
    asked = question_of(act._replace(slots=())) if _SAY_SO.match(act.slots[0].phrase.noun.replace("_", " ")) else None
    return act if asked is None else asked._replace(condition=act.condition)


def question_of(act: DialogueAct) -> DialogueAct | None:
    """What somebody would ask to know whether an act's condition is met; `None` where it has none."""
    condition = _about_its_subject(act)
    if condition is None or condition.state in ("held", USED) or stance(condition.phrase, condition.state) is not None:
        return None
    role, topic = (f":{condition.state}", "state") if condition.state else ("", "there")
    phrase = Phrase("tap") if condition.phrase == Phrase("water") and condition.state else condition.phrase
    return DialogueAct(Act.QUESTION, topic, (Slot(role, phrase),))


def holds(condition: Condition, resolver: Resolver, *, exactly: bool = False) -> bool:
    """Whether a condition is met, as far as can be told; where it names a number, whether there are as many, or
    `exactly` as many."""
    phrase = condition.phrase
    if (standing := stance(phrase, condition.state)) is not None:
        relation, mark = standing
        marks = resolver.find(mark).things
        return any(stands_so(relation, one, resolver.body) for one in marks) == condition.holds
    found = resolver.find(phrase)
    on_stove = {*kinds_of(phrase.noun)} == {"StoveBurner"} and not phrase.count.isdecimal()
    each = bool(condition.state) and (on_stove or phrase.count in ("any", "all", "both"))
    things = found.things if each else found.chosen
    if not condition.state and phrase.count.isdecimal():
        number = len(distinct(found.things))
        return (number == int(phrase.count) if exactly else number >= int(phrase.count)) == condition.holds
    if not condition.state:
        return (bool(things) or _holds_liquid(phrase, resolver)) == condition.holds
    state = state_called(condition.state)
    if state == USED:
        return any(thing.object_id in resolver.body.memory.handled for thing in found.things) == condition.holds
    if phrase == Phrase("water") and state in ("on", "off"):  # whatever it runs from
        running = any(one.has("isToggled") for one in resolver.body.things.of("Faucet", "ShowerHead"))
        return (running == (state == "on")) == condition.holds
    told = [is_so(thing, state, resolver.body.things) for thing in things]
    if phrase.count in ("all", "both") or (state == "off" and on_stove):
        return all(told) == condition.holds
    return (None in told and not any(told)) or any(told) == condition.holds


def not_so(condition: Condition, resolver: Resolver) -> str:
    """That nothing is done, as a condition is not met, or what it is about is not known."""
    phrase = condition.phrase
    if (standing := stance(phrase, condition.state)) is not None:
        words = stance_words(*standing, holds=not condition.holds)
        return f"{words}, so I leave that." if condition.holds else f"{words} already."
    is_known = phrase.noun in {*PRONOUNS, "water"} or bool(resolver.find(phrase).things)
    if condition.state == USED:
        return sentence(f"I did not use {words_of(phrase)}, so I leave that")
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
    """ "If there is anything in the cup": coffee is something; "if there is coffee in it"."""
    if phrase.noun not in ANYTHING | {*LIQUIDS} or phrase.place is None or phrase.place[0] != "in":
        return False
    inside = [liquid_in(one) for one in resolver.find(phrase.place[1]).chosen]
    return any(inside) if phrase.noun in ANYTHING else phrase.noun in inside
