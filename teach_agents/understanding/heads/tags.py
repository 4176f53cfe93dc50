"""Utterances tagged: parts that are one act each, the slots that words belong to, and the acts that these come to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from teach_agents.core.dialogue import ABOUT_ACTS, Act, Condition, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.languages import likeliest_language
from teach_agents.understanding.notation import ROLES, VERBS
from teach_agents.understanding.noun_phrases import described

THING, WHEN, WORDS, STATE = "x", "when", "words", "state"
"""Slots beside those of the roles: what is acted upon, what a condition is about, words as they are, a state."""
SPANS = (THING, *sorted(ROLES), WHEN, WORDS, STATE)
SAID = "*"
"""A state that is the words of its slot."""
HELD = "held"


class Span(NamedTuple):
    """Words from `start` to before `end` that are one slot."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """Words from `start` to before `end` that are one act: its name, the act it speaks of, state, and condition."""

    start: int
    end: int
    name: str
    inner: str = ""
    state: str = ""
    when: str = ""
    """if, unless, or ""."""
    when_state: str = ""
    spans: tuple[Span, ...] = ()


def name_of(act: DialogueAct) -> str:
    """An act's name as tags have it: a verb, "?" and a topic, or the act's own."""
    if act.act is Act.QUESTION:
        return f"?{act.about}"
    return act.about if act.act is Act.ORDER else act.act.value


def acts_of(words: Sequence[str], parts: Iterable[Part]) -> tuple[DialogueAct, ...]:
    """The acts that tagged words come to. Never fails."""
    return tuple(_shared([_act(words, part) for part in parts]))


_TRANSITIVE = frozenset(
    """get pick_up put put_back drop throw_away find look_in open close turn_on turn_off wash slice cook boil toast fill
    empty pour water serve crack break move show touch""".split()
)
_GOING = frozenset({"in", "on", "near", "to", "at"})


def _shared(acts: list[DialogueAct]) -> list[DialogueAct]:
    """ "Wash and slice the tomato", "put the fork and the knife on the table": what is said once, for all of it."""
    for at in range(len(acts) - 2, -1, -1):
        acts[at] = _completed(acts[at], acts[at + 1])
    return acts


def _completed(here: DialogueAct, following: DialogueAct) -> DialogueAct:
    """An act with what is said only in the one that follows."""
    if here.of and following.of and here.act is following.act:
        return here._replace(of=(_completed(here.of[0], following.of[0]), *here.of[1:]))
    if here.act is not Act.ORDER or following.act is not Act.ORDER:
        return here
    things = tuple(slot for slot in following.slots if slot.role == "")
    if here.about in _TRANSITIVE and not here.slots and things:
        return here._replace(slots=things)
    if here.about == following.about and here.about in ("put", "serve", "pour") and len(here.slots) == 1:
        return here._replace(slots=(*here.slots, *(slot for slot in following.slots if slot.role in _GOING)))
    return here


def _act(words: Sequence[str], part: Part) -> DialogueAct:
    said = {span.name: " ".join(words[span.start : span.end]) for span in part.spans}
    condition = None
    if part.when:
        state = _state(said, part.when_state) if part.when_state != HELD else HELD
        condition = Condition(described(said.get(WHEN, "it")), state, part.when == "if")
    slots = _slots(words, part)
    if part.name == "cook" and "microwave" in words[part.start : part.end] and all(slot.role != "in" for slot in slots):
        slots = (*slots, Slot("in", Phrase("microwave")))
    if part.inner and Act(part.name.lstrip("?") if part.name[0] != "?" else Act.QUESTION):
        inner = _named(part.inner, slots, said, words, part)
        return _named(part.name, (), {}, words, part)._replace(of=(inner,), condition=condition)
    return _named(part.name, slots, said, words, part)._replace(condition=condition)


def _named(name: str, slots: tuple[Slot, ...], said: dict[str, str], words: Sequence[str], part: Part) -> DialogueAct:
    free = said.get(WORDS, "")
    if name.startswith("?"):
        topic = name[1:]
        return DialogueAct(Act.QUESTION, topic, (Slot("", Phrase(free)),) if topic == "other" and free else slots)
    if name in VERBS:
        if name in ("do", "call"):
            return DialogueAct(Act.ORDER, name, (Slot("", Phrase(free or _rest(words, part))),))
        return DialogueAct(Act.ORDER, name, _dishes(words[part.start : part.end], slots) if name == "wash" else slots)
    act = Act(name)
    if act is Act.CHAT or (act is Act.FACT and not any(slot.role or slot.phrase.place for slot in slots)):
        return DialogueAct(act, free or _rest(words, part))
    if act is Act.OTHER_LANGUAGE:
        return DialogueAct(act, likeliest_language(" ".join(words)))
    return DialogueAct(act, "", slots if act not in ABOUT_ACTS or act is Act.CANCEL else ())


def _dishes(words: Sequence[str], slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """ "Do the dishes" speaks of the dirty ones."""
    if {"do", "doing", "done", "start"}.isdisjoint(words) or not (not slots or slots[0].phrase in _DISHES):
        return slots
    return (Slot("", Phrase("dish", "all", ("dirty",))), *slots[1:])


_DISHES = (Phrase("dish", "all"), Phrase("dish"), Phrase("washing"), Phrase("washing_up"))


def _rest(words: Sequence[str], part: Part) -> str:
    return " ".join(word for word in words[part.start : part.end] if word.isalnum())


def _slots(words: Sequence[str], part: Part) -> tuple[Slot, ...]:
    """The slots of a part: what is acted upon first."""
    found: list[Slot] = []
    said = {span.name: " ".join(words[span.start : span.end]) for span in part.spans}
    verb = part.inner or part.name
    for span in part.spans:
        if span.name in (WHEN, WORDS, STATE):
            continue
        text = " ".join(words[span.start : span.end])
        if part.name == "?what" and (relation := _relation_before(words[part.start : span.start])):
            text = f"something {relation} {text}"
        role = "" if span.name == THING else span.name
        if verb.startswith(("step_", "turn_l", "turn_r", "look_")) and (number := _number(text)):
            if number != "1":
                found.append(Slot(role, Phrase(number)))
            continue
        found.append(Slot(role, _of_number(part, text, described(text))))
    if part.state and found:
        found[0] = Slot(f":{_state(said, part.state)}", found[0].phrase)
    return tuple(sorted(found, key=lambda slot: bool(slot.role) and not slot.role.startswith(":")))


def _relation_before(words: Sequence[str]) -> str:
    """The relation that words end with: "what is under" the bed."""
    text = " ".join(words)
    return next((said for said, name in grammar()["relations"] if name != "of" and text.endswith(f" {said}")), "")


_KINDS = frozenset({"?there", "?count", "?which", "?have", "?can"})
"""Of one thing of a kind, however many are spoken of."""


def _of_number(part: Part, text: str, thing: Phrase) -> Phrase:
    """A description in the number that its act takes: "forks" are any forks where they are forbidden."""
    bare = text.split()[0] not in (*grammar()["articles"], *grammar()["counts"], "these", "those")
    if part.name in _KINDS and thing.count in ("all", "any", "some") and (bare or part.name != "?can"):
        return replace(thing, count="")
    if part.name == "never" and thing.count == "all" and bare:
        return replace(thing, count="any")
    return thing


def _state(said: dict[str, str], state: str) -> str:
    if state != SAID:
        return state
    words = said.get(STATE, "")
    return str(grammar()["states"].get(words, words.replace(" ", "_")))


def _number(text: str) -> str:
    for word in re.findall(r"[a-z0-9]+", text):
        if word.isdecimal():
            return str(int(word))
        if word in ("a", "an"):
            return "1"
        if word in NUMBERS:
            return str(NUMBERS.index(word))
        if word in ("couple", "twice"):
            return "2"
    return ""
