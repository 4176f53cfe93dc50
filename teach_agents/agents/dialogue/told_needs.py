"""What people say they have run out of, or need and have none of: what there is to buy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.noun_text import listed
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

NEEDED = "needed_thing"
"""The noun of what somebody told that there is none of."""
_WHO = r"(?:we|i|you)"
_STILL = r"(?:(?:all|nearly|almost|completely|running|just|also|still|really|now|a bit|getting) )*"
_AMOUNT = r"(?:(?:any|some|more|new|another|a|an|the|fresh|our|a pack of|a bag of|a bottle of|lots of) )*"
_THING = rf"{_AMOUNT}(?P<x>[a-z]+(?: [a-z]+)?(?: [a-z]+)?)"
_OUT = tuple(
    re.compile(form)
    for form in (
        rf"\b{_WHO}(?:'re| are|'m| am| seem to be) {_STILL}(?:out of|low on|short of|short on|missing) {_THING}",
        rf"\b{_WHO}(?:'ve| have)? {_STILL}(?:run|ran) (?:out of|low on) {_THING}",
        rf"\b(?:{_WHO}(?:'ve| have)(?: got)?|there(?:'s| is| are)) no(?: more)? {_THING}(?: left)?$",
        r"^(?:the |our )?(?P<x>[a-z]+(?: [a-z]+)?) (?:is|are|has|have) (?:all |nearly |almost )?"
        r"(?:used up|run out|running out)$",
        r"\b(?:put|add|write) (?P<x>[a-z]+(?: [a-z]+)?) (?:on|to|down on) (?:the|my|our) (?:shopping |grocery )?list\b",
        rf"\b(?:have to|has to|need to|must|should|remember to|forget to) (?:buy|pick up|order|stock up on) {_THING}",
    )
)
"""There is none."""
_NEED = re.compile(
    rf"\b(?:we|i) (?:(?:also|still|really|do|badly) )*(?:need|could do with) (?!to |you\b|it\b|help\b){_THING}"
)
"""There may be none."""
_FROM_SHOP = re.compile(r"\b(?:from|at|in) (?:the )?(?:shops?|stores?|supermarket|market|grocer'?s|baker'?s?|bakery)\b")
_ENDS = re.compile(
    r"^(?P<x>.+?) (?:too|as well|again|also|right|now|quickly|here|soon|today|tomorrow|left|then|though|please|either"
    r"|at home|in the house|by|for|from|when|on|at|so|in)\b.*$"
)
_FOUND = (
    r"(?:forget(?: about)?|never ?mind(?: about)?|scrap|skip|found|bought|got|brought|fetched|picked up|ordered"
    r"|(?:have|has|there is|there's)(?: still| some| enough| plenty of)+|(?:do not|don't) need|no need for|need no)"
)
_ASKED = re.compile(
    r"\b(?:what|anything|something|which|how much|list|name)\b.*\b(?:buy|shops?|shopping|store|supermarket|groceries"
    r"|grocery|market|out of|low on|short of|(?:we|i) missing|run(?:ning)? out|stock up)\b"
    r"|\b(?:shopping|grocery) list\b"
    r"|\bwhat (?:else )?(?:do|did|is|are) (?:we|i) (?:still |all )?need(?:ed)?(?: to (?:buy|get|pick up))?"
    r"(?: again| now)?(?:\?|$)"
    r"|\bwhat(?:'s| is| do we| do i) (?:still|else|also) (?:missing|lack(?:ing)?|to (?:buy|get)|needed)\b"
)
_WHETHER = re.compile(
    r"\b(?:(?:do|did) (?:we|i|you)|are (?:we|you)|am i) (?:(?:still|also|really|all) )*"
    rf"(?:need(?: to (?:buy|get))?(?! to\b)|out of|low on|short of|missing|have to (?:buy|get)) {_THING}"
)
"""What asks whether something is needed."""
_MORE = re.compile(r"(?:also )?(?:[a-z]+ ){0,2}[a-z]+")
_CLAUSES = re.compile(r"[.!?;,\n]+|\s+(?:and|but|so)\s+")
_NO_THINGS = frozenset(
    "time idea way luck one it them that this those you him her me reason doubt problem rush hurry".split()
)


class Need(NamedTuple):
    """Something that somebody needs, as they call it; `lacked` is whether they say that there is none."""

    words: str
    lacked: bool

    @property
    def phrase(self) -> Phrase:
        """What it is, as a description."""
        return noun_phrase(self.words) or Phrase(self.words.replace(" ", "_"))


def wants_drink(need: Need, text: str) -> bool:
    """Whether a drink is wanted now: "I could do with a coffee"; "we need coffee" is of what there is to buy."""
    drink = re.escape(need.phrase.noun)
    counted = re.search(rf"\b(?:an?|another|(?:cup|mug|glass) of)(?: [a-z]+){{0,2}} {drink}\b", text.lower())
    return need.phrase.noun in LIQUIDS and counted is not None


def needs_in(text: str) -> list[Need]:
    """What words say is needed: "we're out of coffee", "and we need toilet paper"."""
    found: list[Need] = []
    listing, last = False, None
    for clause in (" ".join(one.split()) for one in _CLAUSES.split(plain_text(text)) if "?" not in text):
        lacked = next((match for form in _OUT if (match := form.search(clause))), None)
        lacked = lacked or (_NEED.search(clause) if _FROM_SHOP.search(plain_text(text)) else None)
        said = lacked or _NEED.search(clause)
        words = _ENDS.sub(r"\g<x>", said["x"]) if said is not None else ""
        more = re.sub(rf"^{_AMOUNT}", "", _ENDS.sub(r"\g<x>", clause))
        if not words and listing and _MORE.fullmatch(more) and noun_phrase(more) is not None:
            words, lacked = more, lacked or last  # "out of milk and butter"
        listing, last = bool(words), lacked
        if words and not {*words.split()} & _NO_THINGS:
            found.append(Need(words, lacked is not None))
    return found


def needs_told(needs: Sequence[Need], text: str, turn: int) -> list[Told]:
    """Needs as facts."""
    return [Told(text.strip(), turn, NEEDED, state=one.words) for one in needs]


def still_needed(facts: Sequence[Told]) -> list[str]:
    """What was said to be needed, in the order told."""
    return list(dict.fromkeys(fact.state for fact in facts if fact.noun == NEEDED))


def met(text: str, facts: Sequence[Told]) -> list[Told]:
    """The facts of needs that words have done with: "forget the coffee, found a pack"."""
    plain = plain_text(text)
    return [
        fact
        for fact in facts
        if (fact.noun == NEEDED or needs_in(fact.said))
        and fact.said != text.strip()
        and any(_is_met(one, plain) for one in ([fact.state] if fact.noun == NEEDED else _words(fact.said)))
    ]


def asks_for_needs(text: str) -> bool:
    """Whether words ask what there is to buy, or whether something is."""
    return bool(_whether(text)) or (_ASKED.search(plain_text(text)) is not None and needs_in(text) == [])


def told_needs(facts: Sequence[Told], text: str = "") -> str:
    """What there is to buy, in a sentence, or that what is asked about is; "" where nothing was told."""
    needed = still_needed(facts)
    asked = _whether(text)
    if asked:
        return f"Yes, you need {asked}, as you told me." if asked in needed else ""
    return f"You need {listed(needed)}, as you told me." if needed else ""


def _whether(text: str) -> str:
    """What words ask about whether it is needed: "do we still need butter?"."""
    asked = _WHETHER.search(plain_text(text)) if "?" in text else None
    return _ENDS.sub(r"\g<x>", asked["x"]) if asked is not None else ""


def _words(said: str) -> list[str]:
    return [need.words for need in needs_in(said)]


def _is_met(words: str, plain: str) -> bool:
    name = re.escape(words)
    return re.search(rf"\b{_FOUND} (?:[a-z]+ ){{0,3}}{name}\b", plain) is not None
