"""How the body stands to things: what it faces, what it is at; "are you facing the fridge?", "unless you are"."""

from __future__ import annotations

import re

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import words_of
from teach_agents.agents.dialogue.spatial_order import faces
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.plain_text import plain_text

_BESIDE = 1.5
"""What is no further than this from a thing's box is at it, metres."""
_STILL = r"(?:(?:still|already|now|currently|right|really|actually|by any chance|at the moment|even|not) )*"
_FACING = (
    r"(?:facing|faced|looking (?:\w+ )?(?:at|towards?)|turned (?:\w+ )?(?:to|towards?)|point(?:ed|ing) (?:at|towards?))"
)
_AT = r"(?:(?:standing|stood|positioned|parked|waiting) )?(?:right )?(?:in front of|near|next to|beside|by|close to|at)"
_STANCE = re.compile(rf"{_STILL}(?:(?P<facing>{_FACING})|(?P<at>{_AT})) (?P<thing>[a-z' ]+)")
_ASKED = re.compile(rf"\b(?:are you|you are|you're) (?P<stance>{_STANCE.pattern})")
_PLACED = {"near": "at", "at": "at", "front": "in front of"}
_BEFORE = "in_front_of"


def asked_stance(text: str) -> str:
    """How words ask whether the Follower stands, as a state of "you": "facing_fridge"; "" where they ask no such."""
    found = _ASKED.search(plain_text(text))
    thing = named_in(found["thing"]) if found is not None else None
    if found is None or thing is None:
        return ""
    name = "_".join((*thing.looks, thing.noun))
    return f"facing_{name}" if found["facing"] else f"{_BEFORE if 'front' in found['at'] else 'at'}_{name}"


def stance(you: Phrase, state: str) -> tuple[str, Phrase] | None:
    """What is said of "you" as "facing", "at" or "in front of" and a thing; `None` for anything else."""
    if you.noun != "you":
        return None
    if you.place is not None and you.place[0] in _PLACED:
        return _PLACED[you.place[0]], you.place[1]
    found = _STANCE.fullmatch(state.replace("_", " "))
    thing = named_in(found["thing"]) if found is not None else None
    if found is None or thing is None:
        return None
    return "facing" if found["facing"] else "in front of" if "front" in found["at"] else "at", thing


def stands_so(relation: str, thing: Thing, body: Body) -> bool:
    """Whether the body faces a thing, or is at it; in front of it is both."""
    near = relation == "facing" or thing.away(body.pose.position) <= _BESIDE
    return near and (relation == "at" or faces(body, thing))


def stance_words(relation: str, phrase: Phrase, *, holds: bool) -> str:
    """How the Follower says that it stands so."""
    verb = {"facing": "facing", "at": "at", "in front of": "in front of"}[relation]
    return f"I am {'' if holds else 'not '}{verb} {words_of(phrase)}"
