"""Coffee, toast, cooking and boiling."""

from __future__ import annotations

from collections.abc import Callable, Generator

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted, not_found
from teach_agents.agents.acting.skills.hands import close, easiest, free_hand, pick_up, put_held, switch
from teach_agents.agents.acting.skills.searching import look_at
from teach_agents.agents.acting.skills.water import clear, empty, fill, filled_first
from teach_agents.agents.acting.things import Thing
from teach_agents.understanding.english.values import ReportKind

_COOLING = 7
"""So many glances up and down a burner takes to cool down that was turned off."""


def brew(body: Body, mug: Thing) -> Steps:
    """Fill a mug with coffee; it stays in the coffee machine. Water in it is poured out first."""
    if body.is_now(mug, "simbotIsFilledWithCoffee"):
        return
    yield from empty(body, mug)
    failure = SkillError(ReportKind.FAILED, mug)
    for machine in easiest(body, _all_of(body, "CoffeeMachine")):
        error = yield from attempted(_use_machine(body, machine, mug))
        if error:
            failure = error
            continue
        yield from look_at(body, mug)
        if body.is_now(mug, "simbotIsFilledWithCoffee"):
            return
    raise failure


def toast(body: Body, bread: Thing) -> Steps:
    """Toast one slice of bread; it stays in the toaster."""
    if body.is_now(bread, "isCooked"):
        return
    for toaster in easiest(body, _all_of(body, "Toaster")):
        yield from _use_machine(body, toaster, bread)
        yield from look_at(body, bread)
        if body.is_now(bread, "isCooked"):
            return
    raise SkillError(ReportKind.FAILED, bread)


def _use_machine(body: Body, machine: Thing, thing: Thing) -> Steps:
    """Put a thing alone into a machine and run it once."""
    if machine not in body.holders(thing):
        if body.things.contents(machine):
            yield from free_hand(body)
            yield from clear(body, machine)
        yield from pick_up(body, thing)
        yield from switch(body, machine, on=False)
        yield from put_held(body, machine)
    yield from switch(body, machine, on=False)
    yield from switch(body, machine, on=True)
    yield from switch(body, machine, on=False)


def cook(body: Body, food: list[Thing], tool: Thing | None = None) -> Steps:
    """Cook things in a microwave, all at once, or on the stove."""
    raw = still_raw(body, food)
    if not raw:
        return
    if tool is None:
        microwaves = easiest(body, body.things.of("Microwave"))
    else:
        microwaves = [tool] if tool.is_a("Microwave") else []
    for microwave in microwaves:
        if (yield from attempted(heat_up(body, microwave, raw))):
            raw = still_raw(body, raw)
        if not still_raw(body, raw):
            return
    failure: SkillError | None = None
    for thing in raw:
        if not body.now(thing).is_cooked:
            failure = (yield from attempted(_on_the_stove(body, thing, tool))) or failure
    if failure:
        raise failure


def still_raw(body: Body, food: list[Thing]) -> list[Thing]:
    """What of this is not cooked."""
    return [thing for thing in food if not body.now(thing).is_cooked]


def heat_up(body: Body, microwave: Thing, food: list[Thing]) -> Steps:
    """Run a microwave with as much of the food in it as goes in; what is in the way is taken out."""
    placed = 0
    for thing in food:
        if microwave not in body.holders(thing):
            yield from pick_up(body, thing)
            if (yield from attempted(put_held(body, microwave))):
                if placed:
                    break
                yield from free_hand(body)
                yield from clear(body, microwave)
                yield from pick_up(body, thing)
                yield from put_held(body, microwave)
        placed += 1
    yield from close(body, microwave)
    yield from switch(body, microwave, on=True)
    yield from switch(body, microwave, on=False)
    for thing in food:
        yield from look_at(body, thing)


def _on_the_stove(body: Body, thing: Thing, pan: Thing | None) -> Steps:
    pans = [pan] if pan is not None and pan.has("pickupable") else easiest(body, _all_of(body, "Pan", "Pot"))
    vessel = next((p for p in pans if _burner_under(body, p)), pans[0])
    yield from _onto_a_burner(body, vessel, thing)
    yield from _light(body, vessel, lambda: body.now(thing).is_cooked)
    yield from look_at(body, thing)
    if not body.now(thing).is_cooked:
        raise SkillError(ReportKind.FAILED, thing)


