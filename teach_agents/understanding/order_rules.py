"""Orders in plain words: what is left of a clause without its courtesies, as a verb and its slots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import any_of, grammar, pattern
from teach_agents.understanding.noun_phrases import is_known, noun_phrase

Acts = list[DialogueAct]


def order_in(text: str, *, barred: bool = False) -> Acts | None:
    """Orders; those that are only `barred` as well."""
    tables = [*(grammar()["barred_orders"] if barred else ()), *grammar()["orders"]]
    for form in dict.fromkeys(re.sub(_LYING, r"\1 whatever is", one) for one in (without_courtesies(text), text)):
        if acts := _search(form) or _wait_there(form) or _locked_in(form) or _placed(form):
            return acts
        for one, meant in tables:
            if (found := pattern(one).fullmatch(form)) is None:
                continue
            if acts := _best(one, meant, found, barred):
                return acts
    return None


_FETCHED = (
    "put|place|get|bring|fetch|take|grab|move|carry|wash|clean|rinse|throw|toss|hand|give|pass|pick|collect|slice|cook"
)
_LYING = (
    rf"^((?:{_FETCHED})(?: up| away| out| over| me| us)*) what (?:is|lies)"
    r"(?= (?:lying |sitting |standing |left )?(?:in|inside|on|under|behind|next|near|by)\b)"
)
"""What is fetched, or put somewhere, and told by its place alone: "put what is on the sofa on the bed"."""


def _search(form: str) -> Acts | None:
    """ "Look in the drawer for a pen": what is to be found, and where."""
    for one in grammar()["searches"]:
        if found := re.fullmatch(one, form):
            role = found.groupdict().get("role") or "in"
            thing = noun_phrase(f"{found['x']} {'in' if role == 'through' else role} {found['place']}")
            if thing is not None and thing.place is not None and is_known(thing):
                return [DialogueAct(Act.ORDER, "find", (Slot("", thing),))]
    return None


def _placed(form: str) -> Acts | None:
    """ "Turn the lights off in the kitchen": an order that is divided by its own verb from where its thing is."""
    for one, verb in grammar()["placed_orders"]:
        if found := re.fullmatch(one, form):
            thing = noun_phrase(f"{found['x']} {found['role']} {found['place']}")
            if thing is not None and thing.place is not None and is_known(thing):
                return [DialogueAct(Act.ORDER, verb, (Slot("", thing),))]
    return None


def _wait_there(form: str) -> Acts | None:
    """ "Wait by the door": going there, and waiting."""
    found = next((found for one in grammar()["go_and_wait"] if (found := re.fullmatch(one, form))), None)
    place = noun_phrase(found["x"]) if found is not None else None
    if place is None or not is_known(place):
        return None
    return [DialogueAct(Act.ORDER, "go_to", (Slot("", place),)), DialogueAct(Act.WAIT)]


_LOCKED = re.compile(r"(?:lock|shut) (?P<x>.+?) (?:up |away )?(?:in|inside|into) (?P<y>.+)")


def _locked_in(form: str) -> Acts | None:
    """ "Lock my keys in the safe": putting them there, and closing it."""
    found = _LOCKED.fullmatch(form)
    thing, place = (noun_phrase(found[part]) if found is not None else None for part in ("x", "y"))
    if thing is None or place is None or not is_known(place):
        return None
    put = DialogueAct(Act.ORDER, "put", (Slot("", thing), Slot("in", place)))
    return [put, DialogueAct(Act.ORDER, "close", (Slot("", place),))]


def _best(one: str, meant: str, found: re.Match[str], barred: bool) -> Acts | None:
    """The order that a pattern finds in words: what is acted upon is as long as can be where a place follows."""
    longest, shortest = (_ordered(meant, each, barred) for each in (found, _shortest(one, found[0])))
    if not found.groupdict().get("y"):
        return shortest or longest
    return shortest if shortest and (not longest or _too_long(longest[0], found)) else longest


def _shortest(one: str, form: str) -> re.Match[str]:
    found = pattern(one, shortest=True).fullmatch(form)
    assert found is not None  # it fits as long as can be
    return found


def _too_long(act: DialogueAct, found: re.Match[str]) -> bool:
    """Whether what is acted upon took in the place where it is put: "put it on the plate | next to the sink"."""
    thing = act.slots[0].phrase if act.slots else None
    words = {name: said or "" for name, said in found.groupdict().items()}
    said = words.get("x", "")
    if words.get("y") in ("it", "them") and " with " in said:
        return True
    if words.get("y") and re.search(r" (?:into|onto) ", said):
        return True
    if words.get("y") and words.get("role") in ("in", "on") and " next to " in said:
        return True
    if thing is None or thing.place is None or "y" not in words or " is " in said or " are " in said:
        return False
    nearby = found.groupdict().get("role") in ("near", "next to", "by", "beside", "at")
    return (
        thing.noun in ("it", "them", "that", "this") or nearby or act.about in ("cook", "boil", "wash", "fill", "move")
    )


def _ordered(meant: str, found: re.Match[str], barred: bool) -> Acts | None:
    """The order of a pattern: a verb, and the role of its place or a word for what is not said."""
    words = found.groupdict()
    if (listed := things_listed(words.get("x") or "", placed="y" in words)) is not None:
        each = [_ordered_with(meant, found, {**words, "x": one}, barred) for one in listed]
        return [act for acts in each for act in acts or ()] if all(each) else None
    return _ordered_with(meant, found, words, barred)


def _parts(words: str) -> list[str]:
    """What something is made with, one by one."""
    return things_listed(words, placed=False) or [words]


def things_listed(words: str, *, placed: bool) -> list[str] | None:
    """The things of a list, in words: "the mug, a fork and two plates"; `None` for what is none.

    Where the place of them all is told behind it (`placed`), none has one of its own.
    """
    if not re.search(r"[,&]| and | or ", words) or re.search(_TOLD, words) or noun_phrase(words) is not None:
        return None
    parts = [one for one in re.split(r" ?(?:, and|, or|,|\band\b|&|\bor\b) ?", words)]
    things = [noun_phrase(one) for one in parts]
    if not all(thing is not None and _is_listed(thing, placed=placed) for thing in things):
        return None
    bare = [len(one.split()) == 1 and one in verbs() for one in parts]
    return None if any(bare) and not all(len(one.split()) == 1 for one in parts) else parts


_TOLD = r"\b(?:is|are|was|were|has|have)\b"


def _is_listed(thing: Phrase, *, placed: bool) -> bool:
    return is_known(thing) and thing.noun not in grammar()["pronouns"] and not (placed and thing.place)


def _ordered_with(meant: str, found: re.Match[str], words: Mapping[str, str], barred: bool) -> Acts | None:
    """The order of a pattern with words for its slots."""
    verb, _, more = meant.partition(" ")
    thing = words.get("x", "")
    if verb != "put" and words.get("y") in ("it", "them") and re.search(r" (?:with|has|have|holding) ", thing):
        return None  # "the cup that has coffee in it" is one thing
    if "way" in words:
        verb = next(f"step_{name}" for name, known in grammar()["ways"].items() if words["way"] in known.split("|"))
    roles = {"x": "", "n": "", "y": words.get("role") or more}
    slots = [
        Slot(grammar()["roles"].get(roles[name], roles[name]), _meant(name, one, barred))
        for name in roles
        if words.get(name)
        for one in (_parts(words[name]) if (verb, name) in (("make", "y"), ("serve", "y")) else [words[name]])
    ]
    if not all(is_known(slot.phrase) for slot in slots) or (found[0].startswith("i ") and words.get("x") == "it"):
        return None
    moved = (words.get("role") or more) == "to" or re.match(_MOVING, found[0])
    if verb == "put" and moved and slots[0].phrase.noun in grammar()["furniture"]:
        verb = "move"
    if verb == "wash" and len(slots) == 2 and slots[0].phrase.noun == "everything" and slots[1].role in ("in", "on"):
        slots = [Slot("", replace(slots[0].phrase, place=(slots[1].role, slots[1].phrase)))]
    if verb in ("put", "get") and len(slots) == 2 and slots[1].role == "in" and slots[1].phrase.noun in _CUT:
        verb, slots = "slice", slots[:1]
    implied = _IMPLIED.get(meant, ()) if verb != "do" else (Slot("", Phrase(found[0])),)
    return [DialogueAct(Act.ORDER, verb, tuple(slot for slot in (*slots, *implied) if slot.phrase.noun != "1"))]


_CUT = frozenset({"slice", "piece", "half", "chunk"})
"""What a thing is in once it is cut up: "I would like the bread in slices"."""
_MOVING = r"(?:move|push|pull|shift|slide|drag)\b|.+ (?:goes|go) "
_NUMBERS = {"a": "1", "one": "1", "twice": "2", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_NOTHING = Phrase("")
"""No description, which nobody knows."""
_IMPLIED = {
    "wash dishes": (Slot("", Phrase("dish", "all", ("dirty",))),),
    "cook microwave": (Slot("in", Phrase("microwave")),),
    "drop everything": (Slot("", Phrase("everything")),),
    "look_in it": (Slot("", Phrase("it")),),
}
"""What a pattern's verb says without words for it."""


