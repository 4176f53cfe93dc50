"""Work on one thing after the other: wash, slice, crack, toast, boil, fill, empty, water, open, close, switch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from teach_agents.agents.acting.body import SkillError, attempted
from teach_agents.agents.acting.things import Test, Thing
from teach_agents.agents.dialogue.noun_text import clause, sentence
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance, the_things, was
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.agents.dialogue.states import named_state
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.english.values import Verb


class Work(NamedTuple):
    """Something done to one thing after the other.

    `able` are things that it can be done to, of others it is said that they cannot "be washed"; `so` tells what is as
    wanted, which is then called `state` ("clean"). `past` is what was done ("washed").
    """

    verb: Verb
    able: Test
    so: Test
    cannot: str
    past: str
    state: str


def work(context: OrderContext, found: Found, task: Work) -> Doing:
    """Do it to as many of these as are meant; what is so already counts."""
    meant = [*(found.chosen if found.salient or found.many is None else found.things)]
    waiting = [one for one in meant if not task.so(one)]
    wanted = len(waiting) if found.many is None else min(found.many, len(waiting))
    if not waiting:
        of = meant[: found.many]
        words = sentence(f"{context.the(of)} {are(of)} {_state(of, task)} already")
        return Outcome(True, words, tuple(one.object_id for one in of))
    before = {one.object_id for one in context.body.things}
    failure = yield from attempted(context.do(task.verb, waiting, count=wanted))
    done = [one for one in waiting if _is_so(context, one, task)]
    if failure is not None and 0 < len(done) < wanted:  # where it stands now it may get at the others
        left = [one for one in context.now(waiting) if not _is_so(context, one, task)]
        failure = yield from attempted(context.do(task.verb, left, count=wanted - len(done)))
        done = [one for one in waiting if _is_so(context, one, task)]
    parts = [one for one in context.body.things if one.object_id not in before and _is_of(one, done)]
    ids = tuple(one.object_id for one in (parts or done or waiting[:wanted]))
    said = told(context, task, done, wanted, failure)
    if done and len(done) == wanted and found.many is not None:
        said += told_so(found.many - wanted, [one for one in meant if one not in waiting], task)
    left = [one for one in waiting if one not in done] if len(done) < wanted == len(waiting) else []
    if len(left) > 1:
        said = f"{said} {sentence(f'{the_things(left)} are left')}"
    return Outcome(len(done) >= wanted, said, ids)


def told_so(number: int, things: Sequence[Thing], task: Work) -> str:
    """That so many of these were as wanted before, where several are meant; "" for none."""
    were = things[:number] if number > 0 else ()
    words = number_word(len(were))
    return f" {sentence(f'{words} {was(len(were))} {_state(were, task)} already')}" if were else ""


def _is_so(context: OrderContext, was: Thing, task: Work) -> bool:
    """Whether a thing is now as wanted; what was cut up is gone."""
    now = context.body.things.get(was.object_id)
    return task.verb is Verb.SLICE if now is None else task.so(now)


def _is_of(part: Thing, wholes: Sequence[Thing]) -> bool:
    return any(part.object_id.startswith(one.object_id) for one in wholes)


def told(context: OrderContext, task: Work, done: Sequence[Thing], wanted: int, failure: SkillError | None) -> str:
    """How much of it was done, and what was in the way of the rest."""
    if not done:
        return context.unable(failure)
    if len(done) < wanted:
        why = hindrance(failure, context.body) if failure is not None else "it did not work"
        return sentence(f"I {task.past} {number_word(len(done))} of the {number_word(wanted)}; {clause(why)}")
    words, state = context.the(done), _state(done, task)
    past = sentence(f"I {state if state == 'lit' else task.past} {words}")
    if len(done) == 1 and state:
        return context.pick(sentence(f"{words} {are(done)} {state} now"), past, f"Done: {words} {are(done)} {state}.")
    return context.pick(past, sentence(f"{words} {are(done)} {state} now"))


def _state(things: Sequence[Thing], task: Work) -> str:
    """How things are then, in the word that people have for it where they are of one kind."""
    words = {named_state(one, task.state) for one in things}
    return words.pop() if len(words) == 1 else task.state


Ready = Callable[[OrderContext], Doing]
"""How an order is carried out."""


def working(task: Work) -> Ready:
    """An order that is one such work."""

    def ready(context: OrderContext) -> Doing:
        found = yield from context.find(context.phrase, task.able, task.cannot)
        found = yield from context.with_more(context.phrase, task.able, found, task.so)
        return (yield from work(context, found, task))

    return ready
