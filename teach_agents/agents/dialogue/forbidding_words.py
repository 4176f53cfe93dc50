"""What sentences forbid by their words, however they were read: "nobody uses it", "the pan is too hot to touch"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from teach_agents.agents.dialogue.statements import named_in
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.order_rules import order_in
from teach_agents.understanding.rules_reader import kept_in
from teach_agents.understanding.tokens import sentences

NOTHING_THERE = re.compile(
    r"\b(?:nothing|no more|not anything)(?: else| more| further| new)?"
    r"(?: of (?:mine|ours|his|hers|theirs|my \w+))?(?: [a-z]+)?? "
    r"(?:(?:is|are|has|have) to |is |gets |may |must |should |can |is allowed to |is supposed to )?"
    r"(?:go(?:es)?|be (?:put|thrown|placed|set)|put|placed|thrown|fits?|belongs?|come|comes|land)"
    r"(?: down)? (?P<into>in|into|inside|on|onto)(?: top of)? "
    r"(?P<x>there|it|them|that|here|(?:the|that|this|my|our) [a-z ]+)"
)
_NOBODY = re.compile(
    r"\b(?:nobody|no one|no-one) (?:is (?:to|allowed to)|may|must|should|can|gets to)? ?(?P<rest>[a-z]+ .+)"
)
_WHOEVER = re.compile(
    r"\b(?:whoever|anyone who|anybody who|everyone who|everybody who|the (?:first|next) one who)"
    r" (?P<rest>[a-z]+s (?:the|my|our|that|this|those|these|any|from|it)\b[a-z ]*?)"
    r" (?:gets?|is|are|will|has|have|dies?|shall|pays?|answers?|regrets?)\b"
    r"(?=.*\b(?:trouble|me|it|killed|dead|fired|pay|out|fine|sorry|answer|grounded|wrath|deal)\b)"
)
""" "Whoever moves the box gets in trouble"."""
_UNWANTED = re.compile(
    r"\b(?:does not|doesn't|do not|don't|won't|hates?|dislikes?) (?:(?:want|like|let|allow|having|have)s? )*"
    r"(?:any(?:body|one)(?: else)?|people|others|strangers) (?:to )?(?P<rest>[a-z]+(?:ing)? [a-z ]+)"
)
""" "He doesn't want anybody to use his stove"."""
_DRINKS = re.compile(r"^(?:else )?(?:eat|drink)s? (?:from|out of|off) ")
_MAY = re.compile(r"^(?:else )?(?:(?:is (?:to|allowed to)|may|must|should|can|gets? to) )?")
_BARRED = frozenset(
    "touch open close turn_on turn_off move get pick_up put throw_away slice wash empty fill cook".split()
)
_DONT = re.compile(
    r"^(?:please |so |but |and |just |pls )*(?:don't|dont|do not|never|you (?:mustn't|must not|may not|are not to))"
    r" (?:ever |you dare |even |you )?(?P<rest>[a-z]+ .+)$"
)
_TOO = re.compile(
    r"^(?P<x>.+?)(?:'s| is| are) (?:still |far |way |much |just )*too [a-z]+ to (?:be )?"
    r"(?P<verb>touch|use|move|open|pick up|carry|handle)(?:ed|d)?(?: right now| now| yet)?$"
)
"""What cannot be touched for what it is like: "the pan is too hot to touch"."""
_UNTOUCHED = re.compile(
    r"\b(?P<x>(?:the|my|our|that|this|those|these|all) [a-z ]+?)"
    r" (?:(?:must|has to|have to|should|needs? to|will|shall|is to|are to) )?(?:stays?|remains?|be left"
    r"|(?:is|are) left)"
    r" (?:untouched|unused|off limits|out of bounds|alone|in peace)\b"
)
""" "The machine stays untouched until she is home"."""
_VERB = re.compile(r"\b(?:is|are|was|has|have|needs?)\b")
_POINTS = frozenset({"there", "it", "them", "that", "here"})


def forbidden_in(text: str) -> Iterator[DialogueAct]:
    """The orders that sentences forbid."""
    last: Phrase | None = None
    for sentence in sentences(text):
        for part in re.split(r"\s*(?:[,;:]|\bso\b|\band\b|\bbecause\b)\s*", sentence.text):
            plain = " ".join(part.split())
            if sentence.asked or not plain:
                continue
            yield from _forbidden(plain, last)
            named = named_in(_VERB.split(plain, maxsplit=1)[0]) or named_in(plain)
            last = named if named is not None else last


def _forbidden(plain: str, last: Phrase | None) -> Iterator[DialogueAct]:
    there = NOTHING_THERE.search(plain)
    if there is not None:
        place = last if there["x"] in _POINTS else named_in(there["x"])
        if place is not None:
            role = "on" if there["into"].startswith("on") else "in"
            yield DialogueAct(Act.ORDER, "put", (Slot("", Phrase("anything")), Slot(role, place)))
        return
    nobody = _NOBODY.search(plain) or _UNWANTED.search(plain) or _WHOEVER.search(plain)
    too, dont, left = _TOO.match(plain), _DONT.match(plain), _UNTOUCHED.search(plain)
    named = next((one for found in (too, left) if found is not None and (one := named_in(found["x"]))), None)
    if nobody is not None:
        rest = _MAY.sub("", _DRINKS.sub("use ", nobody["rest"]))
        rest = re.sub(r"^(?:have|get) ", "take ", re.sub(r"^([a-z]+?)(?:es|s)\b", _bare, rest))
        yield from (_of_last(one, last) for one in _orders(rest) if one.about != "do")
    elif named is not None:
        yield DialogueAct(Act.ORDER, "touch", (Slot("", named),))
    elif dont is not None:
        yield from (_of_last(one, last) for one in _orders(dont["rest"]) if one.about in _BARRED)
    else:
        yield from (_of_last(one, last) for act in kept_in(plain) or () for one in act.of)


def _orders(barred: str) -> list[DialogueAct]:
    return [act for act in order_in(barred, barred=True) or () if act.act is Act.ORDER]


def _of_last(forbidden: DialogueAct, last: Phrase | None) -> DialogueAct:
    """ "Nobody uses it" is of what was named last."""
    slot = next(iter(forbidden.slots), None)
    if slot is None or slot.phrase.noun not in _POINTS or last is None:
        return forbidden
    return forbidden._replace(slots=(slot._replace(phrase=last), *forbidden.slots[1:]))


def _bare(found: re.Match[str]) -> str:
    """ "Touches" as "touch", "uses" as "use"."""
    word = found[0]
    return word[:-2] if re.search(r"(?:ch|sh|ss|x|o)es$", word) else word.removesuffix("s")
