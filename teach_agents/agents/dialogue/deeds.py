"""What an order came to, as the dialogue state keeps it: the deed, what is spoken of then, where things were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import IN_TURN, TOGETHER, Deed, DialogueState
from teach_agents.agents.dialogue.listener import Heard
from teach_agents.agents.dialogue.noun_types import PRONOUNS, calls, kinds_of, noun_of
from teach_agents.agents.dialogue.orders.order_context import Outcome
from teach_agents.agents.dialogue.referring_expressions import contents_of
from teach_agents.core.dialogue import DialogueAct
from teach_agents.understanding.english.understanding import understand_reports
from teach_agents.understanding.notation import write_meaning

_PLACES = ("in", "on", "to", "near", "at")
_TAKING = frozenset({"get", "pick_up"})
"""Orders after which a thing's old place is what it was taken from, unless that is the bin."""


def record(order: DialogueAct, outcome: Outcome, body: Body, state: DialogueState, *, changed: bool = True) -> None:
    """An order is over; `changed` is whether anything was acted upon for it."""
    written = write_meaning([order])
    state.keep(Deed(written, outcome.done, outcome.said, outcome.ids, body.observation.turn, changed))
    state.note(f"did: {written}")
    _remember_places(order, outcome, body, state)
    for noun, ids in _sources(order, outcome, body):
        state.mention(noun, ids)
    places = [slot.phrase.noun for slot in order.slots if slot.role in _PLACES]
    if outcome.place and places:
        state.mention(places[0], outcome.place)
    things = [slot.phrase.noun for slot in order.slots if not slot.role and slot.phrase.noun not in PRONOUNS]
    seen = _seen_inside(order, outcome, body)
    if len(seen) == 1:  # "look in the fridge": "take it out" is what was in there
        state.mention(noun_of(seen[0].object_type), [seen[0].object_id])
    if outcome.ids:
        first = body.things.get(outcome.ids[0])
        state.mention(things[0] if things else noun_of(first.object_type) if first is not None else "", outcome.ids)
        state.mention_several(IN_TURN, _in_turn(order, state) if outcome.done else ())
        state.mention_several(TOGETHER, [[one.object_id] for one in seen])
    elif things:
        state.mention(things[0])


def _seen_inside(order: DialogueAct, outcome: Outcome, body: Body) -> Sequence[Thing]:
    """What was found where an order had it look, and can be taken."""
    if order.about != "look_in" or not outcome.done:
        return ()
    holders = [*body.things.known(outcome.ids)]
    return [one for one in contents_of(holders, body) if one.has("pickupable")]


def _in_turn(order: DialogueAct, state: DialogueState) -> Sequence[Sequence[str]]:
    """What the last deeds were done to, where it was the same to each of several things: "open the fridge", "open the
    microwave", and then "close them"."""
    alike = [*takewhile(lambda deed: deed.done and deed.act.startswith(f"{order.about}("), reversed(state.deeds))]
    return [deed.ids for deed in reversed(alike)] if len(alike) > 1 else ()


def _sources(order: DialogueAct, outcome: Outcome, body: Body) -> Iterator[tuple[str, Sequence[str]]]:
    """What things were taken out of, where the order names it: "take the mug out of the microwave and close it"."""
    named = [slot.phrase for slot in order.slots if slot.role == "from"]
    named += [
        slot.phrase.place[1] for slot in order.slots if slot.phrase.place and slot.phrase.place[0] in ("in", "on")
    ]
    came_from = body.memory.taken_from
    holders = body.things.known(dict.fromkeys(came_from[name] for name in outcome.ids if name in came_from))
    for phrase in named:
        if kinds_of(phrase.noun):
            yield phrase.noun, [holder.object_id for holder in holders if calls(phrase.noun, holder)]


def record_report(order: Heard, said: str, body: Body, state: DialogueState) -> None:
    """The agent's own way reports on an order that it carried out."""
    done = not any(report.is_failure for report in understand_reports(said))
    told = " ".join(re.findall(r"[^.!?]+[.!]", said)).strip()
    state.keep(Deed(write_meaning(order.acts) or order.text, done, told, turn=body.observation.turn))


def _remember_places(order: DialogueAct, outcome: Outcome, body: Body, state: DialogueState) -> None:
    """Where things were that an order moved, which is where they are put back."""
    came_from = body.memory.taken_from
    moved = {name: came_from[name] for name in outcome.ids if name in came_from}
    if order.about in _TAKING:
        left = {name for name, place in moved.items() if (was := body.things.get(place)) and was.is_a("GarbageCan")}
        state.origins = {name: place for name, place in state.origins.items() if name in left or name not in moved}
    elif order.about != "put_back":
        state.origins |= moved
