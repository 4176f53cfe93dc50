"""Take things into the hand: what can be picked up of what is described, and which of it."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from teach_agents.actions import Action
from teach_agents.agents.acting.body import SkillError
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import article, called, listed, sentence
from teach_agents.agents.dialogue.noun_types import PRONOUNS, named_by, noun_of
from teach_agents.agents.dialogue.orders.availability import LIFTED, made_so
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance, placed
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import ReportKind, Verb

_KEPT = re.compile(
    r"\b(?:keep (?:a )?(?:(?:tight|firm|good) )?(?:hold|grip) (?:of|on)|keep (?:on )?(?:holding|carrying)|hang on ?to"
    r"|hold on ?to|(?:without|not|[a-z]+n't|never) (?:put|let|set|lay|drop|releas|los)[a-z]*(?: go of| down)?)\b"
    r"(?P<what>[^.!?]*)"
)
_IN_HAND = re.compile(
    r"\b(?:in your (?:other )?hand|(?:whatever|anything|everything|what)\b.* you(?:'re| are|'ve)?"
    r" (?:already |now )?(?:have|got|hold|holding|carry|carrying))\b"
    r"|^ (?:it|that|this|them)\b.*\band (?:also )?(?:take|get|grab|bring|pick|fetch|collect)\b"
)
"""Words of who wants something to stay where it is, and for what is in the hand."""
_TOGETHER = re.compile(r"\b(?:together|at once|at the same time|in one go|both)\b")
_ONE_BY_ONE = " I can take them somewhere one after the other."
ONE_HAND = "I can hold only one thing at a time"
TOO_HEAVY = "I cannot pick up {x}: I can carry only what fits in my hand."


def lifting(context: OrderContext, phrase: Phrase) -> Generator[Action, None, Found]:
    """What can be picked up of what is described; a slice is cut, a clean plate washed where there is none.

    Raises `UnableError` where it is nothing.
    """
    yield from made_so(context, phrase)
    return (yield from context.find(phrase, LIFTED, TOO_HEAVY))


def whole(phrase: Phrase, found: Found) -> Found:
    """All the pieces of what is described, where it was cut up: "the apple" is every slice of it."""
    first = next((one.object_type for one in found.things), "")
    if phrase.count or phrase.noun in PRONOUNS or not first.endswith("Sliced") or first in found.kinds:
        return found
    return found._replace(things=[one for one in found.things if one.object_type == first], many=None)


def candidates(found: Found) -> list[Thing]:
    """What will do: those that were meant, else all that fit; of a name that is one kind's very own, that kind."""
    if found.salient or found.many is None:
        return [*found.chosen]
    very = named_by(noun_of(found.kinds[0])) if len(found.kinds) > 1 else ""
    own = [one for one in found.things if one.object_type == very]
    return own if found.things[:1] == own[:1] and len(own) >= found.many else [*found.things]


def take(context: OrderContext, found: Found) -> Generator[Action, None, Thing]:
    """Take one of these into the hand, and shut what was opened for it. Raises `SkillError`."""
    body, things = context.body, candidates(found)
    held = body.held
    if held is not None and held not in things and _is_to_stay(held, context.state.doing_said.lower()):
        words = f"{ONE_HAND}, and I have {context.the([held])} in my hand"
        raise UnableError(f"{words}. Tell me to put it down first.", (held.object_id,))
    if held is None or held not in things:
        yield from context.do(Verb.PICK_UP, context.allowed(things, to="Pickup"), count=1)
    if body.held is None:
        raise SkillError(ReportKind.FAILED, things[0])
    yield from context.shut_behind()
    return body.held


def _is_to_stay(held: Thing, said: str) -> bool:
    """Whether what is in the hand is to be kept there."""
    kept = _KEPT.search(said.replace("\u2019", "'"))
    return kept is not None and (_IN_HAND.search(kept["what"]) is not None or called(held).one in kept["what"])


def doubt(context: OrderContext, found: Found) -> str:
    """What of a description nobody could tell."""
    if not found.unseen or len(found.things) < 2:
        return ""
    return f" I cannot tell which one is {listed(found.unseen)}."


def picked_up(context: OrderContext) -> Doing:
    """Take one thing into the hand; of several the first, and no more are looked for."""
    number = int(context.phrase.count) if context.phrase.count.isdecimal() else 1
    apart = number > 1 and context.phrase.noun not in PRONOUNS and context.body.knowledge is not None
    found = yield from lifting(context, replace(context.phrase, count="1") if apart else context.phrase)
    held = context.body.held
    if held is not None and held in candidates(found):
        words = context.pick(f"I have {context.the([held])} already.", f"I am holding {context.the([held])} already.")
        return Outcome(True, words, (held.object_id,))
    if held is not None and _were_together(context, held):
        raise UnableError(f"{ONE_HAND}, and I have {context.the([held])}.{_ONE_BY_ONE}", (held.object_id,))
    taken = yield from take(context, found)
    wanted = len(found.things) if found.many is None else found.many
    words = context.the([taken])
    if apart or (wanted > 1 and len(found.things) > 1):
        one = article(called(taken).one)
        said = f"{ONE_HAND}: I have {one}.{_ONE_BY_ONE}"
        return Outcome(False, said, (taken.object_id,))
    said = context.pick(f"I have {words}.", f"I am holding {words} now.") + doubt(context, found)
    return Outcome(True, said + _laid_aside(context, held), (taken.object_id,))


def _were_together(context: OrderContext, held: Thing) -> bool:
    """Whether what is in the hand was taken just now, and is to be there along with another thing."""
    before = context.state.deeds[-1:]
    taken = bool(before) and before[0].act.startswith("pick_up(") and held.object_id in before[0].ids
    return taken and _TOGETHER.search(context.state.doing_said.lower()) is not None


def _laid_aside(context: OrderContext, held: Thing | None) -> str:
    """What is said of what was in the hand before and is not any more."""
    now = context.body.things.get(held.object_id) if held is not None else None
    if now is None or context.body.holds(now):
        return ""
    where = next((placed(one) for one in context.body.things.holders(now)), "")
    words = sentence(f"{ONE_HAND}, so {context.the([now])} {are([now])} {where or 'not in my hand any more'}")
    return f" {words}"


def held_back(context: OrderContext, failure: SkillError | None, things: Sequence[Thing]) -> str:
    """What is said where a thing did not get to its place: whether it is held, and why."""
    if failure is None:
        return context.unable(failure)
    why, held = hindrance(failure, context.body), context.body.held
    if held is not None and held.object_id in {one.object_id for one in things}:
        return f"I have {context.the([held])}, but {why}."
    return sentence(why)
