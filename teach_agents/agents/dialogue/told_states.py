"""What people say of things that cannot be seen: whose they are, whether they are any good; and what that rules out."""

from __future__ import annotations

import re
from collections.abc import Mapping

MINE = "mine"
_OWNERS: Mapping[str, str] = {
    "me": MINE,
    "my": MINE,
    "my_own": MINE,
    "own": MINE,
    "i": MINE,
    "mine": MINE,
    "myself": MINE,
    "you": "yours",
    "your": "yours",
    "yours": "yours",
    "him": "his",
    "his": "his",
    "her": "hers",
    "hers": "hers",
    "us": "ours",
    "our": "ours",
    "ours": "ours",
    "them": "theirs",
    "their": "theirs",
    "theirs": "theirs",
}
OTHERS = frozenset({"his", "hers", "theirs"})
"""Owners who were named before."""
_LEADS = frozenset(
    """a an the our my still just only all really now very quite pretty totally completely already also too so bit
    rather simply actually nearly almost definitely there to be""".split()
)
_TAILS = frozenset("one ones again though now anyway today already too really yet anymore".split())
_SAME: Mapping[str, str] = {
    "works": "working",
    "went off": "gone off",
    "okay": "ok",
    **dict.fromkeys(
        ("does not work", "packed up", "packed in", "had it", "conked out", "died", "given up", "given up the ghost"),
        "broken",
    ),
    **dict.fromkeys(("leaks", "leaky", "leaking", "has a crack", "has a hole"), "cracked"),
    **dict.fromkeys(("clogged", "bunged up", "blocked up", "jammed"), "blocked"),
    **dict.fromkeys(("unblocked", "cleared"), "working"),
}
_NO_USE = re.compile(r"^(no use|no good|useless|not safe|unsafe|not fit) (?:for|to|as) .+$")
_FAMILIES = tuple(
    (frozenset(good.split(", ")), frozenset(bad.split(", ")))
    for good, bad in (
        (
            "good, fine, alright, all right, ok, okay, fresh, edible, new, safe, usable",
            "gone off, off, rotten, mouldy, moldy, bad, stale, spoiled, spoilt, gone bad, gone mouldy, expired, sour, "
            "past its best, out of date, smelly, old, no good, unsafe, not safe",
        ),
        (
            "good, fine, alright, all right, ok, okay, new, fresh, unused, full, usable, whole, spare, in one piece",
            "used up, empty, finished, all gone, used, soaked, broken, torn, ruined, cracked, scratched, "
            "chipped, no good, no use, useless, old, spent, damaged, bent, dead, rubbish, no use to anybody",
        ),
        ("dry, good, fine, usable", "wet, soaked, damp, dripping, soggy, drenched, soaking wet, sopping wet, moist"),
        (
            "working, good, fine, ok, okay, usable, fixed, mended, repaired, charged",
            "broken, dead, kaput, bust, busted, flat, faulty, playing up, out of order, stuck, blocked",
        ),
        ("sharp, good", "blunt, dull"),
        ("full", "empty"),
        ("clean, washed", "dirty, filthy, used"),
        ("real", "fake, plastic, pretend"),
    )
)
"""Words for one state, and for its opposite: what is rotten is not fresh."""
_COMMON = frozenset(word for family in _FAMILIES for words in family for word in words)
PRESENT = r"(?:(?:birthday|christmas|xmas|wedding|anniversary|leaving|little) )*(?:present|gift|surprise)"
"""What somebody is to be given."""
_GIVEN = re.compile(
    rf"^(?P<who>(?:my |our )?[a-z]+(?:'s|s')) {PRESENT}$"
    rf"|^(?:an? |the |our |my )?{PRESENT} for (?P<whom>(?:my |our )?[a-z]+)$"
)
TELLING = frozenset({"empty", "full", "broken", "hot", "cold"})
"""What may be seen, and is better told."""


def owner_called(words: str) -> str:
    """The owner whom words name: "me" and "my own" are "mine", "Harry" is "harry's"."""
    plain = words.lower().replace("\u2019", "'").strip(" .,!?")
    if plain in _OWNERS or plain.replace(" ", "_") in _OWNERS:
        return _OWNERS.get(plain) or _OWNERS[plain.replace(" ", "_")]
    name = re.sub(r"^(?:my|our|the|your|his|her) ", "", plain)
    if re.fullmatch(r"[a-z]+(?:[ -][a-z]+)?(?:'s|s')?", name) is None:
        return plain
    return (name if name.endswith(("'s", "s'")) else f"{name}'s").replace(" ", "_")


def is_owner(word: str) -> bool:
    """Whether a state is whose something is: "mine", "harry's"."""
    return word in _OWNERS.values() or re.fullmatch(r"[a-z_-]+(?:'s|s')", word) is not None


def is_common(state: str) -> bool:
    """Whether many things may be so: "good", "broken"; not what is on a record."""
    return state in _COMMON


def tidied(state: str) -> str:
    """A state without what only stresses it: "only our tax stuff" is "tax stuff"; "my gran's" is "gran's"."""
    plain = state.lower().replace("_", " ").strip(" .,!?")
    plain = _NO_USE.sub(r"\1", _SAME.get(plain, plain))
    if (given := _GIVEN.match(plain)) is not None:
        return owner_called(given["who"] or given["whom"])
    if plain in ("mine", "yours", "his", "hers", "ours", "theirs") or plain.endswith(("'s", "s'")):
        return owner_called(plain)
    words = [*plain.split()]
    while len(words) > 1 and words[0] in _LEADS:
        words.pop(0)
    while len(words) > 1 and words[-1] in _TAILS:
        words.pop()
    return " ".join(words)


def told_so(mark: str, state: str) -> bool | None:
    """Whether what was told of a thing makes it one of such a mark: `None` where it says nothing of it."""
    mark, state = tidied(mark), tidied(state)
    if not mark or not state:
        return None
    if state.startswith("not "):
        so = told_so(mark, state.removeprefix("not "))
        return None if so is None else not so
    if mark == state:
        return True
    if is_owner(mark) and is_owner(state):
        return False
    for good, bad in _FAMILIES:
        for ones, others in ((good, bad), (bad, good)):
            if mark in ones and (state in ones or state in others):
                if state in ones and mark not in others:
                    return True
                return False
    return True if _within(mark, state) or _within(state, mark) else None


def _within(few: str, many: str) -> bool:
    """Whether all words of a state that is no mere owner are in another: "tax" in "tax stuff"."""
    words = {*few.split()}
    return not is_owner(few) and bool(words) and words <= {*many.split()} and "not" not in {*many.split()} - words
