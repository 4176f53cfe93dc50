"""Reading by rules: clauses of plain English that are taken apart word by word, or not at all.

What is understood is understood whole: a clause of which a word is left over, or in which something is named that
nobody knows, is not read. So a reading by rules is mostly right, and often there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase, Reading, Slot
from teach_agents.understanding.fact_rules import fact_in
from teach_agents.understanding.grammar import any_of, grammar, pattern
from teach_agents.understanding.joining import leaning, together, told_first
from teach_agents.understanding.languages import language_of
from teach_agents.understanding.noun_phrases import is_known, is_look, noun_phrase
from teach_agents.understanding.order_rules import Acts, courtesies, order_in, present, state_of, without_courtesies
from teach_agents.understanding.question_rules import question_in
from teach_agents.understanding.reader import LONGEST, fitting
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

_BREATH = 7
"""Words of a set phrase with commas in it."""
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
            found = clauses.sentence(sentence.text)
            if found is None:
                return Reading((), 0.0, NAME)
            acts += found
        if acts and not whole:
            acts.append(DialogueAct(Act.UNCLEAR))
        return Reading(_settled(acts), float(bool(acts)), NAME)


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
    """Reads the clauses of a sentence: one that was `asked`, behind what a robot has just `told`, that `follows` anything.

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
        if self._put and (acts := _elsewhere(text)) is not None:
            return acts
        if "," in text and (plain := self._in_one_breath(text.replace(" ,", ""))) is not None:
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

    def _in_one_breath(self, text: str) -> Acts | None:
        """A short answer or set phrase, however it is divided."""
        if len(text.split()) > _BREATH:
            return None
        if self._answers:
            for name, words in grammar()["answers"].items():
                if re.fullmatch(words, text):
                    return [DialogueAct(Act(name))]
        return next(
            ([DialogueAct(Act(name))] for name, one in grammar()["said"].items() if re.fullmatch(one, text)), None
        )

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
        if found is None or not (acts := self.sentence(rest.removeprefix("then "))):
            return None
        return [act._replace(condition=found) if act.condition is None else act for act in acts]

    def _both(self, before: str, joint: str, after: str) -> Acts | None:
        reasons = grammar()["reasons"]
        if joint == "," and (named := told_first(before, after, asked=self._asked)) is not None:
            return named
        if re.fullmatch(reasons, before) and (rest := self.sentence(after)):
            named = rest[0].slots and rest[0].slots[0].phrase.noun in ("it", "them", "that", "there", "one")
            return None if named and re.search(_NAMES, before) else rest
        for lead, of in (("fact_leads", Act.FACT), ("question_leads", Act.QUESTION)):
            if before in grammar()[lead] and (rest := self.sentence(after)) and rest[0].act is of:
                return rest
        if (other := self._rather(before, after)) is not None:
            return other
        if (first := self.sentence(before)) is None:
            return None
        if re.fullmatch(reasons, after) and not (first[-1].act in (Act.ORDER, Act.NEVER) and re.fullmatch(_HOT, after)):
            return first
        if first[-1].condition is not None and (other := re.fullmatch(_ELSE, after)):
            if (rest := self._behind(first, other[1])) is None:
                return None
            if rest[0].act in (Act.CANCEL, Act.NO):
                return first
            so = first[-1].condition
            return [*first, *(act._replace(condition=so._replace(holds=not so.holds)) for act in rest)]
        if (whole := leaning(first, after, comma=joint == ",")) is not None:
            return whole
        if (rest := self._behind(first, after)) is None:
            return None
        if first[0].act is Act.NO and self._answers:
            rest = [one for act in rest for one in (act.of if act.act is Act.INSTEAD_DO else [act])]
        return together(first, rest)

    def _rather(self, before: str, after: str) -> Acts | None:
        """ "Not the sponge, the soap", and "the soap, not the sponge"."""
        for named, spurned in ((after, before), (before, after)):
            if (mark := re.fullmatch(r"(?:no )?not (.+)", spurned)) and not self._asked:
                if order_in(named):
                    continue
                meant, not_meant = _about(Act.INSTEAD, noun_phrase(named)), _about(Act.NOT, noun_phrase(mark[1]))
                if meant and not_meant:
                    return [*not_meant, *meant] if spurned is before else [*meant, *not_meant]
        return None

    def _clause(self, text: str) -> Acts | None:
        if self._told and not self._answers and (left := re.fullmatch(r"leave (it|them|that) (there|here)", text)):
            return order_in(f"put {left[1]} {left[2]}")
        ways: tuple[Callable[[str], Acts | None], ...] = (
            self._answer, _said, _conditional, _barred, _kept, self._question, order_in, self._repair,
            *(() if self._asked else (fact_in,)), _chat,
        )  # fmt: skip
        return next((found for read in ways if (found := read(text))), None)

    def _answer(self, text: str) -> Acts | None:
        if not self._answers:
            return None
        plain = without_courtesies(text)
        if re.fullmatch(_BACK, plain):
            return [DialogueAct(Act.ORDER, "put_back", (Slot("", Phrase("it")),))]
        if re.search(r"\bor\b", self._told) and (better := re.fullmatch(_BETTER, plain)):
            if better_one := _about(Act.CHOOSE, noun_phrase(better[1])):
                return better_one
        if nearest := re.fullmatch(_NEAREST, plain):
            return _about(Act.CHOOSE, Phrase("one", "", (nearest[1].replace("closest", "nearest"),)))
        for form in (text, plain):
            for name, words in grammar()["answers"].items():
                if re.fullmatch(words, form):
                    return [DialogueAct(Act(name))]
        if self._asked or _said(text) or order_in(text) or text.endswith((" too", " as well", " also")):
            return None
        if where := re.fullmatch(r"(?:in|on|under|behind|next to|near|by|beside|above) .+", plain):
            named = "there" if re.search(r"\bwhere\b", self._told.lower()) else "one"
            return _about(Act.CHOOSE, noun_phrase(f"{named} {where[0]}"))
        thing = noun_phrase(re.sub(r"^(?:it is|i mean|i meant|take|i think|definitely|probably|um|the) ", "", plain))
        if thing is not None and is_look(thing.noun) and not thing.looks:
            thing = Phrase("one", "", (thing.noun,), thing.place)
        if thing == Phrase("them", "2"):
            thing = Phrase("one", "2")
        return _about(Act.CHOOSE, thing)

    def _question(self, text: str) -> Acts | None:
        return question_in(text, asked=self._asked)

    def _repair(self, text: str) -> Acts | None:
        if found := re.fullmatch(r"(?:no )?not (that|this|the|those|a|my)(?: (?!way$|the |my |a )(.+))?", text):
            pointed = found[1] if found[1] in ("this", "that") else "that"
            return _about(Act.NOT, noun_phrase(pointed if found[2] in (None, "one") else found[2]))
        if (found := re.fullmatch(r"(?:and |also )*(.+?) (?:too|as well|also)(?: please)?", text)) and (
            acts := _about(Act.REPEAT, noun_phrase(found[1]))
        ):
            return acts
        again = re.fullmatch(r"(?:(?:and |right |so )?(?:what|how) about|and now|and then|and|now) (.+)", text)
        if not self._asked and (meant := re.fullmatch(_MEANT, text)):
            return _about(Act.INSTEAD, noun_phrase(next(filter(None, meant.groups()))))
        if self._follows and not self._answers and (same := re.fullmatch(_SAME, text)):
            return _about(Act.REPEAT, noun_phrase(next(filter(None, same.groups()))))
        if again and self._follows and not self._answers and (acts := _about(Act.REPEAT, noun_phrase(again[1]))):
            return self._asked_again(acts) or acts
        if not self._asked and not self._inside and re.fullmatch(r"(?:the|that|this|those) .*\bones?", text):
            return _about(Act.INSTEAD, noun_phrase(text))
        if self._asked or not (found := re.fullmatch(rf"(?:(?:{any_of('repair_marks')}) )+(.+)", text)):
            return None
        if control := _said(found[1]):
            return control if control[0].act in (Act.STOP, Act.WAIT, Act.CANCEL) else None
        if order := order_in(found[1]):
            if self._answers and re.match(r"no\b", text):
                return [DialogueAct(Act.NO), *order]
            return [DialogueAct(Act.INSTEAD_DO, of=(one,)) for one in order]
        return _about(Act.INSTEAD, noun_phrase(found[1]))

    def _asked_again(self, acts: Acts) -> Acts | None:
        """ "And the spoon?" behind what a robot told of something else: the same question once more."""
        for topic, told in (("there", r"(?:yes|no)\b.* there (?:is|are)\b.*"), ("where", _TOLD_WHERE)):
            if self._asked and re.fullmatch(told, self._told.lower()):
                return [act._replace(act=Act.QUESTION, about=topic) for act in acts]
        return None

