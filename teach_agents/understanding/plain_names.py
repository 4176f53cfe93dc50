"""Patterns for a thing in words, as constructions of English name it, and for what may follow it."""

from __future__ import annotations

NAMED = (
    r"(?:the|my|our|your|his|her|that|this|those|these|some|a|an|all|both)\b"
    r"(?: (?!and\b|or\b|but\b|then\b|out\b)[\w'-]+){1,4}?"
)
THING = rf"(?:(?:it|them|that|this|those|these)\b|{NAMED})"
"""A thing in words: a name behind a little word; or what points at one."""
BEHIND = (
    "please pls for before after until till so because as since and then now when while but if thanks ta cheers would"
    " could will can in on from with right straight asap i you we where"
)
END = rf"(?=\s*(?:[,.;:!?)]|$)|\s+(?:{BEHIND.replace(' ', '|')})\b)"
"""What may follow the name of a thing."""
OPPOSITES = {
    "open": "shut",
    "shut": "open",
    "closed": "open",
    "on": "off",
    "running": "off",
    "off": "on",
    "unlit": "on",
}
"""States, each with the one that it is not then."""
