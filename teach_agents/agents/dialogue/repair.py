"""Corrections: what an order comes to once people said what else they meant, and what would take a deed back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.tasks.classes import object_classes

_OPPOSITE: Mapping[str, str] = {
    "open": "close",
    "close": "open",
    "turn_on": "turn_off",
    "turn_off": "turn_on",
    "get": "put_back",
    "pick_up": "put_back",
    "put": "put_back",
    "step_forward": "step_back",
    "step_back": "step_forward",
    "step_left": "step_right",
    "step_right": "step_left",
    "turn_left": "turn_right",
    "turn_right": "turn_left",
    "turn_around": "turn_around",
    "look_up": "look_down",
    "look_down": "look_up",
}
_OTHER_WAY = re.compile(r"\b(?:other way|opposite|other direction)\b")
_FURNITURE = frozenset(
    "Furniture Tables Chairs Appliances Sink Bathtub CounterTop Cabinet Drawer GarbageCan Fridge Safe".split()
)


def instead(order: DialogueAct, meant: Phrase) -> DialogueAct:
    """An order with another thing in the slot that a correction is about: "no, the spoon", "the other one"."""
    if meant.noun in PRONOUNS and meant.place is not None and meant.place[0] in ("in", "on", "near"):
        relation, where = meant.place
        return DialogueAct(order.act, "put", (*order.slots[:1], Slot(relation, where)))
    place = _slot_about(order, meant)
    if place is None:
        return order._replace(slots=(Slot("", meant), *order.slots))
    was = order.slots[place].phrase
    if meant.noun in PRONOUNS and was.noun not in PRONOUNS:
        meant = replace(meant, noun=was.noun)
    slots = list(order.slots)
    slots[place] = Slot(slots[place].role, meant)
    return order._replace(slots=tuple(slots))


def about_that(question: DialogueAct, meant: Phrase) -> DialogueAct:
    """A question once more, about another thing: "and the tomato?"."""
    was = question.slots[0]
    meant = replace(meant, noun=was.phrase.noun) if meant.noun in PRONOUNS else meant
    return question._replace(slots=(was._replace(phrase=meant), *question.slots[1:]))


def instead_do(order: DialogueAct | None, meant: DialogueAct) -> DialogueAct:
    """Something else to be done with what an order was about."""
    if meant.slots or order is None or not order.slots:
        return meant
    return meant._replace(slots=order.slots[:1])


def otherwise(last: DialogueAct, act: DialogueAct, text: str) -> DialogueAct:
    """The last order once more, or with what was meant instead."""
    if act.act is Act.NOT:
        return instead(last, Phrase(last.slots[0].phrase.noun if last.slots else "one", "other"))
    if act.slots:
        return instead(last, act.slots[0].phrase)
    return (opposite(last) or last) if _OTHER_WAY.search(text.lower()) else last


def opposite(order: DialogueAct) -> DialogueAct | None:
    """What takes an order's deed back; `None` for what lasts."""
    verb = _OPPOSITE.get(order.about)
    if verb is None:
        return None
    return DialogueAct(order.act, verb, tuple(slot for slot in order.slots if not slot.role)[:1])


def _slot_about(order: DialogueAct, meant: Phrase) -> int | None:
    """Which slot a correction is about: what the thing is put in or on where it is furniture, else the thing itself."""
    if not order.slots:
        return None
    furniture = _is_furniture(meant)
    for number, slot in enumerate(order.slots):
        if slot.role.startswith(":"):
            continue
        if slot.phrase.noun == meant.noun or (furniture and slot.role and _is_furniture(slot.phrase)):
            return number
    if furniture and len(order.slots) > 1:
        return next((number for number, slot in enumerate(order.slots) if slot.role), 0)
    return 0


def _is_furniture(phrase: Phrase) -> bool:
    return any(_FURNITURE & {kind, *object_classes(kind)} for kind in kinds_of(phrase.noun))
