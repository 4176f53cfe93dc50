""" "It" that means what the same utterance names in passing: "I think I left the fridge open, can you shut it?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.earlier_mentions import also_there, in_same_place, place_of
from teach_agents.agents.dialogue.nameless_things import lying_there, where_told
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.plausibility import NEEDS, TO_BE, able
from teach_agents.agents.dialogue.portions import with_pieces, with_vessel
from teach_agents.agents.dialogue.purposes import use_in, with_purpose
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.agents.dialogue.stated_places import (
    may_be_unseen,
    of_same_kind,
    to_what_will_do,
    to_where_things_are,
    whereabouts_of,
    with_holders,
)
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import ABOUT_ACTS, Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import noun_phrase, singular
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.tokens import tokens

_POINTING = frozenset({"it", "that", "them", "those", "him", "her"})
_MANY = frozenset({"them", "those"})
_TURNS = frozenset({"turn_around", "turn_left", "turn_right"})
_FACING = re.compile(r"\b(?:face|facing|towards?|until|till?|so(?: that)?|to look at|see) (?:you )?((?:\w+ ){0,4}\w+)")
_LONGEST = 3
"""Words of a name."""
_THERE = Phrase("there")
_PLACED = frozenset({"in", "on", "at", "to", "from", "near"})
_HELD_SO = frozenset({"in", "on", "near"})
_UNNAMED = PRONOUNS | {"there", "here", "me", "us", "you"}
_DOORS = frozenset({"door", "lid"})
_EITHER = re.compile(r"\b(?:either|whichever|one of|one or the other)\b")
_NTH_THING = re.compile(r"\bthe (first|second|last) (?:thing|one|item)\b(?! (?:i|you|we)\b).*\b(?:it|that)\b")
_SOMETHING = re.compile(r"\b(?:some|any)thing\b")
_WHERE_IT_IS = re.compile(
    r"\bwhere(?:ver)? (?P<thing>(?:the|my|our) [a-z]+(?: [a-z]+)?) (?:is|are|stands?|lies?|sits?)\b"
)
_WHEREVER = re.compile(
    r"\bwhere(?:ver)? (?:it|that|they|those)"
    r" (?:(?:might|may|could|must) (?:be|have)|is|are|was|were|has|have|lies?|ended|happens?)\b"
    r"|\bwhere(?:ver)? i (?:have |had )?(?:just )?(?:left|put|dropped|laid) (?:it|that|them)\b"
)
_SPOTS = frozenset({"here", "there", "place", "spot", "somewhere", "wherever", "where"})
_CLOSEST = re.compile(r"\b(?:closest|nearest)\b")
_NAMED = re.compile(
    r"\b(?:i|we|you)(?:'ve| have)?(?: just)? (?:named|mentioned|said|listed"
    r"|spoke of|talked about|brought up|told you about)\b"
)
_RANK_WORDS = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
"""By words for an order, the number in a row."""
_NEEDS = {
    **dict.fromkeys(("get", "pick_up", "put", "put_back", "throw_away", "wash", "cook", "fill", "drop"), "pickupable"),
    "look_in": "openable",
    **NEEDS,
}


def with_antecedents(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts that name what they point at, where the act before tells a fact of it ("the stove is broken, do not use it")
    or no act before it does and the words do; "there" is the place that the acts before name last.
    """
    found: list[DialogueAct] = []
    asked = [both for one in acts for both in _of_both(_to_where_it_is(one, text), acts, text)]
    for act in asked:
        before = found[-1] if found else None
        act = to_what_will_do(to_where_things_are(act, resolver), text, resolver)
        act = with_vessel(with_pieces(of_same_kind(act, before), found, resolver), found)
        said = [with_holders(one, act, resolver) for one in found]
        act = in_same_place(also_there(act, text), said, resolver)
        act = act._replace(
            slots=tuple(_there_named(_of_several(slot, act, text, resolver), said) for slot in act.slots)
        )
        if act.act in ABOUT_ACTS:
            act = act._replace(of=tuple(_where_named(one, said) for one in act.of))
        act = _nearest_asked(act, before, text)
        if said and (fact := _thing_told(said[-1])) is not None:
            act = _of_fact(act, fact, resolver)
        elif not any(one.slots or one.of or one.condition for one in found) and act.condition is None:
            act = _faced(act, text, resolver) if len(acts) == 1 and act.about in _TURNS else _named(act, text, resolver)
        found.append(act)
    return with_places_of_things(found, text, resolver)


