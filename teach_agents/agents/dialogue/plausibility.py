"""Of the ways in which an utterance may be read, the one that makes sense here: of things that are known of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.acting.receptacles import likelihood
from teach_agents.agents.acting.things import Test, having
from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.agents.dialogue.states import but_clean, state_called
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Reading
from teach_agents.understanding.reader import Reader

_CLEAR = 0.8
"""What is as likely is meant, whatever is known of."""
_UNKNOWN, _UNFIT = 0.25, 0.5
"""How much less likely an order is of a thing that is not known of, and of one to which it cannot be done."""
_WELL = 0.1
"""How many things of a kind one holds on average in which it may well be."""
NEEDS = {
    **dict.fromkeys(("open", "close"), "openable"),
    **dict.fromkeys(("turn_on", "turn_off"), "toggleable"),
    "slice": "sliceable",
}
"""By an order's verb, what things have to be for it."""
TO_BE = {"close": "open", "open": "closed", "turn_off": "on", "turn_on": "off", "wash": "dirty", "empty": "full"}
"""How a thing is that is still to be closed, switched off, washed."""
_STEPS = {**{verb: needed for verb, needed in NEEDS.items() if verb != "slice"}, "look_in": "openable"}
"""Orders that are steps on the way to a thing, and what a thing has to be for them."""
_SWITCHED = frozenset({"open", "close", "turn_on", "turn_off"})


class SensibleReader:
    """Reads as another does; where that is not clear about an utterance, in the way that makes the most sense here."""

    def __init__(self, reader: Reader, resolver: Resolver) -> None:
        self._reader, self._resolver = reader, resolver

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        found = self._reader.read(text, recent)
        if not found.others or found.confidence >= _CLEAR or not self._resolver.body.has_seen:
            return found
        return max((found, *found.others), key=lambda one: one.confidence * self._sense(one.acts))

    def _sense(self, acts: Sequence[DialogueAct]) -> float:
        return min((self._sense_of(act) for act in acts if act.act is Act.ORDER), default=1.0)

    def _sense_of(self, order: DialogueAct) -> float:
        named = [slot for slot in order.slots if slot.role[:1] != ":" and is_named(slot.phrase)]
        if not all(self._resolver.find(slot.phrase).things for slot in named):
            return _UNKNOWN if self._resolver.body.knowledge is None else 1.0
        needed = NEEDS.get(order.about)
        thing = next((slot.phrase for slot in named if not slot.role), None)
        if needed is None or thing is None or any(one.has(needed) for one in self._resolver.find(thing).things):
            return 1.0
        return _UNFIT


def makes_sense(acts: Sequence[DialogueAct], resolver: Resolver) -> bool:
    """Whether everything that orders speak of is something that is known here."""
    orders = [in_any_state(act, resolver) for act in acts if act.act is Act.ORDER]
    slots = [
        slot for act in orders for slot in act.slots if slot.role[:1] != ":" and (slot.role or act.about != "make")
    ]
    return all(_can_be_had(slot.phrase, resolver) for slot in slots if is_named(slot.phrase))


def _can_be_had(phrase: Phrase, resolver: Resolver) -> bool:
    """Whether something is known that is described, or that it can be cut from, or that would be so once washed; for
    who looks for itself, whether something here may well hold it."""
    found = resolver.find(but_clean(phrase))
    whole = {kind.removesuffix("Sliced") for kind in found.kinds if kind.endswith("Sliced")}
    if found.things or resolver.body.things.of(*whole):
        return True
    if resolver.body.knowledge is None or found.alike:
        return False
    holders = {one.object_type for one in resolver.body.things if one.has("receptacle")} - {"Floor"}
    return any(likelihood(kind, holder) >= _WELL for kind in found.kinds[:1] for holder in holders)


def is_named(phrase: Phrase) -> bool:
    """Whether a description names a thing that rooms have."""
    return phrase.noun not in PRONOUNS and phrase.noun not in LIQUIDS and bool(kinds_of(phrase.noun))


def in_any_state(order: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "One of the burners is still on, turn it off", and none is: what is so already may be meant as well."""
    slot, undone = next(iter(order.slots), None), TO_BE.get(order.about, "")
    if slot is None or order.about not in _SWITCHED or slot.role or undone not in map(state_called, slot.phrase.looks):
        return order
    looks = tuple(look for look in slot.phrase.looks if state_called(look) != undone)
    anyhow = replace(slot.phrase, looks=looks)
    if "Faucet" in kinds_of(slot.phrase.noun):  # water may run from a shower as well
        return order
    if resolver.find(slot.phrase).things or not resolver.find(anyhow).things:
        return order
    return order._replace(slots=(slot._replace(phrase=anyhow), *order.slots[1:]))


def of_next_step(order: DialogueAct, act: DialogueAct, resolver: Resolver) -> DialogueAct:
    """ "Now the apple", behind an `order` that is nothing for it ("open the fridge"): it is to be fetched."""
    needed = _STEPS.get(order.about)
    if needed is None or act.act is not Act.REPEAT or len(act.slots) != 1 or act.slots[0].role:
        return order
    things = resolver.find(act.slots[0].phrase).things
    if not things or any(one.has(needed) or not one.has("pickupable") for one in things):
        return order
    return DialogueAct(Act.ORDER, "get", act.slots)


def able(needed: str) -> Test:
    """Whether what is `needed` for an order holds of a thing; burners are switched by knobs, basins by taps."""
    if needed != "toggleable":
        return having(needed)
    return lambda thing: thing.has(needed) or thing.object_type == "StoveBurner" or thing.is_basin
