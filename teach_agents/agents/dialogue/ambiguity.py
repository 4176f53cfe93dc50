"""Which of several things that an order may be about is meant, where nobody can know: one of these is asked for.

What is moved, taken, opened or switched is asked for where "the" one may be one of a few that can be told apart. Of
places to put something those of one kind are as good as each other; of two kinds, a coffee table and a dining table,
one is meant. Walks go to the nearest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.things import Test, Thing
from teach_agents.agents.dialogue.excepted_kinds import EXCEPTING
from teach_agents.agents.dialogue.noun_text import called, listed
from teach_agents.agents.dialogue.noun_types import ANYTHING, FRAMED, noun_of
from teach_agents.agents.dialogue.purposes import with_purpose
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.agents.dialogue.referring_expressions import describe_thing
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot
from teach_agents.understanding.english.lexicon import number_word

EITHER = (Phrase("it"), Phrase("that"))
"""Of several things that were named together these may be any."""
NAMELESS = frozenset({"thing", "object", "item"})
"""Nouns of one thing that is told by its place alone."""
CHANGES: dict[str, Test] = {
    "open": lambda thing: not thing.has("isOpen"),
    "close": lambda thing: thing.has("isOpen"),
    "turn_on": lambda thing: not thing.has("isToggled"),
    "turn_off": lambda thing: thing.has("isToggled"),
    "wash": lambda thing: thing.has("isDirty"),
    "fill": lambda thing: not thing.has("isFilledWithLiquid"),
    "empty": lambda thing: thing.has("isFilledWithLiquid"),
}
"""Whether an order would change anything about a thing."""
_MOST, _MANY = 4, 8
"""More such things are not told apart by asking, the handiest one is taken; of so many nameless ones it is asked."""
_EXCEPT = re.compile(rf"\b(?:is|are|was)(?:n['\u2019]?t| not)\b|\b(?:{EXCEPTING}|no)\b")
"""Words that tell by what it is not which one is meant."""
_AT_HAND = 1.5
"""As far as a thing may be that is meant since it alone is seen, metres."""
_WALKS = frozenset({"go_to", "look_at"})
_PLACING = frozenset({"put", "move", "serve"})
_AT = frozenset({"in", "on", "to", "at"})
_TABLES = frozenset({"DiningTable", "CoffeeTable"})
"""What "the table" is: no desk, nor a side table where there is one of these."""
_DETERMINED = (
    r"\b(?:the|an?|my|our|your|his|her|their|its|this|that|these|those|some|any|one|each|every|another|other|either|no"
    r"|all|both|[a-z]+'s|\d+)\s+(?:\w+\s+){0,2}"
)
_UNCOUNTED = frozenset({"soap"})
"""Nouns that go without an article and mean any of it then."""
_FOR_USE = re.compile(r"\b(?:in|into|inside)(?: (?:it|there|that|one))?\W*$")
"""The end of an utterance that puts something into what it opens: any will do."""
_ONE_FRONT = 0.05
"""So close to each other the doors are those of one cabinet, metres."""


def alternatives(order: DialogueAct, slot: Slot, found: Found, text: str, body: Body) -> Sequence[Thing]:
    """Those among which one has to be chosen of what a slot of an order may be; none where it is plain enough."""
    phrase = slot.phrase
    if phrase.count or found.salient or len(found.things) < 2:
        return ()
    if slot.role:
        return _places(order, slot, found, text, body)
    still = _still(order, phrase.noun, found)
    if order.about == "open" and {one.object_type for one in still.things} <= FRAMED:
        return _fronts(phrase, still.things, text)
    fixed = not any(thing.has("pickupable") for thing in still.things)
    if order.about in _WALKS and fixed and _alike(still.things):
        return ()
    return _told_apart(phrase, still.things, text, body)


def _told_apart(phrase: Phrase, things: Sequence[Thing], text: str, body: Body) -> Sequence[Thing]:
    """Things where one of a few is meant that differ in their kind, their place or in being dirty."""
    nameless = phrase.noun in NAMELESS and phrase.place is not None and not _EXCEPT.search(text.lower())
    if not 1 < len(things) <= (_MANY if nameless else _MOST):
        return ()
    if phrase not in EITHER and not _is_certain(text, phrase, things):
        return ()
    knowledge = body.knowledge
    seen = knowledge.in_view if knowledge is not None else body.observation.privileged.visible
    at_hand = [one for one in things if one.object_id in seen and body.distance(one.center) <= _AT_HAND]
    if len(at_hand) == 1 and _alike(things):
        return ()
    named = nameless or phrase.noun not in ANYTHING or bool(with_purpose(phrase)[1])
    told = {(called(thing).one * named, *_marks(thing, body)) for thing in things}
    return things if len(told) > 1 else ()


def _places(order: DialogueAct, slot: Slot, found: Found, text: str, body: Body) -> Sequence[Thing]:
    """Places of two kinds of which either may be meant, the nearest of each."""
    if order.about not in _PLACING or slot.role not in _AT or slot.phrase.place is not None or slot.phrase.looks:
        return ()
    still = _still(order, slot.phrase.noun, found).things
    first = {kind: next(one for one in still if one.object_type == kind) for kind in {one.object_type for one in still}}
    if len(first) < 2 or not set(first) <= _TABLES or not _is_certain(text, slot.phrase, still):
        return ()
    return sorted(first.values(), key=lambda one: body.distance(one.center))


def _fronts(phrase: Phrase, things: Sequence[Thing], text: str) -> Sequence[Thing]:
    """Of "the drawer", where several are shut, any may be meant, unless it is for putting something into it; doors
    side by side are those of one cabinet."""
    if len(things) < 2 or phrase.looks or phrase.place is not None or phrase.holds is not None:
        return ()
    if not _is_certain(text, phrase, things, bare=True) or _FOR_USE.search(text.lower()):
        return ()
    row, rest = [things[0]], [*things[1:]]
    while near := next((one for one in rest if any(gap(one, other) < _ONE_FRONT for other in row)), None):
        row.append(near)
        rest.remove(near)
    one_cabinet = not rest and len(things) <= _MOST and things[0].object_type == "Cabinet"
    return () if one_cabinet else things


def _still(order: DialogueAct, noun: str, found: Found) -> Found:
    """Of what an order may be about, what it would change, a lamp that is on to be switched off; of these the usual.

    Where all kinds bear the noun, none is the usual one unless it is the very name: a desk lamp is no more a "lamp"
    than a floor lamp is, a "knife" is no butter knife.
    """
    changes = CHANGES.get(order.about)
    left = [thing for thing in found.things if changes is not None and changes(thing)]
    if changes is not None and not left:  # it is so already, whichever is meant
        return found._replace(things=found.things[:1])
    left = left or [*found.things]
    if noun == "table" and order.about in _PLACING | _WALKS:
        return found._replace(things=[one for one in left if one.object_type in _TABLES] or left)
    names = [noun_of(kind) for kind in found.kinds]
    on_a_par = (
        noun in ANYTHING
        or noun not in names
        and all(name.endswith(f"_{noun}") or name.startswith(f"{noun}_") for name in names)
    )
    usual = [thing for thing in left if names and not on_a_par and thing.is_a(found.kinds[0])]
    return found._replace(things=usual or left)


def _is_certain(text: str, phrase: Phrase, things: Sequence[Thing], *, bare: bool = False) -> bool:
    """Whether the words speak of one certain thing; "give me bottle" does of things of several kinds, or where a noun
    that is `bare` is enough."""
    if is_definite(text, phrase):
        return True
    name = re.escape(phrase.noun.replace("_", " "))
    said = text.lower()
    without = re.search(rf"\b{name}\b", said) is not None and re.search(rf"{_DETERMINED}{name}\b", said) is None
    return without and phrase.noun not in _UNCOUNTED and (bare or not _alike(things))


def is_definite(text: str, phrase: Phrase) -> bool:
    """Whether the words speak of one certain thing: "the mug", not "a mug"."""
    name = phrase.noun.replace("_", " ")
    return re.search(rf"\b(?:the|that|my|your)\s+(?:\w+\s+){{0,2}}{re.escape(name)}\b", text.lower()) is not None


def _alike(things: Sequence[Thing]) -> bool:
    return len({called(thing) for thing in things}) == 1


def _marks(thing: Thing, body: Body) -> tuple[str, ...]:
    """What a thing can be told apart by: where it is, and whether it is dirty."""
    holder = next((one.object_type for one in body.things.holders(thing)), "")
    return holder, "dirty" if thing.has("isDirty") else ""


def which(options: Sequence[Thing], body: Body) -> str:
    """The question which of these is meant, by what tells them apart; how many there are where nothing short does."""
    names = {called(thing).many for thing in options}
    alike = f" {names.pop()}" if len(names) == 1 else ""
    told = [describe_thing(thing, body, definite=True) for thing in options]
    each = f": {listed([*dict.fromkeys(told)])}" if len(told) <= _MANY and len({*told}) > 1 else ""
    return f"I know {number_word(len(options))}{alike}{each}. Which one do you mean?"
