"""What things are, for whoever asks what something is, or for something to do something with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from teach_agents.core.dialogue import Act, DialogueAct, Phrase

_ANY = frozenset({"something", "anything", "thing"})
_DRINKS = frozenset("tea coffee water juice milk cocoa drink drinks cuppa brew wine beer squash".split())
_DRUNK_FROM = frozenset({"Cup", "Mug"})
_SAME: Mapping[str, str] = {
    **dict.fromkeys("jot note scribble scrawl sign".split(), "write"),
    **dict.fromkeys("jotting scribbling".split(), "writing"),
    **dict.fromkeys("sip drinking sipping".split(), "drink"),
}
"""Words for one use."""
_ANY_THING = r"\b(?:some|any)thing(?: (?:that |which )?(?:i|we|one) (?:can|could))?"
_NAMED_SO = (
    r"\b(?:the|that|those|a) (?:ones?|things?|objects?)(?: that| which)? (?:i|we|one|you|people) (?:can|could|would)"
)
_TO_DRINK_FROM = re.compile(
    rf"(?:{_ANY_THING}|{_NAMED_SO})(?: to)? (?:have|drink|take|sip|enjoy|put|pour)"
    r" (?:(?:my|a|an|some|the|this|our|his|her) )?"
    rf"(?:(?:cup of |drop of |morning |evening |hot )?(?:{'|'.join(sorted(_DRINKS))}) )?(?:out of|from|in|into)\b"
)
_USE = re.compile(
    rf"(?:{_ANY_THING}|{_NAMED_SO}) (?:to |(?P<for>for )(?:to )?|(?=[a-z]+ (?:with|on|in|from)\b))"
    r"(?P<verb>(?!me\b|my\b|us\b|the\b|a\b|you\b)[a-z]+)(?: (?:it |this |that )?(?P<word>with|on|in|from)\b)?"
)
_TOOLS = frozenset({"item", "object", "tool", "utensil", "instrument", "implement", "material"})
"""Words for any thing that is for something, with which people say for what."""
_EDIBLE = frozenset({"edible", "eatable"})
_FOOD = frozenset({"food", "fruit", "vegetable"})


@cache
def _purposes() -> Mapping[str, str]:
    found: Mapping[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
    return found


def purpose(kind: str) -> str:
    """What a thing of a type is: "a deep spoon to serve soup with"; "" where nothing is written of it."""
    return _purposes().get(kind.removesuffix("Basin"), "")


def _as_infinitive(phrase: Phrase) -> tuple[str, ...]:
    """Words of a description; of "a writing thing", "the thing for writing", "something +writing" as if "to write"."""
    words = (*phrase.looks, *phrase.noun.split("_"))
    held = (phrase.holds.noun,) if phrase.holds is not None else ()
    named = [word for word in (*words, *held) if word not in _ANY | _TOOLS | {"for", "the", "a", "with", "to"}]
    single = len(named) == 1 and named[0].endswith("ing") and "to" not in words and (_ANY | _TOOLS) & {*words}
    stem = named[0].removesuffix("ing") if single else ""
    for verb in (stem, f"{stem}e", stem[:-1]) if len(stem) > 2 else ():
        if any(re.search(rf"\bto (?:\w+ and )?{re.escape(verb)}\b", text) for text in _purposes().values()):
            with_what = "from" if verb == "drink" else "with" if verb != "read" and _TOOLS & {*words} else ""
            return ("something", "to", verb, with_what) if with_what else ("something", "to", verb)
    return words


def with_purpose(phrase: Phrase) -> tuple[Phrase, frozenset[str]]:
    """ "Something to write with", "a writing thing": the types that are for that, if any are; "something to drink" is a
    drink, `something +tea` what tea is drunk from."""
    words = ("something", "to", "eat") if _EDIBLE & {*phrase.looks} else _as_infinitive(phrase)
    if phrase.holds is not None and phrase.noun in _ANY and words[1:2] != ("to",):
        use = phrase.holds.noun
        words = ("something", "to", "drink", "from") if use in _DRINKS else ("something", "for", use)
    if len(words) < 3 or words[0] not in _ANY or words[1] not in ("to", "for"):
        return phrase, frozenset()
    if words[2:] in (("drink",), ("for", "drinking")):
        return replace(phrase, noun="drink", looks=()), frozenset()
    if words[2:] == ("eat",):
        raw = {kind: text for kind, text in _purposes().items() if "cook" not in text}
        return phrase, frozenset(kind for kind, text in raw.items() if _FOOD & {*text.replace(",", "").split()[:3]})
    verb, *rest = words[2:]
    verb = _SAME.get(verb, verb)
    if verb == "drink":
        return phrase, _DRUNK_FROM
    stem, last = _stem(verb), [re.escape(one) for one in rest]
    exact = rf"{stem}(?: and \w+)?{''.join(f' {word}' for word in last)}\b"
    loosely = rf"{stem}(?: \w+){{0,3}} {last[-1]}\b" if last else exact
    return phrase, (_for(exact) if len(last) != 1 else frozenset()) or _for(loosely)


def _stem(verb: str) -> str:
    """A pattern of a verb, of "cutting" as of "cut"."""
    if not verb.endswith("ing"):
        return re.escape(verb)
    return re.escape(re.sub(r"(.)\1$", r"\1", verb.removesuffix("ing"))) + "e?"


def _for(what: str) -> frozenset[str]:
    """The types that are written of as being for what a pattern matches."""
    wanted = re.compile(rf"\bto (?:\w+ and )?{what}")
    return frozenset(kind for kind, text in _purposes().items() if wanted.search(text))


def use_in(text: str) -> Phrase | None:
    """What words ask for by what it is for: "something to have my tea out of", "something I can write with"."""
    if _TO_DRINK_FROM.search(text):
        return Phrase("from", "", ("something", "to", "drink"))
    found = _USE.search(text)
    if found is None:
        return None
    verb, word = found["verb"], found["word"]
    if found["for"] and word is None and not verb.endswith("ing"):  # "something for write"
        word = "with"
    use = ("something", "for" if verb.endswith("ing") else "to", verb, *([word] if word else ()))
    meant = Phrase(use[-1], "", use[:-1])
    lies = verb.endswith("ing") and not found["for"] and not with_purpose(meant)[1]  # "something lying in the sink"
    return None if lies else meant


def of_use(question: DialogueAct, text: str) -> DialogueAct:
    """ "Is there anything to write with?": the question is about what is for that."""
    use = use_in(text.lower())
    if use is None or question.about not in ("there", "which", "where", "have") or len(question.slots) != 1:
        return question
    (slot,) = question.slots
    vague = slot.phrase.noun in _ANY and not slot.phrase.looks and slot.phrase.place is None
    return question._replace(slots=(slot._replace(phrase=use),)) if vague else question


def of_told_use(told: DialogueAct, text: str) -> DialogueAct:
    """ "Next to the laptop there is something to read": a fact of something is of what is for that."""
    use = use_in(text.lower()) if told.act is Act.FACT and len(told.slots) == 1 else None
    if use is None or told.slots[0].phrase.noun not in _ANY or told.slots[0].phrase.looks:
        return told
    return told._replace(slots=(told.slots[0]._replace(phrase=replace(use, place=told.slots[0].phrase.place)),))
