"""From the message of a failed action to what to try: a table of AI2-THOR's and TEACh's lines, by fragments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Advice:
    """What to try when the message of a failed action holds all of `fragments`, in any case.

    `first` is said at first, `again` when the same has failed before. `what` names the kind of failure.
    """

    what: str
    fragments: Sequence[str]
    first: str
    again: str


OTHERWISE = Advice(
    "other",
    (),
    "Look at it from closer by, then try again.",
    "Try another way, or tell your partner that it does not work.",
)
"""For what is not in the table."""


@cache
def known_advice() -> tuple[Advice, ...]:
    """The table; the first whose fragments all occur counts, the more particular stand first."""
    return tuple(Advice(**one) for one in json.loads(Path(__file__).with_suffix(".json").read_bytes()))


def advice_on(message: str) -> Advice:
    """The advice on the message of a failed action."""
    text = message.lower()
    return next((one for one in known_advice() if all(fragment in text for fragment in one.fragments)), OTHERWISE)
