"""Go, come, step, turn, look, find, show."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Mapping
from typing import NamedTuple

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, attempted, tilt
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.acting.skills.approach import (
    face,
    go_away,
    go_back,
    go_beside,
    go_off,
    go_to_side,
    go_up_to,
    step,
    turn_to,
)
from teach_agents.agents.acting.skills.searching import look_round
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.measures import QUARTER, STEP_M
from teach_agents.agents.dialogue.motion_phrases import AS_FAR, ASIDE
from teach_agents.agents.dialogue.noun_text import be, grouped, listed, sentence
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.orders.company import (
    BESIDE,
    beside_speaker,
    go_to_speaker,
    is_beside,
    is_with_speaker,
)
from teach_agents.agents.dialogue.orders.named_things import PERSONS
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError
from teach_agents.agents.dialogue.orders.order_reports import are
from teach_agents.agents.dialogue.orders.room_spots import gone_to_spot, spot_of
from teach_agents.agents.dialogue.referring_expressions import STRUCTURE, distinct, in_view, where_phrase
from teach_agents.agents.dialogue.spatial_order import faces, quarters_to, side_of
from teach_agents.agents.dialogue.standpoints import Faced, is_earlier
from teach_agents.agents.dialogue.told_names import meant_by
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word

LEVEL = frozenset({"straight_ahead", "ahead", "straight", "forward", "front", "level", "horizon"})
"""Nouns of readings that have one look neither up nor down."""
UP_AND_DOWN = dict.fromkeys(("ceiling", "sky", "roof"), -30.0) | dict.fromkeys(("floor", "ground"), 60.0)
"""The pitch at which these are in view, degrees."""
_METRES = frozenset({"metre", "meter", "m", "metres", "meters"})
_DEGREES = frozenset({"degree", "degrees"})
_OUT_OF_THE_WAY = 2
"""Steps out of somebody's way."""
_ALL_ROUND = 4
"""Turns that come to a full one."""
_MOST = 40
_KINDS = 8
_ANGLE = 30
"""Numbers of turns from this on are degrees."""


class Motion(NamedTuple):
    """A single motion, how often it is made where no number is said, and its unit and what was made, in words."""

    action: str
    times: int
    unit: str
    made: str


_MOTIONS: Mapping[str, Motion] = {
    "step_forward": Motion("Forward", 1, "step", "forward"),
    "step_back": Motion("Backward", 1, "step", "back"),
    "step_left": Motion("Pan Left", 1, "step", "to the left"),
    "step_right": Motion("Pan Right", 1, "step", "to the right"),
    "turn_left": Motion("Turn Left", 1, "turn", "to the left"),
    "turn_right": Motion("Turn Right", 1, "turn", "to the right"),
    "turn_around": Motion("Turn Left", 2, "turn", "around"),
    "look_up": Motion("Look Up", 1, "look", "up"),
    "look_down": Motion("Look Down", 1, "look", "down"),
}
_AWAY = ("step_back", "step_left", "step_forward", "step_right")
"""The steps that lead away from what is ahead, to the right, behind and to the left."""
MOTIONS = frozenset(_MOTIONS)
"""Orders that are single motions, or some of them."""


def moved_a_little(context: OrderContext) -> Doing:
    """Steps, turns and looks, by a number."""
    motion = _MOTIONS[context.order.about]
    whence, whither = _landmark(context, "from"), _landmark(context, "to")
    if whence is not None and motion.unit == "turn":
        return (yield from faced_away(context, whence))
    if whence is not None and context.phrase.noun == AS_FAR:
        return (yield from gone_away(context, whence, math.inf))
    if whence is not None:
        steps = yield from _backed(context, whence)
        return steps if steps is not None else (yield from gone_away(context, whence))
    if whither is not None:
        target = yield from context.find(whither)
        yield from turn_to(context.body, target.chosen[0])
    pitch = next((UP_AND_DOWN[one.noun] for one in context.phrases if one.noun in UP_AND_DOWN), None)
    if pitch is not None and context.order.about == ("look_up" if pitch < 0 else "look_down"):
        yield from tilt(context.body, pitch)
        return Outcome(True, _made(context, motion, 1))
    if context.phrase.noun == ASIDE:
        return (yield from _aside(context))
    times = _times(context.phrases, motion)
    done = yield from step(context.body, motion.action, times)
    if context.phrase.noun == AS_FAR and done:
        return Outcome(True, f"{_made(context, motion, done)} That is as far as I get.")
    if done < times:
        return Outcome(False, _stopped(motion, done, times))
    return Outcome(True, _made(context, motion, times) + _coarsely(context.phrases, motion))