_NEAREST = (
    r"(?:whichever is |the one that is )?(?:the )?(nearest|closest|cleanest|biggest|smallest|nearer|closer)(?: (?:to you|one))?"
)
_BETTER = r"(.+?) (?:is|are|will|would) (?:fine|better|nicer|ok|okay|good|great|enough|do|be (?:fine|good|better|nice))"
_BACK = r"(?:(?:right )?back )?where (?:it|they) (?:was|were|came from|belongs?|is supposed to be)(?: before)?"
_MEANT = r"(.+) i (?:mean|meant)|it was (.+?) (?:that )?i (?:asked for|wanted|meant)"
_SAME = r"(?:(?:and|now|then|after that) )*(?:do )?(?:the )?same (?:with|for|to) (.+)|(?:and )?(?:now|then) do (.+)"
_HOT = r"it is (?:very |so |too |still |really )*(?:hot|cold|warm|dusty)"
"""Of the weather in front of an order, of its thing behind it."""
_NAMES = r"\b(?:the|a|an|my|your|our|his|her|this|that|some) [a-z]"
_TOLD_WHERE = r"(?:yes )?.+ (?:is|are) (?:in|on|under|next to|near|by|at|behind|below|above)\b.+\."


def _is_one(text: str) -> bool:
    """Whether a sentence is one clause, with no signs but around its courtesies or behind what begins a correction."""
    if re.search("[,:]", without_courtesies(text) if "," in text else text) is None:
        return True
    mark, _, rest = text.partition(" ,")
    return "," not in rest and re.fullmatch(rf"not .+|(?:(?:{any_of('repair_marks')}) ?)+", mark) is not None