def named_in_order(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "The one that I named last", of several that the same words or earlier ones named: the thing by its name."""
    words = text.lower()
    if not act.slots or not _NAMED.search(words) or kinds_of(act.slots[0].phrase.noun):
        return act
    rank = next((one for one in _RANK_WORDS if re.search(rf"\b{one}\b", words)), "")
    earlier = [line.removeprefix("person: ") for line in reversed(resolver.recent) if line.startswith("person: ")]
    for line in (text, *earlier):
        named = [*dict.fromkeys(noun for noun in mentions_in(line) if resolver.find(Phrase(noun)).things)]
        if len(named) > 1 and rank and -len(named) <= _RANK_WORDS[rank] < len(named):
            return act._replace(slots=(Slot(act.slots[0].role, Phrase(named[_RANK_WORDS[rank]])), *act.slots[1:]))
    return act


def of_either(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """ "Either the hob or the telly is still on, switch it off": orders about what of both is so."""
    return [_of_either(act, text.lower(), resolver) for act in acts]


def _of_either(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    state = TO_BE.get(act.about)
    if act.act is not Act.ORDER or state is None or not act.slots or not _EITHER.search(text):
        return act
    if act.condition is not None and act.condition.phrase == act.slots[0].phrase:  # told way by way
        return act
    phrase, needed = act.slots[0].phrase, having(_NEEDS.get(act.about, "pickupable"))
    if "other" in (phrase.count, phrase.noun, *phrase.looks):  # than what comes before it
        return act
    names = [*dict.fromkeys(mentions_in(text))]
    read = {*kinds_of(phrase.noun)}
    for name, other in permutations(names, 2):
        first, second = (re.escape(one.replace("_", " ")) for one in (name, other))
        if not re.search(rf"\b{first}\b[^.?!]{{0,12}}\bor\b[^.?!]{{0,20}}\b{second}\b", text):
            continue
        if not read & {*kinds_of(name), *kinds_of(other)} and phrase.noun not in _POINTING | {"one"}:
            continue
        so = [one for one in (name, other) if resolver.find(Phrase(one, looks=(state,)), needed).things]
        if len(so) == 1:
            meant = Slot("", Phrase(so[0], looks=(state,)))
            told = act.condition if act.condition is None or act.condition.phrase.noun not in names else None
            return act._replace(slots=(meant, *act.slots[1:]), condition=told)
    return act


def _to_where_it_is(act: DialogueAct, text: str) -> DialogueAct:
    """ "Go to wherever it is": to the thing itself."""
    if act.about != "go_to" or len(act.slots) != 1 or act.slots[0].phrase.noun not in _SPOTS:
        return act
    phrase, words = act.slots[0].phrase, text.lower()
    if phrase.place is not None and phrase.place[0] in _HELD_SO | {"of"} and re.search(r"\bwhere(?:ver)?\b", words):
        return act._replace(slots=(Slot("", phrase.place[1]),))
    return act._replace(slots=(Slot("", Phrase("it")),)) if phrase.place is None and _WHEREVER.search(words) else act


def _nearest_asked(act: DialogueAct, before: DialogueAct | None, text: str) -> DialogueAct:
    """ "What's closest to the toaster? Give me that": of what is near, the nearest."""
    asks = before is not None and before.act is Act.QUESTION and before.about == "near" and bool(before.slots)
    if before is None or not asks or not _CLOSEST.search(text.lower()) or act.act is not Act.ORDER:
        return act
    nearest = Phrase("thing", looks=("nearest",), place=("near", before.slots[0].phrase))
    return act._replace(slots=tuple(slot._replace(phrase=nearest) if _points(slot) else slot for slot in act.slots))


def _there_named(slot: Slot, before: Sequence[DialogueAct]) -> Slot:
    """ "Throw away what is in the fridge, and put the potato in there", "the apple belongs in the fridge, put it in
    there", "keys go in a drawer, put them in one": the place that was named just before, and how things are there."""
    one_of = bool(slot.role) and replace(slot.phrase, count="") in (Phrase("one"), Phrase("ones"))
    if not (slot.phrase == _THERE or one_of) or slot.role not in _PLACED | {""}:
        return slot
    places = [place for act in before for place in _places_in(act) if place.phrase.noun not in _UNNAMED]
    if not places:
        return slot
    relation, place = places[-1]
    return Slot(relation if slot.role in _HELD_SO and relation in _HELD_SO else slot.role, place)


def _where_named(forbidden: DialogueAct, before: Sequence[DialogueAct]) -> DialogueAct:
    """ "Nothing gets taken from there" is of the place that was named just before, all of it."""
    return forbidden._replace(
        slots=tuple(_there_named(slot, before) if slot.role else slot for slot in forbidden.slots)
    )


def _places_in(act: DialogueAct) -> Iterator[Slot]:
    for slot in act.slots:
        if slot.phrase.place is not None and slot.phrase.place[0] in _HELD_SO:
            yield Slot(*slot.phrase.place)
        if slot.role in _PLACED:
            yield slot


def _of_both(act: DialogueAct, acts: Sequence[DialogueAct], text: str) -> Iterator[DialogueAct]:
    """ "Are the cup and the bowl clean?" asks about both, where no more than the first was read."""
    yield act
    if act.act is not Act.QUESTION or act.about not in ("state", "where", "what_state") or len(act.slots) != 1:
        return
    phrase = act.slots[0].phrase
    name = re.escape(phrase.noun.replace("_", " "))
    found = re.search(rf"\b{name} and (?:the |my |a |an )?(?P<other>[a-z]+)\b", text.lower())
    other = singular(found["other"]) if found is not None and not phrase.place else ""
    if other and kinds_of(other) and not any(slot.phrase.noun == other for one in acts for slot in one.slots):
        yield act._replace(slots=(act.slots[0]._replace(phrase=replace(phrase, noun=other)),))


def _of_fact(act: DialogueAct, fact: Slot, resolver: Resolver) -> DialogueAct:
    """An act, or what it forbids or allows, about the thing that a fact is of, or what that is in or on.

    Where several are called so, an order is about the one that is as the fact says: "a lamp is off, turn it on".
    """
    if act.of and act.act in ABOUT_ACTS:
        return act._replace(of=(_of_fact(act.of[0], fact, resolver), *act.of[1:]))
    if act.act is Act.QUESTION:
        return whereabouts_of(act, fact.phrase)
    if act.act is not Act.ORDER:
        return act
    wanted = fact.phrase.place is not None and any(slot.phrase == fact.phrase.place[1] for slot in act.slots)
    told = [*_told(fact, is_there=not wanted)]
    return act._replace(slots=tuple(_of_what(slot, act.about, told, resolver) for slot in act.slots))


def _thing_told(told: DialogueAct) -> Slot | None:
    """What a fact is of; of one that is no more than a name, "the phone", what is called so."""
    if told.act is not Act.FACT or told.slots:
        return told.slots[0] if told.act is Act.FACT else None
    named = noun_phrase(told.about.lower()) if len(told.about.split()) <= _LONGEST else None
    return None if named is None or not kinds_of(named.noun) else Slot("", named)


def _of_what(slot: Slot, verb: str, told: Sequence[Phrase], resolver: Resolver) -> Slot:
    """A thing or a place that is pointed at, as what was told of that can be meant; "in this drawer", of which was
    told that one is open, is that one. What is not there is meant by its name."""
    named = bool(slot.role) and slot.phrase in (Phrase(told[-1].noun), _THERE)
    if not (_points(slot) or named) or slot.role not in ("", "in", "on", "from"):
        return slot
    for phrase in (one for one in told if not named or slot.phrase.noun in (one.noun, _THERE.noun)):
        unseen = not slot.role and may_be_unseen(phrase, verb, resolver)
        if _holds(phrase, resolver) if slot.role else unseen or may_be_about(phrase, verb, resolver):
            return slot._replace(phrase=phrase)
    missing = next((one for one in told if kinds_of(one.noun) and not one.looks), None)
    known = missing is None or resolver.find(replace(missing, place=None)).things
    return slot if slot.role or missing is None or known else slot._replace(phrase=replace(missing, place=None))


def _told(fact: Slot, *, is_there: bool) -> Iterator[Phrase]:
    """What a fact may say that "it" is, the closest first: "a drawer is open: shut it" is about one that is open. It
    may say how things are, or how they should be; where they are, unless they are to be put there."""
    phrase, state = fact.phrase, state_called(fact.role.removeprefix(":"))
    so = replace(phrase, looks=(*phrase.looks, state)) if state in LOOKS else phrase
    if phrase.noun in LIQUIDS and phrase.place is not None:  # "there's water in one of the things on the counter"
        yield replace(phrase.place[1], holds=Phrase(phrase.noun))
    if is_there and phrase.noun in ANYTHING and phrase.place is not None:
        yield phrase  # whatever is there, and nothing else
        return
    if is_there:
        yield from (so, replace(so, place=None), phrase)
    yield from (replace(so, place=None), replace(phrase, place=None))
    if phrase.place is not None and phrase.place[1].noun not in ANYTHING:
        yield phrase.place[1]


def _holds(phrase: Phrase, resolver: Resolver) -> bool:
    return bool(kinds_of(phrase.noun)) and bool(resolver.find(phrase, having("receptacle")).things)


def _points(slot: Slot) -> bool:
    phrase = slot.phrase
    return replace(phrase, count="") == Phrase(phrase.noun) and phrase.count in ("", "all") and phrase.noun in _POINTING


def _named(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    if act.act is not Act.ORDER or not act.slots:
        return act
    slot = act.slots[0]
    if slot.phrase.noun in _DOORS and slot.phrase == Phrase(slot.phrase.noun):
        return _of_doors(act, text, resolver)
    if slot.role or not _points(slot):
        return act
    nth = _NTH_THING.search(text.lower())
    if nth is not None and resolver.salience.done_in_turn((nth[1],)):
        return act._replace(slots=(Slot("", Phrase("one", looks=(nth[1],))), *act.slots[1:]))
    noun = next(
        (one for one in mentions_in(text, slot.phrase.noun) if may_be_about(Phrase(one), act.about, resolver)), ""
    )
    if not noun:
        return _of_something(act, text, resolver)
    return act._replace(slots=(Slot("", Phrase(noun, "all" if slot.phrase.noun in _MANY else "")), *act.slots[1:]))


def _of_doors(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "I left a door open, the fridge's or the microwave's, close it": what of these is open."""
    slot = act.slots[0]
    if resolver.find(slot.phrase).things:
        return act
    look = (TO_BE[act.about],) if act.about in TO_BE else ()
    named = (Phrase(noun, looks=look) for noun in mentions_in(text))
    meant = next((one for one in named if may_be_about(one, act.about, resolver)), None)
    return act if meant is None or act.about not in ("open", "close") else act._replace(slots=(Slot("", meant),))


def _of_something(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "I forgot to shut something, close it": what is still to be closed; "I dropped something to write with, pick it
    up": what is for that."""
    use = use_in(text.lower())
    if use is not None and with_purpose(use)[1] and act.about in _NEEDS:
        meant = where_told(use, text, resolver)
        places = [slot.phrase.noun for slot in act.slots if slot.role]
        meant = use if meant.place is not None and meant.place[1].noun in places else meant
        return act._replace(slots=(Slot("", meant), *act.slots[1:]))
    look = TO_BE.get(act.about)
    meant = Phrase("something", looks=(look or "",))
    if (
        look is None
        or not _SOMETHING.search(" ".join(tokens(fitting(text)[0])))
        or may_be_about(act.slots[0].phrase, act.about, resolver)
    ):
        return act
    if not may_be_about(meant, act.about, resolver):
        return act
    return act._replace(slots=(Slot("", meant), *act.slots[1:]))


def _faced(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "Turn until the bed is ahead of you" is to look at the bed."""
    facing = _FACING.search(text.lower())
    if act.slots or facing is None:
        return act
    words = re.sub(r"\b(?:i|you|we|they|he|she|it|everyone|everybody) can\b", "", facing[1])
    nouns = (noun for noun in mentions_in(f"{words} it", "it") if resolver.find(Phrase(noun)).things)
    noun = next(nouns, "")
    return DialogueAct(Act.ORDER, "look_at", (Slot("", Phrase(noun)),)) if noun else act


def _of_several(slot: Slot, act: DialogueAct, text: str, resolver: Resolver) -> Slot:
    """ "There are two sofas: put it on the one with the cushion" is one of those that were named; "one of the two is
    dirty, the plate or the bowl: wash the dirty one" is what of these is dirty."""
    phrase = slot.phrase
    if phrase.noun != "one" or not (phrase.looks or phrase.place or phrase.holds) or resolver.find(phrase).things:
        return slot
    lying = lying_there(phrase, text, resolver)
    if lying is not None:
        return slot._replace(phrase=lying)
    elsewhere = [one.phrase.noun for one in act.slots if one != slot]
    named = [noun for noun in dict.fromkeys(mentions_in(text)) if noun not in elsewhere]
    if act.act is Act.ORDER and not slot.role:
        named = [noun for noun in named if may_be_about(Phrase(noun), act.about, resolver)]
    several = [noun for noun in named if len(resolver.find(Phrase(noun)).things) > 1]
    fitting = [noun for noun in named if resolver.find(replace(phrase, noun=noun)).things]
    noun = next(iter([one for one in several if one in fitting] or fitting or several), "one")
    return slot._replace(phrase=replace(phrase, noun=noun))


def with_places_of_things(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """ "Where the tomato is, put the apple": in or on what the tomato is in or on, and not the tomato; beside it where
    that is not known."""
    found = _WHERE_IT_IS.search(text.lower())
    mark = noun_phrase(found["thing"]) if found is not None else None
    if mark is None:
        return list(acts)
    put = [act for act in acts if not _puts_itself(act, mark)]
    place = place_of(mark, resolver)
    return [act._replace(slots=tuple(_beside(slot, act.about, mark, place) for slot in act.slots)) for act in put]


def _puts_itself(act: DialogueAct, mark: Phrase) -> bool:
    return act.about == "put" and act.slots[0].phrase == mark and any(slot.phrase == _THERE for slot in act.slots)


def _beside(slot: Slot, verb: str, mark: Phrase, place: Slot) -> Slot:
    there = slot.phrase == _THERE or (verb in ("put", "move") and slot.phrase == mark)
    return place if slot.role in _PLACED and there else slot


def may_be_about(phrase: Phrase, verb: str, resolver: Resolver) -> bool:
    """Whether an order can be about what is described, as far as things are known here."""
    if phrase.noun in LIQUIDS:
        return verb == "get"
    needed = _NEEDS.get(verb)
    things: Sequence[Thing] = resolver.find(phrase, able(needed) if needed else None).things
    return bool(things)
