"""Words that were agreed on: "when I say left I mean right", "only move if I say Simon says"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from teach_agents.agents.dialogue.dialogue_state import Rule, Told
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.understanding.noun_phrases import singular
from teach_agents.understanding.plain_text import unquoted

_SAY = r"(?:say|said|shout|shouted|tell you(?: to)?|told you(?: to)?|ask for|type|typed|write|wrote)"
_WHENEVER = r"(?:when(?:ever)?|if|every time|each time|any time|once)"
_MEANING = re.compile(
    rf"\b{_WHENEVER} (?:i|we) {_SAY} (?P<word>[a-z']+(?: [a-z']+){{0,2}}?),?"
    r"(?: (?:today|tonight|now|here|to you|from now on))*,? "
    r"(?:(?:i|we) (?:\w+ ){0,2}?means?|(?:it|that) (?:\w+ )?means|you (?:\w+ ){0,2}?(?:go|take it as|read|hear))"
    r" (?P<meant>[a-z' ]+)"
    r"|\b(?P<side>left|right|up|down|forwards?|backwards?|back) (?:now )?(?:means|stands for)"
    r" (?P<other>[a-z']+(?: [a-z']+){0,2}?)(?=\s*(?:$|[.,;:!?]|\b(?:and|or|today|now|from)\b))"
)
_SWAPPED = re.compile(
    r"\b(?:swap|switch|reverse|exchange)(?:ped|d)? (?:round )?(?:my )?left and (?:my )?right\b"
    r"|\b(?:mix(?:ing)? up|confus(?:e|ing)|muddl(?:e|ing)(?: up)?) (?:my )?left and (?:my )?right\b"
    r"|\bleft and right (?:are|get) (?:swapped|reversed|switched|mixed up)\b|\bmy left is your right\b"
)
_NEVER = re.compile(r"\b(?:never|not|don'?t)\b[^.,;:]*$")
_REST = re.compile(r"\b(?:and|not|instead|so|but|ok|okay|please|today|tonight|actually|understood|then)\b.*")
_SIDES = frozenset(
    "left right up down forward forwards back backward backwards ahead clockwise anticlockwise on off".split()
)
_DOING = frozenset(
    """go turn walk come step move look open close shut switch put bring fetch get take wash clean fill empty stop wait
    start find drop throw spin face""".split()
)
"""First words of what is done."""
_LEFT_BEHIND = "".join(
    rf"(?<!\b{word} )" for word in "i you we he she they is are was were been be have has had thing".split()
)
"""What does not stand before "left" as a side."""
_FIRST = r"(?:first(?:ly)?|before(?:hand)?|at the (?:start|beginning)|to you|ok|okay|right)"
_CODE = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bonly (?:ever )?(?:move|do|act|obey|listen|go|respond|follow|budge|react|take|start)\b[^.?!]*?"
        rf"\b(?:if|when(?:ever)?|after|once) (?:i|we|it|they)(?:'ve| have)? (?:first |actually |really )?"
        rf"(?:{_SAY}|starts? with|begins? with) (?P<code>[^.?!,;]+)",
        r"\b(?:don'?t|do not|never|not to|mustn'?t|must not|no|nothing)\b[^.?!]*?"
        r"\b(?:move|do|act|obey|listen|budge|react|respond|follow|moving|doing|orders?|anything)\b[^.?!]*?"
        rf"\bunless (?:i|we|it|they)(?:'ve| have)? (?:first |actually |really )?(?:{_SAY}|starts? with|begins? with)"
        r" (?P<code>[^.?!,;]+)",
        rf"\b{_WHENEVER} (?:i|we) (?:don'?t|do not|haven'?t|didn'?t|forget to) (?:{_SAY}|start with|begin with)"
        r" (?P<code>[^.?!,;]+)[^.?!]*\b(?:don'?t|ignore|stay|do nothing|freeze|stand still|no moving|keep still)\b",
    )
)
_NO_CODE = re.compile(
    r"^(?:so|it|that|go|stop|now|otherwise|you (?:can|may)|to|(?:the|my) (?:\w+ )?word|yes|when|ok|okay)\b"
)
_LONGEST = 4
"""Words that are agreed on."""
_OVER = re.compile(
    r"\b(?:game(?:'?s| is)? (?:over|finished)|(?:stop|finished|done|no more) playing"
    r"|(?:not|n'?t|no longer) (?:need|have) (?:me )?to (?:hear|say|wait for)"
    r"|no (?:more|need for) (?:the )?(?:magic |code )?words?)\b"
)


def code_word(text: str) -> str:
    """The words without which nothing is to be done from now on, as somebody says; "" where nobody says so."""
    plain = unquoted(text)
    for found in (one for pattern in _CODE if (one := pattern.search(plain)) is not None):
        words = re.sub(rf"(?:\s+{_FIRST})+$", "", found["code"].replace('"', "").strip(" '"))
        words = re.sub(r"^(?:the (?:magic |code )?words?|with) ", "", words).strip(" '")
        if words and len(words.split()) <= _LONGEST and not _NO_CODE.match(words):
            return words
    return ""


def is_over(text: str) -> bool:
    """Whether words say that nothing needs to be said first any more."""
    return _OVER.search(unquoted(text)) is not None


def withheld(text: str, rules: Iterable[Rule]) -> Rule | None:
    """The rule that has words said with an order which an utterance has not, if any."""
    said = f" {_bare(text)} "
    return next((rule for rule in rules if rule.unless and f" {_bare(rule.unless)} " not in said), None)


def tells_meaning(text: str) -> bool:
    """Whether an utterance tells what a word is to mean."""
    return bool(_told_in(text))


def as_agreed(text: str, facts: Sequence[Told], rules: Iterable[Rule]) -> str:
    """An utterance with what its words were agreed to mean in their place, and without words that open every order."""
    for rule in (rule for rule in rules if rule.unless):
        code = r"\W+".join(map(re.escape, rule.unless.split()))
        bare = re.sub(rf"^\W*{code}\b[\s,:;.!-]*", "", text, flags=re.IGNORECASE)
        text = bare if re.search(r"\w", bare) else text
    if tells_meaning(text):
        return text
    meanings = {word: meant for fact in facts for word, meant in _told_in(fact.said).items()}
    words = [word for word, meant in meanings.items() if word != meant]
    if not words:
        return text
    either = "|".join((_LEFT_BEHIND if one == "left" else "") + re.escape(one) for one in sorted(words, key=len)[::-1])
    return re.sub(rf"\b(?:{either})\b", lambda found: meanings[found[0].lower()], text, flags=re.IGNORECASE)


def _told_in(text: str) -> dict[str, str]:
    """What words mean that name no things, as an utterance tells."""
    plain, told = unquoted(text), dict[str, str]()
    swapped = _SWAPPED.search(plain)
    if swapped is not None and not _NEVER.search(plain[: swapped.start()]):
        told |= {"left": "right", "right": "left"}
    for found in _MEANING.finditer(plain):
        word = found["word"] or found["side"]
        meant = " ".join(_REST.sub("", found["meant"] or found["other"]).split())
        if _is_of_doing(meant) and not kinds_of(singular(word.split()[-1])):
            told[word] = meant
    return told


def _is_of_doing(meant: str) -> bool:
    words = meant.split()
    return bool(words) and (set(words) <= _SIDES or words[0] in _DOING) and len(words) <= _LONGEST + 1


def _bare(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9']+", unquoted(text)))
