"""Which of the orders that are due what somebody takes back is about: by their words, their things, their number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

_ALIKE = (
    frozenset("get pick_up put put_back drop move serve throw_away".split()),
    frozenset({"turn_on", "turn_off"}),
    frozenset("cook toast boil".split()),
)
"""Orders that people call by each other's verbs when they take one back."""
_RANKS = {
    **dict.fromkeys(("first", "former"), 0),
    "second": 1,
    "third": 2,
    "fourth": 3,
    **dict.fromkeys(("last", "latter", "final"), -1),
}
_BUT_FIRST = frozenset({"other", "others", "rest"})
_PART = r"(?:one|thing|job|task|bit|part|order|step|item|request|half|instruction|command)s?"
_RANK = re.compile(rf"\b({'|'.join([*_RANKS, *_BUT_FIRST])}) {_PART}\b|\b(?:the|that) ()(?:others|rest)\b")
"""Which of several orders is meant by its place among them."""
_ORDERED = rf"(?:the |that |your |my )?(?P<rank>{'|'.join(_RANKS)}|{'|'.join(_BUT_FIRST)})"
_END = r"(?=\s*(?:$|[.,;:!?]|\b(?:and|then|for|after all|please|thanks|now|will|would|any ?more|instead|though)\b))"
_LEFT_OUT = re.compile(
    r"\b(?:skip|forget(?: about)?|scrap|scratch|ignore|drop|cancel|omit|ditch|strike"
    r"|leave (?:out|off|undone)|never ?mind(?: about)?"
    r"|(?:don'?t|do not|needn'?t|need not|no need to|don'?t (?:have|need) to|shouldn'?t) (?:actually |even )?"
    r"(?:bother (?:with|about|doing)|do|worry about|start(?: on)?)|no need (?:for|of))"
    rf" {_ORDERED}(?: {_PART})?{_END}|\bleave {_ORDERED.replace('rank', 'left')}(?: {_PART})? (?:out|off|undone|be)\b"
)
"""Which of several orders is not to be done: "scrap the second thing", "skip the last one"."""
_NO_MORE = re.compile(
    r"\b(?:stop|halt|quit|finish|leave it|call it a day|that(?:'s| is| will be|'ll be) (?:it|all)|enough|no more)\b"
    r"[^.?!]*?\b(?:after|at|with|(?:once|when|as soon as) you(?:'ve|'re| have| are)? (?:done|finished)(?: with)?)"
    rf" (?:doing )?(?:(?:the|that) (?:first|one)|this|that)(?: {_PART})?{_END}"
    rf"|\b(?:once|when|after) you(?:'ve|'re| have| are)? (?:done|finished|did)(?: with)? (?:this|that|the first)"
    rf"(?: {_PART})?,? stop\b"
    rf"|\b(?:just|only)(?: (?:do|finish|the))* first(?: {_PART})?{_END}"
    rf"|\bthe first (?:{_PART} )?(?:will do|is enough)\b"
    rf"|\bfinish (?:this|that|the first)(?: {_PART})?,?(?: and| but)? then stop\b"
)
"""What has one do no more than the first of several orders."""


class Left(NamedTuple):
    """The orders that somebody takes back, and what else was said with that."""

    orders: Sequence[DialogueAct]
    rest: list[DialogueAct]


def called_off(acts: Sequence[DialogueAct], due: Sequence[DialogueAct], resolver: Resolver) -> Left:
    """What of all that is `due` is not to be done after what was said: "forget the pillow, just the lamp".

    What only confirms the others is no new order.
    """
    gone = [order for act in acts if act.act is Act.CANCEL for one in act.of for order in _meant(one, due, resolver)]
    kept = [order for order in due if order not in gone]
    rest = [act for act in acts if act.act is not Act.CANCEL or not act.of]
    if gone:
        rest = [act for act in rest if not any(_is_alike(act, one) and _same(act, one, resolver) for one in kept)]
    return Left(gone, rest)


def taken_back(
    acts: Sequence[DialogueAct],
    text: str,
    due: Sequence[DialogueAct],
    asked: Sequence[DialogueAct],
    resolver: Resolver,
) -> list[DialogueAct]:
    """Acts in which what names things or numbers ("not the pencil", "never mind the second") takes back the very orders
    that it is about, where others are left. `asked` were asked for in one breath; some may be done, and not be `due`.
    """
    plain = text.lower().replace("\u2019", "'")
    if len(asked) > 1 and (gone := _numbered(plain, asked)):
        named = [act for act in acts if act.act is Act.ORDER and any(kinds_of(slot.phrase.noun) for slot in act.slots)]
        return [DialogueAct(Act.CANCEL, of=tuple(gone)), *named]
    if _NO_MORE.search(plain) and Act.STOP in {act.act for act in acts}:  # there is but one
        return [act for act in acts if act.act is not Act.STOP] or [DialogueAct(Act.OK)]
    others = any(act.act is Act.ORDER for act in acts)
    return [_ranked(act, text, asked) or _of_some(act, due, resolver, others=others) for act in acts]


