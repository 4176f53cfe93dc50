"""What is granted in front of an order, and not ordered: "the radio can stay on, but would you turn off the lamp?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Reading
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.reader import LONGEST

_THING = r"(?:the|my|our|your|his|her|its|that|this|those|these|all|both)\b(?: (?!and\b|but\b)[\w'-]+){0,5}?"
_MAY = r"(?:can|may|might|could)(?: (?:just|happily|well|all|both|as well|quite|easily))*"
_NO_NEED = r"(?:do not|don'?t|need ?n'?t|need not|does not|doesn'?t)"
_GRANTED = (
    rf"{_THING} {_MAY} (?:stay|remain|wait|keep|go on|be left|stand|sit|lie)\b",
    rf"{_THING}(?: is| are|'s|'re) (?:all |just |perfectly |quite |absolutely |already |really )*"
    r"(?:fine|ok|okay|alright|right|good|no (?:problem|bother|trouble|rush|hurry))\b",
    rf"{_THING} {_NO_NEED} (?:bother|disturb|matter|need|have to|mind)\b",
    rf"(?:i|we) (?:really )?{_NO_NEED} (?:mind|need|care about|want) {_THING}",
    rf"(?:please )?never mind(?: about)? {_THING}",
    rf"(?:please )?(?:you )?{_NO_NEED} (?:you )?(?:worry|bother|fuss|trouble yourself)\b",
    rf"(?:there(?:'s| is) )?no need (?:to|for)\b|you (?:really )?{_NO_NEED} (?:have|need)\b|you needn'?t\b",
    rf"(?:please |just |you can |you may )*leave {_THING} (?:alone|be|for (?:now|later|me)|(?:as|where|how) )",
    rf"not {_THING}",
    r"i(?:'ll|'d| will| can| could)(?: just)? [^.!?;,]{1,60} myself\b",
    r"(?:i|we)(?:'ve| have) (?:already (?:got |had )?|got )[^.!?;,]{1,60}",
)
"""Clauses that tell what is not to be changed, or not by whoever hears them."""
_CUE = (
    r"(?=(?:,? ?(?:please|pls|plz|now|if you|dear|love))*,? ?"
    r"(?:could|can|would|will|might|may|do|just|please|i'd|i would|i need|i want|the|my|that|those|these|this|it'?s)\b)"
)
"""With what an order begins behind "but" where no comma stands before that."""
_CONCESSION = re.compile(
    rf"(?:(?<=[.!?;:])\s+|\A\s*|(?<=,) )(?:well|oh|ok|okay|so|now|right|look)?,? ?(?:{'|'.join(_GRANTED)})"
    rf"(?P<more>[^.!?;]{{0,120}}?)(?:[,.;!-]+ ?(?:but|however|only|though)\b,? |(?<=\w) but {_CUE})",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(r"\b(?:all|everything|anything|nothing|none|any|everyone|nobody|no one)\W*\Z", re.IGNORECASE)
"""What "but" takes something out of."""
_BUT = re.compile(r"\W*(?:but|however|only|though)\b\W*\Z", re.IGNORECASE)
_ASKED = (Act.ORDER, Act.QUESTION)
_NEARLY = 0.8
"""What is left counts where it is read about as surely as the whole, which may take what is granted for wanted."""
_ALL = frozenset({"everything", "all", "anything", "rest", "others", "stuff"})
_POINTING = frozenset({"it", "them", "those", "these"})

_TAG = (
    r"(?:[,;]? (?:is|are|was|were|do|does|did|has|have)(?:n'?t| not)? (?:they|it|these|those|that|he|she)"
    r"|,? (?:right|no|yes|eh))"
)
_LOOKS = r"(?: both| all| really| just)*(?: is| are|'s|'re| was| were| looks?| smells?| tastes?| seems?| go| goes)\b"
_REMARK = re.compile(
    rf"(?:(?<=[.!?;:])\s+|\A\s*)(?:(?:well|oh|so|wow|ah|hey),? )?"
    rf"(?P<x>{_THING})(?: and (?P<y>{_THING}))?{_LOOKS}"
    rf"[^.!?;]{{1,60}}?{_TAG}\s*[.!?]+(?=\s+\w)",
    re.IGNORECASE,
)
"""A remark that looks for agreement, in front of something else."""
_NAMELESS = _POINTING | {"one", "that", "this", "both", "ones"}

Read = Callable[[str, Sequence[str]], Reading]


def without_concession(whole: Reading, text: str, recent: Sequence[str], read: Read) -> Reading:
    """An utterance as its `whole` was read; or as it is `read` without what is granted in it, where that is an order or
    a question. How something is to stay counts for what is done to everything, or to all of something."""
    found = _CONCESSION.search(text) if len(text) <= LONGEST else None
    if found is None or _EXCEPTED.search(clause := _BUT.sub("", found[0])):
        return whole
    asked = read(f"{text[: found.start()]} {text[found.end() :]}".strip(), recent)
    if asked.confidence < _NEARLY * whole.confidence or not any(act.act in _ASKED for act in asked.acts):
        return whole
    granted = read(clause.strip(), ()).acts
    acts = _about(asked.acts, granted)
    kept = [act for act in granted if act.act is Act.NEVER] if any(map(_is_of_all, acts)) else []
    return asked._replace(acts=(*kept, *acts)) if acts else whole


def without_remark(whole: Reading, text: str, recent: Sequence[str], read: Read) -> Reading:
    """An utterance as its `whole` was read; or without a remark in front of an order that names what it is about: "The
    apple and the egg look nice, don't they? Put the egg in the fridge"."""
    found = _REMARK.search(text) if len(text) <= LONGEST else None
    if found is None:
        return whole
    asked = read(f"{text[: found.start()]} {text[found.end() :]}".strip(), recent)
    asked = asked._replace(acts=_of_named(asked.acts, [noun_phrase(found[one].lower()) for one in "xy" if found[one]]))
    named = [one.noun for act in asked.acts if act.act is Act.ORDER for one in _things(act)]
    if not named or not _NAMELESS.isdisjoint(named) or asked.confidence < _NEARLY * whole.confidence:
        return whole
    return asked


