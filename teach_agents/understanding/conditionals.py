"""What is to be done in either case, read way by way: "is it dirty? If so wash it, if not put it away"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase, Reading, Slot
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.notation import RESULTS
from teach_agents.understanding.order_rules import Acts, state_of
from teach_agents.understanding.reader import LONGEST

_YES, _NO, _IF, _STATE, _PLAIN = "yes", "no", "if", "state", ""
_NOT = r"(?:n't|nt|(?:'s)? not)"
_SO = (
    r"so\b|yes\b|yeah\b|yep\b|(?:that|this)(?: is|'s) (?:so|true|right|the case)\b"
    r"|(?:it|there|they|that|you|someone|somebody|anyone|anybody|i|we)"
    r"(?:'s|'re| is| are| was| were| has| have| does| do| did| can)"
    r"(?: (?:so|one|any|some|it))?(?= ?(?:[,:;]|then\b|-))"
)
_NOT_SO = (
    rf"(?:not|no|never|none)(?= ?(?:[,:;]|then\b|-))|not\b(?! (?:already|yet|in|on|{{state}}))"
    r"|(?:that|this)(?: is not| isn't|'s not) (?:so|true|right|the case)\b"
    rf"|(?:it|there|they|that|you|i|we|someone|somebody)(?: is| are| was| were| has| have| does| do| did| ca)?{_NOT}"
    r"(?: (?:so|one|any|some|it))?(?= ?(?:[,:;]|then\b|-))"
    r"|(?:nobody|no one|nothing|none)(?:'s| is| are| has| did)?(?= ?(?:[,:;]|then\b|-))"
    r"|there(?:'s| is| are) (?:no one|none|nothing)\b(?! [a-z])"
)
_WHEN = r"(?:if|when|in case)"
_BEHIND = re.compile(
    r"(?P<rest>.+?),? if (?P<not>not|(?:it|there|they) (?:is|are)(?:n't| not)(?: any| one)?)?(?(not)|"
    r"(?:so|yes|(?:it|they|there) (?:is|are|does|do)(?: any| one)?))\W*",
    re.IGNORECASE | re.DOTALL,
)
"""A way behind what is to be done in it: "bring it if there is"."""
_LEAD = r"(?:(?:and|but|or|so|well|ok|okay)\b[ ,]*)?"
_DIVISION = re.compile(
    r"(?<=[.!?;])\s+|\n+|\s*,?\s+(?=(?:and |but |or )?otherwise\b|or else\b|(?:and |but )else\b)|\s*,\s*(?=else\b)"
    r"|\s*,\s*(?=if (?:not|no|so|yes|there|it|they)\b)"
    r"|,?\s+(?=(?:and|but|or) (?:if|when) )|\s*,\s*(?=(?:yes|no) ?[:-])",
    re.IGNORECASE,
)
"""Between the sentences of an utterance, and before what begins another way in one."""
_ANYWAY = re.compile(
    r"\A(?:and )?(?:then|after that|afterwards|either way|in (?:any|either) case|anyway|finally)\b[ ,]*",
    re.IGNORECASE,
)
"""What is done behind all ways, whichever was gone."""
_PLACE_ALONE = re.compile(r"(?:in|on|into|onto|inside)(?: top of)? (?:the|my|our|that|this|a)\b", re.IGNORECASE)
"""Where something goes else, with no verb: "otherwise on the table"."""
_BEFORE_THAT = re.compile(
    r"[ ,]+(?:first(?: of all)?|before that|beforehand|before you do(?: that| so| it)?)\W*$", re.I
)
"""What makes of another way one more step of the first."""
_STATES = frozenset({"raw", "uncooked", "whole", "cooked", "cut", "uncut"})
"""More words for how things may be, in front of what is to be done then."""
_POINTING = frozenset({"it", "them", "that", "this", "they", "those", "these", "there", "one", "any"})
_VAGUE = frozenset("anything something everything water coffee wine tea drink liquid".split())
_TOPICS = frozenset({"state", "there", "did", "in", "on", "what_state", "see"})
_IN = re.compile(r"\b(?:put|stick|pop|place|drop|lay)\b[^,.;]*\bin(?:side)?(?: there)?(?=\W*$| and\b|,)", re.IGNORECASE)
_ASKED_FIRST = re.compile(
    r"\b(?:whether|if|see(?:ing)? that|(?:check|sure)(?:ing)?(?: that)?)\s+"
    r"(?P<asked>(?:(?!\b(?:if|not|and|then)\b|n'?t\b)[^.,;!?]){1,80})(?:(?!\b(?:if|when)\b)[^;]){0,160}?"
    r"\b(?:if|when|in case)\s+"
    r"(?:(?P<not>not\b|(?:it|they|that|there)(?:'s|'re| is| are)?(?:n'?t| not)\b)"
    r"|(?:so|yes|(?:it|they|that|there)(?: is| are))\b)(?=\W*(?:$|[,.;!?]|and\b|then\b|please\b))",
    re.IGNORECASE,
)
"""What is looked into, and whether what is done then is done where that is so, or where it is not."""
_MOST = 8
_SURER = 1.2
"""What is so much surer way by way is read so, though the whole tells ways apart, too."""

_ANY = frozenset({"anything", "something", "one", "any", "none", "nothing"})

Read = Callable[[str, Sequence[str]], Reading]


class _Part(NamedTuple):
    """A part of an utterance: which way it begins, by what state, and the words of what is to be done there."""

    way: str
    words: str
    state: str = ""


def with_branches(whole: Reading, text: str, recent: Sequence[str], read: Read) -> Reading:
    """An utterance as its `whole` was read, or way by way where that is surer, or the whole tells no ways apart."""
    found = read_branches(text, recent, read)
    told = {act.condition for act in whole.acts if act.condition is not None}
    if found is None or (len(told) > 1 and found.confidence < _SURER * whole.confidence):
        return whole
    return found


def read_branches(text: str, recent: Sequence[str], read: Read) -> Reading | None:
    """The acts of an utterance that tells what to do in one case and in the other, each part as it is `read` by itself;
    `None` for any other, and where a part is not read."""
    parts = [*_parts(text)] if len(text) <= LONGEST else []
    ways = [part for part in parts if part.way]
    if not 1 < len(parts) <= _MOST or not ways or not any(one.way != _IF for one in ways) and len(ways) < 2:
        return None
    found = _Branches(read)
    last = max(at for at, part in enumerate(parts) if part.way)
    for at, part in enumerate(parts):
        if not found.take(part, recent if not at else (), is_behind=at > last):
            return None
    return Reading(tuple(found.acts), found.confidence, "+".join(sorted(found.by))) if found.condition else None


def with_polarity(found: Reading, text: str) -> Reading:
    """A reading whose one condition holds as the words have it: "see whether it's clean, and wash it if it isn't"."""
    said = _ASKED_FIRST.search(text.replace("\u2019", "'"))
    told = {act.condition for act in found.acts if act.condition is not None}
    if said is None or len(told) != 1:
        return found
    (condition,) = told
    states = grammar()["states"]
    asked = {states.get(word, word) for word in re.findall(r"[a-z]+", said["asked"].lower())}
    if condition.state and condition.state not in asked:
        return found
    so = condition._replace(holds=said["not"] is None)
    return found._replace(acts=tuple(act._replace(condition=so) if act.condition else act for act in found.acts))


def _parts(text: str) -> Iterator[_Part]:
    for words in _DIVISION.split(text.replace("\u2019", "'").strip()):
        if words and any(map(str.isalpha, words)):
            yield _part(words)


def _part(words: str) -> _Part:
    states = "|".join(sorted({*grammar()["states"], *grammar()["states"].values(), *_STATES}, key=len, reverse=True))
    forms = {
        _YES: rf"{_LEAD}(?:{_WHEN} (?:{_SO})|(?:yes|yeah|yep)(?= ?[:,-]))",
        _NO: rf"{_LEAD}(?:otherwise\b|(?:or )?else\b|{_WHEN} (?:{_NOT_SO.replace('{state}', states)})|no(?= ?[:,-]))",
        _STATE: rf"{_LEAD}(?:{_WHEN} )?(?P<state>{states})(?= ?[:?,-])",
        _IF: rf"{_LEAD}(?:{_WHEN}|unless|should|as long as)\b",
    }
    for way, form in forms.items():
        if found := re.match(form, words, re.IGNORECASE):
            rest = words if way == _IF else re.sub(r"^[\s,:;?-]*(?:then\b[ ,]*)?", "", words[found.end() :])
            state = state_of(found["state"].lower()) if way == _STATE else ""
            return _Part(way, re.sub(rf"^{_LEAD}", "", rest, flags=re.IGNORECASE), state)
    if found := _BEHIND.fullmatch(words):
        return _Part(_NO if found["not"] else _YES, found["rest"])
    return _Part(_PLAIN, words)


class _Branches:
    """The acts of parts that were taken, the `condition` that they hang on, and how sure all are."""

    def __init__(self, read: Read) -> None:
        self.acts: Acts = []
        self.condition: Condition | None = None
        self.confidence = 1.0
        self.by = set[str]()
        self._read = read
        self.is_over = False
        self._now: Condition | None = None
        self._thing: Phrase | None = None

    def take(self, part: _Part, recent: Sequence[str], *, is_behind: bool) -> bool:
        """Take the next part, which may be behind all ways; whether it could be read."""
        if self._then(part):
            part = part._replace(way=_YES)
        words = _ANYWAY.sub("", part.words, count=1) if is_behind or part.way == _YES else part.words
        if _PLACE_ALONE.match(words) and any(act.about == "put" for act in self.acts):
            words = f"put it {words}"
        first = part.way == _NO and _BEFORE_THAT.search(words) is not None
        found = self._read(_BEFORE_THAT.sub("", words) if first else words, recent)
        acts = [act for act in found.acts if act.act is not Act.OK]
        if not acts or any(act.act in (Act.UNCLEAR, Act.OTHER_LANGUAGE) for act in acts):
            return False
        if any(act.about == "count" for act in acts):  # what is told apart by numbers is read as a whole
            return False
        if part.way == _PLAIN:
            acts = self._plain(acts, found, is_behind=is_behind)
        elif not self._begin(part, acts):
            return False
        self.confidence = min(self.confidence, found.confidence)
        self.by |= {*found.by.split("+")}
        if first and (common := self._step_before(acts)) is not None:
            self.acts = common
        else:
            self.acts += [_put_in(act, self._now, words) for act in acts] if self._now is not None else acts
        return True

    def _then(self, part: _Part) -> bool:
        """Whether a part tells what to do if what was just asked is so: "is the phone in there? Then I want it"."""
        waits = self.condition is not None and self._now is None and not self.is_over
        return part.way == _PLAIN and waits and re.match(r"then\b", part.words, re.IGNORECASE) is not None

    def _plain(self, acts: Acts, found: Reading, *, is_behind: bool) -> Acts:
        """Acts of a part that begins no way: what is asked in front of the ways, what goes on in one, or behind all."""
        if is_behind:
            self._now, self.is_over = None, True
        elif self.condition is None:
            named = (slot.phrase for act in acts[::-1] for slot in act.slots if not slot.role)
            self._thing = next((one for one in named if one.noun not in _POINTING), self._thing)
            asked = (one.acts for one in (found, *found.others))
            self.condition = next((so for one in asked if one and (so := _asked(one[-1])) is not None), None)
            if self.condition is not None or acts[-1].about == "what_state":
                self._thing = self.condition.phrase if self.condition is not None else acts[-1].slots[0].phrase
                return acts[:-1]
        return acts

    def _begin(self, part: _Part, acts: Acts) -> bool:
        """Begin a way; whether it is known what it hangs on."""
        told = next((act.condition for act in acts if act.condition is not None), None)
        before = self.condition
        if part.way == _IF:
            if before is None and self._thing is not None:
                before = Condition(self._thing, "", True)
            self._now = told if told is None or before is None else _of(told, before)
            before = self.condition
        elif part.way == _STATE:
            thing = self._thing if before is None else before.phrase
            self._now = None if thing is None else Condition(thing, part.state, True)
        else:
            self._now = None if before is None else before._replace(holds=before.holds == (part.way == _YES))
        self.condition = before or self._now
        return self._now is not None

    def _step_before(self, acts: Acts) -> Acts | None:
        """ "If it's clean put it on the table, otherwise wash it first": what is done then comes behind, in either
        case; of several steps the first is done in its own case alone."""
        done = [act for act in self.acts if act.condition is not None]
        if len(acts) != 1 or not done or self.condition is None:
            return None
        own, both = (done[:1], done[1:]) if len(done) > 1 else ([], done)
        thing = _subject(self.condition)
        before = [act for act in self.acts if act.condition is None]
        common = [_named(act._replace(condition=None), thing) for act in both]
        return [*before, *own, acts[0]._replace(condition=self._now), *common]


def _asked(act: DialogueAct) -> Condition | None:
    """What has to be so for the answer "yes", or for what was supposed to be true."""
    if act.act is Act.QUESTION and act.about == "did" and act.of:
        (deed, *_) = act.of
        state = RESULTS.get(deed.about)
        return Condition(deed.slots[0].phrase, state, True) if state is not None and deed.slots else None
    if not act.slots or (act.act is not Act.FACT and (act.act is not Act.QUESTION or act.about not in _TOPICS)):
        return None
    (role, phrase), *more = act.slots
    if act.about in ("in", "on") and more:
        return Condition(replace(phrase, place=(act.about, more[0].phrase)), "", True)
    if role.startswith(":"):
        return Condition(phrase, role[1:], True)
    return None if act.about not in ("there", "see") else Condition(phrase, "", True)


def _subject(condition: Condition) -> Phrase:
    """The thing that a condition speaks of: of what is in a vessel, the vessel."""
    phrase = condition.phrase
    within = phrase.place is not None and phrase.noun in _VAGUE
    return phrase.place[1] if within and phrase.place is not None else phrase


def _of(told: Condition, before: Condition) -> Condition:
    """A further condition: "if it's empty", behind "if there is water in the cup", is that there is none."""
    phrase = told.phrase
    if phrase.noun in _POINTING and not phrase.looks and phrase.place is None:
        if before.phrase.noun in _VAGUE and before.phrase.place is not None and told.state in ("empty", "full"):
            return before._replace(holds=(told.state == "full") == told.holds)
        return told._replace(phrase=_subject(before) if told.state else before.phrase)
    there = phrase.place is None or phrase.place[1].noun in _POINTING | {"here"}
    here = phrase.noun in _ANY or (phrase.noun in _POINTING and phrase.place is not None)
    if not told.state and phrase.noun in _ANY and phrase.place is not None and there and before.state:
        if before.state == "empty":  # "if there's still something in it", behind "if the mug is empty"
            return before._replace(holds=not told.holds)
        return told._replace(phrase=replace(phrase, place=(phrase.place[0], _subject(before))))
    if not told.state and not phrase.looks and here and there:
        return before._replace(holds=told.holds)
    if phrase.place is not None and phrase.place[1].noun in _POINTING and before.phrase.place is not None:
        return told._replace(phrase=replace(phrase, place=(phrase.place[0], before.phrase.place[1])))
    if not told.state and phrase == Phrase(before.phrase.noun):  # "is there an egg in the pan": "if there is none"
        return told._replace(phrase=before.phrase)
    return told


def _put_in(act: DialogueAct, condition: Condition, words: str) -> DialogueAct:
    """An act on a condition; "put my keys in" is where the condition looks."""
    act, place = act._replace(condition=condition), condition.phrase.place
    if act.about != "put" or len(act.slots) != 1 or place is None or place[0] != "in" or not _IN.search(words):
        return act
    return act._replace(slots=(*act.slots, Slot("in", place[1])))


def _named(act: DialogueAct, thing: Phrase) -> DialogueAct:
    if thing.noun in _POINTING | _VAGUE:
        return act
    slots = (Slot(role, replace(thing, place=None) if one == Phrase("it") else one) for role, one in act.slots)
    return act._replace(slots=tuple(slots))
