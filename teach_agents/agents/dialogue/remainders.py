"""What is left of what was asked for: "and the rest?", "put the others on the counter", behind an order of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

_ALONE = re.compile(
    r"(?:(?:ok|okay|right|good|great|fine|thanks|thank you|hm+|so|but|then|and|also|now|please|what about|how about"
    r"|what of|can you|could you|do|finish|try|get on with|carry on with|continue with|same (?:for|with))\W+)*"
    r"(?:all )?(?:of )?the (?:rest|remainder|others|(?:other|remaining) (?:ones|two|three|four|five|six))"
    r"(?: of (?:them|those|these|it))?(?:,? (?:too|as well|also|then|please|now|again))*\W*"
)
_NOUNS = frozenset("rest remainder others".split())
_SEVERAL = frozenset("all rest some".split())


def rest_of(text: str, last: DialogueAct | None) -> DialogueAct | None:
    """The `last` order once more, for what is left of what it was about, where an utterance names no more than that;
    `None` for any other."""
    of = _of(last)
    if of is None or _ALONE.fullmatch(plain_text(text)) is None:
        return None
    return DialogueAct(Act.REPEAT, slots=(Slot("", replace(of, count="rest")),))


def with_rest_named(acts: Sequence[DialogueAct], last: DialogueAct | None) -> list[DialogueAct]:
    """Acts in which "the rest" is that of what was spoken of: of several things that the same utterance has something
    done to before, else of what the `last` order was about."""
    found: list[DialogueAct] = []
    for act in acts:
        before = next((one for one in reversed(found) if one.act is Act.ORDER), None)
        of = _of(last) if before is None else _of(before) if _is_of_several(before) else None
        rest = bool(act.slots) and not act.slots[0].role and _is_rest(act.slots[0].phrase)
        if of is not None and rest and act.act in (Act.ORDER, Act.REPEAT):
            named = Phrase(of.noun, "rest", of.looks)
            act = act._replace(slots=(Slot("", named), *act.slots[1:]))
        found.append(act)
    return found


def _of(order: DialogueAct | None) -> Phrase | None:
    """What an order is about, where it is named."""
    phrase = order.slots[0].phrase if order is not None and order.slots and not order.slots[0].role else None
    return phrase if phrase is not None and phrase.noun not in PRONOUNS and kinds_of(phrase.noun) else None


def _is_of_several(order: DialogueAct) -> bool:
    phrase = _of(order)
    return phrase is not None and (phrase.count in _SEVERAL or (phrase.count.isdecimal() and int(phrase.count) > 1))


def _is_rest(phrase: Phrase) -> bool:
    if phrase.place is not None or phrase.looks or phrase.holds is not None:
        return False
    return (
        phrase.noun in _NOUNS
        or (phrase.noun in PRONOUNS and phrase.count == "rest")
        or phrase == Phrase("other", "all")
    )
