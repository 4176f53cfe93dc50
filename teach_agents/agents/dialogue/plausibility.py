"""Of the ways in which an utterance may be read, the one that makes sense here: of things that are known of."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Reading
from teach_agents.understanding.reader import Reader

_CLEAR = 0.8
"""What is as likely is meant, whatever is known of."""
_UNKNOWN, _UNFIT = 0.25, 0.5
"""How much less likely an order is of a thing that is not known of, and of one to which it cannot be done."""
NEEDS = {
    **dict.fromkeys(("open", "close"), "openable"),
    **dict.fromkeys(("turn_on", "turn_off"), "toggleable"),
    "slice": "sliceable",
}
"""By an order's verb, what things have to be for it."""


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
    slots = [slot for act in acts if act.act is Act.ORDER for slot in act.slots if slot.role[:1] != ":"]
    return all(_can_be_had(slot.phrase, resolver) for slot in slots if is_named(slot.phrase))


def _can_be_had(phrase: Phrase, resolver: Resolver) -> bool:
    """Whether something is known that is described, or that it can be cut from."""
    found = resolver.find(phrase)
    whole = {kind.removesuffix("Sliced") for kind in found.kinds if kind.endswith("Sliced")}
    return bool(found.things or resolver.body.things.of(*whole))


def is_named(phrase: Phrase) -> bool:
    """Whether a description names a thing that rooms have."""
    return phrase.noun not in PRONOUNS and phrase.noun not in LIQUIDS and bool(kinds_of(phrase.noun))
