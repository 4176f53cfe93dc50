"""Reading by rules: clauses of plain English that are taken apart word by word, or not at all.

What is understood is understood whole: a clause of which a word is left over, or in which something is named that
nobody knows, is not read. So a reading by rules is mostly right, and often there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from teach_agents.core.dialogue import Act, Condition, DialogueAct, Reading, Slot
from teach_agents.understanding.answer_rules import answer_in, choice_in
from teach_agents.understanding.ellipsis import leaning, together, told_first
from teach_agents.understanding.fact_rules import fact_in
from teach_agents.understanding.grammar import any_of, grammar, pattern
from teach_agents.understanding.languages import language_of
from teach_agents.understanding.noun_phrases import is_known, noun_phrase
from teach_agents.understanding.order_rules import Acts, order_in, present, state_of, without_courtesies
from teach_agents.understanding.question_rules import question_in
from teach_agents.understanding.reader import LONGEST, fitting
from teach_agents.understanding.repair_rules import (
    elsewhere_in,
    in_earnest,
    number_in,
    once_more_in,
    rather_in,
    repair_in,
)
from teach_agents.understanding.set_phrases import chat, in_one_breath, said
from teach_agents.understanding.tokens import sentences

NAME = "rules"
_JOINTS = tuple(
    tuple(one.split())
    for one in (
        ", and then",
        ", and",
        ", then",
        "and then",
        "and after that",
        "and finally",
        "and",
        "then",
        ",",
        ":",
        "but",
    )
)

_MOST_JOINTS = 8
"""Places where a sentence can be taken apart: the ways to do so double with each."""


class RulesReader:
    """Reads what it can take apart whole. `recent` are lines of the talk, as a request's `before`."""

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """The acts of an utterance; none, with confidence 0, where some of it is not understood."""
        if language := language_of(text[:LONGEST]):
            return Reading((DialogueAct(Act.OTHER_LANGUAGE, language),), 1.0, NAME)
        acts: Acts = []
        text, whole = fitting(text)
        told = recent[-1].removeprefix("robot: ") if recent and recent[-1].startswith("robot: ") else ""
        for sentence in sentences(text):
            put = bool(recent) and recent[-1].startswith("did: put(") and not acts
            clauses = _Clauses(asked=sentence.asked, told="" if acts else told, follows=bool(recent), put=put)
            found = clauses.sentence(_fluent(sentence.text))
            if found is None:
                return Reading((), 0.0, NAME)
            acts += found
        if acts and not whole:
            acts.append(DialogueAct(Act.UNCLEAR))
        return Reading(_settled(acts), float(bool(acts)), NAME)


def _fluent(text: str) -> str:
    """A sentence without the sounds and the little words said twice with which people look for words."""
    plain = re.sub(r"\b(?:uh|um|erm|uhm|hm|hmm)\b(?: ,)? ?", "", text).strip(" ,") or text
    return re.sub(r"\b(the|a|an|to|in|on|my|it|i|you|is|and|of|with)(?: \1\b)+", r"\1", plain)


def _settled(acts: Acts) -> tuple[DialogueAct, ...]:
    """What is said twice, once; and "no, the bowl" is no choice of what was offered."""
    found: Acts = []
    for act in acts:
        if act.act is Act.CHOOSE and found and found[-1].act is Act.NO:
            act = act._replace(act=Act.INSTEAD)
        if not found or act != found[-1] or act.slots or act.act is Act.ORDER:
            found.append(act)
    return tuple(found)


