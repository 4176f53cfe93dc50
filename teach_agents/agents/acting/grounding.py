"""From noun phrases to things, and from a thing to a noun phrase that picks it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.acting.whereabouts import is_by
from teach_agents.agents.english.values import Reference, State

_TESTS: Mapping[State, Callable[[Thing, Things], bool]] = {
    State.CLEAN: lambda thing, _: not thing.has("isDirty"),
    State.DIRTY: lambda thing, _: thing.has("isDirty"),
    State.COOKED: lambda thing, _: thing.is_cooked,
    State.RAW: lambda thing, _: not thing.is_cooked,
    State.TOASTED: lambda thing, _: thing.has("isCooked"),
    State.BOILED: lambda thing, _: thing.has("simbotIsBoiled"),
    State.EMPTY: lambda thing, things: not thing.has("isFilledWithLiquid") and not things.contents(thing),
    State.FULL: lambda thing, _: thing.has("isFilledWithLiquid"),
    State.WHOLE: lambda thing, _: not thing.object_type.endswith(("Sliced", "Cracked")),
    State.SAME: lambda _, __: True,
}


def fits(reference: Reference, thing: Thing, things: Things) -> bool:
    """Whether a thing is what a noun phrase speaks of (its count left out)."""
    if not thing.is_a(reference.noun) or not all(_TESTS[state](thing, things) for state in reference.states):
        return False
    place, content, landmark = reference.place, reference.content, reference.landmark
    if landmark is not None and not any(
        is_by(landmark.relation, thing, mark) for mark in things if fits(landmark.thing, mark, things)
    ):
        return False
    if place is not None and not any(fits(place, holder, things) for holder in things.holders(thing)):
        return False
    return content is None or any(fits(content, held, things) for held in things.contents(thing))


def matching(reference: Reference, things: Things) -> list[Thing]:
    """Everything that a noun phrase may speak of."""
    return [thing for thing in things if fits(reference, thing, things)]


def describe(target: Thing, things: Things, states: tuple[State, ...] = ()) -> Reference:
    """The shortest noun phrase that picks out `target`, or the one that leaves the fewest others.

    `states` are adjectives that may help, tried singly. A thing that cannot be told apart from others is "a", not
    "the".
    """
    best: tuple[int, Reference] | None = None
    for reference in _candidates(target, things, states):
        number = len(matching(reference, things))
        if number == 1:
            return reference
        if best is None or number < best[0]:
            best = number, reference
    assert best is not None, "the bare noun is always a candidate"
    found = best[1]
    return Reference(found.noun, 1, False, found.states, found.place, found.content)


def _candidates(target: Thing, things: Things, states: tuple[State, ...]) -> Iterator[Reference]:
    adjectives: list[tuple[State, ...]] = [(), *((s,) for s in states if _TESTS[s](target, things))]
    noun = target.object_type.removesuffix("Basin")
    for adjective in adjectives:
        yield Reference(noun, 1, True, adjective)
    inside = [held for held in things.contents(target) if target in things.holders(held)[:1]]
    contents = [Reference(kind) for kind in dict.fromkeys(held.object_type for held in inside)]
    for adjective in adjectives:
        for content in contents:
            yield Reference(noun, 1, True, adjective, content=content)
    holders = things.holders(target)
    for adjective in adjectives:
        for holder in holders:
            place = Reference(holder.object_type.removesuffix("Basin"), 1, True)
            if place.noun != "Floor" or len(holders) == 1:
                yield Reference(noun, 1, True, adjective, place=place)
