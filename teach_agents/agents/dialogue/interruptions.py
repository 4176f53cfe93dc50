"""What is said while something is being done: which of what is to be done it calls off, confirms or asks for again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from teach_agents.agents.acting.body import Body
from teach_agents.agents.dialogue.listener import Heard
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.repair import otherwise
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
    **dict.fromkeys(("last", "latter", "final", "other"), -1),
}
_RANK = re.compile(
    rf"\b({'|'.join(_RANKS)}) (?:one|thing|job|task|bit|part|order|step|item|request|half|instruction|command)\b"
)
"""Which of several orders is meant by its place among them."""


class CalledOff(Exception):  # no error: somebody said so
    """What was being done is left; `then` is what made it so, where that remains to be answered."""

    def __init__(self, words: str = "", then: Heard | None = None) -> None:
        super().__init__(words)
        self.words, self.then = words, then


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


def by_rank(acts: Sequence[DialogueAct], text: str, asked: Sequence[DialogueAct]) -> list[DialogueAct]:
    """Acts of which those that take back "the second thing", of what was `asked` in one breath, name that order."""
    return [_ranked(act, text, asked) for act in acts]


def _ranked(act: DialogueAct, text: str, asked: Sequence[DialogueAct]) -> DialogueAct:
    if act.act is not Act.CANCEL or act.of or len(asked) < 2:
        return act
    said = " ".join((*act.slots[0].phrase.looks, act.slots[0].phrase.noun, "one")) if act.slots else text.lower()
    found = _RANK.search(said.replace("_", " "))
    if found is None:
        return act
    at = _RANKS[found[1]]
    return act._replace(slots=(), of=(asked[at],)) if -len(asked) <= at < len(asked) else act


def _meant(one: DialogueAct, due: Sequence[DialogueAct], resolver: Resolver) -> Sequence[DialogueAct]:
    """The orders that are taken back in these words: those by this verb with this thing, else all with it."""
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


def once_more(act: DialogueAct, text: str, due: Sequence[DialogueAct]) -> DialogueAct:
    """ "The same with the remote" said at work: the last of the orders that are due with that instead; else the act."""
    orders = [order for order in due if order.act is Act.ORDER]
    return otherwise(orders[-1], act, text) if act.act is Act.REPEAT and act.slots and orders else act


def put_back_first(acts: Sequence[DialogueAct], body: Body) -> list[DialogueAct]:
    """Acts, behind putting back what was taken for an order that was called off."""
    back = DialogueAct(Act.ORDER, "put_back", (Slot("", Phrase("it")),))
    return [back, *acts] if body.held is not None else [*acts]