def _landmark(context: OrderContext, role: str) -> Phrase | None:
    """The thing that a motion leads to or away from, where it is one."""
    phrase = context.role(role)
    return phrase if phrase is not None and (kinds_of(phrase.noun) or phrase.noun in ("it", "that", "them")) else None


def _aside(context: OrderContext) -> Doing:
    """Step out of somebody's way, to whichever side there is room; so many steps off, where that is said."""
    if context.phrase.count:
        was, distance = context.body.pose.position, int(context.phrase.count) * STEP_M
        yield from go_off(context.body, distance - STEP_M / 10)
        off = context.body.distance(was)
        how_far = f"{off:.1f}".removesuffix(".0")
        said = f"I went {how_far} metre{'' if how_far == '1' else 's'} out of the way."
        return Outcome(off > distance - STEP_M, said if off > distance - STEP_M else f"{said} There is no more room.")
    for name in ("step_left", "step_right", "step_back", "step_forward"):
        done = yield from step(context.body, _MOTIONS[name].action, _OUT_OF_THE_WAY)
        if done:
            return Outcome(True, _made(context, _MOTIONS[name], done))
    return Outcome(False, "I cannot step aside: there is no room.")


def _coarsely(phrases: list[Phrase], motion: Motion) -> str:
    """What is said of a turn that comes to more or less than was asked for."""
    asked = next((int(one.count) for one in phrases if one.noun in _DEGREES and one.count.isdecimal()), 0)
    return f" I can only turn by {QUARTER} degrees at a time." if motion.unit == "turn" and asked % QUARTER else ""


def _times(phrases: list[Phrase], motion: Motion) -> int:
    """How many motions a number comes to, said in steps, metres, turns or degrees."""
    if not phrases:
        return motion.times
    phrase = phrases[0]
    if phrase.noun == AS_FAR:
        return _MOST
    number = next((int(one) for one in (phrase.noun, phrase.count) if re.fullmatch(r"\d{1,4}", one)), 1)
    if motion.times != 1 and number < _ANGLE:
        return motion.times * number
    if phrase.noun in _METRES:
        number = round(number / STEP_M)
    if phrase.noun in _DEGREES or (motion.unit == "turn" and number >= _ANGLE):
        number = round(number / (QUARTER if motion.unit == "turn" else 30))
    return max(1, min(number, _MOST))


def _made(context: OrderContext, motion: Motion, times: int) -> str:
    if motion.unit == "turn" and times == _ALL_ROUND and motion.times > 1:
        return context.pick("I turned all the way round.", "I have turned all the way round.")
    if motion.unit == "turn":
        return context.pick(f"I turned {motion.made}.", f"I have turned {motion.made}.")
    if motion.unit == "look":
        return context.pick(f"I am looking {motion.made}.", f"I look {motion.made} now.")
    steps = "a step" if times == 1 else f"{number_word(times)} steps"
    return context.pick(f"I took {steps} {motion.made}.", f"I went {steps} {motion.made}.")


def _stopped(motion: Motion, done: int, times: int) -> str:
    if motion.unit == "look":
        return f"I cannot look further {motion.made}."
    if motion.unit == "turn":
        return "I could not turn there: what I hold is in the way."
    if not done:
        return f"I cannot go {motion.made}: something is in the way."
    return (
        f"I took {number_word(done)} of the {number_word(times)} steps and cannot go further: something is in the way."
    )


def gone_to(context: OrderContext) -> Doing:
    """Go up to a thing."""
    phrase = context.phrase
    if phrase.noun in PERSONS:
        return (yield from came(context))
    if is_earlier(phrase):
        raise UnableError("I do not know where I was before.")
    told = meant_by(phrase, context.knowing.state.facts).fact is not None  # "home" may be a spot in here
    if not told and context.knowing.is_room(phrase.noun):
        if context.knowing.is_this_room(phrase.noun):
            return Outcome(True, f"I am in the {context.knowing.room} already.")
        raise UnableError(f"I cannot leave this {context.knowing.room}.")
    if spot := spot_of(context.order):
        return (yield from gone_to_spot(context, spot))
    whole, quarters = side_of(phrase) or (phrase, 0)
    found = yield from context.find(whole)
    if quarters and not context.body.holds(found.chosen[0]):
        return (yield from _at_side(context, found.chosen[0], quarters))
    return (yield from _at(context, found.chosen[0]))


