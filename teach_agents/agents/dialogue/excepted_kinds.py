"""Looks that except kinds of things: "everything on the bed but the pillows"."""

from __future__ import annotations

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, calls
from teach_agents.core.dialogue import Phrase

EXCEPTING = (
    r"(?:except(?:ed|ing)?(?: for)?|apart from|aside from|other than|besides|excluding|bar(?:ring)?|save for|but not)"
)
"""Words that take something out of what was named, as a regular expression."""
BUT = "but_no_"
"""Opens a look of what is meant without things of the kind named behind it: "but_no_pillow"."""


def without_excepted(phrase: Phrase, things: list[Thing]) -> list[Thing]:
    """Things without those of kinds that are excepted, and without that which nameless things are said to be beside."""
    nouns = [look.removeprefix(BUT) for look in phrase.looks if look.startswith(BUT)]
    place = phrase.place if phrase.noun in ANYTHING else None
    while place is not None:
        nouns += [place[1].noun] if place[0] == "near" and place[1].noun not in PRONOUNS else []
        place = place[1].place
    return [thing for thing in things if not any(calls(noun, thing) for noun in nouns)]
