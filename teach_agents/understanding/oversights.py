"""What somebody forgot, or left as it should not be: asked about ("I think I left it on, didn't I?"),
or what tells which thing is meant ("somebody left one of the lamps on, wait by that one")."""

from __future__ import annotations

import re
from collections.abc import Callable

from teach_agents.understanding.plain_names import END, NAMED, OPPOSITES, THING

_ONE_OF = r"(?:one of (?:the|my|our|your|these|those)(?: [a-z]+){1,2}?)"
_LEFT = (
    r"(?:(?:forgot|forgotten|failed|omitted|neglected) to (?:(?:turn|switch) (?:off (?P<a>{x})|(?P<b>{x}) off)"
    r"|(?P<shut>close|shut) (?P<c>{x}))|left (?P<d>{x})"
    r" (?:standing |wide )?(?P<as>open|on|running|unlit|off|shut|closed))"
)
"""What somebody did, or did not, so that a thing is as it should not be."""
_SOMEBODY = r"(?:i|we|(?:my|our|the) [a-z]+|one of (?:us|you|them)|[a-z]+)(?:'ve|'s| have| has)?"
_DOUBTS = (
    r"(?:(?:(?:i (?:just )?(?:have|had|got|'ve got|'m having) (?:a|the|this)|there(?:'s| is) (?:a|this))"
    r"(?: (?:bad|nasty|strong|funny|odd|vague|nagging))* (?:feeling|hunch|suspicion|fear|idea|impression|worry)"
    r"|(?:i|we)(?:'m| am|'re| are)? (?:really |just |a bit )?(?:think|thought|believe|suspect|fear|guess|worry|worried"
    r"|afraid|pretty sure|sure|convinced|not sure|bet)|maybe|perhaps|it could be|possibly|what if)"
    r"(?: that| if| whether)? )"
)
_IS_IT_SO = (
    r"[-,.!;:? ]+(?:(?:so|and|but|or) )?(?:(?:is|was) (?:that|it|this) (?:right|so|true|correct|the case)"
    r"|(?:am|was) i (?:right|correct|wrong|mistaken|imagining (?:it|things))|right|correct|true|is it"
    r"|did (?:i|we|they|he|she)|didn'?t (?:i|we|they|he|she)|have(?:n'?t)? (?:i|we|they)|has(?:n'?t)? (?:he|she))"
    r"(?: (?:there|about that))?"
)


def _doubted(found: re.Match[str]) -> str:
    """ "I have a feeling that I left the fridge open. Am I right?": "is the fridge still open?"."""
    left = found["as"] or ("open" if found["shut"] else "on")
    if re.search(r"\b(?:wrong|mistaken|imagining)\b", found[0].lower()):  # "yes" would be no answer to that
        return f"is {_what_was_left(found)} {left} or {OPPOSITES.get(left, 'off')}"
    return f"is {_what_was_left(found)} {'still ' if left in ('open', 'on') else ''}{left}"


def _what_was_left(found: re.Match[str]) -> str:
    return found["a"] or found["b"] or found["c"] or found["d"]


def _left_so(found: re.Match[str]) -> str:
    """ "Somebody forgot to switch off one of the lamps, wait by that one": "wait by the lamp that is on"."""
    left = "open" if found["shut"] else found["as"] or "on"
    one = re.sub(r"^one of \w+ |(?<=[sxh])es$|s$", "", _what_was_left(found), flags=re.IGNORECASE)
    return f"{found['rest'].lstrip(' ,.;:!-')}the {one} that is {left}"


OVERSIGHTS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        r"(?:did|have|has) (?:i|we|you|he|she|someone|somebody|anyone|anybody) (?:forget|forgot|forgotten|fail) to "
        rf"(?:(?:turn|switch) (?:off (?P<x>{THING})|(?P<y>{THING}) off)|(?P<shut>close|shut) (?P<z>{THING})){END}",
        lambda found: f"is {found['x'] or found['y'] or found['z']} still {'open' if found['shut'] else 'on'}",
    ),
    (
        rf"{_DOUBTS}{_SOMEBODY} {_LEFT.format(x=NAMED)}(?: again)?{_IS_IT_SO}(?=\W*$)",
        _doubted,
    ),
    (rf"{_SOMEBODY} {_LEFT.format(x=NAMED)}(?: again)?{_IS_IT_SO}(?=\s*\?)", _doubted),
    (
        rf"{_SOMEBODY} {_LEFT.format(x=_ONE_OF)}"
        r"(?P<rest>(?:[,.;:!]+| -| and)+ (?:[^.!?;]{0,80} )??)(?P<it>that one|it|that)(?=\W*$|[,.!;]| please\b)",
        _left_so,
    ),
)
"""Constructions that speak of it, with the usual words for them."""
