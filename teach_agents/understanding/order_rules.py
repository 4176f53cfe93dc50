"""Orders in plain words: what is left of a clause without its courtesies, as a verb and its slots."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import any_of, grammar, pattern
from teach_agents.understanding.noun_phrases import is_known, noun_phrase

Acts = list[DialogueAct]


def order_in(text: str, *, barred: bool = False) -> Acts | None:
    """Orders; those that are only `barred` as well."""
    tables = [*(grammar()["barred_orders"] if barred else ()), *grammar()["orders"]]
    for form in dict.fromkeys((without_courtesies(text), text)):
        for one, meant in tables:
            if (found := pattern(one).fullmatch(form)) is None:
                continue
            if acts := _best(one, meant, found, barred):
                return acts
    return None


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
    if (
        thing is None
        or thing.place is None
        or "y" not in found.groupdict()
        or " is " in found["x"]
        or " are " in found["x"]
    ):
        return False
    nearby = found.groupdict().get("role") in ("near", "next to", "by", "beside", "at")
    return (
        thing.noun in ("it", "them", "that", "this") or nearby or act.about in ("cook", "boil", "wash", "fill", "move")
    )


def _ordered(meant: str, found: re.Match[str], barred: bool) -> Acts | None:
    """The order of a pattern: a verb, and the role of its place or a word for what is not said."""
    verb, _, more = meant.partition(" ")
    words = found.groupdict()
    if "way" in words:
        verb = next(f"step_{name}" for name, known in grammar()["ways"].items() if words["way"] in known.split("|"))
    roles = {"x": "", "n": "", "y": words.get("role") or more}
    slots = [
        Slot(grammar()["roles"].get(roles[name], roles[name]), _meant(name, words[name], barred))
        for name in roles
        if words.get(name)
    ]
    if not all(is_known(slot.phrase) for slot in slots) or (found[0].startswith("i ") and words.get("x") == "it"):
        return None
    if verb == "put" and (words.get("role") or more) == "to" and slots[0].phrase.noun in grammar()["furniture"]:
        verb = "move"
    if verb == "wash" and len(slots) == 2 and slots[0].phrase.noun == "everything" and slots[1].role in ("in", "on"):
        slots = [Slot("", replace(slots[0].phrase, place=(slots[1].role, slots[1].phrase)))]
    implied = _IMPLIED.get(meant, ()) if verb != "do" else (Slot("", Phrase(found[0])),)
    return [DialogueAct(Act.ORDER, verb, tuple(slot for slot in (*slots, *implied) if slot.phrase.noun != "1"))]


_NOTHING = Phrase("")
"""No description, which nobody knows."""
_IMPLIED = {
    "wash dishes": (Slot("", Phrase("dish", "all", ("dirty",))),),
    "cook microwave": (Slot("in", Phrase("microwave")),),
    "drop everything": (Slot("", Phrase("everything")),),
}
"""What a pattern's verb says without words for it."""


def _meant(name: str, words: str, barred: bool) -> Phrase:
    if name != "n":
        thing = noun_phrase(words) or _NOTHING
        bare = words.split()[0] not in (*grammar()["articles"], *grammar()["counts"], "these", "those")
        return replace(thing, count="any") if barred and bare and thing.count == "all" else thing
    number = {"a": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}.get(words, words)
    return Phrase(number) if number.isdecimal() else _NOTHING


def without_courtesies(clause: str) -> str:
    """A clause as an imperative, without what politeness says around it."""
    before, (lead, tail) = "", courtesies()
    while clause != before:
        before = clause
        clause = lead.sub("", tail.sub("", f" {clause}").strip(" ,:") + " ").strip(" ,:")
    first, space, rest = clause.partition(" ")
    plain = first.removesuffix("ing")
    if plain != first or first in grammar()["gerunds"]:
        return str(grammar()["gerunds"].get(first, plain if plain in _verbs() else first)) + space + rest
    return clause if first in _verbs() else present(clause)


@cache
def courtesies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What politeness says before a clause, and behind it."""
    leads, tails = "|".join(grammar()["lead_patterns"]), "|".join(grammar()["tail_patterns"])
    before, behind = rf"^(?:{any_of('leads')}|{leads})(?: ?,)? ", rf"(?: ?,)? (?:{any_of('tails')}|{tails})$"
    return re.compile(before), re.compile(behind)


@cache
def _verbs() -> frozenset[str]:
    return frozenset(word for one, _ in grammar()["orders"] for word in re.findall(r"[a-z]+", one.split(" ")[0]))


def present(text: str) -> str:
    """Words with the first verb as an order has it: "washed the mug" as "wash the mug"."""
    first, space, rest = text.partition(" ")
    stems = (first, first.removesuffix("d"), first.removesuffix("ed"), re.sub(r"([a-z])\1ed$", r"\1", first))
    known = grammar()["past"].get(first) or next((stem for stem in stems if stem in _verbs()), first)
    return f"{known}{space}{rest}"


def state_of(word: str) -> str:
    """The state that a word names."""
    return str(grammar()["states"].get(word, word))
