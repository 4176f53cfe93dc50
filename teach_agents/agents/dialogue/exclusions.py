"""What words except from what an order or a question is about: "the other one, not the one on the shelf", "everything
on the bed apart from the pillows"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.excepted_kinds import BUT, EXCEPTING
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.remainders import but_for_some
from teach_agents.agents.dialogue.spatial_order import RANKS
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import noun_phrase, singular
from teach_agents.understanding.plain_text import plain_text

_EXCEPT = re.compile(
    rf"\b(?:{EXCEPTING}|beside from|but"
    r"|(?:that|which|what|whatever) (?:is|are)(?:n't| not)|(?:i )?do(?:n't| not) (?:want|mean|need)|not)"
    r" (?P<what>(?:the |a |an |any |my |our |those |these )[a-z' -]{2,50}?)"
    r"(?= and (?:put|bring|get|give|take|move)\b| (?:pls|please|thanks)\b| [-\u2013\u2014]|[,.;:!?]|$)"
)
_SOME = frozenset({"all", "rest", "some", "any"})
_MANY = frozenset({"everything", "whatever", "stuff", "anything"})
_NOT_THERE = re.compile(
    r"\b(?P<noun>[a-z]+),? (?:that|which|who)(?: is|'s| are| was)?(?:n't| not)"
    r" (?:(?:lying|standing|sitting|hanging|kept|already|currently) )*(?P<relation>in|on|inside|at|near|next to|by)"
    r" (?:the|my|our|your|that|this|a) (?P<place>[a-z]+(?: [a-z]+)?)"
)
"""Where the one is not that is meant: "the roll that isn't on the holder"."""
_CONTENTS = frozenset({"in", "on"})


class Exclusions:
    """The exceptions of one utterance: `acts` are what is left of it without them."""

    def __init__(self, acts: Sequence[DialogueAct], text: str, resolver: Resolver, state: DialogueState) -> None:
        self._resolver, self._state = resolver, state
        acts = but_for_some(acts, text, resolver)
        wants = any(act.act in (Act.ORDER, Act.QUESTION) for act in acts)
        nots = [slot.phrase for act in acts if act.act is Act.NOT for slot in act.slots if not slot.role]
        self._excepted = [*dict.fromkeys((*_excepted(plain_text(text)), *nots))] if wants else []
        self._used: set[Phrase] = set()
        self._left_out: set[str] = set()
        self._acts, self._words = acts, plain_text(text)

    def applied(self) -> list[DialogueAct]:
        """The acts, what they are about without what is excepted of it."""
        meant = [one for act in self._acts for one in self._limited(act)]
        named = any(act.act is Act.ORDER and act.slots and kinds_of(act.slots[0].phrase.noun) for act in meant)
        return [act for act in meant if act.act is not Act.NOT or not self._is_done_with(act, named=named)]

    def _is_done_with(self, rejected: DialogueAct, *, named: bool) -> bool:
        """Whether what is meant without a thing, or is `named` in its place, says all: "the spoon, not the fork"."""
        phrases = {slot.phrase for slot in rejected.slots if not slot.role}
        if {phrase.noun for phrase in phrases} & self._left_out:
            return False
        told = any(kinds_of(one.noun) or (one.noun in PRONOUNS and one.place is not None) for one in phrases)
        return bool(phrases & self._used) or (named and told)

    def _limited(self, act: DialogueAct) -> list[DialogueAct]:
        """An act without what is excepted of it; behind an order of several things what that leaves out, unless it is
        there already (`limits` has the order leave it out)."""
        before = {*self._left_out}
        act = self._than_named(self._from_elsewhere(act))
        for excepted in self._excepted:
            act = self._without(act, excepted)
        told = {slot.phrase.noun for one in self._acts if one.act is Act.NOT for slot in one.slots}
        new = sorted(self._left_out - before - told)
        return [act, *(DialogueAct(Act.NOT, slots=(Slot("", Phrase(noun)),)) for noun in new)]

    def _without(self, act: DialogueAct, excepted: Phrase) -> DialogueAct:
        told = act.act is Act.FACT and bool(act.slots) and act.slots[0].phrase.noun in ANYTHING
        if not (told or act.act in (Act.ORDER, Act.QUESTION)) or not act.slots or act.slots[0].role:
            return act
        phrase = act.slots[0].phrase
        if _is_only_the_other(excepted) and _is_told(act):
            self._used.add(excepted)
            return act
        if act.act is Act.QUESTION and act.about in _CONTENTS and kinds_of(excepted.noun):
            self._used.add(excepted)
            asked = Phrase("thing", "all", (BUT + excepted.noun,), (act.about, phrase))
            return DialogueAct(Act.QUESTION, "which", (Slot("", asked),))
        if act.about == "clear" and kinds_of(excepted.noun) and self._goes_on(act):
            self._used.add(excepted)
            lying = Phrase("thing", "all", (BUT + excepted.noun,), ("in", phrase))
            return act._replace(about="get", slots=(Slot("", lying),))
        several = (
            phrase.noun in ANYTHING or (phrase.noun == "one" and phrase.place is not None) or phrase.count in _SOME
        )
        plain = replace(excepted, count="") == Phrase(excepted.noun)
        if several and plain and kinds_of(excepted.noun) and excepted.noun != phrase.noun:
            if act.act is Act.ORDER and phrase.place is None and (phrase.count in _SOME or phrase.noun in _MANY):
                self._left_out.add(excepted.noun)
                return act
            self._used.add(excepted)
            noun = "thing" if phrase.noun == "one" else phrase.noun
            return self._about(act, replace(phrase, noun=noun, looks=(*phrase.looks, BUT + excepted.noun)))
        return self._other(act, phrase, excepted) if act.act is Act.ORDER and not plain else act

    def _goes_on(self, act: DialogueAct) -> bool:
        """Whether it is said behind an order where all goes that it takes away."""
        behind = self._acts[self._acts.index(act) + 1 :]
        return any(one.about == "put" and len(one.slots) > 1 for one in behind)

    def _from_elsewhere(self, act: DialogueAct) -> DialogueAct:
        """ "The vegetable that isn't in the fridge", read as the one that is: another than what is there."""
        found = _NOT_THERE.search(self._words)
        if found is None or act.act is not Act.ORDER or not act.slots or act.slots[0].role:
            return act
        (thing, *rest), said = act.slots, found["place"].replace(" ", "_")
        whence = next((slot for slot in rest if slot.role == "from"), None)
        there = Phrase(next((one for one in (said, said.partition("_")[0]) if kinds_of(one)), ""))
        relation = "in" if found["relation"] in ("in", "on", "inside", "at") else "near"
        relation, place = thing.phrase.place or (relation, there if whence is None else whence.phrase)
        named = thing.phrase.noun.rpartition("_")[2] == singular(found["noun"]) or thing.phrase.noun in ANYTHING
        if not named or not place.noun or not said.startswith(place.noun.partition("_")[0]):
            return act
        plain = replace(thing.phrase, place=None)
        rest = [slot for slot in rest if slot is not whence]
        act = act._replace(slots=(thing._replace(phrase=plain), *rest))
        return self._other(act, plain, replace(plain, place=(relation, place)))

    def _than_named(self, act: DialogueAct) -> DialogueAct:
        """ "There's a mug in the sink, but I want the other thing that is in there": another than was named before."""
        phrase = act.slots[0].phrase if act.act is Act.ORDER and act.slots else Phrase("")
        if phrase.noun not in ANYTHING or phrase.place is None or "other" not in (phrase.count, *phrase.looks):
            return act
        named = dict.fromkeys(mentions_in(self._words.partition("other")[0]))
        there = [noun for noun in named if self._resolver.find(Phrase(noun, place=phrase.place)).things]
        looks = tuple(one for one in phrase.looks if one != "other")
        plain = replace(phrase, count="", looks=(*looks, *(BUT + noun for noun in there)))
        return self._about(act, plain) if there else act

    def _other(self, act: DialogueAct, phrase: Phrase, excepted: Phrase) -> DialogueAct:
        """ "The vase, not the one on the shelf": what that is is spoken of, and another is meant."""
        noun = next((one for one in (phrase.noun, excepted.noun) if one not in PRONOUNS), "one")
        named = _by_side(excepted if excepted.noun not in PRONOUNS else replace(excepted, noun=noun))
        kinds = {*kinds_of(noun)}
        things = self._resolver.find(named).chosen if RANKS & {*named.looks} else self._resolver.find(named).things
        if phrase == excepted or not kinds & {*kinds_of(named.noun)}:
            return act
        if not things and phrase.count not in _SOME:  # there is none to be mistaken for it
            self._used.add(excepted)
            return act
        if not things or {*things} >= {*self._resolver.find(Phrase(noun)).things}:
            return act
        self._used.add(excepted)
        self._state.mention(noun, [thing.object_id for thing in things])
        looks = tuple(look for look in phrase.looks if look != "other")
        return self._about(
            act,
            replace(phrase, noun=noun, count="" if phrase.count == "other" else phrase.count, looks=("other", *looks)),
        )

    @staticmethod
    def _about(act: DialogueAct, phrase: Phrase) -> DialogueAct:
        return act._replace(slots=(act.slots[0]._replace(phrase=phrase), *act.slots[1:]))


def _is_only_the_other(excepted: Phrase) -> bool:
    """Whether what is excepted is no more than "the other one", than that which was told."""
    plain = replace(excepted, count="", looks=()) == Phrase(excepted.noun)
    return plain and "other" in (excepted.noun, excepted.count, *excepted.looks) and len(excepted.looks) < 2


def _is_told(act: DialogueAct) -> bool:
    """Whether an act says by itself which thing it is about: where that is, what it is like or what is in it."""
    phrase = act.slots[0].phrase
    told = phrase.place is not None or phrase.holds is not None or bool({*phrase.looks} - {"other"})
    return told or any(slot.role == "from" for slot in act.slots)


def _by_side(phrase: Phrase) -> Phrase:
    """ "The one on the left" as the left one."""
    side = phrase.place[1].noun if phrase.place is not None else ""
    return replace(phrase, looks=(side,), place=None) if side in RANKS else phrase


def _excepted(words: str) -> Iterator[Phrase]:
    for found in _EXCEPT.finditer(words):
        named = noun_phrase(found["what"])
        if named is not None:
            yield named
