"""What questions take for granted and is not so: "who left the fridge open?" of one that is closed."""

from __future__ import annotations

import re

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.conditions import is_so, lacks
from teach_agents.agents.dialogue.dialogue_state import Deed, DialogueState
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_text import is_plural, listed, sentence, words_of
from teach_agents.agents.dialogue.order_text import read_act
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.referring_expressions import subject
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import DialogueAct, Phrase

TOPICS = frozenset({"other", "why", "who"})
"""Topics of questions whose words may take something for granted."""
_ASKS = re.compile(
    r"^(?:\W*[a-z]+\W+){0,4}?(?:(?P<who>who(?:'s|'d)?|whose)|why|when|how come|how long|since when|what for)\b"
)
_NOT = re.compile(r"\bnot\b|n't\b|\bno longer\b|\bwill\b|\bgoing to\b|\bif\b|\bcan\b|\bshould\b|\bcould\b")
_IT = re.compile(r"\b(?:is|are|was) (?:it|that|this|they)\b|\bit's\b|\b(?:leave|left|keep|kept) (?:it|them|that)\b")
_OF_YOU = re.compile(r"\b(?:did|do|have|had|were|are) you\b")
"""What tells that a question is about the deeds of the Follower, which may have done it and undone it."""
_SWITCHED = r"(?:\b(?:turn\w*|switch\w*|left|leave|leaving|is|are)\b|'s\b)[^.!?]*"
_STATES = (
    ("open", re.compile(r"\b(?:open|opened|opening|ajar)\b"), "closed"),
    ("closed", re.compile(r"\b(?:closed|shut|closing|shutting)\b"), "open"),
    ("on", re.compile(rf"\b(?:turn|switch)(?:ed|ing)? on\b|{_SWITCHED}\bon\b(?! (?:the|my|an?|top|it|that)\b)"), "off"),
    ("on", re.compile(rf"{_SWITCHED}\brunning\b(?! (?:the|my|an?)\b)"), "off"),
    ("off", re.compile(rf"\b(?:turn|switch)(?:ed|ing)? off\b|{_SWITCHED}\boff\b"), "on"),
    ("dirty", re.compile(r"\b(?:dirty|dirtied|filthy|unwashed)\b"), "clean"),
    ("broken", re.compile(r"\b(?:broke|broken|break|smash(?:ed)?|crack(?:ed)?|shatter(?:ed)?)\b"), "in one piece"),
    ("sliced", re.compile(r"\b(?:sliced?|cut)\b"), "not sliced"),
)
"""States that a question may take for granted, the words for each, and what is so where it is not."""


def taken_for_granted(text: str, resolver: Resolver, state: DialogueState, *, by_you: bool = False) -> str:
    """What is said to a question that takes for granted what is not so; "" where it does not, or nobody can tell.
    `by_you` are words behind "why did you", of how things were left."""
    text = f"why is {text}" if by_you else text
    asked = next((one for one in re.findall(r"[^.!?]+", text.lower().replace("\u2019", "'")) if _ASKS.search(one)), "")
    asks = _ASKS.search(asked)
    if asks is None or _NOT.search(asked) or (state.deeds and _OF_YOU.search(asked)):
        return ""
    told = next(((one, other) for one, words, other in _STATES if words.search(asked)), None)
    if told is None:
        return ""
    known = _of_state(told[0], asked, resolver)
    so = [is_so(thing, told[0], resolver.body.things) for thing in known]
    if not known or any(one is not False for one in so):
        return ""
    alone = len(known) == 1
    words = f"{subject(known[0])} is {told[1]}" if alone else f"none of them is {told[0]}"
    ids = {thing.object_id for thing in known}
    if any(deed.done and ids & {*deed.ids} for deed in state.deeds):
        return sentence(f"{words} now")
    return sentence(f"nobody did: {words}") if asks["who"] else sentence(f"as far as I can tell {words}")


def state_asked(plain: str, resolver: Resolver) -> tuple[str, list[Thing]] | None:
    """The state that a question says things are in, and those things; `None` where it speaks of none."""
    state = next((one for one, words, _ in _STATES if words.search(plain)), None)
    things = _of_state(state, plain, resolver) if state is not None and _ASKS.search(plain) else []
    return (state, things) if state is not None and things else None


def _of_state(state: str, asked: str, resolver: Resolver) -> list[Thing]:
    """The things that words name first which may be in a state."""
    names = [*mentions_in(asked)] or ["it"] * bool(_IT.search(asked))
    named = (resolver.find(Phrase(noun)).things for noun in names)
    return [thing for thing in next(filter(None, named), ()) if not lacks(thing, state)]


def not_done_so(deed: Deed, asked: DialogueAct, result: str, knowing: RoomKnowledge) -> str:
    """What is said where a thing that an order would make a `result` was so already, or where it was not done with
    what is asked about; "" else."""
    things = knowing.body.things.known(deed.ids)
    order = read_act(deed.act)
    if not deed.changed and things and (result or (order is not None and order.about == "put")):
        was = "was" if len(things) == 1 and not is_plural(subject(things[0])) else "were"
        names = listed([*dict.fromkeys(map(subject, things))])
        return f"No, I did not have to: {names} {was} {result or 'there'} already."
    tool = next((slot.phrase for slot in asked.slots if slot.role == "with"), None)
    if tool is None or order is None or any(slot.phrase.noun == tool.noun for slot in order.slots):
        return ""
    used = {one.object_id for one in knowing.find(tool).things} & {*knowing.body.memory.handled}
    return "" if used else f"No, I did not use {words_of(tool, 'a')} for that."
