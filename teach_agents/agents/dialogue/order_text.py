"""Orders in words, as the Follower speaks of them: "wash the mug", "washed the mug", "washing the mug"."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from teach_agents.agents.dialogue.noun_text import words_of
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.errors import InputError
from teach_agents.understanding.english.lexicon import preposition
from teach_agents.understanding.notation import read_meaning


class Form(IntEnum):
    """Of a verb: "wash", "washed", "washing"."""

    PLAIN = 0
    PAST = 1
    ONGOING = 2


_VERBS: Mapping[str, str] = {
    "get": "bring brought bringing you {x}",
    "pick_up": "pick picked picking up {x}",
    "put": "put put putting {x}",
    "put_back": "put put putting {x} back",
    "drop": "put put putting {x} down",
    "throw_away": "throw threw throwing {x} away",
    "go_to": "go went going to {x}",
    "come": "come came coming to you",
    "find": "look looked looking for {x}",
    "look_at": "look looked looking at {x}",
    "look_in": "look looked looking in {x}",
    "look_around": "look looked looking around",
    "open": "open opened opening {x}",
    "close": "close closed closing {x}",
    "turn_on": "turn turned turning on {x}",
    "turn_off": "turn turned turning off {x}",
    "wash": "wash washed washing {x}",
    "slice": "slice sliced slicing {x}",
    "cook": "cook cooked cooking {x}",
    "boil": "boil boiled boiling {x}",
    "toast": "toast toasted toasting {x}",
    "make": "make made making {x}",
    "fill": "fill filled filling {x}",
    "empty": "empty emptied emptying {x}",
    "pour": "pour poured pouring {x}",
    "water": "water watered watering {x}",
    "clear": "clear cleared clearing {x}",
    "serve": "serve served serving {x}",
    "crack": "crack cracked cracking {x}",
    "break": "break broke breaking {x}",
    "move": "move moved moving {x}",
    "step_forward": "step stepped stepping forward",
    "step_back": "step stepped stepping back",
    "step_left": "step stepped stepping to the left",
    "step_right": "step stepped stepping to the right",
    "turn_left": "turn turned turning left",
    "turn_right": "turn turned turning right",
    "turn_around": "turn turned turning around",
    "look_up": "look looked looking up",
    "look_down": "look looked looking down",
    "show": "show showed showing you {x}",
    "follow": "follow followed following you",
    "touch": "touch touched touching {x}",
    "eat": "eat ate eating {x}",
    "drink": "drink drank drinking {x}",
    "sit": "sit sat sitting down",
    "sleep": "sleep slept sleeping",
    "call": "call called calling {x}",
}
"""The three forms of a verb, and the rest of the sentence."""
_ROLES: Mapping[str, str] = {"near": "next to"}


def read_act(text: str) -> DialogueAct | None:
    """The first order of a line of the notation, `None` where there is none."""
    try:
        return next((act for act in read_meaning(text) if act.act is Act.ORDER), None)
    except InputError:
        return None


def act_words(act: DialogueAct | str, form: Form = Form.PLAIN, article: str = "") -> str:
    """An order in words, "that" for what is none. `article` is that of its things, "the" or, for what is made, "a".

    Acts may be given as they are kept in a `DialogueState`.
    """
    order = read_act(act) if isinstance(act, str) else act
    if order is None or order.act is not Act.ORDER:
        return ("do that", "did that", "doing that")[form]
    return _verb(order, form, article) + _roles(order)


def _verb(order: DialogueAct, form: Form, article: str) -> str:
    what = next((slot.phrase for slot in order.slots if not slot.role), None)
    if order.about == "do":
        said = what.noun if what is not None else "that"
        return ("", "did: ", "doing: ")[form] + said
    *forms, rest = _VERBS[order.about].split(" ", 3)
    default = "a" if order.about in ("make", "serve") else "the"
    words = _thing(what, article or default)
    if what is not None and what.noun in ("it", "them") and rest in ("on {x}", "off {x}", "up {x}"):
        rest = " ".join(reversed(rest.split(" ")))  # "turn it off"
    return " ".join(f"{forms[form]} {rest.replace('{x}', words)}".split())


def _thing(phrase: Phrase | None, article: str) -> str:
    return "it" if phrase is None else words_of(phrase, article)


def _roles(order: DialogueAct) -> str:
    slots = [slot for slot in order.slots if slot.role and not (order.about == "get" and slot.phrase.noun == "me")]
    return "".join(f" {_relation(order, slot)} {words_of(slot.phrase, _with(slot.role))}" for slot in slots)


def _relation(order: DialogueAct, slot: Slot) -> str:
    """The word for where something is to go: what is put "to" a table is put on it."""
    kinds = kinds_of(slot.phrase.noun) if order.about == "put" and slot.role == "to" else ()
    return preposition(kinds[0]) if kinds else _ROLES.get(slot.role, slot.role)


def _with(role: str) -> str:
    return "a" if role == "with" else "the"