class _Clauses:
    """Reads the clauses of a sentence that was `asked`, behind what a robot has just `told`, or that `follows` a turn.

    `put` tells that a thing has just been put somewhere; `inside` are those behind the first one.
    """

    def __init__(self, *, asked: bool, told: str, follows: bool, put: bool = False, inside: bool = False) -> None:
        self._asked = asked
        self._put = put
        self._told = told
        self._answers = told.endswith("?")
        self._follows = follows
        self._inside = inside

    def sentence(self, text: str) -> Acts | None:
        """Its acts; `None` where something is left over."""
        if (acts := self._on_condition(text)) is not None:
            return acts
        if self._put and (acts := elsewhere_in(text)) is not None:
            return acts
        if "," in text and (plain := in_one_breath(text.replace(" ,", ""), answers=self._answers)) is not None:
            return plain
        if _is_one(text) and (whole := self._clause(text.replace(" ,", ""))) is not None:
            return whole
        if "," in text and (listed := order_in(text)) is not None and len(listed) > 1:
            return listed
        for before, joint, after in (
            _divisions(text.split()) if text.count(",") + text.count(" and ") <= _MOST_JOINTS else ()
        ):
            if (acts := self._both(before, joint, after)) is not None:
                return acts
        return None

    def _behind(self, first: Acts, text: str) -> Acts | None:
        """The acts of what follows the first ones in a sentence."""
        inside = first[-1].act is Act.ORDER
        return _Clauses(asked=self._asked, told=self._told, follows=self._follows, inside=inside).sentence(text)

    def _on_condition(self, text: str) -> Acts | None:
        """What is to be done if something is so, where that is said in front of a comma."""
        said, comma, rest = text.partition(" , ")
        if comma and (done := re.fullmatch(r"(?:after|when|once) you (?:have )?(.+)", said)):
            first, then = order_in(present(done[1])), self.sentence(rest.removeprefix("then "))
            if first and then:
                return [*first, *then]
        found = _conditioned(without_courtesies(said)) if comma else None
        if found is None:
            return None
        so, _, later = re.sub(_THEN, " ; ", rest.removeprefix("then ")).partition(" ; ")
        acts, others = self.sentence(so), self.sentence(later) if later else []
        if not acts or others is None:
            return None
        return [*([act._replace(condition=found) if act.condition is None else act for act in acts]), *others]

    def _both(self, before: str, joint: str, after: str) -> Acts | None:
        """The acts of two parts of a sentence; `None` where either is not read."""
        if joint == "," and (named := told_first(before, after, asked=self._asked)) is not None:
            return named
        if re.fullmatch(grammar()["reasons"], before) and (rest := self.sentence(after)):
            return None if _is_left_open(rest[0]) and _names_something(before) else rest
        if (led := self._led(before, after)) or (led := None if self._asked else rather_in(before, after)):
            return led
        if (first := self.sentence(before)) is None:
            return None
        if re.fullmatch(grammar()["reasons"], after) and not _tells_more(first[-1], after):
            return first
        if (rest := self._otherwise(first, after) or leaning(first, after, comma=joint == ",")) is not None:
            return rest
        if (rest := self._behind(first, after)) is None:
            return None
        return together(first, list(in_earnest(rest)) if first[0].act is Act.NO and self._answers else rest)

    def _led(self, before: str, after: str) -> Acts | None:
        """A fact or a question behind words that announce one."""
        for lead, act in (("fact_leads", Act.FACT), ("question_leads", Act.QUESTION)):
            if before in grammar()[lead] and (rest := self.sentence(after)) and rest[0].act is act:
                return rest
        return None

    def _otherwise(self, first: Acts, after: str) -> Acts | None:
        """The acts of a clause with a condition, and of what is to be done if that does not hold."""
        so, other = first[-1].condition, re.fullmatch(_ELSE, after)
        rest = self._behind(first, other[1]) if other is not None and so is not None else None
        if so is None or rest is None:
            return None
        if rest[0].act in (Act.CANCEL, Act.NO):
            return first
        return [*first, *(act._replace(condition=so._replace(holds=not so.holds)) for act in rest)]

    def _clause(self, text: str) -> Acts | None:
        ways: tuple[Callable[[str], Acts | None], ...] = (
            self._answer, said, _conditional, _barred, self._left, kept_in, self._question, self._number, order_in,
            self._repair, self._fact, chat,
        )  # fmt: skip
        return next((found for read in ways if (found := read(text))), None)

    def _answer(self, text: str) -> Acts | None:
        if not self._answers:
            return None
        return answer_in(text, self._told) or (None if self._asked else choice_in(text, self._told))

    def _left(self, text: str) -> Acts | None:
        """ "Leave it there", of what a robot says that it brings."""
        if self._told and not self._answers and (left := re.fullmatch(r"leave (it|them|that) (there|here)", text)):
            return order_in(f"put {left[1]} {left[2]}")
        return None

    def _question(self, text: str) -> Acts | None:
        return question_in(text, asked=self._asked)

    def _number(self, text: str) -> Acts | None:
        return number_in(text) if self._follows else None

    def _repair(self, text: str) -> Acts | None:
        more = once_more_in(text, asked=self._asked, told=self._told, follows=self._follows)
        return more or repair_in(text, asked=self._asked, answers=self._answers, alone=not self._inside)

    def _fact(self, text: str) -> Acts | None:
        return None if self._asked else fact_in(text)


_THEN = r" (?:, )?(?:and )?(?:then|after that|afterwards) "
"""What follows is done whatever the condition in front."""
_HOT = r"it is (?:very |so |too |still |really )*(?:hot|cold|warm|dusty)"
"""Of the weather in front of an order, of its thing behind it."""


