"""What orders mean as they were said: fetching and putting in one breath, "a" and "the", what a place goes with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.antecedents import named_in_order, with_antecedents
from teach_agents.agents.dialogue.attachment import (
    TO_SOMEBODY,
    off_it,
    out_of_hand,
    reattached,
    whatever_is_in_there,
    with_contents,
)
from teach_agents.agents.dialogue.branches import as_report, either_way, is_told_anyway, of_condition
from teach_agents.agents.dialogue.compound_nouns import in_one, of_tap, without_itself
from teach_agents.agents.dialogue.condition_scope import with_scope
from teach_agents.agents.dialogue.earlier_mentions import ranked_before, to_its_place
from teach_agents.agents.dialogue.earlier_places import with_earlier_places
from teach_agents.agents.dialogue.household_phrases import as_deeds
from teach_agents.agents.dialogue.indefinites import NEEDS_NOT, free_one, of_another_kind, one_more
from teach_agents.agents.dialogue.jobs import with_job
from teach_agents.agents.dialogue.joined_orders import (
    FETCHING,
    emptied,
    emptied_and_left,
    emptied_first,
    emptied_into,
    filled,
    in_order,
    is_said_again,
    is_wish_for,
    joined,
    joined_several,
    sharing_place,
    stays_there,
)
from teach_agents.agents.dialogue.limits import left_so, with_limits_first
from teach_agents.agents.dialogue.motion_phrases import faced_thing, with_motion, with_stance
from teach_agents.agents.dialogue.noun_types import (
    ANYTHING,
    PRONOUNS,
    TOAST,
    kinds_of,
)
from teach_agents.agents.dialogue.omitted_words import with_words
from teach_agents.agents.dialogue.plausibility import in_any_state
from teach_agents.agents.dialogue.prohibitions import breaks, lifted
from teach_agents.agents.dialogue.purposes import of_told_use, use_in
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.agents.dialogue.remainders import counted
from teach_agents.agents.dialogue.repair import is_furniture
from teach_agents.agents.dialogue.signals import not_yet
from teach_agents.agents.dialogue.stated_places import of_unseen, where_you_are
from teach_agents.agents.dialogue.states import state_called
from teach_agents.agents.dialogue.told_habits import at_habitual_place
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.notation import RELATIONS
from teach_agents.understanding.noun_phrases import is_known, noun_phrase
from teach_agents.understanding.plain_text import plain_text

_ON_PLACES = frozenset({"put", "put_back", "serve", "pour", "on", "sit", "sleep", "clear", "make", "drop"})
"""What is done, or asked, of a place: "on lamp" is not a lamp that is on there."""
_YES_NO = frozenset({"there", "state"})
"""Questions that are answered by yes or no."""
_DOWN = re.compile(r"\b(?:put|set|lay|place)\b(?:(?! (?:and|then) )[^,.;!?])*\bdown\b(?! (?:on|in|by|at|there|here)\b)")
_SAME = re.compile(r"\bsame (?:thing )?(?:with|for|to) (?:(?:the|my|that|this|your|a|an) )?(\w+)")
_OTHER = re.compile(r"\b(?<!next )(in|into|on|onto|to) the other (\w+)")
_INTO = {"into": "in", "onto": "on", "to": "in"}
_MUST = re.compile(r"\b(?:has|have|needs?|wants?|ought|got|supposed) to be [a-z]+\b|\bmust be [a-z]+|\bsee to it\b")
_TAKEN_BACK = re.compile(r"\bi(?:'ll| will)? take (?:that|it|this) back\b")
_YOU_MAY = re.compile(r"\byou(?: can| may| could|'re allowed to| are allowed to|'re free to| are free to)\b(?!.*\?)")
_STAYING = frozenset({"on", "off", "open", "shut", "closed"})
_ONLY_THAT = re.compile(
    r"\bonly\b[^.!?]*\b(?:can|may|could)\b|\byou (?:can|may|could)\b[^.!?]*\b(?:only|though|still)\b|\bexcept\b"
)
"""An exception from what was just forbidden."""
_MOVING = frozenset({"put", "move", "throw_away"})
_TOAST = re.compile(r"\btoast\b|\btoasted\b")
_FOR_ME = re.compile(r"\bfind (?:me|us) ")
_WHERE = re.compile(r"\b(?:where|point|whereabouts|show)\b")
_UNDONE = {"close": ("openable", "isOpen"), "turn_off": ("toggleable", "isToggled")}
"""By what people allow that they want: what it is done to, and what that has to be for it."""
_DIAL = re.compile(
    r"\b(?:turn|put|crank|switch) (?:the [a-z]+(?: [a-z]+)? |it |that |this )?(?:up|down)"
    r"(?: the [a-z]+| a bit| a little)?\b"
    r"|\b(?:change|switch) (?:the )?channels?\b|\bmake (?:it|that|the [a-z]+) (?:louder|quieter|brighter|dimmer)\b"
    r"|\bturn (?:the )?volume (?:up|down)\b"
)
"""More or less of something, where no more than on and off can be done."""
_SEATS = frozenset({"seat", "toilet_seat", "loo_seat"})
_LIDDED = ("Toilet", "Laptop", "Box", "Blinds", "Safe")
"""What is put up to be open, and down to be shut."""


def carried(acts: Sequence[DialogueAct], text: str = "") -> list[DialogueAct]:
    """Acts with names of several words in one piece, and "get two forks and put them on the table" as one order: a
    hand carries one at a time."""
    found: list[DialogueAct] = []
    scoped = not_yet(with_scope(either_way(in_order(acts, text), text), text), text)
    meant = emptied_first([part for act in scoped for part in emptied_and_left(_in_full(act), text)])
    for one in _excepted(_unclear_once(meant), text.lower()):
        asked = next((act for act in reversed(found) if act.about in _YES_NO and act.slots), None)
        act = as_report(_asked_before(one, asked))
        if is_told_anyway(act, found):
            continue
        before = found[-1] if found else None
        if before is not None and stays_there(before, act):
            continue
        if before is not None and is_wish_for(before, act, text):
            found[-1] = act
            continue
        if before is not None and is_said_again(before, act):
            found[-1] = before._replace(about=act.about) if before.about == "find" else before
            continue
        found[-1:] = [sharing_place(before, act, text) or one for one in found[-1:]]
        if several := joined_several(found, act):
            found[-len(several) :] = several
        elif before is not None and (both := joined(before, act)) is not None:
            found[-1] = both
        else:
            found.append(act)
    return found


def in_full(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts with what their words leave out, what limits orders before them."""
    told = [of_told_use(act, text) for act in carried(acts, text)]
    deeds = as_deeds(with_earlier_places(with_stance(emptied_into(told, resolver), text), text), text, resolver)
    plain = [to_its_place(act, resolver, text) for act in deeds]
    return with_limits_first(left_so(with_antecedents(plain, text, resolver), text, resolver), text, resolver)


