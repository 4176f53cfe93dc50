"""Meanings in a line of text, for the corpus of requests, for records, and for models that write readings.

    meaning   := act ("; " act)*                                     in the order said
    act       := [condition " "] name ["(" part ("," part)* ")"]     of a question "?" and its topic
    part      := [role " "] phrase | act | words
    phrase    := [count " "] (look " ")* noun [" of " phrase] [" @" relation " " phrase] [" +" phrase]
    condition := ("if" | "unless") "(" phrase [": " state] ")"

`get(2 dirty plate @on table); if(it: open) close(fridge); never(open(any drawer)); ?where(mug +coffee)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile

from teach_agents.core.dialogue import ABOUT_ACTS, Act, Condition, DialogueAct, Phrase, Slot
from teach_agents.errors import InputError

ROLES = frozenset({"in", "on", "at", "to", "with", "from", "near"})
"""Where a thing goes or comes from, and what is used."""
RELATIONS = frozenset({"in", "on", "near", "left", "right", "above", "below", "behind", "front", "of"})
COUNTS = frozenset({"all", "some", "another", "other", "rest", "any"})
VERBS = frozenset(
    """get pick_up put put_back drop throw_away go_to come find look_at look_in look_around open close turn_on turn_off
    wash slice cook boil toast make fill empty pour water clear serve crack break move step_forward step_back step_left
    step_right turn_left turn_right turn_around look_up look_down show follow touch do eat drink sit sleep
    call""".split()
)
"""What can be ordered; from `do` on no Follower can."""
RESULTS = {
    **{"slice": "sliced", "wash": "clean", "cook": "cooked", "boil": "boiled", "toast": "cooked", "fill": "full"},
    **{"open": "open", "close": "closed", "turn_on": "on", "turn_off": "off", "empty": "empty", "break": "broken"},
}
"""What a thing is after an order."""
TOPICS = frozenset(
    """see where where_are_you state what_state count there in on near held have did why doing next can abilities which
    what how who facts forbidden task other""".split()
)
"""What can be asked about."""
_ACTS = frozenset(act.value for act in Act) - {Act.ORDER, Act.QUESTION}
_FREE = frozenset({"do", "call", "other", "chat", "other_language"})
"""Their part is words."""
_ON_ACTS = frozenset({"did", "can", "how"}) | {act.value for act in ABOUT_ACTS}
_MOST_ACTS = 8
"""Of one utterance, by a model."""
_HEAD = re.compile(r"(\??)([a-z_]+)(?:\((.*)\))?", re.DOTALL)
_CONDITION = re.compile(r"(if|unless)\(([^()]+)\) (.+)", re.DOTALL)
_WORD = re.compile(r"[^\s@+:;,()]+")


def read_meaning(text: str) -> tuple[DialogueAct, ...]:
    """The acts of a line. Raises `InputError` with the part that is none."""
    return tuple(_act(part) for part in _divided(text, ";"))


def meaning_pattern() -> str:
    """A regular expression that meanings match: for models that write them. An act in an act holds no other."""
    text = r"[^();,]+"
    inner = rf"(?:{'|'.join(sorted(VERBS))})(?:\([^();]*\))?"
    topics = "|".join(sorted(TOPICS))
    name = rf"(?:\?(?:{topics})|{'|'.join(sorted(VERBS | _ACTS))})"
    part = rf"(?:{inner}|{text})"
    act = rf"(?:(?:if|unless)\([^();]+\) )?{name}(?:\({part}(?:, {part})*\))?"
    return rf" ?{act}(?:; {act}){{0,{_MOST_ACTS - 1}}}"


def write_meaning(acts: Iterable[DialogueAct]) -> str:
    """Acts as a line, which `read_meaning` reads."""
    return "; ".join(map(_written, acts))


def write_phrase(phrase: Phrase) -> str:
    """A description as it stands in a line."""
    words = " ".join((*([phrase.count] if phrase.count else ()), *phrase.looks, phrase.noun))
    if phrase.place is not None:
        relation, landmark = phrase.place
        words += f" {relation if relation == 'of' else '@' + relation} {write_phrase(landmark)}"
    return words if phrase.holds is None else f"{words} +{write_phrase(phrase.holds)}"


def read_phrase(text: str) -> Phrase:
    """A description. Raises `InputError` for what is none."""
    core, plus, holds = text.partition(" +")
    core, at, place = core.partition(" @")
    core, of, owner = core.partition(" of ")
    words = core.split()
    if not words or not all(map(_WORD.fullmatch, words)):
        raise InputError("phrase", "is no description", value=text)
    counted = len(words) > 1 and (words[0] in COUNTS or words[0].isdecimal())
    *looks, noun = words[counted:]
    landmark: tuple[str, Phrase] | None = ("of", read_phrase(owner)) if of else None
    if at:
        relation, _, thing = place.partition(" ")
        if relation not in RELATIONS or not thing:
            raise InputError("phrase", "no such relation", value=f"@{place}", valid=sorted(RELATIONS))
        inner = read_phrase(thing)
        landmark = (relation, inner) if landmark is None else ("of", replace(landmark[1], place=(relation, inner)))
    return Phrase(noun, words[0] if counted else "", tuple(looks), landmark, read_phrase(holds) if plus else None)


def _act(text: str) -> DialogueAct:
    if conditional := _CONDITION.fullmatch(text):
        word, phrase, rest = conditional.groups()
        thing, _, state = phrase.removeprefix("have ").partition(": ")
        condition = Condition(read_phrase(thing), "held" if phrase.startswith("have ") else state, word == "if")
        return _act(rest)._replace(condition=condition)
    found = _HEAD.fullmatch(text)
    if found is None:
        raise InputError("meaning", "is no act", value=text)
    question, name, inside = found.groups()
    act, about = _named(name, bool(question), text)
    return _with_parts(DialogueAct(act, about), name, inside)


def _named(name: str, question: bool, text: str) -> tuple[Act, str]:
    if question and name in TOPICS:
        return Act.QUESTION, name
    if not question and name in VERBS:
        return Act.ORDER, name
    if question or name not in _ACTS:
        valid = [f"?{one}" for one in sorted(TOPICS)] if question else sorted(VERBS | _ACTS)
        raise InputError("meaning", "no such act", value=text, valid=valid)
    return Act(name), ""


def _with_parts(act: DialogueAct, name: str, inside: str | None) -> DialogueAct:
    if inside is None:
        return act
    if name in _FREE or (name == "fact" and not re.search("[@:]", inside)):
        named = act.act in (Act.ORDER, Act.QUESTION)
        return act._replace(slots=(Slot("", Phrase(inside)),)) if named else act._replace(about=inside)
    parts = list(_divided(inside, ","))
    spoken_of = list(takewhile(_is_act, parts)) if name in _ON_ACTS else []
    return act._replace(of=tuple(map(_act, spoken_of)), slots=tuple(map(_slot, parts[len(spoken_of) :])))


def _is_act(text: str) -> bool:
    found = _HEAD.fullmatch(text)
    return found is not None and not found[1] and found[2] in VERBS


def _slot(text: str) -> Slot:
    first, _, rest = text.partition(" ")
    if first in ROLES and rest:
        return Slot(first, read_phrase(rest))
    thing, colon, state = text.partition(": ")
    return Slot("", read_phrase(thing)) if not colon else Slot(f":{state}", read_phrase(thing))


def _written(act: DialogueAct) -> str:
    name = f"?{act.about}" if act.act is Act.QUESTION else act.about if act.act is Act.ORDER else act.act.value
    parts = [*map(_written, act.of), *map(_slot_written, act.slots)]
    if act.about and act.act not in (Act.ORDER, Act.QUESTION):
        parts.append(act.about)
    written = f"{name}({', '.join(parts)})" if parts else name
    return written if act.condition is None else f"{_condition_written(act.condition)} {written}"


def _slot_written(slot: Slot) -> str:
    phrase = write_phrase(slot.phrase)
    if slot.role.startswith(":"):
        return f"{phrase}: {slot.role[1:]}"
    return f"{slot.role} {phrase}" if slot.role else phrase


def _condition_written(condition: Condition) -> str:
    word, phrase = "if" if condition.holds else "unless", write_phrase(condition.phrase)
    if condition.state == "held":
        return f"{word}(have {phrase})"
    return f"{word}({phrase}: {condition.state})" if condition.state else f"{word}({phrase})"


def _divided(text: str, separator: str) -> Iterator[str]:
    """The parts between separators that stand in no brackets. Raises `InputError` where brackets do not close."""
    depth, start = 0, 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == separator and not depth:
            yield text[start:position].strip()
            start = position + 1
    if depth:
        raise InputError("meaning", "brackets do not close", value=text)
    yield text[start:].strip()
