"""What a person in the Follower's seat says to a Commander: reports, questions, courtesies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.agents.guiding.advice import verb_asked
from teach_agents.core.dialogue import Act, DialogueAct, Phrase
from teach_agents.understanding.english.parsing import is_familiar
from teach_agents.understanding.english.understanding import mentioned, understand_reports
from teach_agents.understanding.english.values import Report, ReportKind, Verb
from teach_agents.understanding.reader import Reader
from teach_agents.understanding.tokens import sentences


class Topic(StrEnum):
    """What a line is about."""

    DONE = "done"
    TOLD = "told"
    """What somebody did, or how something is now."""
    TROUBLE = "trouble"
    """It did not work."""
    MISSING = "missing"
    """Something is not found."""
    WHERE = "where"
    GOAL = "goal"
    """Where something is to go."""
    WHICH = "which"
    COUNT = "count"
    HOW_MANY = "how many"
    """How many are needed."""
    NEXT = "next"
    TASK = "task"
    PROGRESS = "progress"
    STATE = "state"
    THERE = "there"
    LEFT = "left"
    """What is still to be done."""
    NEED = "need"
    CONTENTS = "contents"
    SURE = "sure"
    YOURS = "yours"
    """That the Commander do it."""
    SHALL = "shall"
    """Whether something is to be done."""
    HOW = "how"
    WHY = "why"
    WHO = "who"
    THANKS = "thanks"
    PRAISE = "praise"
    HELLO = "hello"
    BYE = "bye"
    OK = "ok"
    WAIT = "wait"
    LANGUAGE = "language"
    OTHER = "other"


QUIET = frozenset({Topic.DONE, Topic.TOLD, Topic.NEXT, Topic.OK, Topic.PROGRESS})
"""Answered by the next step alone, where there is one."""
COURTEOUS = frozenset({Topic.THANKS, Topic.PRAISE, Topic.HELLO, Topic.BYE, Topic.OK, Topic.WAIT})


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that a person says.

    `kinds` are the types or classes that it names, `places` those of a place, `unknown` a name that no household has a
    thing for. `state` is a state that is asked about, `looks` how the things are told apart, `verb` what one asks how
    to do, or whether to.
    """

    topic: Topic
    kinds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    state: str = ""
    looks: tuple[str, ...] = ()
    verb: Verb | None = None
    report: Report | None = None
    unknown: str = ""


@cache
def _patterns() -> Sequence[tuple[Topic, re.Pattern[str]]]:
    """Shapes of what somebody says who is told what to do; the first that fits a sentence decides."""
    table = json.loads(Path(__file__).with_suffix(".json").read_bytes())
    return [(Topic(topic), re.compile("|".join(patterns))) for topic, patterns in table]


_QUESTIONS = {
    "where": Topic.WHERE,
    **dict.fromkeys(("state", "what_state"), Topic.STATE),
    **dict.fromkeys(("next", "doing", "abilities"), Topic.NEXT),
    "which": Topic.WHICH,
    "count": Topic.COUNT,
    "there": Topic.THERE,
    "task": Topic.PROGRESS,
    "did": Topic.PROGRESS,
    "how": Topic.HOW,
    "why": Topic.WHY,
    "who": Topic.WHO,
}
_OTHERS = {
    **dict.fromkeys((Act.SAY_AGAIN, Act.REPEAT, Act.UNCLEAR), Topic.NEXT),
    Act.THANKS: Topic.THANKS,
    **dict.fromkeys((Act.YES, Act.OK, Act.SORRY, Act.RESUME), Topic.OK),
    **dict.fromkeys((Act.WAIT, Act.STOP, Act.NO, Act.CANCEL), Topic.WAIT),
    **dict.fromkeys((Act.FACT, Act.ORDER), Topic.TOLD),
    Act.PRAISE: Topic.PRAISE,
    Act.HELLO: Topic.HELLO,
    Act.BYE: Topic.BYE,
    Act.OTHER_LANGUAGE: Topic.LANGUAGE,
    Act.WRONG: Topic.MISSING,
}
_REPORTS = {
    ReportKind.DONE: Topic.DONE,
    ReportKind.NOT_FOUND: Topic.MISSING,
    ReportKind.NOT_REACHED: Topic.TROUBLE,
    ReportKind.NO_ROOM: Topic.TROUBLE,
    ReportKind.FAILED: Topic.TROUBLE,
    **dict.fromkeys((ReportKind.ASK_NEXT, ReportKind.ASK_TASK, ReportKind.NOT_UNDERSTOOD), Topic.NEXT),
}


_REPORTING = frozenset({Topic.DONE, Topic.TOLD, Topic.PROGRESS, Topic.TROUBLE, Topic.MISSING})