def _excepted(acts: list[DialogueAct], text: str) -> list[DialogueAct]:
    """ "Leave it all there, only the pen you can take": what is said behind a prohibition is no order."""
    barred = next((at for at, act in enumerate(acts) if act.act is Act.NEVER), len(acts))
    if not _ONLY_THAT.search(text):
        return acts
    return [
        DialogueAct(Act.ALLOW, of=(act,)) if at > barred and act.act is Act.ORDER else act
        for at, act in enumerate(acts)
    ]


def _asked_before(act: DialogueAct, asked: DialogueAct | None) -> DialogueAct:
    """ "Is the watch on the table? If it is, bring it": the condition is what was asked just before."""
    condition = act.condition
    if condition is None or asked is None or condition.state or condition.phrase.noun not in PRONOUNS | {"there"}:
        return act
    (role, phrase), *_ = asked.slots
    return act._replace(condition=condition._replace(phrase=phrase, state=role.removeprefix(":")))


def _in_full(act: DialogueAct) -> DialogueAct:
    """An act whose descriptions have names of several words in one piece: "a slice of bread", "the bed of the dog"."""
    if act.act is Act.STOP and act.condition is not None and state_called(act.condition.state) == "on":
        act = DialogueAct(Act.ORDER, "turn_off", (Slot("", act.condition.phrase),), condition=act.condition)
    act = emptied(filled(faced_thing(act)))
    act = without_itself(act)
    slots = tuple(slot._replace(phrase=in_one(of_tap(slot.phrase, slot.role[1:]))) for slot in act.slots)
    of_state = act.act in (Act.ORDER, Act.QUESTION) and act.about not in _ON_PLACES
    if len(slots) == 1 and slots[0].role == "on" and of_state:
        slots = (Slot("", replace(slots[0].phrase, looks=("on", *slots[0].phrase.looks))),)
    if act.act is Act.QUESTION and act.about in ("in", "on") and len(slots) == 2:
        act, slots = _which_there(act, slots)
    if len(slots) == 1 and act.about in ("get", "put") and slots[0].phrase.noun in ("it", "them"):
        act, slots = _put_there(act, slots[0])
    condition = act.condition
    if condition is not None:
        anywhere = condition.phrase == Phrase("water")  # whatever it runs from
        running = condition.phrase if anywhere else of_tap(condition.phrase, condition.state)
        condition = condition._replace(phrase=in_one(running))
    return act._replace(slots=slots, of=tuple(map(_in_full, act.of)), condition=condition)


