"""Open, close, turn on, turn off, look in."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from teach_agents.actions import Action
from teach_agents.agents.acting.body import SkillError, Steps, attempted
from teach_agents.agents.acting.skills.approach import go_up_to
from teach_agents.agents.acting.skills.hands import close, faucet_of, open_up, uncover
from teach_agents.agents.acting.skills.heat import burn, is_burning, put_out, put_out_only
from teach_agents.agents.acting.skills.searching import look_into
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.noun_text import called, clause, grouped, sentence
from teach_agents.agents.dialogue.noun_types import DOORS, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.orders.doors import opening, some_door
from teach_agents.agents.dialogue.orders.food import water_put_on
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance, there_is
from teach_agents.agents.dialogue.orders.per_thing import Work, told, told_so, work
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.agents.dialogue.referring_expressions import place_word
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Verb


def _is_shut(thing: Thing) -> bool:
    return thing.has("openable") and not thing.may("isOpen")


def _is_off(thing: Thing) -> bool:
    return thing.has("toggleable") and not thing.may("isToggled")


_OPEN = Work(Verb.OPEN, having("openable"), having("isOpen"), "be opened", "opened", "open")
_CLOSE = Work(Verb.CLOSE, having("openable"), _is_shut, "be closed", "closed", "closed")
_ON = Work(Verb.TURN_ON, having("toggleable"), having("isToggled"), "be turned on", "turned on", "on")
_OFF = Work(Verb.TURN_OFF, having("toggleable"), _is_off, "be turned off", "turned off", "off")
_EVERYTHING = frozenset({"everything", "anything", "all"})


def opened(context: OrderContext) -> Doing:
    """Open things."""
    phrase, able = opening(context.phrase, context.knowing), _OPEN.able
    if phrase.noun in DOORS:
        phrase, able = some_door(phrase, _OPEN.so, context.body.things)
    found = yield from context.find(phrase, able, _OPEN.cannot)
    found = yield from context.with_more(phrase, able, found, _OPEN.so)
    context.meant |= {one.object_id for one in found.things}
    if context.opened_on_the_way(found.chosen):
        return Outcome(
            True, sentence(f"{context.the(found.chosen)} {are(found.chosen)} open now"), ids_of(found.chosen)
        )
    return (yield from work(context, found, _OPEN))


def closed(context: OrderContext) -> Doing:
    """Close things."""
    phrase, able = opening(context.phrase, context.knowing), _CLOSE.able
    if phrase.noun in DOORS:
        phrase, able = some_door(phrase, _CLOSE.so, context.body.things)
    found = yield from context.find(phrase, able, _CLOSE.cannot)
    found = yield from context.with_more(phrase, able, found, _CLOSE.so)
    return (yield from work(context, found, _CLOSE))


def turned_on(context: OrderContext) -> Doing:
    """Turn things on; burners by their knobs, sinks by their taps."""
    if (stove := _stove(context)) is not None:
        return (yield from _burners_on(context, stove))
    if context.phrase.noun == "kettle" and context.body.things.of("Kettle") and context.body.things.of("StoveBurner"):
        return (yield from water_put_on(context, "kettle"))
    found = yield from _switches(context, _ON)
    context.meant |= {one.object_id for one in found.things}
    for one in found.chosen:
        if one.object_type == "Microwave" and one.has("isOpen"):
            yield from attempted(close(context.body, one))
    return (yield from work(context, found._replace(things=context.now(found.things)), _ON))


def turned_off(context: OrderContext) -> Doing:
    """Turn things off; burners by their knobs, sinks by their taps."""
    if (stove := _stove(context)) is not None:
        return (yield from _burners_off(context, stove))
    if context.phrase.noun in _EVERYTHING:
        yield from context.look_round_for(Phrase("everything"))
        running = [one for one in context.body.things if one.has("toggleable") and one.has("isToggled")]
        running = [one for one in running if _is_at(context, one)]
        if not running:
            there = "there " if context.phrase.place is not None else ""
            return Outcome(True, context.pick(f"Nothing {there}is on.", f"Everything {there}is off already."))
        meant = context.unbarred(running)
        if not meant:
            return Outcome(True, f"Everything else is off already; {clause(context.the(running))} {are(running)} on.")
        outcome = yield from work(context, Found(meant, None), _OFF)
        every = outcome.done and meant == running and context.phrase.place is None
        return outcome._replace(said="Everything is off now.") if every else outcome
    found = yield from _switches(context, _OFF)
    return (yield from work(context, found, _OFF))


def _is_at(context: OrderContext, thing: Thing) -> bool:
    """Whether a thing is where an order says that those are which it is about."""
    relation, mark = context.phrase.place or ("", Phrase(""))
    marks = context.known(mark).things if relation else ()
    return not marks or context.resolver.placed(relation, thing, marks)


def _switches(context: OrderContext, task: Work) -> Generator[Action, None, Found]:
    """What switches what is named: the tap of a sink, the switch rather than a lamp where light is wanted."""
    phrase = context.phrase
    if task is _OFF and (running := _running(context)):
        return Found(running, None, ("Faucet",), salient=True)
    if phrase.noun == "water":
        where = context.role("in", "at", "on")
        phrase = replace(phrase, noun="tap") if where is None else where
    basins = [one for one in context.known(phrase).chosen if one.is_basin]
    if basins:
        taps = [tap for one in basins if (tap := faucet_of(context.body.things, one)) is not None]
        if taps:
            return Found(list(dict.fromkeys(taps)), None, ("Faucet",), salient=True)
    found = yield from context.find(phrase, task.able, task.cannot)
    found = yield from context.with_more(phrase, task.able, found, task.so)
    if phrase.noun == "light" and found.many == 1 and not phrase.place and not phrase.looks:
        return found._replace(
            things=sorted(found.things, key=lambda one: (task.so(one), one.object_type != "LightSwitch")), salient=True
        )
    return found


def _running(context: OrderContext) -> list[Thing]:
    """What the water that is to be turned off runs from, wherever it does; nothing where a place is named."""
    phrase, flows = context.phrase, context.body.things.of("Faucet", "ShowerHead")
    placed = [slot.phrase for slot in context.order.slots if slot.role]
    placed += [phrase.place[1]] if phrase.place is not None else []
    taps = [one for one in flows if one.has("isToggled") and one.object_type == "Faucet"]
    if any(context.known(one).things for one in placed):
        return []
    if phrase.noun == "water" or (phrase.noun == "tap" and phrase.looks == ("on",) and not taps):
        return [one for one in flows if one.has("isToggled")]
    return []


def _stove(context: OrderContext) -> Phrase | None:
    """The burners that an order is about: named ("the heat under the pot"), or under the pot that "it" is."""
    phrase = context.phrase
    if kinds_of(phrase.noun)[:1] == ("StoveBurner",):
        return replace(phrase, noun="burner")
    if phrase.noun not in PRONOUNS:
        return None
    meant = context.known(phrase).chosen
    under = context.body.things.holders(meant[0]) if len(meant) == 1 else []
    heated = any(one.object_type == "StoveBurner" for one in under) and not meant[0].has("toggleable")
    return Phrase("burner", place=("below", phrase)) if heated else None


def _burners_on(context: OrderContext, stove: Phrase) -> Doing:
    found = yield from context.find(stove)
    if not found.salient:  # rather one with something on it
        more = "other" in stove.looks  # "two more" are such as are not on yet
        ordered = sorted(found.things, key=lambda one: not context.body.things.contents(one))
        ordered.sort(key=lambda one: more and is_burning(context.body, one))
        found = found._replace(things=ordered)
    meant = [*found.chosen]
    cold = [one for one in meant if not is_burning(context.body, one)]
    if not cold:
        return Outcome(True, sentence(f"{context.the(meant)} {are(meant)} on already"), ids_of(meant))
    context.meant |= {one.object_id for one in context.body.things.of("StoveKnob")}
    failure: SkillError | None = None
    for one in cold:
        failure = (yield from attempted(burn(context.body, one))) or failure
    lit = [one for one in context.now(cold) if is_burning(context.body, one)]
    task = _ON._replace(past="turned on")
    knobs = [one for one in context.body.things.of("StoveKnob") if one.has("isToggled")]
    said = told(context, task, lit, len(cold), failure)
    if len(lit) == len(cold) and found.many is not None:
        said += told_so(found.many - len(cold), [one for one in meant if one not in cold], task)
    return Outcome(len(lit) == len(cold), said, ids_of([*cold, *knobs]))


def _burners_off(context: OrderContext, stove: Phrase) -> Doing:
    found = yield from context.find(stove)
    lit = [one for one in context.body.things.of("StoveBurner") if is_burning(context.body, one)]
    meant = [one for one in found.things if one in lit]
    if found.many is not None and len(found.things) < len(found.alike) and 0 < len(meant) < len(lit):
        return (yield from _some_burners_off(context, meant[: found.many]))
    knobs = context.body.things.of("StoveKnob")
    if not any(one.has("isToggled") for one in knobs):
        return Outcome(True, context.pick("The stove is off already.", "All the burners are off already."))
    failure = yield from attempted(put_out(context.body))
    left = [one for one in context.now(knobs) if one.has("isToggled")]
    if left:
        why = hindrance(failure, context.body) if failure is not None else "one of the knobs did not turn"
        return Outcome(False, sentence(f"the stove is not off yet: {why}"))
    return Outcome(True, context.pick("The stove is off now.", "I turned off the stove."), ids_of(knobs))


def _some_burners_off(context: OrderContext, burners: Sequence[Thing]) -> Doing:
    context.meant |= {one.object_id for one in context.body.things.of("StoveKnob")}
    failure: SkillError | None = None
    for one in burners:
        failure = (yield from attempted(put_out_only(context.body, one))) or failure
    out = [one for one in context.now(burners) if not is_burning(context.body, one)]
    return Outcome(len(out) == len(burners), told(context, _OFF, out, len(burners), failure), ids_of(burners))


def looked_in(context: OrderContext) -> Doing:
    """Look what is in or on things; what was shut is shut again."""
    found = yield from context.find(context.phrase, having("receptacle"), "hold anything")
    told_of: list[str] = []
    empty: list[Thing] = []
    failures: list[str] = []
    for holder in found.chosen:
        failure = yield from attempted(_look_into(context, holder))
        now = context.body.things.get(holder.object_id)
        if failure is not None or now is None:
            failures.append(hindrance(failure, context.body) if failure else "it is gone")
            continue
        inside = _directly_in(context, now)
        if inside:
            which = f"the {called(now).alone}" if len(found.chosen) == 1 else f"one of the {called(now).many}"
            told_of.append(f"{place_word(now)} {which} {there_is(grouped(inside))}")
        else:
            empty.append(now)
        yield from context.shut_behind()
    said = [sentence(one) for one in told_of]
    if empty:
        rest = context.the(empty).replace("the ", "the other ", 1) if told_of else context.the(empty)
        said.append(sentence(f"{rest} {are(empty)} empty"))
    said += [sentence(one) for one in dict.fromkeys(failures)]
    return Outcome(not failures, " ".join(said), ids_of(found.chosen))


def _look_into(context: OrderContext, holder: Thing) -> Steps:
    body = context.body
    if body.knowledge is not None:
        yield from look_into(body, [holder], lambda: False, thorough=True)
    elif holder.has("openable"):
        yield from uncover(body, holder)
        yield from open_up(body, holder)
    else:
        yield from go_up_to(body, holder)


def _directly_in(context: OrderContext, holder: Thing) -> list[Thing]:
    things = context.body.things
    return [one for one in things if one.has("pickupable") and things.is_inside(one, holder)]