def _is_one(text: str) -> bool:
    """Whether a sentence is one clause, with no signs but around its courtesies or behind what begins a correction."""
    if re.search("[,:]", without_courtesies(text) if "," in text else text) is None:
        return True
    mark, _, rest = text.partition(" ,")
    return "," not in rest and re.fullmatch(rf"not .+|(?:(?:{any_of('repair_marks')}) ?)+", mark) is not None


def _names_something(text: str) -> bool:
    """Whether any word is the name of a thing."""
    things = [thing for word in text.split() if (thing := noun_phrase(word)) is not None and is_known(thing)]
    return any(thing.noun not in grammar()["pronouns"] for thing in things)


def _is_left_open(act: DialogueAct) -> bool:
    """Whether an act is about something that must have been named before."""
    return bool(act.slots) and act.slots[0].phrase.noun in ("it", "them", "that", "there", "one")


def _tells_more(act: DialogueAct, reason: str) -> bool:
    """Whether what could be a reason says something of the thing of an act, or wants it."""
    hot = act.act in (Act.ORDER, Act.NEVER) and re.fullmatch(_HOT, reason)
    return bool(hot or (act.act is Act.FACT and re.match(r"i (?:need|want) (?:it|them)\b", reason)))


_ELSE = r"(?:otherwise|if not|or else|else)(?: ,)? (?:then )?(.+)"


def _divisions(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The ways to take a sentence apart in two, with what joins them."""
    for at in range(1, len(words) - 1):
        joint = next((one for one in _JOINTS if tuple(words[at : at + len(one)]) == one), None)
        if joint is not None and words[at - 1] not in (",", ":", "and", "then"):
            yield " ".join(words[:at]), " ".join(joint), " ".join(words[at + len(joint) :])


def _conditional(text: str) -> Acts | None:
    plain = without_courtesies(text)
    words = "|".join(grammar()["conditions"].values())
    forms = (
        rf"(?P<rest>.+?) (?P<so>(?:{words}) .+)",
        rf"(?P<so>(?:{words}) .+? (?:is|are) .+?) (?:then )?(?P<rest>[a-z]+ .+)",
    )
    for form in forms:
        found = re.fullmatch(form, plain)
        while found is not None:
            condition, acts = _conditioned(found["so"]), order_in(found["rest"])
            if condition is not None and acts:
                return [act._replace(condition=condition) for act in acts]
            if form is forms[0]:
                break
            longer = found.start("rest") + found["rest"].find(" ") + 1
            found = re.compile(rf"(?P<so>.{{{longer - 1}}}) (?:then )?(?P<rest>[a-z]+ .+)").fullmatch(plain)
    return None


def _conditioned(text: str) -> Condition | None:
    """What has to be so: "if the fridge is open", "unless there is an egg in the pan", "if you have the mug"."""
    for word, words in grammar()["conditions"].items():
        if found := re.fullmatch(rf"(?:{words}) (.+)", text):
            return _so(found[1], holds=word == "if")
    return None


def _so(text: str, *, holds: bool) -> Condition | None:
    if found := re.fullmatch(r"(?:there (?:is|are)(?: still)?|you (?:can )?(?:see|find)) (.+)", text):
        thing, state = noun_phrase(found[1]), ""
    elif found := re.fullmatch(r"you (?:still )?(?:have|are holding|are carrying|hold) (.+)", text):
        thing, state = noun_phrase(found[1].replace("anything", "something")), "held"
    elif found := pattern("(?P<x>.+?) (?:is|are) (?:still |already )?{state}").fullmatch(text):
        thing, state = noun_phrase(found["x"]), state_of(found["state"])
    else:
        thing, state = noun_phrase(text), ""
        if thing is None or thing.place is None:
            return None
    return Condition(thing, state, holds) if thing is not None and is_known(thing) else None


def _barred(text: str) -> Acts | None:
    tails = re.compile(rf"(?: (?:{any_of('barred_tails')}))+$")
    for form in dict.fromkeys((text, tails.sub("", text), tails.sub("", without_courtesies(text)))):
        for name, patterns in grammar()["barred"].items():
            for one in patterns:
                if (found := pattern(one).fullmatch(form)) and (order := order_in(found["rest"], barred=True)):
                    return [DialogueAct(Act(name), of=(act,)) for act in order]
    return None


def kept_in(text: str) -> Acts | None:
    """What is forbidden by saying how things are to stay."""
    for one, verb in grammar()["kept"]:
        if (found := pattern(one).fullmatch(without_courtesies(text))) and (thing := noun_phrase(found["x"])):
            if is_known(thing) and thing.noun not in ("me", "him", "her", "you"):
                return [DialogueAct(Act.NEVER, of=(DialogueAct(Act.ORDER, verb, (Slot("", thing),)),))]
    return None