def _which_there(act: DialogueAct, slots: tuple[Slot, ...]) -> tuple[DialogueAct, tuple[Slot, ...]]:
    """ "What dishes are in the sink": which of them are there."""
    place = next((slot.phrase for slot in slots if slot.role in ("in", "on")), None)
    thing = next((slot.phrase for slot in slots if slot.role not in ("in", "on")), None)
    if place is None or thing is None:
        return act, slots
    return act._replace(about="which"), (Slot("", replace(thing, place=(act.about, place))),)


def _put_there(act: DialogueAct, slot: Slot) -> tuple[DialogueAct, tuple[Slot, ...]]:
    """ "Get it on the plate": where it is to go, as it needs no telling where it is."""
    relation, mark = slot.phrase.place or ("", Phrase(""))
    if relation not in ("in", "on"):
        return act, (slot,)
    return act._replace(about="put"), (Slot("", replace(slot.phrase, place=None)), Slot(relation, mark))


def _unclear_once(acts: list[DialogueAct]) -> list[DialogueAct]:
    """Acts of which one at most says that nothing was understood, and none beside another language."""
    unclear = DialogueAct(Act.UNCLEAR)
    foreign = any(act.act is Act.OTHER_LANGUAGE for act in acts)
    return [act for at, act in enumerate(acts) if act != unclear or not (foreign or unclear in acts[:at])]


def is_hint(act: DialogueAct) -> bool:
    """Whether an order, said while something else is being done, tells where what that takes is to be found."""
    placed = any(slot.phrase.place is not None for slot in act.slots)
    return act.about in ("look_in", "look_at") or (act.about == "find" and placed)


def comes_to_the_same(one: DialogueAct, other: DialogueAct, resolver: Resolver) -> bool:
    """Whether two orders ask for the same with the same things, in whatever words."""
    if one.about != other.about or len(one.slots) != len(other.slots):
        return False
    things = ([frozenset(resolver.find(slot.phrase).things) for slot in each.slots] for each in (one, other))
    mine, others = things
    return one == other or (mine == others and all(mine))


