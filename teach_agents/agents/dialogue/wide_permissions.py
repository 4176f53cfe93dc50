"""Permissions of everything at once: "all rules are off", "do what you like again", "you may touch everything"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.dialogue.excepted_kinds import EXCEPTING
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Reading, Slot
from teach_agents.understanding.order_rules import order_in
from teach_agents.understanding.plain_text import plain_text

_RULES = r"(?:rules?|bans?|prohibitions?|restrictions?|limits?|don'ts)"
_ALL = r"(?:all|every|any|each|the|these|those|my|our|of)"
_ANY = r"(?:anything|everything|whatever|what ?ever|what)"
_WISH = r"(?: (?:you|u|ya) (?:want|like|wish|please|fancy|feel like)| (?:again|now|once more|any ?more))"
_OPENS = r"(?:^|[,.;:!] ?|\b(?:ok|okay|so|and|now|right|fine|well|alright|just|please|then|that|hereby) )"
_OFF = r"(?:off|lifted|over|gone|cancell?ed|dropped|void|ended|suspended|no more|history|forgotten|withdrawn)"
_FREES = re.compile(
    rf"\b(?:{_ALL} )+{_RULES}(?: i (?:gave|told|made|set)(?: you)?)?(?:'re| are| is|'s| have been| has been|re)?"
    rf"(?: (?:now|all|officially|hereby))* {_OFF}\b"
    rf"|{_OPENS}(?:you can |you may |please )*(?:forget|drop|scrap|ignore|lift|cancel|skip|disregard|scratch"
    rf"|never ?mind|i (?:lift|cancel|drop|take back))"
    rf" (?:about )?(?:(?:{_ALL} )+{_RULES}(?: i (?:gave|told|made|set)(?: you)?)?"
    r"|(?:everything|all|all that|anything|whatever) i(?:'ve| have)? (?:just )?(?:said|told you|forbade|forbidden"
    r"|banned|prohibited))(?=\W*$|[.!;,]| (?:now|again|before|earlier|please|so far))"
    rf"|{_OPENS}(?:there are |there's |we have )?no (?:more )?{_RULES}(?: (?:any ?more|now|any longer))*(?=\W*$|[.!;,])"
    r"|\bnothing(?:'s| is)? (?:forbidden|off[- ]limits|banned|prohibited|taboo|out of bounds)"
    r" (?:any ?more|now|any longer|again)"
    r"|\b(?:everything|anything|it all|all)(?:'s| is)? (?:allowed|permitted|fair game)"
    r" (?:again|now|once more)"
    r"|(?<!are )(?<!if )\byou(?:'re| are| have| got|'ve got|'ve)? (?:all |completely |totally |now )*(?:free"
    r"(?= (?:again|now|to do (?:what|as|any)|to act|to work|to move about))|a free hand|free rein|free hands"
    r"|carte blanche)"
    rf"|{_OPENS}(?:you(?:'re| are)? (?:can|may|could|allowed to|free to|permitted to)(?: now| all)* )?"
    rf"do (?:{_ANY}{_WISH}|as you (?:like|please|wish|want))(?: again| now)?(?=\W*$|[.!;,]| and\b)"
    r"|\bi take (?:(?:it|that|everything) all|everything|all of (?:it|that)) back\b"
    r"|\bi take back (?:it all|all|everything)\b"
    r"|\byou(?:'re| are)? (?:can|may|could|allowed to|free to|permitted to)(?: now)? do (?:anything|everything)"
    r"(?=\W*$|[.!;,])"
    r"|\byou(?:'re| are)? (?:now )?allowed (?:to do )?(?:anything|everything|all)(?: again| now)*(?=\W*$|[.!;,])"
)
"""Words that do away with all that was forbidden."""
_NOT = re.compile(
    r"n't\b|\b(?:not|never|dont|cant|if|when|unless|until|till|once|after|before|later|tomorrow|soon|only|almost|except"
    r"|but|wish|hope|is everything)\b|\?"
)
_OTHERS = re.compile(r"\b(?:else|other|others|rest|remaining)\b")
_EXCEPTED = re.compile(rf"\b(?:{EXCEPTING}|but|save|except)\b(?P<x>[^.!?;]*)")
_ANYTHING_MAY = DialogueAct(Act.ALLOW, of=(DialogueAct(Act.ORDER, "touch", (Slot("", Phrase("everything")),)),))
_VAGUE = frozenset({"do", "touch", ""})


def frees_all(text: str) -> bool:
    """Whether words do away with all that was forbidden."""
    plain = plain_text(text)
    found = _FREES.search(plain)
    if found is None:
        return False
    clause = re.split(r"[.!;]", plain[: found.start()])[-1] + plain[found.start() :]
    left = clause.replace(found[0], "")
    return _NOT.search(re.sub(r"\b(?:not|nothing|no) (?=\w+ (?:any ?more|now))", "", left)) is None


def with_freedom(read: Reading, text: str) -> Reading:
    """A reading with the permission that words give of everything, however they were read; what is asked for beside it
    stays."""
    if not frees_all(text):
        return read
    kept = [act for act in read.acts if act.act in (Act.ORDER, Act.YES) and act.about not in _VAGUE]
    rest = _FREES.sub("", plain_text(text)).strip(" .,;:!")
    asked = [] if kept else [one for one in order_in(rest) or () if one.about not in _VAGUE]
    return read._replace(acts=(_ANYTHING_MAY, *kept, *asked))


def is_wide(allowed: DialogueAct, said: str) -> bool:
    """Whether what is allowed is anything at all, wherever it is."""
    phrases = [slot.phrase for slot in allowed.slots]
    wide = bool(phrases) and all(
        one.noun in ANYTHING and one.place is None and one.holds is None and not one.looks for one in phrases
    )
    return wide and _OTHERS.search(plain_text(said)) is None


def excepted_in(said: str) -> frozenset[str]:
    """The kinds that words except from what they allow: "everything but the knife"."""
    found = _EXCEPTED.search(plain_text(said))
    names: Sequence[str] = [*mentions_in(found["x"])] if found is not None else []
    return frozenset(kind for name in names for kind in kinds_of(name))