def _at_side(context: OrderContext, thing: Thing, quarters: int) -> Doing:
    """Go to a side of a thing; where one cannot stand there, up to it."""
    reached = yield from go_to_side(context.body, thing, quarters)
    if reached and is_beside(context.body, thing):
        side = {1: "left", 2: "other side", -1: "right"}[quarters]
        return Outcome(True, f"I am on the {side} of {context.the([thing])} now.", (thing.object_id,))
    outcome = yield from _at(context, thing)
    return outcome._replace(done=False, said=f"{outcome.said} I could not get to that side of it.")


def _in_hand(context: OrderContext, thing: Thing) -> Outcome:
    return Outcome(True, f"I have {context.the([thing])} in my hand.", (thing.object_id,))


def _at(context: OrderContext, thing: Thing) -> Doing:
    if context.body.holds(thing):
        return _in_hand(context, thing)
    yield from go_beside(context.body, thing)
    there = is_beside(context.body, thing)
    words = context.the([thing])
    if not there:
        return Outcome(False, f"I could not get close to {words}.", (thing.object_id,))
    said = context.pick(f"I am at {words}.", f"I am standing at {words} now.")
    return Outcome(True, said, (thing.object_id,))


def came(context: OrderContext) -> Doing:
    """Come back to whoever speaks; to where they said that they are."""
    if is_with_speaker(context):
        return Outcome(True, context.pick("I am here already.", "I am right here."))
    place = beside_speaker(context)
    if place is not None:
        return (yield from _at(context, place))
    yield from attempted(go_to_speaker(context))
    done = is_with_speaker(context)
    return Outcome(done, context.pick("Here I am.", "I am here.") if done else "I could not get all the way to you.")


def gone_back(body: Body, stand: Stand) -> Doing:
    """Go back to where one stood before."""
    failure = yield from attempted(go_back(body, stand))
    return Outcome(True, "I am back where I was.") if failure is None else Outcome(False, "I could not get back there.")


def faced_back(body: Body, faced: Faced) -> Doing:
    """Face the way that one faced before, on the spot, as far up or down as before."""
    heading = faced.stand[1]
    if (heading, faced.horizon) == (body.stand[1], body.pose.horizon):
        return Outcome(True, "I am facing that way already.")
    failure = yield from attempted(face(body, heading))
    yield from tilt(body, faced.horizon)
    done = failure is None and body.stand[1] == heading
    return Outcome(done, "I am facing the way I did before." if done else "I could not turn back that way.")


def faced_away(context: OrderContext, phrase: Phrase) -> Doing:
    """Turn one's back to a thing, on the spot."""
    found = yield from context.find(phrase)
    thing, body = found.chosen[0], context.body
    if body.holds(thing):
        return _in_hand(context, thing)
    words, was = context.the([thing]), body.stand
    yield from turn_to(body, thing, away=True)
    if was == body.stand:
        return Outcome(True, f"My back is to {words} already.", (thing.object_id,))
    done = not faces(body, body.now(thing))
    said = f"I have turned my back to {words}." if done else f"I could not turn away from {words}."
    return Outcome(done, said, (thing.object_id,))


def _backed(context: OrderContext, phrase: Phrase) -> Generator[Action, None, Outcome | None]:
    """So many steps away from a thing, without a turn: back from what is ahead, ahead from what is behind; `None` where
    no number is said, or there is no room for as many."""
    found = yield from context.find(phrase)
    if not context.phrases:
        return None
    motion = _MOTIONS[_AWAY[quarters_to(context.body, found.chosen[0])]]
    times = _times(context.phrases, motion)
    if (yield from step(context.body, motion.action, times)) < times:
        return None
    return Outcome(True, _made(context, motion, times))


