"""What the Follower may do now: every candidate of a decision, from what it heard, sees and did, and from nothing else.

Commands combine every verb that suits a kind of thing with the noun phrases of the dialogue, and with what is in view;
what was said with a noun plays no part in it: to find the right combination is the model's work. The same situation has
the same candidates in the same order. A model that moves by itself chooses among TEACh's sixteen actions instead, with
clicks on what is in view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

import numpy as np

from teach_agents.actions import MOTIONS, Action, Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import describe
from teach_agents.agents.acting.skills.hands import parts_of
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.lm.affordances import holds, is_portable, verbs_for
from teach_agents.agents.lm.phrases import command, phrase
from teach_agents.agents.lm.plan import Plan
from teach_agents.understanding.english.understanding import mentioned, understand_instructions
from teach_agents.understanding.english.values import Instruction, Reference, Report, ReportKind, State, Verb

_UTTERANCES, _UTTERANCES_ALONE = 5, 16
"""How many of the Commander's latest utterances are searched for noun phrases."""
_HEARD, _SEEN, _PAIRS = 36, 10, 8
"""How many candidates at most come from what was heard and seen, and pair things with places across utterances."""
_HEARD_ALONE, _SEEN_ALONE = 60, 20
"""The same where all that will ever be said was said."""
_NOUNS = 4
"""How many kinds of things can be looked or asked for."""
_HANDY = 3
_MADE = {
    "coffee": Instruction(Verb.COFFEE, Reference("Mug")),
    "toast": Instruction(Verb.TOAST, Reference("BreadSliced")),
}
"""What is made of other things than it is called after, by its word."""
_IN_SLICES = "Sliced"
"""The end of a type that something else is cut into: who is asked for slices may have to cut them."""
_TOOLS = "Microwave", "Pan", "Pot", "StoveBurner"
_DULL = frozenset({"Floor", "Wall", "Window", "StoveKnob", "LightSwitch", "Faucet", "SinkBasin", "BathtubBasin"})
"""What nobody would think of doing something to, unless told."""


