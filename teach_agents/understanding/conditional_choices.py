"""Choices that are told by what is so, as conditions: "wash the mug or the cup, whichever is dirty"."""

from __future__ import annotations

import re

_NAMED = r"(?:the|my|our|your|his|her|that|this)(?: (?!and\b|or\b|whichever\b|whatever\b)[\w'-]+){1,3}?"
_WHICH = r"which(?:ever)?(?: one)?(?: of (?:them|those|these|the two))?"
_SO = (
    r"(?P<so>(?:is|isn'?t|has|hasn'?t|does(?:n'?t| not)|was|looks?|happens|stands|lies|needs)\b[^.!?;,]{1,60}?"
    r"|(?:you|i|we|comes|takes|suits)\b[^.!?;,]{1,60}?)"
)
_DO = r"(?P<do>(?<![^\s.!?;,])(?!and\b|then\b)[a-z](?:(?! (?:and|then)\b)[\w' ]){1,60}?)"
_TAIL = r"(?P<tail> (?:in|on|to|from|out|off|with|away|back)\b[^.!?;,]{0,40}?)?"
_END = r"(?=\W*$|[.!?;,])"
_FORMS = tuple(
    re.compile(f"{_DO} {form}{_END}", re.IGNORECASE)
    for form in (
        rf"(?P<a>{_NAMED}) or (?P<b>{_NAMED}){_TAIL},? (?:- )?{_WHICH} {_SO}",
        rf"{_WHICH} {_SO},? (?P<a>{_NAMED}) or (?P<b>{_NAMED})(?P<tail>)",
        rf"which(?:ever)?(?: one)? of (?P<a>{_NAMED}) (?:and|or) (?P<b>{_NAMED}) {_SO}(?P<tail>)",
    )
)
_OTHERWISE = {
    **dict.fromkeys(("dirty", "filthy", "unwashed", "used"), "clean"),
    **{"clean": "dirty", "open": "closed", "closed": "open", "shut": "open", "empty": "full", "full": "empty"},
    **{"sliced": "whole", "cut": "whole", "whole": "sliced", "uncut": "sliced"},
}
"""By what one of two is, what the other is."""
_NOT_SO = re.compile(
    rf"(?P<alone>\A(?:please,? )?)?(?P<both>{_NAMED} or {_NAMED})(?:,? please)?,? (?:- )?"
    r"(?:(?:only|just|but|though|and),? )*"
    rf"not (?:the|a) (?P<state>{'|'.join(_OTHERWISE)}) one{_END}",
    re.IGNORECASE,
)
"""One of two that is not so, "the mug or the cup, only not the dirty one"."""
_EASY = re.compile(
    r"(?:is )?(?:the )?(?:(?:clos|near|easi|handi|quick|fast)(?:er|est)|handy|first|best)\b"
    r"|(?:you|i|we|comes|takes|suits)\b",
    re.IGNORECASE,
)
"""Said by who leaves the choice."""
_EACH = re.compile(
    r"(?:(?:please|kindly|just|could|can|would|will|you|also) )*"
    r"(?:wash|clean|rinse|close|shut|open|turn|switch|empty|fill|water|light)\b",
    re.IGNORECASE,
)
"""What is done to each that is so."""


def with_conditions(text: str) -> str:
    """A text with such choices in conditions, one after the other; where the choice is left, without it."""
    text = _NOT_SO.sub(_one_that_is, text)
    if not re.search(r"\bwhich", text, re.IGNORECASE):
        return text
    for form in _FORMS:
        text = form.sub(_told_apart, text)
    return text


def _one_that_is(found: re.Match[str]) -> str:
    """ "The mug or the cup, but not the dirty one": "..., whichever is clean"; by themselves such words ask for it."""
    wanted = "" if found["alone"] is None else "bring me "
    return f"{wanted}{found['both']}, whichever is {_OTHERWISE[found['state'].lower()]}"


def _told_apart(found: re.Match[str]) -> str:
    do, one, other, tail, so = (found[name] or "" for name in ("do", "a", "b", "tail", "so"))
    if _EASY.match(so):
        return f"{do} {one} or {other}{tail}"
    begin = f"if {other} {so}," if _EACH.match(do) else "Otherwise"
    return f"if {one} {so}, {do} {one}{tail}. {begin} {do} {other}{tail}"
