"""What the Commander answers when it is asked something: where a thing is, which one is meant, what is to be done."""

from __future__ import annotations

import random
from collections.abc import Sequence

from teach_agents.agents.acting.grounding import describe, hint_about, matching
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.understanding.english.lexicon import match_noun, noun, number_word
from teach_agents.understanding.english.natural import NaturalSpeaker
from teach_agents.understanding.english.speaking import say_instruction, say_reference
from teach_agents.understanding.english.values import Instruction, State
from teach_agents.understanding.rules_reader import RulesReader

_LOOKS = (State.DIRTY, State.CLEAN, State.COOKED, State.RAW)
_READER = RulesReader()


def asks(text: str) -> bool:
    """Whether an utterance wants an answer."""
    return text.rstrip().endswith("?") or any(act.act is Act.QUESTION for act in _READER.read(text).acts)


def replied(text: str, step: Instruction, things: Things, rng: random.Random) -> str:
    """An answer to what a Follower asks while it is to do a step. What the Commander cannot know, it says so."""
    acts = _READER.read(text).acts
    asked = next((act for act in acts if act.act is Act.QUESTION), None)
    topic = asked.about if asked is not None else ""
    wanted = matching(step.what, things) if step.what is not None else []
    named = _named(asked, things) if asked is not None else []
    if topic == "where":
        return _whereabouts(named or wanted, things, rng)
    if topic == "which" and wanted:
        return f"{_capital(say_reference(describe(wanted[0], things, _LOOKS)))}."
    if topic in ("count", "there") and asked is not None and asked.slots:
        return _number(asked.slots[0].phrase.noun, named)
    request = say_instruction(step, rng)
    return request if topic in ("task", "next", "what", "doing") or not topic else f"I do not know that. {request}"


def _named(asked: DialogueAct, things: Things) -> list[Thing]:
    """The things that a question is about."""
    if not asked.slots:
        return []
    words = tuple(asked.slots[0].phrase.noun.split("_"))
    found = match_noun(words, 0)
    return things.of(found[0]) if found is not None and found[2] == len(words) else []


def _whereabouts(found: Sequence[Thing], things: Things, rng: random.Random) -> str:
    for thing in found:
        hint = hint_about(thing, things, rng)
        if hint is not None:
            return _capital(NaturalSpeaker(rng).hint(hint))
    return "I do not know where that is."


def _number(name: str, found: Sequence[Thing]) -> str:
    if not found:
        return f"I know no {name.replace('_', ' ')}."
    words = noun(found[0].object_type)
    is_one = len(found) == 1
    return f"There {'is' if is_one else 'are'} {number_word(len(found))} {words.one if is_one else words.many}."


def _capital(sentence: str) -> str:
    sentence = sentence[:1].upper() + sentence[1:]
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
