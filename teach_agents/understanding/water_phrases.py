"""What is said of water and other drinks that run, are poured out or are to be in something, in the usual words."""

from __future__ import annotations

import re
from collections.abc import Callable

from teach_agents.understanding.plain_names import END, NAMED, THING

_DRINK = r"(?:water|coffee|tea|milk|juice|wine|something to drink)"
_WATER = r"(?:(?:the|some|a bit of|warm|hot|cold|running|clean) )*(?:tap|water|faucet)"
_POUR = r"(?:(?:pour|tip|dump|chuck|toss|spill|slosh|empty|drain|throw|tak)(?:e|ing)?|get(?:ting)? rid of)"
_VESSEL = (
    r"(?:the|my|our|your|his|her|that|this|those|both)(?: [\w'-]+){0,2}?"
    r" (?:cup|mug|glass|bowl|pot|pan|kettle|bottle|vase|jug|bucket|can|sink|bath|tub|bathtub|basin|saucepan)(?:e?s)?\b"
)
_LIQUID = r"(?:water|coffee|tea|milk|juice|wine|soup|liquid|drink)"
_OUT = r"(?:out|away|down(?: the (?:sink|drain|plughole|loo|toilet))?)"
_SINK = r"(?:the |my |our )?(?:sink|drain|toilet|loo|bath|bathtub|basin)"
_INTO_OTHER = rf"(?! *(?:into|onto|over|on)\b| *(?:in|to) (?!{_SINK}\b))"
"""Not followed by what else it goes into."""


def _rinsed(found: re.Match[str]) -> str:
    """ "Run the spoon under the tap": "rinse the spoon"."""
    return f"{'rinsing' if found['do'].lower().endswith('ing') else 'rinse'} {found['x']}"


def _emptied(found: re.Match[str]) -> str:
    """ "Pour the water in the cup out": "empty the cup". "Pour the water in the cup" stays."""
    said = found["do"].lower()
    away = found["off"] or found["of"] or found["away"] or not said.startswith(("pour", "tip", "spill", "slosh", "tak"))
    return f"{'emptying' if 'ing' in said else 'empty'} {found['x']}" if away else found[0]


WATER: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        r"(?:let|have) the (?:tap|water|faucet) run(?:ning)? in(?:to)? (?P<x>the [\w'-]+|my [\w'-]+|it)"
        r" (?:until|till) (?:it|that)(?:'?s| is| gets)(?: completely)? full",
        r"fill \g<x> with water",
    ),
    (
        r"(?:(?:let|have|get) (?:the |some )?water (?:run|flow|come)(?:ning|ing)?|run (?:the |some )?water)(?: out)?"
        rf" (?:from|out of|through) (?P<x>{NAMED}){END}",
        r"turn \g<x> on",
    ),
    (
        rf"(?P<x>{THING}) (?:needs|wants|requires|lacks|could do with|could use|needs to have|should have)"
        rf"(?: (?:some|a little|a bit of|fresh|more))* (?P<y>{_DRINK}) in(?:side)?(?: it| there)?{END}",
        r"fill \g<x> with \g<y>",
    ),
    (rf"(?P<do>run|running) (?P<x>{THING}) (?:through|under|underneath) (?:{_WATER}){END}", _rinsed),
    (
        rf"(?P<do>{_POUR})(?P<off> {_OUT})? (?:the|that|this|any|all the|my|your) (?:[a-z]+ ){{0,2}}?{_LIQUID}"
        r"(?:(?: that| which)?(?:'s| is))?(?: (?:still|left|sitting|standing))*"
        rf" (?:in|inside|from|(?P<of>out of)) (?P<x>{_VESSEL})(?:(?P<away> {_OUT})|{END}){_INTO_OTHER}",
        _emptied,
    ),
    (
        rf"(?:pour|tip|drain) (?:{_OUT} )?(?:what(?:ever)?|everything|anything)(?: that)?(?:'s| is)"
        rf"(?: (?:still|left))* (?:in|inside) (?P<x>{_VESSEL})(?: {_OUT}|{END}){_INTO_OTHER}",
        r"empty \g<x>",
    ),
)
"""Patterns, and what each is in the usual words."""