def boil(body: Body, food: Thing) -> Steps:
    """Boil a thing: in a pot of water on a burner, or failing that in the microwave in whatever holds water.

    Where a body that looks for itself lacked something for it (a pot, a faucet), that was not found.
    """
    if body.is_now(food, "simbotIsBoiled"):
        return
    pots = filled_first(body, body.things.of("Pot"))
    bowls = filled_first(body, body.things.of("Bowl", "Cup", "Mug")) if body.things.of("Microwave") else []
    ways = [(_boil_in, vessel) for vessel in pots[:3]] + [(_boil_in_microwave, vessel) for vessel in bowls[:3]]
    lacking = [] if pots else [not_found("Pot")]
    for way, vessel in ways:
        error = yield from attempted(way(body, food, vessel))
        if error:
            lacking += [error] if error.kind is ReportKind.NOT_FOUND else []
            continue
        yield from look_at(body, food)
        if body.is_now(food, "simbotIsBoiled"):
            return
    if lacking and body.knowledge is not None:
        raise lacking[0]
    raise SkillError(ReportKind.FAILED, food)


def _boil_in_microwave(body: Body, food: Thing, vessel: Thing) -> Steps:
    yield from fill(body, vessel)
    yield from pick_up(body, vessel)
    yield from free_hand(body)
    yield from pick_up(body, food)
    yield from put_held(body, vessel)
    microwave = easiest(body, _all_of(body, "Microwave"))[0]
    yield from clear(body, microwave)
    yield from heat_up(body, microwave, [vessel])


def _boil_in(body: Body, food: Thing, pot: Thing) -> Steps:
    burner = _burner_under(body, pot)
    if burner is not None and _is_hot(burner):
        yield from _put_out(body, burner)
    yield from fill(body, pot)
    yield from _onto_a_burner(body, pot, food)
    yield from _light(body, pot, lambda: body.is_now(food, "simbotIsBoiled"))


def _onto_a_burner(body: Body, vessel: Thing, food: Thing) -> Steps:
    yield from _to_a_burner(body, vessel)
    if vessel not in body.holders(food):
        yield from pick_up(body, food)
        failure = yield from attempted(put_held(body, vessel))
        if failure is None:
            return
        if not body.things.contents(body.now(vessel)):
            raise failure
        yield from free_hand(body, avoid=body.now(vessel))  # what was cooked in it before makes room
        yield from clear(body, body.now(vessel))
        yield from pick_up(body, food)
        yield from put_held(body, body.now(vessel))


def _to_a_burner(body: Body, vessel: Thing) -> Steps:
    """Put a vessel on a free burner; when others are in the way they are taken off the stove."""
    if _burner_under(body, vessel) is not None:
        return
    if _free_burners(body):
        yield from pick_up(body, vessel)
        if (yield from _try_burners(body)):
            return
        yield from free_hand(body)
    for burner in _all_of(body, "StoveBurner"):
        yield from clear(body, burner)
    yield from pick_up(body, vessel)
    if not (yield from _try_burners(body)):
        raise SkillError(ReportKind.NO_ROOM, noun="StoveBurner")


def _free_burners(body: Body) -> list[Thing]:
    return [burner for burner in _all_of(body, "StoveBurner") if not body.things.contents(burner)]


def _try_burners(body: Body) -> Generator[Action, None, bool]:
    for burner in easiest(body, _free_burners(body))[:3]:
        if not (yield from attempted(put_held(body, burner, patience=1))):
            return True
    return False


def _burner_under(body: Body, vessel: Thing) -> Thing | None:
    holders = [] if body.is_gone(vessel) else body.holders(vessel)
    return next((holder for holder in holders if holder.is_a("StoveBurner")), None)


def _is_hot(burner: Thing) -> bool:
    return burner.has("isToggled") or "Hot" in burner.temperature


