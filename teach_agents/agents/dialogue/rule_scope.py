"""Which things a prohibition is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.noun_types import ANYTHING, calls, kinds_of
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import DialogueAct, Phrase

_NOTHING_ELSE = Things(())
_ANYBODY = frozenset("anyone anybody someone somebody everyone everybody".split())
BASINS = frozenset({"Sink", "SinkBasin", "Bathtub", "BathtubBasin"})
"""What water runs into."""
_OF_CONTENTS = frozenset({"empty", "full"})
"""What a thing is by what is in it."""


def in_general(phrases: Sequence[Phrase]) -> tuple[list[Phrase], tuple[str, ...]]:
    """Descriptions of what is forbidden, and what any such thing has to be like: "anything hot", "all dirty plates"."""
    first, *more = phrases or [Phrase("")]
    looks = tuple(map(state_called, first.looks))
    every = first.noun in ANYTHING or first.count in ("any", "all")
    if more or not looks or not every or first.place is not None or not {*looks} <= {*LOOKS} - _OF_CONTENTS:
        return [*phrases], ()
    return [replace(first, looks=())], looks


def of_anybody(act: DialogueAct) -> DialogueAct:
    """ "Don't give it to anyone" is of whoever asks for it."""
    kept = tuple(one for one in act.slots if one.role != "to" or one.phrase.noun not in _ANYBODY)
    return act._replace(slots=kept)


def names(rule: Rule, order: DialogueAct) -> bool:
    """Whether a rule names what an order is about, of which nothing is known yet."""
    noun = next((slot.phrase.noun for slot in order.slots if not slot.role), "")
    return any({*kinds_of(noun)} & {*kinds_of(one)} for one in rule.nouns)


def bears_on(rule: Rule, thing: Thing) -> bool:
    """Whether a rule is about a thing, or about all things."""
    if thing.object_id in rule.but or not all(LOOKS[look](thing, _NOTHING_ELSE) for look in rule.looks):
        return False
    if not rule.nouns and not rule.ids:
        return True
    burner = thing.object_type == "StoveKnob" and any("StoveBurner" in kinds_of(noun) for noun in rule.nouns)
    return burner or thing.object_id in rule.ids or any(calls(noun, thing) for noun in rule.nouns)