class Kind(StrEnum):
    """What a candidate does."""

    DO = "do"
    LOOK_FOR = "look for"
    SAY = "say"
    ACT = "act"
    WAIT = "wait"
    GO_ON = "go on"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing the Follower may do: the text that a model chooses, and what it stands for."""

    text: str
    kind: Kind
    instruction: Instruction | None = None
    reports: tuple[Report, ...] = ()
    action: Action | None = None


WAIT = Candidate("wait", Kind.WAIT)
GO_ON = Candidate("go on", Kind.GO_ON)
STOP = Candidate("stop", Kind.STOP)


@dataclass
class Situation:
    """All that candidates come from. `retry` are instructions that did not work yet, the latest first; `vain` those
    that would fail again: they did, without an action, and nothing was done or said since.

    `failed` is what the last step failed for and with what, if it failed; `alone` says that the dialogue is over, and
    `untouched` that nothing of what it asks for was done yet;
    `silence` is for how many turns nobody said anything, where it has been long.
    """

    body: Body
    plan: Plan
    alone: bool = False
    untouched: bool = False
    retry: list[Instruction] = field(default_factory=list)
    vain: set[Instruction] = field(default_factory=set)
    failed: Report | None = None
    silence: int = 0


def candidates(situation: Situation) -> list[Candidate]:
    """What may be done now, each text once."""
    found = [*_commands(situation), *_searches(situation)]
    if not situation.alone:  # else nothing comes of waiting
        found += [*_talk(situation), WAIT]
    if situation.alone or _may_be_over(situation.plan):
        found.append(STOP)
    if situation.plan.doing:
        found.append(GO_ON)
    return list({one.text: one for one in found}.values())


def in_view(body: Body) -> list[Thing]:
    """What is seen now, the nearest first."""
    knowledge = body.knowledge
    ids = knowledge.in_view if knowledge else body.observation.privileged.visible
    found = (thing for thing in body.things if thing.object_id in ids)
    return sorted(found, key=lambda thing: (round(thing.distance(body.pose.position), 2), thing.object_id))


def _commands(situation: Situation) -> list[Candidate]:
    most_heard, most_seen = (_HEARD_ALONE, _SEEN_ALONE) if situation.alone else (_HEARD, _SEEN)
    heard = *_limited(_heard(situation), most_heard), *_limited(_seen(situation), most_seen)
    instructions = dict.fromkeys((*situation.retry, *heard))
    return [done(one) for one in instructions if one not in situation.vain]


def done(instruction: Instruction) -> Candidate:
    """The candidate that is to carry an instruction out."""
    return Candidate(command(instruction), Kind.DO, instruction)


def _limited(instructions: Iterable[Instruction], most: int) -> list[Instruction]:
    """The first so many different ones; no more are made."""
    found: dict[Instruction, None] = {}
    for one in instructions:
        if len(found) == most:
            break
        found[one] = None
    return list(found)


def _heard(situation: Situation) -> Iterator[Instruction]:
    """Every verb with the noun phrases that suit it, of the latest utterance first."""
    body = situation.body
    said = situation.plan.requests[: _UTTERANCES_ALONE if situation.alone else _UTTERANCES]
    phrases = [_arguments(text, body) for text in said]
    yield from (made for text in said for word, made in _MADE.items() if word in text.lower())
    for one in phrases:
        yield from _pairs(one, body)
        for reference in one:
            yield from _single(reference, body)
            yield from _with_tools(reference, one, body)
    within = {pair for one in phrases for pair in _pairs(one, body)}
    everything = dict.fromkeys(chain.from_iterable(phrases))
    yield from _limited((pair for pair in _pairs(everything, body) if pair not in within), _PAIRS)


def _arguments(text: str, body: Body) -> list[Reference]:
    """The noun phrases of an utterance, whole, and the landmarks in them; "it" where something was handled before."""
    found: list[Reference] = []
    for reference in mentioned(text):
        if reference.noun == "It" and not body.memory.handled:
            continue
        if found and reference == replace(found[-1], place=None, content=None, landmark=None):
            continue
        found.append(reference)
        found += _other_readings(reference)
    return list(dict.fromkeys([*found, *(one.landmark.thing for one in found if one.landmark)]))


def _other_readings(reference: Reference) -> Iterator[Reference]:
    """ "Clean cup" may be a cup that is clean, or one to be cleaned; what comes from the tap is no cup."""
    if reference.states and reference.count == 1 and not reference.definite:
        yield replace(reference, states=reference.states[1:])
    if reference.place and reference.place.noun == "Faucet":
        yield replace(reference, place=None)


def _kind(reference: Reference, body: Body) -> tuple[str, list[Thing]]:
    """The noun that a phrase is about, and what is known of its kind; of "it" what was handled last."""
    name = reference.noun
    if name == "It" and body.memory.handled:
        last = body.last_handled
        return (last.object_type, [last]) if last else ("", [])
    return name, body.things.of(name)


def _single(reference: Reference, body: Body) -> Iterator[Instruction]:
    name, seen = _kind(reference, body)
    for verb in verbs_for(name, seen):
        yield Instruction(verb, reference)
    if name.endswith(_IN_SLICES):
        yield Instruction(Verb.SLICE, Reference(name.removesuffix(_IN_SLICES)))
    if name == "Box" or not is_portable(name, seen):
        yield Instruction(Verb.LOOK, None, reference)


def _with_tools(reference: Reference, others: Iterable[Reference], body: Body) -> Iterator[Instruction]:
    if Verb.COOK in verbs_for(*_kind(reference, body)):
        for tool in others:
            if tool.noun in _TOOLS:
                yield Instruction(Verb.COOK, reference, tool)


def _pairs(things: Iterable[Reference], body: Body) -> Iterator[Instruction]:
    """Each of the things put in or on each other one that holds something."""
    wheres = [place for place in things if place.noun != "It" and holds(*_kind(place, body))]
    for what in things:
        if is_portable(*_kind(what, body)):
            for where in wheres:
                if where.noun != what.noun:
                    yield Instruction(Verb.PUT, what, where)


def _seen(situation: Situation) -> Iterator[Instruction]:
    """What comes to mind at the sight of things: with what is in the hand, then with what is near."""
    body = situation.body
    near = [thing for thing in in_view(body) if thing.object_type not in _DULL]
    held = body.held
    if held:
        what = Reference(held.object_type, definite=True)
        for place in [thing for thing in near if thing.has("receptacle") and thing is not held][:_HANDY]:
            yield Instruction(Verb.PUT, what, describe(place, body.things))
        near = [held, *near]
    for thing in near:
        reference = describe(thing, body.things, (State.DIRTY, State.CLEAN))
        for verb in verbs_for(thing.object_type, [thing]):
            if _makes_sense(verb, thing):
                yield Instruction(verb, reference)


def _makes_sense(verb: Verb, thing: Thing) -> bool:
    """Whether one would think of it, as the thing is now."""
    tests = {
        Verb.PICK_UP: not thing.has("isPickedUp"),
        Verb.CLEAN: thing.has("isDirty"),
        Verb.FILL: False,
        Verb.COFFEE: False,
        Verb.CLEAR: False,
        Verb.EMPTY: thing.has("isFilledWithLiquid"),
        Verb.OPEN: not thing.has("isOpen"),
        Verb.CLOSE: thing.has("isOpen"),
        Verb.TURN_ON: not thing.has("isToggled"),
        Verb.TURN_OFF: thing.has("isToggled"),
    }
    return tests.get(verb, True)


def _searches(situation: Situation) -> Iterator[Candidate]:
    """Looking for what was spoken of, or missed; where the whole room is known there is nothing to look for."""
    for what in map(Reference, _nouns(situation) if situation.body.knowledge else ()):
        step = Instruction(Verb.LOOK, what)
        if step not in situation.vain:
            yield Candidate(f"look for {phrase(what)}", Kind.LOOK_FOR, step)


def _nouns(situation: Situation) -> list[str]:
    """Kinds of things that were missed or spoken of, the latest first."""
    missed = situation.failed.noun if situation.failed else ""
    heard = (one.noun for text in situation.plan.requests[:_UTTERANCES] for one in mentioned(text))
    return [name for name in dict.fromkeys((missed, *heard)) if name not in ("", "It", "Slice")][:_NOUNS]


def _talk(situation: Situation) -> Iterator[Candidate]:
    plan, failed = situation.plan, situation.failed
    begun = any(one.speaker is Role.COMMANDER for one in plan.entries)
    asking = Report(ReportKind.ASK_NEXT if begun else ReportKind.ASK_TASK)
    yield _saying("ask what to do", asking)
    if any(one.speaker is None for one in plan.current):
        yield _saying("report that it is done", Report(ReportKind.DONE), asking)
    if begun:
        yield _saying("report that it did not work", Report(ReportKind.FAILED), asking)
        yield _saying("ask what was meant", Report(ReportKind.NOT_UNDERSTOOD))
    for name in _nouns(situation):
        what = Reference(name, definite=True)
        yield _saying(f"ask where {phrase(what)} is", Report(ReportKind.NOT_FOUND, what))
    if failed and failed.what and failed.kind in PROBLEMS:
        yield _saying(f"say that {PROBLEMS[failed.kind]} {phrase(failed.what)}", failed, asking)


def _saying(text: str, *reports: Report) -> Candidate:
    return Candidate(text, Kind.SAY, reports=reports)


PROBLEMS: Mapping[str, str] = {
    ReportKind.NOT_REACHED: "you can not reach",
    ReportKind.NO_ROOM: "there is no room at",
}
"""What a Follower says of things that it cannot handle, by the kind of its report."""


def _may_be_over(plan: Plan) -> bool:
    """Whether the Commander may just have said that all is done, in whatever words: only then can a Follower stop.

    It may where the Commander had the last word, and where that was plainly the end even after the Follower's answer.
    A Follower that spoke last waits for its answer: to stop would end the session of both.
    """
    speakers = [one.speaker for one in plan.entries if one.speaker is not None]
    return speakers[-1:] == [Role.COMMANDER] or any(
        step.verb in OVER for text in plan.requests[:1] for step in understand_instructions(text)
    )


OVER = (Verb.FINISH, Verb.GIVE_UP)
"""What ends a session."""
_CLICKS = 30
"""How many clicks are offered at most, on the nearest things."""

_DEEDS: Mapping[str, tuple[str, Callable[[Thing, Thing | None], bool]]] = {
    "Pickup": ("pick up {0}", lambda thing, held: not held and thing.has("pickupable")),
    "Place": ("put it down at {0}", lambda thing, held: held not in (None, thing) and thing.has("receptacle")),
    "Open": ("open {0}", lambda thing, held: thing.is_shut),
    "Close": ("close {0}", lambda thing, held: thing.has("isOpen")),
    "ToggleOn": ("turn on {0}", lambda thing, held: thing.has("toggleable") and not thing.has("isToggled")),
    "ToggleOff": ("turn off {0}", lambda thing, held: thing.has("isToggled")),
    "Slice": (
        "slice {0}",
        lambda thing, held: thing.has("sliceable") and held is not None and held.is_knife,
    ),
    "Pour": ("pour it into {0}", lambda thing, held: held is not None and held.has("isFilledWithLiquid")),
}
"""Each interaction in words, and with what it makes sense."""


def primitive_candidates(situation: Situation) -> list[Candidate]:
    """One action each: motions, clicks on things in view and within reach, talk, waiting, stopping."""
    moves = [Candidate(name.lower(), Kind.ACT, action=Action(name)) for name in MOTIONS]
    rest = [one for one in candidates(situation) if one.kind not in (Kind.DO, Kind.LOOK_FOR)]
    return list({one.text: one for one in (*list(_clicks(situation.body))[:_CLICKS], *moves, *rest)}.values())


def _clicks(body: Body) -> Iterator[Candidate]:
    held = body.held
    for thing in in_view(body):
        if thing is held:
            continue
        fitting = [(name, words) for name, (words, suits) in _DEEDS.items() if suits(thing, held)]
        if not fitting or not (pixels := body.pixels(parts_of(body.things, thing))):
            continue
        best = np.argmax(pixels.steadiness())
        x, y = float(pixels.x[best]), float(pixels.y[best])
        told = phrase(describe(thing, body.things))
        for name, words in fitting:
            yield Candidate(words.format(told), Kind.ACT, action=Action.click(name, x, y))
