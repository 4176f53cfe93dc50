"""Where something was before it was moved, as a place for something else: "put the cloth where the sponge was"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import noun_phrase

_PLACES = frozenset({"place", "spot", "position", "there", "stead"})
_PLACED = frozenset({"in", "on", "at", "to", "near"})
_THING = r"(?P<thing>(?:the|my|our|that|this) [a-z]+(?: [a-z]+)?|it|that)"
_WHERE_IT_WAS = re.compile(
    rf"\bwhere(?:ver)? {_THING} (?:was|were|had been|has been|used to (?:be|stand|lie|sit|hang)|came from|stood|lay|sat"
    r"|hung)\b(?! you\b)"
)
_ITS_PLACE = re.compile(r"\b(?:in|into|to|on|onto) (?P<thing>its) (?:old |former )?(?:place|spot|stead)\b")


def with_earlier_places(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts that put something where something else was: the place of that, whatever became of it by then."""
    plain = " ".join(text.lower().split())
    found = _WHERE_IT_WAS.search(plain) or _ITS_PLACE.search(plain)
    if found is None:
        return [*acts]
    return [_where_it_was(act, found["thing"], acts[at - 1] if at else None) for at, act in enumerate(acts)]


def _where_it_was(act: DialogueAct, named: str, before: DialogueAct | None) -> DialogueAct:
    if act.act is not Act.ORDER or act.about not in ("put", "put_back", "move") or len(act.slots) != 2:
        return act
    (role, thing), where = act.slots
    mark = noun_phrase(named) if named not in ("its", "it", "that") else _moved(before)
    if role or where.role not in _PLACED or mark is None or thing.noun in PRONOUNS or thing.noun == mark.noun:
        return act
    spoken = where.phrase if where.phrase.place is None else Phrase(where.phrase.noun)
    again = named == "its" and before is not None and (before.about == "throw_away" or where in before.slots)
    if spoken.noun not in {*_PLACES, mark.noun} and not spoken.noun.startswith("where_") and not again:
        return act
    return act._replace(about="put", slots=(act.slots[0], Slot("in", Phrase("place", place=("of", mark)))))


def _moved(before: DialogueAct | None) -> Phrase | None:
    """What was moved just before, by its name."""
    first = before.slots[0] if before is not None and before.act is Act.ORDER and before.slots else None
    return None if first is None or first.role or first.phrase.noun in PRONOUNS else first.phrase


def is_earlier_place(phrase: Phrase) -> bool:
    """Whether a description is of the place of something else."""
    return phrase.noun in _PLACES and phrase.place is not None and phrase.place[0] == "of"


def place_before(thing: Thing, body: Body, state: DialogueState) -> list[Thing]:
    """What a thing was in or on before an order moved it, else is now."""
    name = thing.object_id
    origin = body.things.get(state.origins.get(name) or body.memory.taken_from.get(name, ""))
    return [origin] if origin is not None else [*body.things.holders(thing)][:1]
