"""Pick up, put, put back, put down, throw away."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted
from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.navigation import point_of
from teach_agents.agents.acting.reaching import effort
from teach_agents.agents.acting.skills.going import go_back, go_up_to
from teach_agents.agents.acting.skills.hands import easiest, free_hand, pick_up, put_held
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.conversing.describing import place_word
from teach_agents.agents.conversing.kinds import PRONOUNS
from teach_agents.agents.conversing.resolving import Found
from teach_agents.agents.conversing.wishing.errand import PERSONS, Doing, Errand, Outcome, UnableError, ids_of
from teach_agents.agents.conversing.wishing.telling import are, hindrance, placed
from teach_agents.agents.conversing.wording import article, called, listed, sentence, words_of
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.english.values import ReportKind, Verb

LIFTED = having("pickupable")
HOLDS = having("receptacle")
"""What can be carried, and what holds things."""
_SURFACES = tuple("CounterTop DiningTable CoffeeTable SideTable Desk Dresser TVStand Shelf Bed Sofa ArmChair".split())
_TOO_HEAVY = "I cannot pick up {x}: I can carry only what fits in my hand."
_AT_HOME = 0.8
"""Within so many metres of where the talk began one is with whoever speaks."""
_PLACES = ("in", "on", "to", "at", "near")
_BESIDE = 0.5
"""Within so many metres things are next to each other."""
_NEAREST = 3
_LEEWAY = 1.05
"""By how much boxes may be too large, as they are about what is in them."""


def is_home(body: Body) -> bool:
    """Whether the body is with whoever speaks to it."""
    return body.home is not None and body.distance(point_of(body.home[0])) < _AT_HOME


def go_home(body: Body) -> Steps:
    """Come back to where the talk began."""
    if body.home is not None:
        yield from go_back(body, body.home)


def lifting(errand: Errand, phrase: Phrase) -> Generator[Action, None, Found]:
    """What can be picked up of what is described. Raises `UnableError` where it is nothing."""
    return (yield from errand.find(phrase, LIFTED, _TOO_HEAVY))


def candidates(found: Found) -> list[Thing]:
    """What will do: those that were meant, else all that fit."""
    return [*(found.chosen if found.salient or found.many is None else found.things)]


def take(errand: Errand, found: Found) -> Generator[Action, None, Thing]:
    """Take one of these into the hand, and shut what was opened for it. Raises `SkillError`."""
    body, things = errand.body, candidates(found)
    held = body.held
    if held is None or held not in things:
        yield from errand.do(Verb.PICK_UP, errand.allowed(things, to="Pickup"), count=1)
        held = body.held
    if held is None:
        raise SkillError(ReportKind.FAILED, things[0])
    yield from errand.shut_behind()
    return held


def doubt(errand: Errand, found: Found) -> str:
    """What of a description nobody could tell."""
    if not found.unseen or len(found.things) < 2:
        return ""
    return f" I cannot tell which one is {listed(found.unseen)}."


def surfaces_at_home(errand: Errand, things: Sequence[Thing]) -> list[Thing]:
    """The surfaces nearest to whoever speaks."""
    body = errand.body
    if body.home is None:
        return []
    here = point_of(body.home[0])
    surfaces = [one for one in body.things.of(*_SURFACES) if one.has("receptacle") and effort(body, one) < 1e6]
    return sorted(surfaces, key=lambda one: _away(one, here.x, here.z))[:_NEAREST]


def _away(thing: Thing, x: float, z: float) -> float:
    across = max(thing.low.x - x, x - thing.high.x, 0.0)
    along = max(thing.low.z - z, z - thing.high.z, 0.0)
    return float((across * across + along * along) ** 0.5)


def picked_up(errand: Errand) -> Doing:
    """Take one thing into the hand; of several the first."""
    found = yield from lifting(errand, errand.phrase)
    held = errand.body.held
    if held is not None and held in candidates(found):
        words = errand.pick(f"I have {errand.the([held])} already.", f"I am holding {errand.the([held])} already.")
        return Outcome(True, words, (held.object_id,))
    taken = yield from take(errand, found)
    wanted = len(found.things) if found.many is None else found.many
    words = errand.the([taken])
    if wanted > 1 and len(found.things) > 1:
        one = article(called(taken).one)
        return Outcome(False, f"I can hold only one thing at a time: I have {one}.", (taken.object_id,))
    return Outcome(
        True, errand.pick(f"I have {words}.", f"I am holding {words} now.") + doubt(errand, found), (taken.object_id,)
    )


def put(errand: Errand) -> Doing:
    """Put things somewhere; without a place, on a surface that is handy."""
    held = errand.body.held
    if not errand.phrases and held is None:
        raise UnableError("I am not holding anything.")
    if errand.phrases and errand.phrase.noun in PRONOUNS and not errand.known(errand.phrase, LIFTED).things and held:
        found = Found([held], 1, salient=True)
    elif errand.phrases:
        found = yield from lifting(errand, errand.phrase)
    else:
        assert held is not None, "refused above"
        found = Found([held], 1, salient=True)
    roles = [slot for slot in errand.order.slots if slot.role in _PLACES]
    if not roles:
        return (yield from _put_down(errand, found))
    role, phrase = roles[0]
    if phrase.noun in PERSONS:
        return (yield from _put_by(errand, found, None))
    if phrase.noun == "there" and phrase.place is not None and phrase.place[0] not in ("in", "on"):
        role = "near"
    places = yield from _places(errand, phrase, by=role in ("near", "to", "at"))
    if role == "near" or not any(one.has("receptacle") for one in places):
        return (yield from _put_by(errand, found, places[0]))
    return (yield from put_in(errand, found, [one for one in places if one.has("receptacle")]))


def _places(errand: Errand, phrase: Phrase, *, by: bool) -> Generator[Action, None, Sequence[Thing]]:
    """Where something is to go: all that fit, or the one that is meant. Raises `UnableError` where nothing is."""
    found = yield from errand.find(phrase, None if by else HOLDS, "hold anything")
    return found.chosen if found.salient else found.things


def put_in(errand: Errand, found: Found, places: Sequence[Thing]) -> Doing:
    """Put as many as are meant in or on one of these places."""
    things = [one for one in candidates(found) if one not in places]
    if not things:
        raise UnableError("I cannot put a thing into itself.")
    waiting = [one for one in things if not _is_in(errand, one, places)]
    wanted = len(waiting) if found.salient or found.many is None else min(found.many, len(waiting))
    if not wanted:
        there = things[: found.many]
        words = f"{errand.the(there)} {are(there)} {placed(_place_of(errand, there[0], places))} already"
        return Outcome(True, sentence(words), ids_of(there), ids_of(places[:1]))
    if any(not errand.body.holds(one) for one in waiting):
        waiting = errand.allowed(waiting, to="Pickup")
    places = errand.allowed(places, to="Place")
    if all(_is_too_big(one, place) for one in waiting for place in places):
        raise UnableError(sentence(f"{errand.the(waiting[:1])} does not fit {placed(places[0])}"), ids_of(waiting[:1]))
    if all(one.is_a("GarbageCan") for one in places):
        failure = yield from attempted(_throw(errand, waiting, places, wanted))
    else:
        failure = yield from attempted(errand.do(Verb.PUT, waiting, places, count=wanted))
    if failure is None and wanted == len(waiting):  # of many, what lies on dishes is left for last
        rest = [one for one in errand.now(waiting) if not _is_in(errand, one, places)]
        failure = (yield from attempted(errand.do(Verb.PUT, rest, places, count=len(rest)))) if rest else None
    done = [one for one in errand.now(waiting) if _is_in(errand, one, places)]
    yield from errand.shut_behind()
    if not done:
        return Outcome(False, _kept(errand, failure, waiting), ids_of(waiting[:wanted]))
    yield from errand.put_displaced_back([*ids_of(waiting), *ids_of(places)])
    place = _place_of(errand, done[0], places)
    words = f"{errand.the(done)} {are(done)} {placed(place)}"
    if len(done) < wanted:
        why = hindrance(failure, errand.body) if failure is not None else "the rest would not go"
        some = f"only {number_word(len(done))} of {errand.the(waiting[:wanted])}"
        said = sentence(f"{some} {are(done)} {placed(place)}; {why}")
        return Outcome(False, said, ids_of(done), (place.object_id,))
    said = errand.pick(sentence(f"{words} now"), f"I put {errand.the(done)} {placed(place)}.")
    return Outcome(True, said, ids_of(done), (place.object_id,))


def _throw(errand: Errand, things: Sequence[Thing], bins: Sequence[Thing], count: int) -> Steps:
    """Put things in a bin as long as there is room; nothing is taken out for them. Raises `SkillError`."""
    body, nearest = errand.body, easiest(errand.body, [*bins])[0]
    for thing in easiest(body, [*things])[:count]:
        yield from pick_up(body, thing)
        yield from put_held(body, nearest, hopeful=True)


def _is_too_big(thing: Thing, place: Thing) -> bool:
    """Whether a thing is surely wider than what it should go into; upon things it may jut out."""
    if place_word(place) != "in" or thing.has("isPickedUp"):
        return False
    (small, large), (narrow, wide) = sorted(thing.sides), sorted(place.sides)
    return small > narrow * _LEEWAY or large > wide * _LEEWAY


def _kept(errand: Errand, failure: SkillError | None, things: Sequence[Thing]) -> str:
    """What is said where a thing did not get to its place: whether it is held, and why."""
    if failure is None:
        return errand.unable(failure)
    why, held = hindrance(failure, errand.body), errand.body.held
    if held is not None and held.object_id in {one.object_id for one in things}:
        return f"I have {errand.the([held])}, but {why}."
    return sentence(why)


def _is_in(errand: Errand, thing: Thing, places: Sequence[Thing]) -> bool:
    now = errand.body.things.get(thing.object_id)
    return (
        now is not None
        and not errand.body.holds(now)
        and any(errand.body.things.is_inside(now, one) for one in errand.now(places))
    )


def _place_of(errand: Errand, thing: Thing, places: Sequence[Thing]) -> Thing:
    now = errand.body.now(thing)
    return next((one for one in errand.now(places) if errand.body.things.is_inside(now, one)), places[0])


def _put_by(errand: Errand, found: Found, mark: Thing | None) -> Doing:
    """Put a thing near a landmark, on what that stands on or the nearest surface; without one, near whoever speaks."""
    body = errand.body
    if mark is None:
        under: list[Thing] = []
        places, point = (
            surfaces_at_home(errand, found.things),
            point_of(body.home[0]) if body.home is not None else None,
        )
    else:
        under = [one for one in body.things.holders(mark) if one.has("receptacle") and one.object_type != "Floor"]
        others = [one for one in body.things.of(*_SURFACES) if one.has("receptacle") and one is not mark]
        places = [*under[:1], *sorted(others, key=lambda one: gap(one, mark))[:_NEAREST]]
        point = mark.center
    if not places:
        raise UnableError("There is no surface near there.")
    first = candidates(found)[0]
    if mark is not None and _is_beside(body, first, mark):
        words = sentence(f"{errand.the([first])} is next to the {called(mark).alone} already")
        return Outcome(True, words, (first.object_id,), ids_of(under[:1]))
    held = yield from take(errand, found)
    if mark is not None:
        yield from attempted(go_up_to(body, mark))
    failure: SkillError | None = None
    for place in places:
        error = yield from attempted(put_held(body, place, near=point))
        failure = failure or error
        if error is None:
            now = body.now(held)
            near = mark is None or gap(now, body.now(mark)) < 1.0
            name = f"the {called(mark).alone}" if mark is not None else "you"
            by = f" next to {name}" if near else f", as near to {name} as I could"
            words = f"{errand.the([now])} is {placed(place)}{by}"
            return Outcome(near, sentence(words), (now.object_id,), (place.object_id,))
    return Outcome(False, _kept(errand, failure, [held]), (held.object_id,))


def _is_beside(body: Body, thing: Thing, mark: Thing) -> bool:
    """Whether a thing is next to a landmark, and on the same surface."""
    same = bool(set(thing.parents) & {*mark.parents, mark.object_id})
    return same and not body.holds(thing) and gap(thing, mark) < _BESIDE


def _put_down(errand: Errand, found: Found) -> Doing:
    held = yield from take(errand, found)
    yield from free_hand(errand.body)
    now = errand.body.now(held)
    place = next(iter(errand.body.things.holders(now)), None)
    where = placed(place) if place is not None else "down"
    words = errand.the([now])
    said = errand.pick(f"I put {words} {where}.", f"{sentence(words, '')} is {where} now.")
    return Outcome(not errand.body.holds(now), said, (now.object_id,), ids_of([place] if place is not None else []))


def put_back(errand: Errand) -> Doing:
    """Put a thing where it was taken from."""
    body = errand.body
    if errand.role("in", "on", "to", "near") is not None:
        return (yield from put(errand))
    phrase = errand.phrase
    found = errand.known(phrase, LIFTED)
    if not found.things and body.held is not None and phrase.noun in PRONOUNS:
        found = Found([body.held], 1, salient=True)
    if not found.things:
        found = yield from lifting(errand, phrase)
    moved = [one for one in found.things if one.object_id in body.memory.taken_from]
    if not moved:
        words = errand.the(found.things[:1])
        raise UnableError(f"I have not moved {words}.", ids_of(found.things[:1]))
    origin = body.things.get(body.memory.taken_from[moved[0].object_id])
    if origin is None or origin.object_type == "Floor":
        words = errand.the(moved[:1])
        raise UnableError(
            f"{sentence(words, '')} was on the floor, and I can put things only on furniture.", ids_of(moved[:1])
        )
    return (yield from put_in(errand, Found(moved[:1], 1, salient=True), [origin]))


def dropped(errand: Errand) -> Doing:
    """Put down what is held."""
    held = errand.body.held
    if held is None:
        return Outcome(True, errand.pick("My hand is empty already.", "I am not holding anything."))
    if errand.phrases and errand.phrase.noun not in PRONOUNS:
        found = errand.known(errand.phrase)
        if held not in found.things:
            raise UnableError(
                f"I am not holding {words_of(errand.phrase)}; I have {errand.the([held])}.", (held.object_id,)
            )
    return (yield from _put_down(errand, Found([held], 1, salient=True)))


def thrown_away(errand: Errand) -> Doing:
    """Put things in the bin."""
    found = yield from lifting(errand, errand.phrase)
    bins = yield from errand.find(Phrase("bin"), HOLDS)
    return (yield from put_in(errand, found, bins.things))


def moved(errand: Errand) -> Doing:
    """Things that can be carried are put; furniture stays."""
    found = yield from errand.find(errand.phrase)
    if any(LIFTED(one) for one in found.chosen):
        return (yield from put(errand))
    words = errand.the(found.chosen)
    raise UnableError(
        errand.pick(
            f"I cannot move {words}: I can only carry what fits in my hand.",
            f"{sentence(words, '')} {are(found.chosen)} too heavy for me; I can carry small things only.",
        ),
        ids_of(found.chosen),
    )