def _meant(name: str, words: str, barred: bool) -> Phrase:
    if name != "n":
        thing = noun_phrase(words) or _NOTHING
        bare = words.split()[0] not in (*grammar()["articles"], *grammar()["counts"], "these", "those")
        return replace(thing, count="any") if barred and bare and thing.count == "all" else thing
    number = _NUMBERS.get(words, words)
    return Phrase(number) if number.isdecimal() else _NOTHING


def without_courtesies(clause: str) -> str:
    """A clause as an imperative, without what politeness says around it."""
    before, (lead, tail) = "", courtesies()
    while clause != before:
        before = clause
        clause = lead.sub("", tail.sub("", f" {clause}").strip(" ,:") + " ").strip(" ,:")
    first, space, rest = clause.partition(" ")
    rest = re.sub(r"^(?:only|just) ", "", rest)
    plain = first.removesuffix("ing")
    if plain != first or first in grammar()["gerunds"]:
        return str(grammar()["gerunds"].get(first, plain if plain in verbs() else first)) + space + rest
    return f"{first}{space}{rest}" if first in verbs() else present(clause)


@cache
def courtesies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What politeness says before a clause, and behind it."""
    leads, tails = "|".join(grammar()["lead_patterns"]), "|".join(grammar()["tail_patterns"])
    before, behind = rf"^(?:{any_of('leads')}|{leads})(?: ?,)? ", rf"(?: ?,)? (?:{any_of('tails')}|{tails})$"
    return re.compile(before), re.compile(behind)


@cache
def verbs() -> frozenset[str]:
    """Words with which orders begin."""
    return frozenset(word for one, _ in grammar()["orders"] for word in re.findall(r"[a-z]+", one.split(" ")[0]))


def present(text: str) -> str:
    """Words with the first verb as an order has it: "washed the mug" as "wash the mug"."""
    first, space, rest = text.partition(" ")
    stems = (first, first.removesuffix("d"), first.removesuffix("ed"), re.sub(r"([a-z])\1ed$", r"\1", first))
    known = grammar()["past"].get(first) or next((stem for stem in stems if stem in verbs()), first)
    return f"{known}{space}{rest}"


def state_of(word: str) -> str:
    """The state that a word names."""
    return str(grammar()["states"].get(word, word))