def lines_of(text: str, told: str, reader: Reader) -> list[Line]:
    """What somebody says who was last `told` something, sentence by sentence; courtesies only where that is all."""
    found = [line for part in _parts(text) for line in _read(part, told, reader)] or [Line(Topic.OTHER)]
    weighty = [line for line in found if line.topic not in COURTEOUS]
    reports = [line for line in weighty if line.topic in _REPORTING]
    if reports:  # "I am done, what now?", "I have one, where is the other?"
        silent = {Topic.NEXT} if len(weighty) == len(reports) or reports[0].topic is not Topic.TOLD else {Topic.TOLD}
        weighty = [line for line in weighty if line.topic not in silent] or weighty
    return list(dict.fromkeys(weighty or found[:1]))


def _parts(text: str) -> Iterator[str]:
    """Sentences, and the clauses of those that begin with a word or two before a comma."""
    for sentence in re.findall(r"[^.!?;\n]+[.!?;\n]*", text):
        opening, comma, rest = sentence.partition(",")
        if comma and rest.strip(" ?!.") and len(opening.split()) <= 3:
            yield from (opening, rest)
        elif sentence.strip():
            yield sentence


def _read(text: str, told: str, reader: Reader) -> Iterator[Line]:
    plain = " ".join(one.text for one in sentences(text)).replace(" ,", "")
    reports = understand_reports(text)
    report = next(iter(reports), None)
    topic, shape = next(((topic, found) for topic, one in _patterns() if (found := one.fullmatch(plain))), (None, None))
    if topic is Topic.SHALL and shape is not None:
        yield _asked_for(shape["deed"], reader)
        return
    acts = list(reader.read(text, [f"robot: {told}"] if told else []).acts)
    asked = [act for act in acts if act.act is Act.QUESTION]
    if topic is None and report is not None and not (asked and plain.startswith("where")):
        topic = _REPORTS[report.kind]
    if topic is not None:
        yield _line(topic, text, next(iter(asked or acts), None), report)
        return
    for act in asked or acts[:1]:
        topic = _QUESTIONS.get(act.about, Topic.OTHER) if act.act is Act.QUESTION else _OTHERS.get(act.act, Topic.OTHER)
        if act.act in (Act.ORDER, Act.FACT) and text.rstrip().endswith("?"):
            topic = Topic.OTHER
        yield _line(topic, text, act, report)


def _asked_for(deed: str, reader: Reader) -> Line:
    """Whether a deed is to be done."""
    act = next((one for one in reader.read(deed).acts if one.act is Act.ORDER), None)
    line = _line(Topic.SHALL, deed, act, None)
    return (
        line
        if act is None
        else replace(line, verb=verb_asked(act.about, act.slots[0].phrase.noun if act.slots else ""))
    )


def _line(topic: Topic, text: str, act: DialogueAct | None, report: Report | None) -> Line:
    phrase = act.slots[0].phrase if act is not None and act.slots else Phrase("")
    state, verb = "", None
    if act is not None and act.act is Act.QUESTION and act.slots:
        state = act.slots[0].role.removeprefix(":")
    if act is not None and act.of:
        inner = act.of[0].slots[0].phrase if act.of[0].slots else Phrase("")
        phrase, verb = inner, verb_asked(act.of[0].about, inner.noun)
    if topic is Topic.HOW and re.search(r"\bworks?\b", text):
        verb = Verb.TURN_ON
    kinds = kinds_of(phrase.noun) if phrase.noun else ()
    places = kinds_of(phrase.place[1].noun) if phrase.place is not None else ()
    if not kinds and not (act is not None and phrase.noun in ("it", "one", "them") and places):
        kinds = tuple(one.noun for one in mentioned(text) if one.noun != "It" and is_familiar(one))[:1]
    if topic is Topic.MISSING:
        kinds = _missed(text)
    is_name = phrase.noun and phrase.noun not in PRONOUNS | ANYTHING and not kinds and topic in _NAMING
    unknown = phrase.noun.replace("_", " ") if is_name and not places else ""
    known = state_called(state.split()[0]) if state else ""
    looks = tuple(look for look in map(state_called, phrase.looks) if look in LOOKS)
    return Line(topic, kinds, places, known if known in LOOKS else "", looks, verb, report, unknown)


_NAMING = frozenset({Topic.WHERE, Topic.WHICH, Topic.COUNT, Topic.STATE, Topic.THERE, Topic.NEED})


def _missed(text: str) -> tuple[str, ...]:
    """The kinds of things that are not found, and not those of the places where they are not."""
    named = re.sub(r"\b(?:in|on|at|under|behind|near|inside|onto|by)\b.*", "", text)
    return tuple(one.noun for one in mentioned(named) if one.noun != "It" and is_familiar(one))[:1]