def gone_away(context: OrderContext, phrase: Phrase, distance: float = BESIDE) -> Doing:
    """Go away from a thing, as far as one is not beside it any more, or so far."""
    found = yield from context.find(phrase)
    thing = found.chosen[0]
    words = context.the([thing])
    if not is_beside(context.body, thing) and distance == BESIDE:
        return Outcome(True, f"I am not near {words}.", (thing.object_id,))
    yield from go_away(context.body, thing, distance)
    if distance > BESIDE:
        return Outcome(True, f"I am as far from {words} as I get.", (thing.object_id,))
    done = not is_beside(context.body, thing)
    said = f"I have moved away from {words}." if done else f"I could not get further away from {words}."
    return Outcome(done, said, (thing.object_id,))


def looked_at(context: OrderContext) -> Doing:
    """Turn to a thing; where it is not seen then, go up to it and face it."""
    if context.phrase.noun in PERSONS:
        return (yield from came(context))
    if context.phrase.noun in LEVEL:
        yield from tilt(context.body, 0.0)
        return Outcome(True, "I am looking straight ahead.")
    found = yield from context.find(context.phrase)
    thing = found.chosen[0]
    if context.body.holds(thing):
        return _in_hand(context, thing)
    was = context.body.stand, context.body.pose.horizon
    shut = context.body.things.closed_around(thing)
    if not shut:
        yield from turn_to(context.body, thing)
    if shut or thing.object_id not in {one.object_id for one in in_view(context.body)}:
        yield from go_up_to(context.body, shut[0] if shut else thing)
    words, now = context.the([thing]), context.body.things.get(thing.object_id) or thing
    if shut:
        return Outcome(
            False, f"{sentence(words, '')} is {where_phrase(now, context.body)}, which is shut.", (thing.object_id,)
        )
    seen = any(one.object_id == thing.object_id or (one.is_basin and thing.is_basin) for one in in_view(context.body))
    if not seen:
        return Outcome(False, f"I am near {words}, but I cannot see it from here.", (thing.object_id,))
    if was == (context.body.stand, context.body.pose.horizon):
        return Outcome(True, f"I am looking at {words} already.", (thing.object_id,))
    return Outcome(True, context.pick(f"I am looking at {words}.", f"I see {words} before me."), (thing.object_id,))


def shown(context: OrderContext) -> Doing:
    """Hold out what is held; go and look at anything else."""
    held = context.body.held
    if held is not None and held in context.known(context.phrase).things:
        yield from attempted(go_to_speaker(context))
        return Outcome(True, f"This is {context.the([held])}.", (held.object_id,))
    return (yield from looked_at(context))


def found(context: OrderContext) -> Doing:
    """Look for a thing and say where it is."""
    known = context.known(context.phrase)
    sought = yield from context.find(context.phrase)
    things = [*sought.chosen]
    thing = things[0]
    if len(things) == 1 and context.body.holds(thing):
        return _in_hand(context, thing)
    shut = context.body.things.closed_around(thing)
    yield from attempted(go_up_to(context.body, shut[0] if shut else thing))
    yield from context.shut_behind()
    now = context.now(things) or things
    verb = "know" if known.things else "found"
    enough, context.lacking = not context.lacking, ""
    if len(now) > 1:
        places = listed(list(dict.fromkeys(where_phrase(one, context.body, short=True) for one in now))[:_KINDS])
        some = context.the(now) if enough else context.the(now).replace("the ", "only ", 1)
        return Outcome(enough, f"I {verb} {some}: {places}.", tuple(one.object_id for one in now))
    where = where_phrase(now[0], context.body)
    words = context.the(now)
    said = context.pick(f"I found {words}: it {be(1)} {where}.", f"{sentence(words, '')} {are(now)} {where}.")
    return Outcome(enough, said if enough else f"{said} I know of no other.", (now[0].object_id,))


def looked_around(context: OrderContext) -> Doing:
    """Look round and say what there is to be seen."""
    body = context.body
    seen: dict[str, Thing] = {}
    yield from look_round(body)
    for _ in range(4):
        seen |= {one.object_id: one for one in in_view(body)}
        yield from step(body, "Turn Right", 1)
    things = [one for one in distinct(seen.values()) if one.object_type not in STRUCTURE]
    main = sorted(things, key=lambda one: -one.longest)
    words = listed(grouped(main, _KINDS))
    if not words:
        return Outcome(True, "I looked around and saw nothing of note.")
    return Outcome(True, context.pick(f"I looked around. I see {words}.", f"I see {words}."))
