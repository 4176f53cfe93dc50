"""Carry out an instruction: ground its noun phrases in what is there, look for what is not, then use the skills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted, not_found
from teach_agents.agents.acting.grounding import fits, matching
from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.agents.acting.skills.hands import close, easiest, open_up, pick_up, slice_up, switch, try_out, uncover
from teach_agents.agents.acting.skills.heat import boil, brew, cook, still_raw, toast
from teach_agents.agents.acting.skills.moving import gather
from teach_agents.agents.acting.skills.searching import look_for, look_into, one_more
from teach_agents.agents.acting.skills.water import clean, clear, empty, fill, water
from teach_agents.agents.acting.things import Test, Thing, Things, having, same_type
from teach_agents.understanding.english.values import Instruction, Reference, ReportKind, State, Verb

_HIGH = 0.3
"""How far above the eyes a bottom hides what stands on it, metres."""
_MISTAKES = 3
"""How often another such thing is looked for where what was known of turned out to be none, or gone."""
_One = Callable[[Body, Thing], Steps]


def perform(body: Body, instruction: Instruction) -> Steps:
    """Carry out one instruction. Raises `SkillError` saying why it could not be done, in whole or in part.

    A body that has to look for itself looks for what it takes and does not know of, and tries again; what was said of
    it beyond its kind is let go where nothing that was found fits. It looks once for a kind of thing, and more often
    where what it knew of turns out to be something else, or gone.
    """
    sought: Counter[str] = Counter()
    while True:
        try:
            yield from _HANDLERS[instruction.verb](body, instruction)
        except SkillError as error:
            if error.kind is not ReportKind.NOT_FOUND or body.knowledge is None:
                raise
            if sought[error.noun] < (1 if error.thing is None else _MISTAKES):
                sought[error.noun] += 1
                if not (yield from attempted(seek(body, error.noun, instruction))):
                    continue
            less = simplified(instruction, error.noun, body.things)
            if less is None:
                raise
            instruction = less
        else:
            return


def _grounded(body: Body, reference: Reference | None, wanted: Test = lambda thing: True) -> list[Thing]:
    """Everything a noun phrase speaks of and an action suits; raises `SkillError` when nothing is that."""
    if reference is None:
        raise SkillError(ReportKind.NOT_UNDERSTOOD)
    if reference.noun == "It" and body.memory.handled:
        last = body.last_handled
        return [last] if last is not None and wanted(last) else []
    found = matching(reference, body.things)
    if not found:
        raise not_found(reference.noun)
    return [thing for thing in found if wanted(thing)]


def _each(one: _One, wanted: Test) -> Callable[[Body, Instruction], Steps]:
    """A handler that does one thing after the other, as many as the noun phrase counts.

    What is as wanted already counts as done. When one of several candidates fails, the next is tried.
    """

    def handler(body: Body, instruction: Instruction) -> Steps:
        waiting = _grounded(body, instruction.what, wanted)
        if not waiting and body.knowledge is not None and instruction.what is not None:
            raise not_found(instruction.what.noun)
        left = len(waiting[: instruction.what.count if instruction.what else 1])
        failure: SkillError | None = None
        while waiting and left:
            thing = next(filter(body.holds, waiting), None) or easiest(body, waiting)[0]
            waiting.remove(thing)
            error = yield from attempted(one(body, thing))
            left -= error is None
            if error:
                failure = error
                body.memory.troubles[thing.object_id] += 1
        if left and failure is not None:
            raise failure

    return handler


def _put(body: Body, instruction: Instruction) -> Steps:
    what, where = instruction.what, instruction.where
    things = _grounded(body, what, having("pickupable"))
    holders = _grounded(body, where, having("receptacle"))
    if what is None or where is None or not holders:
        raise SkillError(ReportKind.NOT_UNDERSTOOD)
    ranked = _by_suitability(body, holders, what, where)
    if where.definite:
        ranked = ranked[:1]
    around = {thing.object_id for thing in ranked}
    outside = [t for t in things if not _in_any(t, ranked, body.things) and t.object_id not in around]
    if not outside:
        if things and what.count is None and body.knowledge is None:
            return
        raise not_found(what.noun)
    yield from gather(body, _loose_first(body, outside, ranked[0] if what.count is None else None), ranked, what.count)


def _loose_first(body: Body, things: list[Thing], place: Thing | None) -> list[Thing]:
    """What was asked for where it is, and what is on a dish, is taken only when nothing else is left.

    Where all are wanted at one `place`, what was asked for on furniture of another kind is taken as well.
    """

    def stays(thing: Thing) -> bool:
        holders = body.things.holders(thing)
        elsewhere = place is not None and not any(same_type(h.object_type, place.object_type) for h in holders)
        return thing.object_id in body.memory.kept and not elsewhere

    free = [t for t in things if not stays(t)] or things
    return [t for t in free if not any(h.has("pickupable") for h in body.things.holders(t))] or free


def _in_any(thing: Thing, holders: list[Thing], things: Things) -> bool:
    return any(
        parent is holder
        or (same_type(parent.object_type, holder.object_type) and parent.object_type != holder.object_type)
        for parent in things.known(thing.parents)
        for holder in holders
    )


def _by_suitability(body: Body, holders: list[Thing], what: Reference, where: Reference) -> list[Thing]:
    """Holders that have such things already come first, then clean and roomy ones, then the easiest to get to.

    What opens high above the eyes is rather left alone: what is put there may never be got at again.
    """
    order = {thing.object_id: rank for rank, thing in enumerate(easiest(body, holders))}

    def key(holder: Thing) -> tuple[float, ...]:
        contents = body.things.contents(holder)
        alike = sum(thing.is_a(what.noun) for thing in contents)
        trouble = body.memory.troubles[holder.object_id]
        kept = holder.has("pickupable") or State.SAME in where.states
        recent = -1 if kept and holder.object_id in body.memory.used[-1:] else 0
        high = holder.has("openable") and holder.low.y > body.pose.position.y + EYE_HEIGHT + _HIGH
        return (trouble, recent, -alike, holder.has("isDirty"), high, len(contents) // 4, order[holder.object_id])

    return sorted(holders, key=key)


def _is_raw(thing: Thing) -> bool:
    return not thing.is_cooked


def _cook(body: Body, instruction: Instruction) -> Steps:
    food = _grounded(body, instruction.what, _is_raw)
    tools = _grounded(body, instruction.where) if instruction.where else []
    wanted = len(food[: instruction.what.count if instruction.what else 1])
    tool = tools[0] if tools else None
    failure = yield from attempted(cook(body, easiest(body, food)[:wanted], tool))
    if failure:
        raw = still_raw(body, food)
        left = wanted - (len(food) - len(raw))
        if left >= len(raw):
            raise failure
        yield from cook(body, easiest(body, raw)[:left], tool)


def _clear(body: Body, instruction: Instruction) -> Steps:
    for holder in _grounded(body, instruction.what, having("receptacle")):
        yield from open_up(body, holder)
        yield from clear(body, holder)


def _nothing(body: Body, instruction: Instruction) -> Steps:
    yield from ()


def _look(body: Body, instruction: Instruction) -> Steps:
    """Told where something is: open that place; who looks for it itself looks at or into each that may be meant."""
    if body.knowledge is not None and instruction.where is not None:
        noun = instruction.what.noun if instruction.what is not None else body.memory.sought
        wanted = one_more(body, noun)
        holders = matching(instruction.where, body.things) or body.things.of(instruction.where.noun)
        yield from look_into(body, easiest(body, holders), wanted)
        return
    for holder in _grounded(body, instruction.where)[:1]:
        yield from uncover(body, holder)
        yield from open_up(body, holder)


def _turn_on(body: Body, thing: Thing) -> Steps:
    """Turn a thing on; running water that puts a candle out is turned off first."""
    yield from switch(body, thing, on=True)
    if body.is_now(thing, "isToggled"):
        return
    for tap in easiest(body, [tap for tap in body.things.of("Faucet", "ShowerHead") if tap.has("isToggled")]):
        yield from switch(body, tap, on=False)
    yield from switch(body, thing, on=True)


def _turn_off(body: Body, thing: Thing) -> Steps:
    yield from (switch(body, thing, on=False) if thing.has("isToggled") else try_out(body, "ToggleOff", thing))


def _close(body: Body, thing: Thing) -> Steps:
    yield from (close(body, thing) if thing.has("isOpen") else try_out(body, "Close", thing))


_SINGLY: Mapping[Verb, tuple[_One, Test]] = {
    Verb.PICK_UP: (pick_up, having("pickupable")),
    Verb.CLEAN: (clean, having("isDirty")),
    Verb.SLICE: (slice_up, having("sliceable")),
    Verb.TOAST: (toast, having("cookable", but="isCooked")),
    Verb.BOIL: (boil, having("cookable", but="simbotIsBoiled")),
    Verb.COFFEE: (brew, having("canFillWithLiquid", but="simbotIsFilledWithCoffee")),
    Verb.FILL: (fill, having("canFillWithLiquid", but="isFilledWithLiquid")),
    Verb.EMPTY: (empty, having("canFillWithLiquid", maybe="isFilledWithLiquid")),
    Verb.WATER: (water, having("canFillWithLiquid", but="isFilledWithLiquid")),
    Verb.TURN_ON: (_turn_on, having("toggleable", but="isToggled")),
    Verb.TURN_OFF: (_turn_off, having("toggleable", maybe="isToggled")),
    Verb.OPEN: (open_up, having("openable", but="isOpen")),
    Verb.CLOSE: (_close, having("openable", maybe="isOpen")),
}
"""Verbs that are about one thing after the other: what is done to each, and what it can still be done to."""
_SUITED: Mapping[Verb, Test] = {Verb.COOK: _is_raw} | {verb: suits for verb, (_, suits) in _SINGLY.items()}


def suited(body: Body, instruction: Instruction) -> list[Thing] | None:
    """What is known and an instruction can still be done to; `None` where that cannot be told beforehand."""
    what = instruction.what
    if what is None or instruction.verb not in _SUITED or what.noun == "It":
        return None
    return [thing for thing in matching(what, body.things) if _SUITED[instruction.verb](thing)]


_HANDLERS: Mapping[Verb, Callable[[Body, Instruction], Steps]] = {
    **dict.fromkeys(Verb, _nothing),
    **{verb: _each(*how) for verb, how in _SINGLY.items()},
    Verb.PUT: _put,
    Verb.COOK: _cook,
    Verb.CLEAR: _clear,
    Verb.LOOK: _look,
}


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
    kinds = (noun,) if any(phrase.noun == noun for phrase in step.phrases) else _SERVES.get(noun, (noun,))
    more = one_more(body, *kinds)

    def found() -> bool:
        return more() if lacking is None else bool(matching(lacking, body.things))

    if lacking is not None and lacking.content is not None:
        likely: Test = lambda holder: holder.is_a(noun)  # noqa: E731  # one of two
        sought = lacking.content.noun
    else:
        told = [*((phrase.noun, phrase.place) for phrase in step.phrases), *body.memory.hints]
        likely = told_places(body, [place for name, place in told if name == noun and place is not None])
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


def told_places(body: Body, places: list[Reference]) -> Test:
    """Whether a holder is one of the places; where none that is known fits what was said, such a holder is."""

    def is_named(holder: Thing) -> bool:
        return any(
            fits(place, holder, body.things) if matching(place, body.things) else holder.is_a(place.noun)
            for place in places
        )

    return is_named


def _swapped(reference: Reference | None, old: Reference, new: Reference) -> Reference | None:
    return new if reference == old else reference
