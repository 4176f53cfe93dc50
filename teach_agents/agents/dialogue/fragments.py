"""Utterances that are no more than a name or a word, and lean on what was asked or done before: "and the bowl?", "the
third one too", "no, off"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.remainders import rest_of, with_rest_named
from teach_agents.agents.dialogue.repair import FETCHING, OF_SOME, PLACES, PUTTING, about_that, instead, opposite
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_AND_THAT = re.compile(
    r"(?:(?:ok|okay|right|(?:very )?good|great|fine|thanks|thank you|hm+|ah|oh|so|but|then|alright|nice|lovely|perfect"
    r"|well done|excellent|brilliant|wonderful|super|cool|yes|now)\W+)*"
    r"(?:(?:and|also|or|plus|what of|(?:and )?(?:what|how) about)(?: (?:then|now|also))? (?P<what>[a-z' -]{2,60}?)"
    r"|(?P<also>[a-z' -]{2,60}?)(?:,? (?:too|as well|also)(?=\s*\?)))"
    r"(?P<there> (?:(?:along |together )?with (?:it|them|that)|(?:in |on )?there))?"
    r"(?:,? (?:(?P<too>too|as well)|then|please|though))*[\s.?!]*"
)
"""A name alone: what is to be asked about as well behind a question, what it is to be done to behind an order."""
_TAKES_BACK = (
    r"(?:no|wait|sorry|actually|or rather|hang on|hold on|(?:scratch|scrap|strike) that|correction|on second thoughts?"
    r"|my (?:mistake|bad|error)|wrong (?:word|one|thing)|silly me|(?:i|i've) (?:got|said|had) (?:that|it) wrong"
    r"|that(?:'s| is| was|'s not| isn't| is not) (?:right|wrong)|not (?:the|my|a) [a-z]+)"
)
_SLIP = re.compile(
    r"\w\W+(?:(?:er+m?|um+|uh+|oh|oops|wait|hm+)\W+)*"
    rf"(?:(?:{_TAKES_BACK}\W+)+(?:(?:i (?:mean|meant|need|want|wanted)|make (?:it|that)|it(?:'s| is))\W+)?"
    r"|(?:i mean|i meant|make that)\W+|(?=(?:the|my|our) [a-z]+(?: [a-z]+)? i mean(?:t)?\b))"
    r"(?P<meant>(?:the|my|our|a|an) [a-z]+(?: [a-z]+)??)(?: (?:that )?i (?:mean|meant|need|want|wanted))?"
    r"(?:,? (?:please|instead|rather|of course))*\W*$"
)
"""A correction in the same breath: what was meant instead."""
_SENTENCE = re.compile(r"[.!?;]+\s+")
_IN_TURN = frozenset({"second", "third", "last"})
_NO_MORE = frozenset({Act.UNCLEAR, Act.CHAT, Act.QUESTION, Act.FACT, Act.PRAISE, Act.THANKS, Act.OK})
"""What a name alone is read as."""
_VERBS_OF = {"on": "turn_on", "off": "turn_off", "open": "open", "shut": "close", "closed": "close"}
_STATE_MEANT = re.compile(
    r"(?:(?:no|nah|oh|oops|wait|sorry|actually|i mean|i meant|rather|make (?:it|that)|not (?:on|off|open"
    r"|shut|closed))\W+)+"
    r"(?P<state>on|off|open|shut|closed)(?:,? (?:i mean|i meant|sorry|instead|again|please))*\W*"
)
"""How one says that it is the other state that was meant."""
_SAME_ABOUT = re.compile(
    r"\b(?:tell me|say|(?:i(?:'d| would) like|i want|i need) to know) (?:just )?(?:the same|that|this)(?: thing)?"
    r" (?:about|of|for) (?P<what>[a-z' -]{2,60}?)(?:,? (?:too|as well|also|please|now))*\W*$"
)
"""What has the same asked about another thing: "now tell me the same about the mug"."""
_SURE = re.compile(
    r"(?:(?:and|but|hm+|oh|wait)\W+)*(?:(?:are )?you(?:'re)? (?:really |quite |absolutely )?(?:sure|certain)"
    r"(?: about that)?|(?:is|was) that (?:right|true|so)|(?:oh )?really|still)\s*\?+"
)
"""What has a question answered once more."""
_AT_A_PLACE = re.compile(r"(?P<relation>in|inside|on|on top of|by|near|under) (?P<mark>.+)")
_AT_PLACES = {"inside": "in", "on top of": "on", "by": "near"}


def names_one_more(text: str) -> bool:
    """Whether an utterance is no more than a name behind a question, or an order: "and the bowl?"."""
    return _AND_THAT.fullmatch(plain_text(text)) is not None


def of_fragment(
    acts: Sequence[DialogueAct], text: str, asked: DialogueAct | None, last: DialogueAct | None
) -> DialogueAct | None:
    """What an utterance means that is no more than a name: what was `asked`, or done `last`, just before, of that;
    `None` for any other."""
    again = asked_once_more(text, asked)
    if again is None and last is not None:
        return stated_instead(text, last) or rest_of(text, last) or done_once_more(acts, text, last)
    return again


def asked_once_more(text: str, asked: DialogueAct | None) -> DialogueAct | None:
    """The question that was `asked` once more ("are you sure?"), or about what an utterance names that is no more than
    a name: "and the bowl?", "the cup too?"; `None` for any other, and where nothing was asked."""
    found = _AND_THAT.fullmatch(plain_text(text))
    if asked is not None and _SURE.fullmatch(plain_text(text)):
        return asked
    same = _SAME_ABOUT.search(plain_text(text))
    if asked is None or (found is None and same is None):
        return None
    words = same["what"] if same is not None else found["what"] or found["also"] if found is not None else ""
    if words == "now":
        return asked
    placed = _AT_A_PLACE.fullmatch(words)
    meant = _named(words if placed is None else placed["mark"])
    if placed is None or meant is None:
        return None if meant is None else about_that(asked, meant)
    relation = _AT_PLACES.get(placed["relation"], placed["relation"])
    return about_that(asked, Phrase("it", place=(relation, meant))) if asked.about in OF_SOME | PLACES else None


def done_once_more(acts: Sequence[DialogueAct], text: str, last: DialogueAct) -> DialogueAct | None:
    """ "Oh, and the plate", behind the `last` order, wants the same of the plate, where no more than that was
    understood; behind one that puts something somewhere it wants it there: "and the mug next to it"."""
    found = _AND_THAT.fullmatch(plain_text(text))
    meant = _named(found["what"] or found["also"]) if found is not None and "?" not in text else None
    if found is None or meant is None or not all(_leaves_open(act, last, bool(found["there"])) for act in acts):
        return None
    return DialogueAct(Act.REPEAT, slots=(Slot("", meant),))


def completed(acts: Sequence[DialogueAct], text: str, last: DialogueAct | None = None) -> list[DialogueAct]:
    """Acts with what the name at the end of their words was meant for, and of what "the rest" is, behind the `last`
    order."""
    return with_rest_named(_with_more_there(_with_slip(acts, text), text), last)


def _with_slip(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """ "Put the plate in the sink, sorry, the mug": the order with what it ends in, which was not read."""
    found = _SLIP.search(plain_text(text))
    meant = _named(found["meant"]) if found is not None else None
    if meant is None or len(acts) != 1 or acts[0].act is not Act.ORDER or not acts[0].slots:
        return [*acts]
    read = any(slot.phrase.noun == meant.noun for slot in acts[0].slots)
    return [*acts] if read or meant.noun in PRONOUNS else [instead(acts[0], meant)]


def _with_more_there(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """ "Put it on the sofa. And then the remote too": what such words name behind an order to put something is to go
    there as well, though it was read as to be fetched."""
    *before, last = acts or (DialogueAct(Act.UNCLEAR),)
    found = _AND_THAT.fullmatch(_SENTENCE.split(plain_text(text).rstrip(" .!"))[-1]) if before else None
    if found is None or not (found["there"] or found["too"]) or not before[-1].about == "put":
        return [*acts]
    fetches = last.act is Act.ORDER and last.about in FETCHING and len(last.slots) == 1 and not last.slots[0].role
    there = before[-1]._replace(slots=(*last.slots[:1], *before[-1].slots[1:]))
    return [*before, there] if fetches and len(there.slots) > 1 else [*acts]


def stated_instead(text: str, last: DialogueAct) -> DialogueAct | None:
    """ "No, off", "I mean on", behind a `last` order to switch, open or shut something."""
    found = _STATE_MEANT.fullmatch(plain_text(text))
    verb = _VERBS_OF[found["state"]] if found is not None and last.slots else ""
    meant = DialogueAct(Act.ORDER, verb, (Slot("", Phrase("it")),))
    back = opposite(meant)
    return meant if verb and last.about in (verb, back.about if back is not None else verb) else None


def _leaves_open(act: DialogueAct, last: DialogueAct, there: bool) -> bool:
    """Whether an act that was read of no more than a name may as well be the `last` order once more."""
    if act.act is Act.ORDER:
        beside = there and act.about == "put" and [slot.phrase.noun in PRONOUNS for slot in act.slots[1:]] == [True]
        return last.about in PUTTING and (beside or (act.about in FETCHING and len(act.slots) == 1))
    return act.act in _NO_MORE or (act.act is Act.REPEAT and there)


def _named(words: str) -> Phrase | None:
    """What words describe that is a thing of households, or points at one."""
    named = noun_phrase(words)
    if named is not None and named.noun in _IN_TURN:
        return Phrase("one", looks=(named.noun,))
    return named if named is not None and (kinds_of(named.noun) or named.noun in PRONOUNS) else None
