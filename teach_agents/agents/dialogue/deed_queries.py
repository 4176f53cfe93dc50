"""Which of the deeds that were asked for a question means, by their verb, what they were done to and where."""

from __future__ import annotations

from teach_agents.agents.dialogue.dialogue_state import Deed
from teach_agents.agents.dialogue.noun_text import called
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.order_text import Form, act_words, read_act
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot
from teach_agents.understanding.notation import RESULTS

_ONLY_SEEN = frozenset({"find", "look_at", "look_in", "go_to", "follow", "show"})
_PUTTING = ("put", "put_back", "drop", "move", "throw_away")
_ALIKE = (("get", "pick_up"), _PUTTING[:-1], ("cook", "toast"), ("find", "look_at"))
_PLACES = frozenset({"in", "on", "to", "at"})
_POINTING = PRONOUNS | {"there", "here"}


def touches(deed: Deed) -> bool:
    """Whether a deed does something to what it is about, rather than look at it or go there."""
    order = read_act(deed.act)
    return order is not None and order.about not in _ONLY_SEEN and what_of(order) is not None


def what_of(order: DialogueAct) -> Phrase | None:
    """What an order is to be done to, `None` where it does not say."""
    return next((slot.phrase for slot in order.slots if not slot.role), None)


def is_that(deed: Deed, asked: DialogueAct, knowing: RoomKnowledge) -> bool:
    """Whether a deed is what is asked about."""
    order = read_act(deed.act)
    if order is None or order.about not in _alike(asked):
        return False
    mine, theirs = what_of(order), what_of(asked)
    if not _is_there(deed, order, asked, knowing):
        return False
    if theirs is None or mine is None or theirs.noun in ANYTHING:
        return True
    ids = {thing.object_id for thing in knowing.find(theirs).things}
    if ids & {*deed.ids}:
        return True
    same = mine.noun == theirs.noun or bool({*kinds_of(mine.noun)} & {*kinds_of(theirs.noun)})
    return same and (not deed.ids or not ids or theirs.noun not in PRONOUNS)


def order_of(deed: Deed, knowing: RoomKnowledge) -> DialogueAct | None:
    """The order that a deed carried out, with the name of what it was done to in place of a pronoun."""
    order = read_act(deed.act)
    what, things = what_of(order) if order is not None else None, knowing.body.things.known(deed.ids)
    if order is None or what is None or what.noun not in PRONOUNS or not things:
        return order
    named = Slot("", Phrase(called(things[0]).one.replace(" ", "_")))
    return order._replace(slots=tuple(named if not slot.role else slot for slot in order.slots))


def deed_words(deed: Deed, form: Form, knowing: RoomKnowledge) -> str:
    """A deed in words; of what was so already, that there was no need for it."""
    order = order_of(deed, knowing)
    if form is Form.PAST and order is not None and deed.done and is_idle(deed):
        return f"had no need to {act_words(order)}"
    return act_words(order or deed.act, form)


def is_idle(deed: Deed) -> bool:
    """Whether what was asked for was so already, and nothing was done for it."""
    order = read_act(deed.act)
    return order is not None and not deed.changed and (order.about in RESULTS or order.about in ("put", "put_back"))


def _is_there(deed: Deed, order: DialogueAct, asked: DialogueAct, knowing: RoomKnowledge) -> bool:
    """Whether a deed put something where that is asked about, or took it from there; so does one that says no place, or
    points at it, if what it is about is there now."""
    source = next((slot.phrase for slot in asked.slots if slot.role == "from"), None)
    if source is not None:
        ids = {thing.object_id for thing in knowing.find(source).things}
        came_from = knowing.state.origins | knowing.body.memory.taken_from
        return any(came_from.get(one) in ids for one in deed.ids)
    place = next((slot.phrase for slot in asked.slots if slot.role in _PLACES), None)
    if place is None:
        return True
    marks = knowing.find(place).things
    mine = next((slot.phrase for slot in order.slots if slot.role in _PLACES), None)
    if mine is not None and mine.noun not in _POINTING:
        ids = {thing.object_id for thing in marks}
        return mine == place or any(thing.object_id in ids for thing in knowing.find(mine).chosen)
    return any(knowing.resolver.placed("in", thing, marks) for thing in knowing.body.things.known(deed.ids))


def _alike(asked: DialogueAct) -> frozenset[str]:
    """Verbs of deeds that count as one: whatever takes a thing elsewhere moves it."""
    if asked.about == "move":
        return frozenset({"get", "pick_up", "serve", *_PUTTING})
    if asked.about == "put_back":
        return frozenset({"put_back"})
    if asked.about == "put" and any(slot.role in _PLACES for slot in asked.slots):
        return frozenset(_PUTTING)
    return frozenset(next((same for same in _ALIKE if asked.about in same), (asked.about,)))