def _about(act: Act, thing: Phrase | None, *, state: str = "") -> Acts | None:
    """An act about a thing that is known by name."""
    if thing is None or not is_known(thing):
        return None
    return [DialogueAct(act, "", (Slot(f":{state_of(state)}" if state else "", thing),))]


_ELSE = r"(?:otherwise|if not|or else|else)(?: ,)? (?:then )?(.+)"


def _divisions(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The ways to take a sentence apart in two, with what joins them."""
    for at in range(1, len(words) - 1):
        joint = next((one for one in _JOINTS if tuple(words[at : at + len(one)]) == one), None)
        if joint is not None and words[at - 1] not in (",", ":", "and", "then"):
            yield " ".join(words[:at]), " ".join(joint), " ".join(words[at + len(joint) :])


def _said(text: str) -> Acts | None:
    asked = courtesies()[0].sub("", text)
    for form in dict.fromkeys((text, asked, asked.removesuffix(" please"), without_courtesies(text))):
        for name, patterns in grammar()["said"].items():
            if form and re.fullmatch(patterns, form) and not (form in ("what", "again") and form != text):
                return [DialogueAct(Act(name))]
    return None


def _elsewhere(text: str) -> Acts | None:
    """ "Not on the chair, on the bed": where what was put somewhere is to be put instead."""
    roles = "|".join(sorted(("in", "on", *grammar()["roles"]), key=len, reverse=True))
    found = re.fullmatch(rf"(?:no(?: ,)? )?(?:not .+ , )?({roles}) (.+?)(?: , not .+)?", text)
    if not re.search(r"\bno\b|\bnot\b", text):
        return None
    place = noun_phrase(found[2]) if found is not None else None
    if found is None or place is None or not is_known(place):
        return None
    slots = (Slot("", Phrase("it")), Slot(grammar()["roles"].get(found[1], found[1]), place))
    return [DialogueAct(Act.INSTEAD_DO, of=(DialogueAct(Act.ORDER, "put", slots),))]


def _chat(text: str) -> Acts | None:
    if any(re.fullmatch(one, text) for one in grammar()["chat"]):
        return [DialogueAct(Act.CHAT, text)]
    return None


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


def _kept(text: str) -> Acts | None:
    """What is forbidden by saying how things are to stay."""
    for one, verb in grammar()["kept"]:
        if (found := pattern(one).fullmatch(without_courtesies(text))) and (thing := noun_phrase(found["x"])):
            if is_known(thing) and thing.noun not in ("me", "him", "her", "you"):
                return [DialogueAct(Act.NEVER, of=(DialogueAct(Act.ORDER, verb, (Slot("", thing),)),))]
    return None
