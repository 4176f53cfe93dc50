"""Look for what a step takes and is not known of: what its noun phrases speak of, and its tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.acting.grounding import fits, matching
from teach_agents.agents.acting.skills.searching import look_for, one_more
from teach_agents.agents.acting.things import Test, Thing, Things
from teach_agents.agents.english.values import Instruction, Reference

_SERVES: Mapping[str, tuple[str, ...]] = {
    "Knife": ("Knife", "ButterKnife"),
    "ButterKnife": ("Knife", "ButterKnife"),
    "Pan": ("Pan", "Pot"),
    "CounterTop": ("CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk", "Dresser", "TVStand"),
    "Cup": ("Cup", "Mug", "Bowl", "Pot", "Kettle", "Bottle", "WineBottle", "WateringCan"),
}
"""What serves as well where a tool of a kind is looked for."""


def seek(body: Body, noun: str, step: Instruction) -> Steps:
    """Look for what a step did not find under `noun`: something that its noun phrase fits, else one more such thing.

    Of a tool that the step does not name, what serves as well will do.

    Places that were named in the step, or told before (`Memory.hints`), come first. Raises `SkillError` (not found).
    """
    lacking = _lacking(noun, step, body.things)
    is_named = any(phrase.noun == noun for phrase in step.phrases)
    kinds = (noun,) if is_named else _SERVES.get(noun, (noun,))
    more = one_more(body, *kinds)

    def found() -> bool:
        return more() if lacking is None else bool(matching(lacking, body.things))

    if lacking is not None and lacking.content is not None:
        likely: Test = lambda holder: holder.is_a(noun)  # noqa: E731  # one of two
        sought = lacking.content.noun
    else:
        told = [*((phrase.noun, phrase.place) for phrase in step.phrases), *body.memory.hints]
        likely = _named(body, [place for name, place in told if name == noun and place is not None])
        landmark = lacking.landmark if lacking is not None and body.things.of(*kinds) else None
        sought = landmark.thing.noun if landmark is not None else noun
    body.memory.sought = sought
    yield from look_for(body, sought, found, likely)


def simplified(step: Instruction, noun: str, things: Things) -> Instruction | None:
    """A step whose noun phrases about `noun` that nothing fits say less, so that something does.

    `None` where nothing would. What is said of where a thing is, or of what is in it, may speak of things that were
    never seen.
    """
    lacking = _lacking(noun, step, things)
    if lacking is None:
        return None
    shorter = replace(lacking, content=None, landmark=None)
    for less in (shorter, replace(shorter, place=None)):
        if matching(less, things):
            return replace(step, what=_swapped(step.what, lacking, less), where=_swapped(step.where, lacking, less))
    return None


def _lacking(noun: str, step: Instruction, things: Things) -> Reference | None:
    """The noun phrase about `noun` that nothing known fits."""
    return next((phrase for phrase in step.phrases if phrase.noun == noun and not matching(phrase, things)), None)


def _named(body: Body, places: list[Reference]) -> Test:
    """Whether a holder is one of the places; where none that is known fits what was said, such a holder is."""

    def is_named(holder: Thing) -> bool:
        return any(
            fits(place, holder, body.things) if matching(place, body.things) else holder.is_a(place.noun)
            for place in places
        )

    return is_named


def _swapped(reference: Reference | None, old: Reference, new: Reference) -> Reference | None:
    return new if reference == old else reference