def as_said(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """An order with what its reading leaves open made plain from its words and from what there is.

    "A mug" is one of them, not the one that was spoken of. "Put the cloth in the bathtub" with no cloth in the bathtub
    tells where the cloth goes.
    """
    if act.act is Act.ALLOW:
        return _wished(act, text.lower(), resolver)
    if act.act is Act.FACT and not act.slots and (named := noun_phrase(plain_text(text).strip(".!? "))) is not None:
        is_thing = is_known(named) and (resolver.find(named).kinds or resolver.find(named).things)
        return DialogueAct(Act.UNCLEAR, slots=(Slot("", named),)) if is_thing else act  # no more than a name
    if act.act is not Act.ORDER:
        return ranked_before(of_condition(act), resolver)
    if act.slots and (same := _SAME.search(text.lower())) and act.slots[0].phrase.noun.startswith(same[1]):
        return DialogueAct(Act.REPEAT, slots=act.slots[:1])
    if act.about == "put_back" and act.slots and _TAKEN_BACK.search(text.lower()):
        return DialogueAct(Act.ALLOW, of=(DialogueAct(Act.ORDER, "touch", act.slots[:1]),))
    if _may_again(act, text, resolver):
        return DialogueAct(Act.ALLOW, of=(act,))
    act = _needing_no_state(act, text)
    act = in_any_state(of_unseen(where_you_are(act, text.lower()), resolver), resolver)
    act = _of_toilet(act)
    act = _elsewhere(named_in_order(act, text, resolver), text.lower(), resolver)
    act = _put_down(_by_its_words(of_condition(act), text.lower()), text.lower(), resolver)
    act = _found_for(act, text.lower(), resolver)
    act = with_words(act, text, resolver.facts)
    act = at_habitual_place(with_job(act, text, resolver), text, resolver.facts)
    act = act._replace(slots=tuple(slot._replace(phrase=out_of_hand(slot.phrase)) for slot in act.slots))
    act = reattached(off_it(with_contents(_toasted(act, text.lower())), text), text, resolver)
    act = whatever_is_in_there(act, resolver)
    slots = (slot if slot.role else slot._replace(phrase=counted(slot.phrase, text, resolver)) for slot in act.slots)
    act = one_more(act._replace(slots=tuple(slots)), text, resolver)
    return of_another_kind(free_one(act, text, resolver), resolver) if resolver.rules else act


def _may_again(act: DialogueAct, text: str, resolver: Resolver) -> bool:
    """Whether words allow again what was forbidden of whatever there is: "just kidding, you can put things on it"."""
    rules = [rule for rule in resolver.rules if rule.verb == act.about]
    vague = bool(act.slots) and not act.slots[0].role and act.slots[0].phrase.noun in ANYTHING
    return vague and _YOU_MAY.search(plain_text(text)) is not None and lifted(act, rules, resolver) != rules


def _needing_no_state(act: DialogueAct, text: str) -> DialogueAct:
    """ "The lamps that don't have to stay on" are not those that are off: which these are is told by the rules."""
    if not act.slots or not NEEDS_NOT.search(plain_text(text)):
        return act
    phrase = act.slots[0].phrase
    looks = tuple(look for look in phrase.looks if look not in _STAYING)
    return act._replace(slots=(act.slots[0]._replace(phrase=replace(phrase, looks=looks)), *act.slots[1:]))


def _wished(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "You can shut it now", of what is open and was not forbidden to be shut, is an order; so is "it has to be
    washed"."""
    (order, *more) = act.of or (act,)
    if order is not act and not more and _MUST.search(text) and not breaks(order, resolver.rules, resolver):
        return order
    needed = _UNDONE.get(order.about)
    if needed is None or more or not order.slots or breaks(order, resolver.rules, resolver):
        return act
    able, undone = needed
    things = resolver.find(order.slots[0].phrase, having(able)).chosen
    return order if things and all(thing.has(undone) for thing in things) else act


def _elsewhere(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "It belongs in the other sink: move it": where, and that this is another than it is in."""
    if act.about not in ("put", "move") or not act.slots or act.slots[0].role:
        return act
    places = [slot for slot in act.slots if slot.role in ("in", "on", "to")]
    if not places and (other := _OTHER.search(text)):
        places = [Slot(_INTO.get(other[1], other[1]), Phrase(other[2], "other"))]
    if not places or not (places[0].phrase.count == "other" or "other" in places[0].phrase.looks):
        return act
    place = places[0]
    noun = resolver.set_apart(act.slots[0].phrase, "one" if place.phrase.noun == "other" else place.phrase.noun)
    return act._replace(about="put", slots=(act.slots[0], place._replace(phrase=replace(place.phrase, noun=noun))))


def _by_its_words(act: DialogueAct, text: str) -> DialogueAct:
    """ "Put it down" is to let go of it, "pour me some wine" to bring it."""
    if act.about == "turn_on" and act.slots and kinds_of(act.slots[0].phrase.noun)[:1] == ("StoveBurner",):
        return act  # "turn up the heat"
    if act.about in ("turn_on", "turn_off") and (dial := _DIAL.search(text)):
        return act._replace(about="do", slots=(Slot("", Phrase(dial[0])),))
    if act.about == "put" and len(act.slots) == 1 and _DOWN.search(text):
        return act._replace(about="drop")
    of_drink = act.about == "pour" or (act.about == "fill" and bool(act.slots) and act.slots[0].phrase.noun in LIQUIDS)
    if of_drink and len(act.slots) == 1 and TO_SOMEBODY.search(text):
        return act._replace(about="get")
    if act.slots and act.about in FETCHING | _MOVING and (use := use_in(text)) is not None:
        return _by_use(act, use)
    return with_motion(act, text)


def _of_toilet(act: DialogueAct) -> DialogueAct:
    """ "The seat's up, put it down": what opens and shuts of a seat is the toilet."""
    opens = act.about in ("open", "close", "drop", "put") and len(act.slots) == 1 and not act.slots[0].role
    if not opens or act.slots[0].phrase.noun not in _SEATS:
        return act
    return act._replace(slots=(Slot("", replace(act.slots[0].phrase, noun="toilet")),))


def _put_down(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "If the lid is up, put it down" is to close what opens and nobody can carry; to put it up is to open that."""
    if act.about not in ("drop", "put", "pick_up") or len(act.slots) != 1 or act.slots[0].role:
        return act
    phrase = act.slots[0].phrase
    opens = resolver.find(phrase, having("openable")).things
    has_lid = any(one.is_a(kind) for one in opens for kind in _LIDDED)
    if resolver.find(phrase, having("pickupable")).things or not has_lid:
        return act
    return act._replace(about="close" if act.about == "drop" or _DOWN.search(text) else "open")


def _found_for(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct:
    """ "Find me the remote" is to bring what can be carried, "find the remote" to look for it."""
    if act.about != "find" or not act.slots or not _FOR_ME.search(text) or _WHERE.search(text):
        return act
    phrase = act.slots[0].phrase
    known = resolver.find(phrase).things
    carried_off = any(one.has("pickupable") for one in known) if known else not is_furniture(phrase)
    return act._replace(about="get") if carried_off and kinds_of(phrase.noun) else act


def _by_use(act: DialogueAct, use: Phrase) -> DialogueAct:
    """ "I need something that I can write with": what was asked for by no name is what serves for that."""
    asked = act.slots[0].phrase
    if asked.noun in ("one", "ones") and not asked.looks and asked.holds is None:  # "the one on the bed"
        return act._replace(slots=(Slot("", replace(use, place=asked.place)), *act.slots[1:]))
    vague = (asked.noun in ANYTHING and not asked.looks) or asked.noun in RELATIONS | {"with"}
    is_drunk = asked.noun in LIQUIDS and use.noun == "from"
    use = use if is_drunk else replace(use, place=asked.place)
    return act._replace(slots=(Slot("", use), *act.slots[1:])) if vague or is_drunk else act


_BLADES = (("Knife",), ("ButterKnife",))
"""What toast is cut with rather than made of."""


def _toasted(act: DialogueAct, text: str) -> DialogueAct:
    """ "Make toast with two slices of bread" is to toast these, "make a slice of toast" to toast one, as is
    "some toast: a slice of bread in the toaster"."""
    made = [slot for slot in act.slots if not slot.role]
    bread = [slot for slot in act.slots if slot.role in ("with", "from")]
    if act.about not in ("make", "put") or not made:
        return act
    inside = any(slot.role in ("in", "with") and _is_toaster(slot.phrase) for slot in act.slots)
    if inside and (act.about == "make" or _TOAST.search(text)):
        count = "1" if made[0].phrase.count == "some" else made[0].phrase.count
        return act._replace(about="toast", slots=(made[0]._replace(phrase=replace(made[0].phrase, count=count)),))
    if act.about != "make" or made[0].phrase.noun not in TOAST:
        return act
    if bread and kinds_of(bread[0].phrase.noun)[:1] not in _BLADES:
        placed = bread[0].phrase.place
        sliced = replace(bread[0].phrase, place=None) if placed and _is_toaster(placed[1]) else bread[0].phrase
        return act._replace(about="toast", slots=(Slot("", sliced),))
    if made[0].phrase.noun == "toast" and not made[0].phrase.count.isdecimal():
        return act
    return act._replace(about="toast", slots=(Slot("", Phrase("slice_of_bread", made[0].phrase.count or "1")),))


def _is_toaster(phrase: Phrase) -> bool:
    return kinds_of(phrase.noun)[:1] == ("Toaster",)
