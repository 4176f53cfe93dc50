"""What questions are about, where their words tell more than their reading: the last deed alone, a side, a tap."""

from __future__ import annotations

import re

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

LAST, SIDE = "last", "side"
"""What `?did` may be asked of besides an act: the last deed alone; which way it went."""
_FIRST = re.compile(r"\bfirst\b")
_WHITHER = re.compile(r"\bwhere (?:are|were) you (?:going|heading|headed|off to|walking|running|rushing)\b")
_LAST = re.compile(r"\b(?:last|latest|most recent)\b|\bjust (?:now )?d(?:o|one|id)\b|\bd(?:o|one|id) just now\b")
_SIDE = re.compile(
    r"\b(?:which|what) (?:side|way|direction|hand)\b.*\b(?:you|you've)\b.*"
    r"\b(turn|step|look|spin|face|rotat|swivel|roll|mov|shuffl|went|go)"
)
_MOTIONS = {
    "step": "step",
    "roll": "step",
    "mov": "step",
    "shuffl": "step",
    "went": "step",
    "go": "step",
    "look": "look",
}
"""By the word for a motion, the order that it comes from; a turn where it is none of these."""
_TOLD = re.compile(
    r"\b(?:what|where|which)\b.*\b(?:did i|have i|i(?:'ve| have)?(?: just)?) (?:say|said|ask|told|tell|want)"
)
_WATER = re.compile(r"\bwater\b|\btap\b|\bfaucet\b")
_RUNS = re.compile(r"\b(?:running|runs|flowing|dripping|splashing|gushing)\b")
_WHAT_FOR = re.compile(
    r"\bwhat (?:did|do|were|are) you (?:(?:need|want|look|do|gett?|tak)e?(?:ing)?|after)\b"
    r"[^.?!]*\b(?:in|from|out of|at|over) there\b"
)
_CAME_FROM = re.compile(
    r"\bwhere (?:did you (?:get|find|take|have|pick)|was|were|did) (it|that|this|them|they|those|these)\b(?! hap)"
)
_POINTS = {"they": "them", "this": "that"}
_GUESSED = frozenset({"other", "where_are_you", "where", "next", "in", "on", "which", "did"})
"""Topics that a question is read as for want of a better one."""


def as_asked(act: DialogueAct, text: str) -> DialogueAct:
    """An act as its words have it; one that is no question stays as it is, unless they ask what was told before."""
    words = text.lower()
    told = act.act is Act.RESUME or (act.act is Act.QUESTION and act.about in ("other", "where_are_you", "next"))
    if told and _TOLD.search(words):
        return DialogueAct(Act.QUESTION, "task", condition=act.condition)
    if act.act is not Act.QUESTION:
        return act
    if act == DialogueAct(Act.QUESTION, "where_are_you") and _WHITHER.search(words):
        return act._replace(about="doing")
    if act == DialogueAct(Act.QUESTION, "task") and _FIRST.search(words):
        return act._replace(slots=(Slot("", Phrase("first")),))
    if act == DialogueAct(Act.QUESTION, "did") and _LAST.search(words):
        return act._replace(slots=(Slot("", Phrase(LAST)),))
    return _guessed(act, words) if act.about in _GUESSED else act


def _guessed(act: DialogueAct, words: str) -> DialogueAct:
    side = _SIDE.search(words)
    if side is not None and not act.of:
        return DialogueAct(Act.QUESTION, "did", (Slot("", Phrase(SIDE, "", (_MOTIONS.get(side[1], "turn"),))),))
    if act.about == "other" and "where" in words and _WATER.search(words) and _RUNS.search(words):
        return DialogueAct(Act.QUESTION, "where", (Slot("", Phrase("water", "", ("running",))),))
    source = _CAME_FROM.search(words) if act.about == "other" else None
    if source is not None:
        pointed = _POINTS.get(source[1], source[1])
        return DialogueAct(Act.QUESTION, "where", (Slot("", Phrase(pointed)),))
    if act.about in ("in", "other", "which") and _WHAT_FOR.search(words):
        return DialogueAct(Act.QUESTION, "why")
    return act