def _of_some(act: DialogueAct, due: Sequence[DialogueAct], resolver: Resolver, *, others: bool) -> DialogueAct:
    if act.act not in (Act.NOT, Act.CANCEL) or act.of:
        return act
    orders = [order for order in due if order.act is Act.ORDER]
    named = [slot.phrase for slot in act.slots if not slot.role and slot.phrase.noun not in PRONOUNS | ANYTHING]
    gone = [one for one in orders if any(_is_about(one, phrase, resolver) for phrase in named)]
    if not gone or (len(gone) == len(orders) and not (others and act.act is Act.CANCEL)):
        return act
    return DialogueAct(Act.CANCEL, of=tuple(gone))


def _is_about(order: DialogueAct, phrase: Phrase, resolver: Resolver) -> bool:
    named = DialogueAct(Act.ORDER, slots=(Slot("", phrase),))
    return bool(order.slots) and not order.slots[0].role and _same(named, order, resolver)


def _numbered(plain: str, asked: Sequence[DialogueAct]) -> Sequence[DialogueAct]:
    """Those of several orders that words leave out by their place in the row."""
    if _NO_MORE.search(plain):
        return asked[1:]
    found = _LEFT_OUT.search(plain)
    word = (found["rank"] or found["left"]) if found is not None else ""
    if word in _BUT_FIRST:
        return asked[1:]
    at = _RANKS.get(word, len(asked))
    return [asked[at]] if at < len(asked) else ()


def _ranked(act: DialogueAct, text: str, asked: Sequence[DialogueAct]) -> DialogueAct | None:
    """What takes back "the second", "the other one", "the rest" of several orders; `None` for any other act."""
    if act.act not in (Act.NOT, Act.CANCEL) or act.of or len(asked) < 2:
        return None
    word = _rank(act.slots[0].phrase) if act.slots else "" if act.act is Act.NOT else _rank_in(text)
    if word in _BUT_FIRST:
        return DialogueAct(Act.CANCEL, of=tuple(asked[1:]))
    at = _RANKS.get(word, len(asked))
    return DialogueAct(Act.CANCEL, of=(asked[at],)) if at < len(asked) else None


def _rank(phrase: Phrase) -> str:
    """The word for a place in a row that a description is by: "the second", "the last job"."""
    words = [phrase.count, *phrase.looks, *phrase.noun.split("_")]
    if phrase.noun in PRONOUNS | ANYTHING | _RANKS.keys() | _BUT_FIRST or re.fullmatch(_PART, words[-1]):
        return next((word for word in words if word in _RANKS or word in _BUT_FIRST), "")
    return ""


def _rank_in(text: str) -> str:
    found = _RANK.search(text.lower())
    return "" if found is None else found[1] or "rest"


def _meant(one: DialogueAct, due: Sequence[DialogueAct], resolver: Resolver) -> Sequence[DialogueAct]:
    """The orders that are taken back in these words: those by this verb with this thing, else all with it."""
    if one in due:
        return [one]
    of_it = [order for order in due if _same(one, order, resolver)]
    return [order for order in of_it if _is_alike(one, order)] or (of_it if one.slots else [])


def _is_alike(one: DialogueAct, other: DialogueAct) -> bool:
    verbs = {one.about, other.about}
    return one.act is other.act is Act.ORDER and (len(verbs) == 1 or any(verbs <= alike for alike in _ALIKE))


def _same(one: DialogueAct, other: DialogueAct, resolver: Resolver) -> bool:
    """Whether two orders may be about the same thing; one that names none is about any."""
    mine, others = (next((slot.phrase for slot in act.slots if not slot.role), None) for act in (one, other))
    if mine is None or others is None or mine.noun in PRONOUNS:
        return one.about == other.about
    return mine.noun == others.noun or bool(_ids(mine, resolver) & _ids(others, resolver))


def _ids(phrase: Phrase, resolver: Resolver) -> set[str]:
    return {thing.object_id for thing in resolver.find(phrase).things}
