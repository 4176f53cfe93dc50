"""What is forbidden but for a purpose: "open the fridge only to get eggs"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.order_rules import order_in
from teach_agents.understanding.plain_text import plain_text

_LEAD = (
    r"^\W*(?:(?:please|so|and|but|well|ok|okay|robot|hey|you (?:may|can|should|must|are (?:allowed )?to"
    r"|'re (?:allowed )?to|have to))\W+)*"
)
_TO = (
    r"(?:to|for|in order to"
    r"|when(?:ever)? (?:you(?:'re| are)?|it is|it's)?(?: (?:need(?:ing)?|want|have|going))*(?: to)?"
    r"|if (?:you|it's|it is)(?: (?:need|want|have|going))*(?: to)?)"
)
_WHY = r"(?P<why>(?:get |fetch |take )?[a-z][^.!?;,]*?)(?: out of it| from it| out| with it| in it| there)?\W*$"
_FORMS = (
    re.compile(rf"{_LEAD}(?P<deed>[a-z]+ [^.!?;,]+?),? only {_TO} {_WHY}"),
    re.compile(
        rf"{_LEAD}only (?:ever )?(?P<deed>[a-z]+ (?:the |my |our |that |this )?[a-z]+(?: [a-z]+)??(?: on| off)?)"
        rf" {_TO} {_WHY}"
    ),
    re.compile(
        r"\b(?:don't|dont|do not|never|you (?:must not|mustn't|may not|can't|cannot|are not to))(?: ever)? "
        rf"(?P<deed>[a-z]+ [^.!?;,]+?),? (?:except|unless|other than|but|if not)(?: it's| it is)? {_TO} {_WHY}"
    ),
)
_BARRED = frozenset({"open", "close", "touch", "use", "turn_on", "turn_off"})
"""What is forbidden so; any other order with a purpose is one."""
_TAKING = frozenset({"get", "pick_up"})
_ALIKE = ({"slice", "crack"}, {"cook", "boil", "toast"}, {"wash", "clean"})


class _Purposed(NamedTuple):
    deed: DialogueAct
    purpose: DialogueAct


def with_purpose_rules(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts of an utterance, which forbids what it allows for a purpose alone, however that was read."""
    found = _purposed(text)
    if found is None:
        return [*acts]
    others = [one for one in acts if one.act is Act.ORDER and one.about != found.deed.about and not serves(one, text)]
    return [*others, DialogueAct(Act.NEVER, of=(found.deed,))]


def serves(order: DialogueAct, said: str) -> bool:
    """Whether an order is what words except from what they forbid."""
    found = _purposed(said)
    if found is None:
        return False
    wanted = next((slot.phrase.noun for slot in found.purpose.slots), "")
    named = [slot.phrase.noun for slot in order.slots]
    same = wanted in ANYTHING | PRONOUNS or any(_is_same(wanted, noun) for noun in named)
    if found.purpose.about in _TAKING:
        return same
    verbs = next((group for group in _ALIKE if found.purpose.about in group), {found.purpose.about})
    return same and order.about in verbs


def purpose_of(said: str) -> DialogueAct | None:
    """The order for which alone words allow what they forbid else; `None` where they know no such."""
    found = _purposed(said)
    return None if found is None else found.purpose


@lru_cache(maxsize=256)
def _purposed(said: str) -> _Purposed | None:
    plain = plain_text(said)
    for form in _FORMS if "?" not in said else ():
        found = form.search(plain)
        deed = _order(found["deed"]) if found is not None else None
        purpose = _purpose(found["why"]) if found is not None and deed is not None else None
        if deed is not None and purpose is not None and deed.about in _BARRED:
            return _Purposed(deed, purpose)
    return None


def _purpose(words: str) -> DialogueAct | None:
    """The order that "get eggs", "slicing bread" or "the milk" come to."""
    found = re.match(r"([a-z]+?)([bdgmnprt])?\2?ing\b(.*)", words)
    forms = [words]
    if found is not None:
        stem, twin, rest = found[1], found[2] or "", found[3]
        forms = [f"{stem}{twin}{rest}", f"{stem}{twin}e{rest}", f"{stem}{twin}{twin}{rest}"]
    order = next((one for form in forms if (one := _order(form)) is not None), None)
    named = noun_phrase(words) if order is None and found is None else None
    if named is not None and (kinds_of(named.noun) or len(words.split()) == 1):
        return DialogueAct(Act.ORDER, "get", (Slot("", Phrase(named.noun)),))
    return order


def _order(words: str) -> DialogueAct | None:
    orders = order_in(words, barred=True) or ()
    return orders[0] if len(orders) == 1 and orders[0].act is Act.ORDER and orders[0].about != "do" else None


def _is_same(wanted: str, noun: str) -> bool:
    """Whether two nouns may name the same."""
    return wanted == noun or bool({*kinds_of(wanted)} & {*kinds_of(noun)})
