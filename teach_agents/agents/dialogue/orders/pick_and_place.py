"""Put, put away, put down."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Steps, attempted
from teach_agents.agents.acting.skills.hands import easiest, free_hand, pick_up, put_held
from teach_agents.agents.acting.skills.moving import could_be_packed, put_making_room
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.noun_text import article, called, sentence, words_of
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.agents.dialogue.orders.availability import LIFTED, made_clean
from teach_agents.agents.dialogue.orders.homes import ONE_EACH, homes, is_at_home
from teach_agents.agents.dialogue.orders.named_things import PERSONS
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance, moved_aside, placed, was
from teach_agents.agents.dialogue.orders.pickup import candidates, held_back, lifting, take, whole
from teach_agents.agents.dialogue.orders.put_near import put_by
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.agents.dialogue.referring_expressions import place_word
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.english.values import ReportKind, Verb

HOLDS = having("receptacle")
"""What holds things."""
_PLACES = ("in", "on", "to", "at", "near")
_LEEWAY = 1.05
"""By how much boxes may be too large, as they are about what is in them."""


def put(context: OrderContext) -> Doing:
    """Put things somewhere; without a place, on a surface that is handy."""
    held = context.body.held
    if not context.phrases and held is None:
        raise UnableError("I am not holding anything.")
    if (
        context.phrases
        and context.phrase.noun in PRONOUNS
        and not context.known(context.phrase, LIFTED).things
        and held
    ):
        found = Found([held], 1, salient=True)
    elif context.phrases:
        found = whole(context.phrase, (yield from lifting(context, context.phrase)))
    else:
        assert held is not None, "refused above"
        found = Found([held], 1, salient=True)
    roles = [slot for slot in context.order.slots if slot.role in _PLACES]
    if not roles:
        at_home = yield from put_home(context, found)
        return (yield from _put_down(context, found)) if at_home is None else at_home
    role, phrase = roles[0]
    if phrase.noun in PERSONS:
        return (yield from put_by(context, found, None))
    if phrase.noun == "there" and phrase.place is not None and phrase.place[0] not in ("in", "on"):
        role = "near"
    places = yield from _places(context, role, phrase, found)
    if role == "near" or not any(one.has("receptacle") for one in places):
        return (yield from put_by(context, found, places[0]))
    places = [one for one in places if one.has("receptacle")]
    found = _elsewhere(context, found, places)
    places = context.places_left(found.chosen, _fitting(context, found.chosen, places))
    taken = _taken(context, found.chosen, places)
    if taken:
        return Outcome(False, sentence(f"there is {taken} already"), ids_of(found.chosen[:1]))
    if context.phrases:
        found = yield from context.with_more(
            context.phrase, LIFTED, found, lambda one: one in places or is_in(context, one, places)
        )
    return (yield from put_in(context, found, places))


def _places(context: OrderContext, role: str, phrase: Phrase, moved: Found) -> Generator[Action, None, Sequence[Thing]]:
    """Where something is to go: all that fit, or the one that is meant. Raises `UnableError` where nothing is."""
    by = role == "near" or (role in ("to", "at") and not context.known(phrase, HOLDS).things)
    yield from made_clean(context, phrase)
    found = yield from context.find(phrase, None if by else HOLDS, "hold anything")
    others = [one for one in found.things if one not in moved.chosen]
    if others and moved.salient:  # nothing goes next to itself
        found = found._replace(things=others)
    return found.chosen if found.salient else found.things


def _elsewhere(context: OrderContext, found: Found, places: Sequence[Thing]) -> Found:
    """Of several that may be meant, those first that are not there yet: only these can be put there."""
    phrase = context.phrase
    if found.many != 1 or phrase.count or phrase.noun in PRONOUNS or not found.kinds or phrase.place is not None:
        return found
    own = all(one.object_type in ONE_EACH for one in places)
    there = [one for one in found.things if is_in(context, one, places)]
    away = [one for one in found.things if one not in there and (own or one.is_a(found.kinds[0]))]
    if found.things[0] not in there or not away:
        return found
    return found._replace(things=[*away, *there], salient=len(away) == 1)


def put_home(context: OrderContext, found: Found) -> Generator[Action, None, Outcome | None]:
    """Put away what has its place, the first that is not there; `None` where none is known."""
    if found.many is None:
        places = list(dict.fromkeys(place for one in found.things for place in homes(one, context.resolver)))
        return (yield from put_in(context, found, places)) if places else None
    away = [one for one in found.things if not is_at_home(one, context.resolver)] or found.things
    places = homes(away[0], context.resolver)
    return (yield from put_in(context, Found(away[:1], 1, salient=True), places)) if places else None


def _fitting(context: OrderContext, things: Sequence[Thing], places: Sequence[Thing]) -> Sequence[Thing]:
    """Places without holders of other things: no towel goes where paper hangs. Raises `UnableError` where all are."""
    kinds = {thing.object_type for thing in things}
    left = [one for one in places if ONE_EACH.get(one.object_type, kinds) & kinds]
    if not left:
        words = f"{context.the(things[:1])} does not fit {placed(places[0])}"
        raise UnableError(sentence(words), ids_of(things[:1]))
    return left


def _taken(context: OrderContext, things: Sequence[Thing], places: Sequence[Thing]) -> str:
    """What hangs on holders that take one thing each, where all of them are taken by others; "" where they are not."""
    if not things or not all(one.object_type in ONE_EACH for one in places):
        return ""
    inside = [[one for one in context.body.things.contents(place) if one not in things[:1]] for place in places]
    return f"{article(called(inside[0][0]).one)} {placed(places[0])}" if all(inside) else ""


def _liftable(context: OrderContext, things: list[Thing], wanted: int) -> list[Thing]:
    """Those of things that may be picked up; that others which were wanted are left is told.

    Raises `UnableError` where none may be.
    """
    if all(map(context.body.holds, things)):
        return things
    left = context.allowed(things, to="Pickup")
    spared = [one for one in things if one not in left] if wanted > len(left) else []
    context.leave(spared, lambda one: context.barred("Pickup", one))
    return left


def put_in(context: OrderContext, found: Found, places: Sequence[Thing]) -> Doing:
    """Put as many as are meant in or on one of these places."""
    things = [one for one in candidates(found) if one not in places]
    if not things:
        raise UnableError("I cannot put a thing into itself.")
    if len(found.chosen) == 1 and is_in(context, things[0], places) and _comes_out(context, things[0], places):
        yield from take(context, found)
    waiting = [one for one in things if not is_in(context, one, places)]
    wanted = len(waiting) if found.salient or found.many is None else min(found.many, len(waiting))
    if not wanted:
        there = things[: found.many]
        place = _place_of(context, there[0], places)
        words = f"{context.the(there)} {are(there)} {placed(place)} already"
        return Outcome(True, sentence(words), ids_of(there), (place.object_id,))
    waiting, places = _liftable(context, waiting, wanted), context.allowed(places, to="Place")
    wanted = min(wanted, len(waiting))
    if all(_is_too_big(one, place) for one in waiting for place in places):
        raise UnableError(sentence(f"{context.the(waiting[:1])} does not fit {placed(places[0])}"), ids_of(waiting[:1]))
    if all(one.is_a("GarbageCan") for one in places):
        failure = yield from attempted(_throw(context, waiting, places, wanted))
    else:
        failure = yield from attempted(context.do(Verb.PUT, waiting, places, count=wanted))
    if failure is None and wanted == len(waiting):  # of many, what lies on dishes is left for last
        rest = [one for one in context.now(waiting) if not is_in(context, one, places)]
        failure = (yield from attempted(context.do(Verb.PUT, rest, places, count=len(rest)))) if rest else None
    done = [one for one in context.now(waiting) if is_in(context, one, places)]
    yield from context.shut_behind()
    if not done:
        aside = moved_aside((yield from _set_right(context, [*ids_of(waiting), *ids_of(places)])), context.body)
        return Outcome(False, held_back(context, failure, waiting) + aside, ids_of(waiting[:wanted]))
    aside = moved_aside((yield from context.put_displaced_back([*ids_of(waiting), *ids_of(places)])), context.body)
    place = _place_of(context, done[0], places)
    words = f"{context.the(done)} {are(done)} {placed(place)}"
    if len(done) < wanted:
        why = hindrance(failure, context.body) if failure is not None else "the rest would not go"
        some = f"only {number_word(len(done))} of {context.the(waiting[:wanted])}"
        said = sentence(f"{some} {are(done)} {placed(place)}; {why}") + aside
        return Outcome(False, said, ids_of(done), (place.object_id,))
    said = context.pick(sentence(f"{words} now"), f"I put {context.the(done)} {placed(place)}.")
    before = [one for one in things if one not in waiting and is_in(context, one, places)]
    already = 0 if found.many is None else min(found.many - wanted, len(before))
    said += f" {sentence(f'{number_word(already)} {was(already)} there already')}" if already > 0 else ""
    return Outcome(True, said + aside, ids_of(done), (place.object_id,))


def _set_right(context: OrderContext, meant: Sequence[str]) -> Generator[Action, None, list[Thing]]:
    """Put back for a person what was moved aside in vain, and before that what is held, where that was taken for the
    order; what is elsewhere all the same."""
    if context.for_person and context.displaced(meant):
        yield from context.hand_freed()
        if context.body.held is None:
            yield from context.put_displaced_back(meant, hopeful=True)
    return [thing for thing, _ in context.displaced(meant)]


def _throw(context: OrderContext, things: Sequence[Thing], bins: Sequence[Thing], count: int) -> Steps:
    """Put things in a bin as long as there is room; for one that finds none the litter in it is moved up: taken out,
    to go back in after it (`put_in`). Raises `SkillError`.
    """
    body, nearest = context.body, easiest(context.body, [*bins])[0]
    for thing in easiest(body, [*things])[:count]:
        yield from pick_up(body, thing)
        failure = yield from attempted(put_held(body, nearest, hopeful=True))
        if failure is not None:
            if failure.kind is not ReportKind.NO_ROOM or count > 1 or not could_be_packed(body, nearest):
                raise failure
            yield from put_making_room(body, nearest)


def _is_too_big(thing: Thing, place: Thing) -> bool:
    """Whether a thing surely is wider than what it goes into, or thicker than a drawer; upon things it may jut out, in
    vessels stand."""
    if place_word(place) != "in" or thing.has("isPickedUp"):
        return False
    (small, large), (narrow, wide) = sorted(thing.sides), sorted(place.sides)
    high = thing.high.y - thing.low.y
    if place.object_type == "Drawer" and min(small, high) > (place.high.y - place.low.y) * _LEEWAY:
        return True
    if place.has("pickupable"):
        small, large, _ = sorted((0.0 if thing.is_aslant else small, large, high))
    return small > narrow * _LEEWAY or large > wide * _LEEWAY


def is_in(context: OrderContext, thing: Thing, places: Sequence[Thing]) -> bool:
    """Whether a thing is in or on one of these places now, and not in the hand."""
    now = context.body.things.get(thing.object_id)
    return (
        now is not None
        and not context.body.holds(now)
        and any(context.body.things.is_inside(now, one) for one in context.now(places))
    )


def _comes_out(context: OrderContext, thing: Thing, places: Sequence[Thing]) -> bool:
    """Whether a thing is to come out of a vessel that the order names, and that stands where the thing is to go."""
    named = [slot.phrase for slot in context.order.slots if slot.role == "from"]
    named += [context.phrase.place[1]] if context.phrases and context.phrase.place is not None else []
    holder = next(iter(context.body.things.holders(thing)), None)
    vessel = holder is not None and holder.has("pickupable") and holder not in places
    return vessel and any(holder in context.known(one).things for one in named)


def _place_of(context: OrderContext, thing: Thing, places: Sequence[Thing]) -> Thing:
    now = context.body.now(thing)
    return next((one for one in context.now(places) if context.body.things.is_inside(now, one)), places[0])


def _put_down(context: OrderContext, found: Found) -> Doing:
    held = yield from take(context, found)
    yield from free_hand(context.body)
    now = context.body.now(held)
    place = next(iter(context.body.things.holders(now)), None)
    where = placed(place) if place is not None else "down"
    words = context.the([now])
    said = context.pick(f"I put {words} {where}.", f"{sentence(words, '')} is {where} now.")
    return Outcome(not context.body.holds(now), said, (now.object_id,), ids_of([place] if place is not None else []))


def dropped(context: OrderContext) -> Doing:
    """Put down what is held; somewhere, where that is said."""
    held = context.body.held
    if context.role("in", "on") is not None and context.phrases:
        return (yield from put(context))
    if held is None:
        return Outcome(True, context.pick("My hand is empty already.", "I am not holding anything."))
    if context.phrases and context.phrase.noun not in PRONOUNS:
        found = context.known(context.phrase)
        if held not in found.things:
            raise UnableError(
                f"I am not holding {words_of(context.phrase)}; I have {context.the([held])}.", (held.object_id,)
            )
    return (yield from _put_down(context, Found([held], 1, salient=True)))