def _light(body: Body, vessel: Thing, done: Callable[[], bool]) -> Steps:
    """Turn on the burner under a vessel: which knob it is, is found out by trying and then remembered.

    Each burner has a knob of its own: a body that knows fewer of them, and none that works, did not find it.
    """
    burner = _burner_under(body, vessel)
    if burner is None:
        raise SkillError(ReportKind.FAILED, vessel)
    if _is_hot(burner):
        yield from _put_out(body, burner)
    unknown = len(body.things.of("StoveBurner")) - len(body.things.of("StoveKnob"))
    for knob in _knobs_for(body, burner):
        before = {b.object_id for b in body.things.of("StoveBurner") if _is_hot(b)}
        if (yield from attempted(switch(body, knob, on=True))):
            continue
        yield from look_at(body, burner)
        lit = [b.object_id for b in body.things.of("StoveBurner") if _is_hot(b) and b.object_id not in before]
        body.memory.knobs.update(dict.fromkeys(lit, knob.object_id))
        worked = done() or burner.object_id in lit
        yield from switch(body, knob, on=False)
        if worked:
            return
    if unknown > 0 and body.knowledge is not None:
        raise not_found("StoveKnob")


def is_burning(body: Body, burner: Thing) -> bool:
    """Whether a burner is on; one that was turned off stays hot for a while."""
    knob = body.things.get(body.memory.knobs.get(burner.object_id, ""))
    if knob is not None:
        return knob.has("isToggled")
    return _is_hot(body.now(burner)) and any(one.has("isToggled") for one in body.things.of("StoveKnob"))


def burn(body: Body, burner: Thing) -> Steps:
    """Turn a burner on and leave it on: which knob it is, is found out by trying and then remembered."""
    for knob in _knobs_for(body, burner):
        if is_burning(body, burner):
            return
        before = {one.object_id for one in body.things.of("StoveBurner") if _is_hot(one)}
        if body.is_now(knob, "isToggled") or (yield from attempted(switch(body, knob, on=True))):
            continue
        yield from look_at(body, burner)
        lit = [one.object_id for one in body.things.of("StoveBurner") if _is_hot(one) and one.object_id not in before]
        body.memory.knobs.update(dict.fromkeys(lit, knob.object_id))
        if not is_burning(body, burner):
            yield from switch(body, knob, on=False)
    if not is_burning(body, burner):
        raise SkillError(ReportKind.FAILED, burner)


def put_out(body: Body) -> Steps:
    """Turn all burners off."""
    for knob in body.things.of("StoveKnob"):
        yield from switch(body, knob, on=False)


def put_out_only(body: Body, burner: Thing) -> Steps:
    """Turn one burner off: which knob it is, is known or seen by whether it cools down; the others go on.

    Raises `SkillError` where it is none of them.
    """
    for knob in _knobs_for(body, burner):
        if not body.is_now(knob, "isToggled"):
            continue
        yield from switch(body, knob, on=False)
        known = burner.object_id in body.memory.knobs
        yield from look_at(body, burner)
        for glance in () if known else ("Look Up", "Look Down") * _COOLING:
            if _is_hot(body.now(burner)):
                yield Action(glance)
        if known or not _is_hot(body.now(burner)):
            body.memory.knobs[burner.object_id] = knob.object_id
            return
        yield from switch(body, knob, on=True)
    raise SkillError(ReportKind.FAILED, burner)


def _put_out(body: Body, burner: Thing) -> Steps:
    for knob in _knobs_for(body, burner):
        yield from switch(body, knob, on=False)
        if not body.is_now(burner, "isToggled"):
            return


def _knobs_for(body: Body, burner: Thing) -> list[Thing]:
    """The knob that is known to heat a burner, else those not known for another, nearest first."""
    known = body.memory.knobs.get(burner.object_id)
    others = set(body.memory.knobs.values())
    knobs = sorted(body.things.of("StoveKnob"), key=lambda knob: knob.distance(burner.center))
    return [knob for knob in knobs if (knob.object_id == known if known else knob.object_id not in others)]


def _all_of(body: Body, *nouns: str) -> list[Thing]:
    found = body.things.of(*nouns)
    if not found:
        raise not_found(nouns[0])
    return found
