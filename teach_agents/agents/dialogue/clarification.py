"""What has to be asked before an order can be carried out, and how the answer completes the order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Test, Thing, having
from teach_agents.agents.dialogue.ambiguity import CHANGES, EITHER, NAMELESS, alternatives, which
from teach_agents.agents.dialogue.consent import for_once
from teach_agents.agents.dialogue.dialogue_state import Asked, DialogueState
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of, noun_of
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.orders.company import is_nowhere_known
from teach_agents.agents.dialogue.orders.dishes import is_washable
from teach_agents.agents.dialogue.orders.homes import has_home, homes, is_at_home
from teach_agents.agents.dialogue.orders.named_things import plain
from teach_agents.agents.dialogue.plausibility import able, makes_sense
from teach_agents.agents.dialogue.reference_resolution import Found, Resolver
from teach_agents.agents.dialogue.referring_expressions import describe_thing, distinct
from teach_agents.agents.dialogue.stated_homes import tells_home
from teach_agents.core.dialogue import CONTROL, Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.lexicon import preposition
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.noun_phrases import is_known, noun_phrase, singular
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.tokens import tokens

_SURE, _DOUBTFUL = 0.1, 0.35
"""Orders read with less confidence are confirmed first: those that make sense here, those of what is not there."""
_YES_OR_NO = frozenset({"confirm", "permit"})
_SUITS: dict[str, Test] = {
    **dict.fromkeys(("get", "pick_up", "put", "put_back", "throw_away", "drop"), having("pickupable")),
    "open": having("openable"),
    "close": having("openable"),
    "slice": having("sliceable"),
    "wash": is_washable,
    **dict.fromkeys(("turn_on", "turn_off"), able("toggleable")),
    "fill": having("canFillWithLiquid"),
    "empty": having("canFillWithLiquid"),
}
_NEED_A_THING = frozenset(
    "get pick_up put put_back throw_away open close turn_on turn_off wash slice cook boil toast fill empty find".split()
)
"""What cannot be done without saying to what, unless something is held or was spoken of."""
_POINTING = frozenset("it that this them these those".split())
_USUAL = re.compile(
    r"\b(?:its|their|the|his|her)(?: own)? (?:usual|normal|regular|proper|right|rightful|customary|correct)"
    r" (?:place|spot|home|position)"
    r"|\bwhere(?:ver)? (?:it|they|the [a-z]+(?: [a-z]+)?|my [a-z]+)(?: [a-z]+ly| always)?"
    r" (?:belongs?|goes?|lives?|(?:is|are) (?:[a-z]+ly )?kept)\b"
)
"""Words for where things belong."""
_ELSEWHERE = frozenset({"put", "drop", "move"})
_PUTTING = _ELSEWHERE | {"put_back", "throw_away", "get", "go_to"}
"""What an answer to where a thing is to be put is read as."""
_CUT_SHORT = re.compile(r"\b(?:in|on|into|onto|inside|to|by|near|under|at) (?:the|my|our|a|an)\W*$")
"""The end of an utterance that breaks off before it names a place."""
_ANY_AT_ALL = (Phrase("something"), Phrase("anything"))
_NO_MORE_TOLD = re.compile(r"\b(?:something|anything)(?= *(?:[,.;!?]|$)| (?:please|pls|now|nice|good)\b)")
"""Words of who has something in mind and does not say what."""
_OF_THE_HELD = frozenset({"put", "put_back", "drop", "throw_away"})


_UNNAMED = PRONOUNS | ANYTHING | {"light", "lamp", "water", "coffee", "tap", "there", "rest", "one"}
"""What is often meant without being named: "it is dark in here"."""


def doubted(acts: Sequence[DialogueAct], confidence: float, text: str, resolver: Resolver) -> Asked | None:
    """What is asked first where orders were read with little confidence; `None` where that is enough."""
    first = next((act for act in acts if act.act is Act.ORDER and act.about != "do"), None)
    if first is None:  # what no Follower can is not offered
        return None
    if len(acts) == 1 and (home := _told_home(first, text, resolver)) is not None:
        return home
    sensible = makes_sense(acts, resolver) and _is_named(first, text)
    hopeless = len(acts) == 1 and confidence >= _SURE and _is_of_none(first, text, resolver)
    if hopeless or confidence * len(acts) >= (_SURE if sensible else _DOUBTFUL):
        return None
    return Asked("confirm", write_meaning(acts), said=f"Shall I {act_words(first)}?")


def _is_of_none(order: DialogueAct, text: str, resolver: Resolver) -> bool:
    """Whether an order has something put where nothing of that name is, which is known: it is not offered."""
    kinds = [kinds_of(slot.phrase.noun) for slot in order.slots if slot.role in ("in", "on")]
    if resolver.body.knowledge is not None or not _is_named(order, text):
        return False
    return any(named and not resolver.body.things.of(*named) for named in kinds)


def _told_home(order: DialogueAct, text: str, resolver: Resolver) -> Asked | None:
    """What is offered where words that may be read as an order tell where a thing belongs, and no more than that; it is
    kept, and not done at once. `None` for what is in the hand or there already, and for orders."""
    thing = order.slots[0] if order.about in ("put", "move") and len(order.slots) > 1 else Slot(":", Phrase(""))
    if thing.role or not tells_home(text):
        return None
    chosen = resolver.find(thing.phrase, having("pickupable")).chosen
    if not chosen or any(is_at_home(one, resolver) or resolver.body.holds(one) for one in chosen):
        return None
    return Asked("confirm", write_meaning([order]), said=f"I will remember that. Shall I {act_words(order)} now?")


def _is_named(order: DialogueAct, text: str) -> bool:
    """Whether words name what an order is about, by whatever name: readers may think of things that nobody said."""
    nouns = [slot.phrase.noun for slot in order.slots if not slot.role]
    words = [singular(word) for word in tokens(fitting(text)[0])]
    return all(noun in _UNNAMED or noun.isdecimal() or any(_may_mean(word, noun) for word in words) for noun in nouns)


def _may_mean(word: str, noun: str) -> bool:
    parts = noun.split("_")
    return any(word[:3] == part[:3] for part in parts) or bool({*kinds_of(word)} & {*kinds_of(noun)})


def unclear(order: DialogueAct, text: str, resolver: Resolver, state: DialogueState) -> Asked | None:
    """The question that an order leaves open, as its words were; `None` where it is plain enough.

    Asked is where a pronoun points at nothing, where nothing is named, where a place is missing, and where "the mug"
    may be one of a few that can be told apart.
    """
    body = resolver.body
    if order.about == "come" and not state.deeds and is_nowhere_known(state, body):
        return Asked("where", "go_to(there)", 0, said="I cannot see where you are. Where should I come to?")
    written = write_meaning([order])
    things = [number for number, slot in enumerate(order.slots) if not slot.role]
    if _lets_go_of_nothing(order, body) or (body.held is None and any(map(_is_in_hand, order.slots))):
        return None
    if not things and _lacks_its_thing(order, body):
        filled = order._replace(slots=(Slot("", Phrase("it")), *order.slots))
        return Asked("what", write_meaning([filled]), 0, said=_what(order))
    hopeless = False
    for number, slot in enumerate(order.slots):
        if slot.role.startswith(":"):
            continue
        found = _found(order, slot, resolver, state)
        if said := _untold(order, number, found, text, body):
            return Asked("what", written, number, said=said)
        if slot.phrase.noun == "there" and slot.phrase.place is None and not resolver.salience.there():
            return Asked("where", written, number, said="Where do you mean?")
        if asked := _not_moved(order, found, text, resolver, state):
            return asked
        told = slot._replace(phrase=_from(order, slot.phrase)) if slot.phrase.noun in NAMELESS else slot
        options = () if hopeless else alternatives(order, told, found, text, body)
        hopeless |= not slot.role and _is_none(found, body)
        if options:
            ids = tuple(thing.object_id for thing in options)
            return Asked("which", written, number, ids, which(options, body))
    return _placeless(order, text, resolver) if len(order.slots) == len(things) else None


def _untold(order: DialogueAct, number: int, found: Found, text: str, body: Body) -> str:
    """What is asked where a slot of an order points at nothing, or is of "something" and no more; "" else."""
    slot = order.slots[number]
    lost = not found.things and not found.kinds and slot.phrase.noun in PRONOUNS
    if lost and not (order.about in _OF_THE_HELD and body.held):
        return _what_is_meant(order, number)
    vague = slot.phrase in _ANY_AT_ALL and not slot.role and _NO_MORE_TOLD.search(text.lower()) is not None
    slots = (Slot("", Phrase("it")), *order.slots[number + 1 :])
    return _what(order._replace(slots=slots)) if vague and order.about in _NEED_A_THING else ""


def _is_none(found: Found, body: Body) -> bool:
    """Whether there is nothing here that an order could be about, nor could be made of what there is."""
    return not found.things and body.knowledge is None and not any(kind.endswith("Sliced") for kind in found.kinds)


def _placeless(order: DialogueAct, text: str, resolver: Resolver) -> Asked | None:
    """Where something is to be put that belongs nowhere, or of whose place no more than "on the" was said."""
    if order.about in _ELSEWHERE and order.slots and _CUT_SHORT.search(text.lower()):
        return _whither(order)
    if order.about != "put" or _has_its_place(order, resolver):
        return None
    return _whither(order)


def _lets_go_of_nothing(order: DialogueAct, body: Body) -> bool:
    """Whether there is nothing to put down, whatever "that" is."""
    return order.about == "drop" and body.held is None and {slot.phrase.noun for slot in order.slots} <= PRONOUNS


def _is_in_hand(slot: Slot) -> bool:
    return slot.phrase.place is not None and slot.phrase.place[1].noun == "hand"


def _lacks_its_thing(order: DialogueAct, body: Body) -> bool:
    """Whether an order that names nothing needs a thing other than what is in the hand."""
    return order.about in _NEED_A_THING and not (order.about in _OF_THE_HELD and body.held is not None)


def _not_moved(order: DialogueAct, found: Found, text: str, resolver: Resolver, state: DialogueState) -> Asked | None:
    """Where to, of what is to be put back and was never moved."""
    body = resolver.body
    if order.about != "put_back":
        return None
    at_home = any(has_home(one, resolver) for one in found.things[:1])
    if len(order.slots) == 1 and not at_home and _was_held(found.things[:1], state, body):
        return _whither(order, f"I have not moved {describe_thing(found.things[0], body)}.")
    if _USUAL.search(text.lower()) and _never_moved(found.chosen, resolver, state):
        return _whither(order, f"I do not know where {describe_thing(found.things[0], body)} belongs.")
    return None


def _found(order: DialogueAct, slot: Slot, resolver: Resolver, state: DialogueState) -> Found:
    """What a description of an order stands for; where "it" may be any of what was named together, all of these."""
    suits = having("receptacle") if slot.role in ("in", "on") else _SUITS.get(order.about)
    if slot.phrase in EITHER and (several := resolver.salience.together(suits)):
        return Found(distinct(several))
    found = resolver.find(plain(slot.phrase if slot.role else _from(order, slot.phrase)), None if slot.role else suits)
    found = found._replace(things=distinct(found.things))
    if not found.things and not slot.role and slot.phrase.noun in PRONOUNS:
        return found._replace(things=_only_one(order, suits, resolver.body, state))
    return found


def _has_its_place(order: DialogueAct, resolver: Resolver) -> bool:
    """Whether what an order puts somewhere belongs somewhere."""
    found = resolver.find(order.slots[0].phrase, having("pickupable")) if order.slots else None
    return found is not None and any(homes(one, resolver) for one in found.chosen)


def _only_one(order: DialogueAct, suits: Test | None, body: Body, state: DialogueState) -> Sequence[Thing]:
    """ "Switch that off", with nothing spoken of: the only thing that this would change, which is spoken of then."""
    changes = CHANGES.get(order.about)
    if changes is None or suits is None or order.about in ("wash", "fill"):
        return ()
    things = distinct(thing for thing in body.things if suits(thing) and changes(thing))
    if len(things) != 1:
        return ()
    state.mention(noun_of(things[0].object_type), [things[0].object_id])
    return things


def _was_held(things: Sequence[Thing], state: DialogueState, body: Body) -> bool:
    """Whether a thing was in the hand from the beginning: nobody knows where it was before."""
    return any(body.holds(one) and one.object_id not in {*body.memory.taken_from, *state.origins} for one in things)


def _whither(order: DialogueAct, why: str = "") -> Asked:
    """The question where a thing is to be put, behind why that is not known."""
    things = tuple(slot for slot in order.slots if not slot.role)
    filled = order._replace(about="put", slots=(*things, Slot("in", Phrase("there"))))
    return Asked("where", write_meaning([filled]), len(things), said=f"{why} Where should I put it?".strip())


def _never_moved(things: Sequence[Thing], resolver: Resolver, state: DialogueState) -> bool:
    """Whether none of these was moved before, nor belongs anywhere that is known of."""
    moved = {*resolver.body.memory.taken_from, *state.origins}
    return bool(things) and not any(one.object_id in moved or has_home(one, resolver) for one in things)


def _from(order: DialogueAct, phrase: Phrase) -> Phrase:
    """A thing with the place that it is to be taken from."""
    place = next((slot.phrase for slot in order.slots if slot.role == "from"), None)
    if place is None or phrase.place is not None or phrase.noun in PRONOUNS or order.about == "pour":
        return phrase
    kinds = kinds_of(place.noun)
    return replace(phrase, place=(preposition(kinds[0]) if kinds else "in", place))


def answered(
    asked: Asked, acts: Sequence[DialogueAct], text: str, resolver: Resolver, state: DialogueState
) -> list[DialogueAct] | None:
    """What an answer comes to: the acts that waited for it, none where they are declined; `None` for no answer."""
    kinds = [act.act for act in acts]
    waiting = list(read_meaning(asked.order))
    if kinds and (kinds[0] in CONTROL or kinds[0] in (Act.QUESTION, Act.NEVER, Act.OTHER_LANGUAGE)):
        return None
    if kinds and kinds[0] is Act.NO:
        return [act for act in acts if act.act is not Act.NO] if len(acts) > 1 and asked.about in _YES_OR_NO else []
    if asked.about == "permit" and Act.ALLOW in kinds:
        return [*for_once(acts, text, asked), *waiting]
    if asked.about in _YES_OR_NO:
        return waiting if Act.YES in kinds or kinds == [Act.OK] else None
    if set(kinds) & {Act.ANY, Act.DONT_KNOW} or kinds == [Act.YES]:
        return _with_option(asked, waiting, asked.options[:1], state)
    phrase = _phrase_in(acts, text)
    if phrase is None or _orders_else(acts, waiting[0]):
        return None
    if asked.about == "which":
        fitting = _among(asked, waiting, phrase, resolver)
        if Act.NOT in kinds:
            fitting = [thing for thing in resolver.body.things.known(asked.options) if thing not in fitting]
        elif not fitting and kinds[0] is Act.CHOOSE and phrase.noun not in PRONOUNS:  # none of those that were offered
            return [_completed(asked, waiting[0], phrase), *waiting[1:]]
        return _with_option(asked, waiting, [thing.object_id for thing in fitting[:1]], state)
    return [_completed(asked, waiting[0], phrase), *waiting[1:]]


def _orders_else(acts: Sequence[DialogueAct], waiting: DialogueAct) -> bool:
    """Whether somebody wants something else done first, in place of an answer."""
    alike = _PUTTING if waiting.about in _PUTTING else {waiting.about}
    orders = [act for act in acts if act.act is Act.ORDER and act.about not in alike]
    named = [slot.phrase.noun for act in orders for slot in act.slots if not slot.role]
    return bool(orders) and orders[0] is acts[0] and not {*named} <= PRONOUNS | ANYTHING


def _among(asked: Asked, waiting: Sequence[DialogueAct], phrase: Phrase, resolver: Resolver) -> list[Thing]:
    """Those of the options that a description fits."""
    known = resolver.body.things.known(asked.options)
    part = phrase.noun if phrase.holds is None else phrase.holds.noun  # "coffee", "the one with the pepper in it"
    parts = {part, *phrase.looks} if phrase.noun in PRONOUNS else {part}  # "the floor one" of lamps
    named = [one for one in known if parts & {*noun_of(one.object_type).split("_")}]
    if named and len(named) < len(known):
        return named
    names = [phrase.noun, waiting[0].slots[asked.slot].phrase.noun] if phrase.noun in PRONOUNS else [phrase.noun]
    for name in names[::-1]:
        fitting = [thing for thing in resolver.find(replace(phrase, noun=name)).things if thing in known]
        if fitting:
            return fitting
    return []


def _with_option(
    asked: Asked, waiting: list[DialogueAct], ids: Sequence[str], state: DialogueState
) -> list[DialogueAct] | None:
    """The order with one of the things that were offered."""
    if not ids:
        return None
    was = waiting[0].slots[asked.slot]
    state.mention(was.phrase.noun, ids)
    slots = list(waiting[0].slots)
    slots[asked.slot] = Slot(was.role, Phrase("that"))
    return [waiting[0]._replace(slots=tuple(slots)), *waiting[1:]]


def _phrase_in(acts: Sequence[DialogueAct], text: str) -> Phrase | None:
    """The description that an answer consists of."""
    for act in acts:
        if act.act in (Act.CHOOSE, Act.INSTEAD, Act.NOT, Act.UNCLEAR) and act.slots:
            return act.slots[0].phrase
    words = text.lower().strip(" .!?")
    for opening in ("", "in ", "on ", "to ", "into ", "onto "):
        if words.startswith(opening):
            found = noun_phrase(words.removeprefix(opening))
            if found is not None and is_known(found):
                return found
    named = [act for act in acts if act.act in (Act.ORDER, Act.FACT) and act.slots]
    return named[0].slots[-1].phrase if named else None


def _completed(asked: Asked, order: DialogueAct, phrase: Phrase) -> DialogueAct:
    """The order that waited for an answer, with what was answered in its place."""
    slots = list(order.slots)
    role = slots[asked.slot].role
    if asked.about == "where" and phrase.place is not None and phrase.noun in PRONOUNS | {"me", "us", "i", "we"}:
        role, phrase = phrase.place
        role = role if role in ("in", "on", "near") else "near"
    was = slots[asked.slot].phrase
    if phrase.noun in PRONOUNS and was.noun not in PRONOUNS and was.noun != "there":
        phrase = replace(phrase, noun=was.noun)
    slots[asked.slot] = Slot(role, phrase)
    return order._replace(slots=tuple(slots))


def _what(order: DialogueAct) -> str:
    """What is asked where an order names nothing."""
    words = re.sub(r" it\b", "", act_words(order))
    return f"What should I {words}?"


def _what_is_meant(order: DialogueAct, number: int) -> str:
    """What is asked where the description in a slot of an order points at nothing."""
    role, phrase = order.slots[number]
    if role or phrase.noun not in _POINTING or phrase.place is not None or phrase.looks:
        return f'What do you mean by "{phrase.noun}"?'
    slots = (*order.slots[:number], Slot(role, Phrase("it")), *order.slots[number + 1 :])
    return _what(order._replace(slots=slots))