def _of_named(acts: Sequence[DialogueAct], things: Sequence[Phrase | None]) -> tuple[DialogueAct, ...]:
    """Acts with what was named before for "it", and an act each for "them"."""
    meant = {"it": things if len(things) == 1 else (), "them": things if len(things) > 1 else ()}
    found: list[DialogueAct] = []
    for act in acts:
        first = act.slots[0] if act.slots else None
        named = meant.get(first.phrase.noun, ()) if first is not None and not first.role else ()
        each = [one for one in named if one is not None]
        found += [act._replace(slots=(act.slots[0]._replace(phrase=one), *act.slots[1:])) for one in each] or [act]
    return (*found,)


def _is_of_all(act: DialogueAct) -> bool:
    """Whether an act is about all of something, of which what was granted may be part."""
    return any(one.count == "all" or one.noun in _ALL for one in _things(act))


def _things(act: DialogueAct) -> list[Phrase]:
    return [slot.phrase for slot in act.slots]


def _about(acts: Sequence[DialogueAct], granted: Sequence[DialogueAct]) -> tuple[DialogueAct, ...]:
    """Acts with the thing that something was granted of for "it"; none where that is not known."""
    order = next((act for act in acts if act.act in _ASKED), None)
    if order is None or not any(slot.phrase.noun in _POINTING for slot in order.slots):
        return (*acts,)
    named = (phrase for act in granted for one in (act, *act.of) for phrase in _things(one))
    thing = next((one for one in named if one.noun not in _POINTING), None)
    if thing is None:
        return ()
    slots = tuple(slot._replace(phrase=thing) if slot.phrase.noun in _POINTING else slot for slot in order.slots)
    return tuple(act._replace(slots=slots) if act is order else act for act in acts)
