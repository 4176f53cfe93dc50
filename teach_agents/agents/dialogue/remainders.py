"""How many things an order is about, and what is left of them: "a few", "all but one", "and the rest?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.orders.movement import MOTIONS
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_ALONE = re.compile(
    r"(?:(?:ok|okay|right|good|great|fine|thanks|thank you|hm+|so|but|then|and|also|now|please|what about|how about"
    r"|what of|can you|could you|do|finish|try|get on with|carry on with|continue with|same (?:for|with))\W+)*"
    rf"(?:(?P<more>{'|'.join(NUMBERS[2:])}|\d+) (?:more|others)"
    r"|(?:all )?(?:of )?the (?:rest|remainder|others|(?:other|remaining) (?:ones|two|three|four|five|six)))"
    r"(?: of (?:them|those|these|it))?(?:,? (?:too|as well|also|then|please|now|again))*\W*"
)
_SPARED = rf"(?:{'|'.join(NUMBERS[1:])}|\d+)"
_BUT_SOME = re.compile(
    rf"\b(?:all|every(?:thing)?) (?:but|except|bar|save)(?: for)? (?P<number>{_SPARED}) of "
    r"(?P<of>(?:the|my|our|these|those) [a-z]+(?: [a-z]+)?)"
    rf"|\b(?:all|every)(?: of)? (?P<these>(?:(?:the|my|our) )?[a-z]+(?: [a-z]+)?) (?:but|except|bar|save)(?: for)?"
    rf" (?P<left>{_SPARED})\b(?! of| [a-z]*s\b)"
)
"""How many of several things are left as they are."""
_A_FEW = 3
_NOUNS = frozenset("rest remainder others".split())
_SEVERAL = frozenset("all rest some".split())


def rest_of(text: str, last: DialogueAct | None) -> DialogueAct | None:
    """The `last` order once more, for what is left of what it was about, where an utterance names no more than that;
    `None` for any other."""
    of, found = _of(last), _ALONE.fullmatch(plain_text(text))
    if of is None or last is None or found is None or last.about in MOTIONS:
        return None
    if (more := found["more"]) is None:
        return DialogueAct(Act.REPEAT, slots=(Slot("", replace(of, count="rest")),))
    number = NUMBERS.index(more) if more in NUMBERS else int(more)
    return DialogueAct(Act.REPEAT, slots=(Slot("", replace(of, count=str(number), looks=("other", *of.looks))),))


def with_rest_named(acts: Sequence[DialogueAct], last: DialogueAct | None) -> list[DialogueAct]:
    """Acts in which "the rest" is that of what was spoken of: of several things that the same utterance has something
    done to before, else of what the `last` order was about."""
    found: list[DialogueAct] = []
    for act in acts:
        before = next((one for one in reversed(found) if one.act is Act.ORDER), None)
        of = _of(last) if before is None else _of(before) if _is_of_several(before) else None
        phrase = act.slots[0].phrase if act.slots and not act.slots[0].role else Phrase("")
        bare = phrase.noun in ("one", "ones") and phrase == Phrase(phrase.noun, phrase.count)
        more = bare and before is not None and before.about == act.about
        if of is not None and act.act in (Act.ORDER, Act.REPEAT) and (_is_rest(phrase) or more):
            named = Phrase(of.noun, "rest", of.looks)
            if not _is_rest(phrase):  # "two in the fridge and two on the table"
                named = replace(named, count=phrase.count, looks=("other", *of.looks))
            act = act._replace(slots=(Slot("", named), *act.slots[1:]))
        found.append(act)
    return found


def but_for_some(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts of "throw away all but one of the tomatoes", as so many less than are known; nothing is understood where no
    more are."""
    found = _BUT_SOME.search(plain_text(text))
    order = next((act for act in acts if act.act is Act.ORDER and act.slots and not act.slots[0].role), None)
    words = (found["of"] or found["these"]) if found is not None else ""
    named = noun_phrase(words) or noun_phrase(words.rpartition(" ")[0])
    if found is None or order is None or named is None or not kinds_of(named.noun):
        return [*acts]
    word = found["number"] or found["left"]
    spared = NUMBERS.index(word) if word in NUMBERS else int(word)
    meant = Phrase(named.noun, looks=named.looks)
    number = len(resolver.find(replace(meant, count="all")).things) - spared
    if number < 1:
        return [DialogueAct(Act.UNCLEAR)]
    some = order._replace(slots=(Slot("", replace(meant, count=str(number))), *order.slots[1:]))
    return [some if act is order else act for act in acts if act.act is not Act.NOT]


def counted(phrase: Phrase, text: str, resolver: Resolver) -> Phrase:
    """A description with the number that its words have: one where any one will do, all, or a few, which are three, or
    two where no more are known."""
    if phrase.count == "some" and re.search(r"\b(?:a|any|the) few\b|\bseveral\b", text.lower()):
        known = len(resolver.find(replace(phrase, count="all")).things)
        return replace(phrase, count=str(min(_A_FEW, max(2, known))))
    if phrase.count or phrase.noun in PRONOUNS:
        return phrase
    name = re.escape(phrase.noun.replace("_", " "))
    if re.search(rf"\b(?:all (?:of )?(?:the |my |our |your )?|every (?:single )?|each ){name}\b", text.lower()):
        return replace(phrase, count="all")
    one = rf"(?:an?|one|any)\s+(?:\w+\s+){{0,2}}{name}|one of (?:the|my|our|your) {name}s"
    found = re.search(rf"\b(?:{one})\b", text.lower())
    return phrase if found is None else replace(phrase, count="1")


def _of(order: DialogueAct | None) -> Phrase | None:
    """What an order is about, where it is named."""
    phrase = order.slots[0].phrase if order is not None and order.slots and not order.slots[0].role else None
    return phrase if phrase is not None and phrase.noun not in PRONOUNS and kinds_of(phrase.noun) else None


def _is_of_several(order: DialogueAct) -> bool:
    phrase = _of(order)
    return phrase is not None and (phrase.count in _SEVERAL or phrase.count.isdecimal())


def _is_rest(phrase: Phrase) -> bool:
    if phrase.place is not None or phrase.looks or phrase.holds is not None:
        return False
    points = phrase.noun in PRONOUNS and phrase.count == "rest"
    return points or phrase.noun in _NOUNS or phrase == Phrase("other", "all")
