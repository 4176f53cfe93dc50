"""Which step comes next: from what a progress check found wrong to one instruction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from teach_agents.agents.acting.grounding import describe, matching
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.instructing.goals import NEEDS, Problem
from teach_agents.agents.instructing.targets import TargetChooser
from teach_agents.understanding.english.values import Instruction, Reference, Report, ReportKind, State, Verb

_ATTEMPTS = 4
_FIRST: Mapping[Verb, frozenset[Verb]] = {
    Verb.TOAST: frozenset({Verb.SLICE}),
    Verb.BOIL: frozenset({Verb.SLICE}),
    Verb.COFFEE: frozenset({Verb.CLEAN}),
    Verb.PUT: frozenset({Verb.COOK, Verb.SLICE, Verb.TOAST, Verb.BOIL, Verb.CLEAN, Verb.COFFEE, Verb.FILL, Verb.OPEN}),
}
"""What must be done to an object before a need of the same object is seen to."""

_STATES: Mapping[Verb, tuple[State, ...]] = {
    **dict.fromkeys((Verb.COOK, Verb.TOAST, Verb.BOIL), (State.RAW,)),
    Verb.CLEAN: (State.DIRTY,),
    Verb.COFFEE: (State.CLEAN,),
    Verb.FILL: (State.EMPTY,),
    Verb.EMPTY: (State.FULL,),
}
"""The adjectives of what something is done to (said where they tell things apart)."""

ON_THE_SPOT = frozenset({Verb.SLICE, Verb.OPEN, Verb.CLOSE, Verb.TURN_ON, Verb.TURN_OFF})
"""What is done to a thing where it stands."""
_BEFOREHAND: Mapping[tuple[Verb, State], tuple[Verb, State]] = {
    (Verb.COFFEE, State.CLEAN): (Verb.CLEAN, State.DIRTY),
    (Verb.SLICE, State.COOKED): (Verb.COOK, State.RAW),
    (Verb.PUT, State.TOASTED): (Verb.TOAST, State.RAW),
    (Verb.PUT, State.COOKED): (Verb.COOK, State.RAW),
}
"""By a step and the state in which it wants a thing: what brings another thing into that state."""
_ROOMY = ("CounterTop", "DiningTable", "CoffeeTable", "Desk", "Bed")


class Strategist:
    """Decides on steps, one at a time, and remembers which were asked for without getting on."""

    def __init__(self) -> None:
        self._asked: Counter[Instruction] = Counter()
        self._satisfied = -1
        self._targets = TargetChooser()
        self._answer: Instruction | None = None
        self._step: Instruction | None = None
        self._brought: set[Instruction] = set()
        self._prepared: Counter[Reference] = Counter()

    def next_step(self, problems: Sequence[Problem], satisfied: int, things: Things) -> Instruction | None:
        """The next instruction, chosen and noted as asked for, or `None` when everything was tried in vain.

        `satisfied` is the number of goal conditions that hold; when it grows, earlier attempts are forgotten.
        """
        self._count(satisfied)
        step = self._answer or next(iter(self._untired(problems, things)), None)
        if step is not None:
            self.ask(step)
        return step

    def options(self, problems: Sequence[Problem], satisfied: int, things: Things) -> list[Instruction]:
        """Every step that would help now, `next_step`'s choice first; who says one of them tells `ask`.

        What was asked for four times since `satisfied`, the number of goal conditions that hold, last grew is left out.
        """
        self._count(satisfied)
        return list(dict.fromkeys([*filter(None, [self._answer]), *self._untired(problems, things)]))

    def ask(self, step: Instruction) -> None:
        """This step is being said."""
        is_answer, self._answer = step == self._answer, None
        self._step = None if is_answer else step
        if not is_answer:
            self._asked[step] += 1
            self._targets.asked(step)

    def _count(self, satisfied: int) -> None:
        if satisfied > self._satisfied:
            self._asked.clear()
            self._satisfied = satisfied

    def _untired(self, problems: Sequence[Problem], things: Things) -> list[Instruction]:
        """Steps that were not asked for too often yet, those least asked for first."""
        steps = [step for step in self._options(problems, things) if self._asked[step] < _ATTEMPTS]
        return sorted(steps, key=lambda step: self._asked[step])

    def report(self, report: Report, things: Things) -> None:
        """The Follower's report on the last step: failures change what is asked next."""
        if report.kind is ReportKind.NOT_FOUND and report.what is not None:
            self._answer = _whereabouts(report.what, things)
        elif report.is_failure:
            self._targets.failed()
            if report.kind is ReportKind.NOT_REACHED and self._step is not None:
                if report.what is None or self._step.what is None or report.what.noun == self._step.what.noun:
                    self._answer = self._another(self._step, things)
                self._answer = self._answer or self._within_reach(self._step, things)
            if report.kind is ReportKind.NO_ROOM:
                self._answer = self._targets.clearance(things)

    def _another(self, step: Instruction, things: Things) -> Instruction | None:
        """Ask, once for each, to make another thing ready for a step whose things in that state are out of reach."""
        what = step.what
        if what is None or what.count is None:
            return None
        for ready in what.states:
            preparing, state = _BEFOREHAND.get((step.verb, ready), (None, ready))
            other = Reference(what.noun, 1, False, (state,))
            if preparing is not None and self._prepared[other] < len(matching(other, things)):
                self._prepared[other] += 1
                return Instruction(preparing, other)
        return None

    def _within_reach(self, step: Instruction, things: Things) -> Instruction | None:
        """Ask, once, to bring what could not be reached where it lies to a roomy place."""
        what = step.what
        if step.verb not in ON_THE_SPOT or what is None or not all(t.has("pickupable") for t in things.of(what.noun)):
            return None
        around = [thing for thing in things.of(*_ROOMY) if thing.has("receptacle")]
        if not around:
            return None
        place = min(around, key=lambda thing: len(things.contents(thing)) / max(math.prod(thing.box), 0.01))
        bring = Instruction(Verb.PUT, what, describe(place, things))
        if bring in self._brought:
            return None
        self._brought.add(bring)
        return bring

    def _options(self, problems: Sequence[Problem], things: Things) -> Iterator[Instruction]:
        pending: dict[str, set[Verb]] = {}
        for problem in problems:
            pending.setdefault(problem.object_id, set()).add(problem.need)
        for need in NEEDS:
            groups: dict[tuple[str, str, str], list[Problem]] = {}
            for problem in problems:
                thing = things.get(problem.object_id)
                if problem.need is need and thing is not None and _ready(problem, thing, pending):
                    groups.setdefault((problem.goal, thing.object_type, problem.wanted), []).append(problem)
            if need is Verb.PUT:
                yield from self._targets.steps(list(groups.values()), problems, things)
            else:
                yield from (_step(need, group, things) for group in groups.values())


def _ready(problem: Problem, thing: Thing, pending: Mapping[str, set[Verb]]) -> bool:
    if _FIRST.get(problem.need, frozenset()) & pending[problem.object_id]:
        return False
    return problem.need is not Verb.COOK or Verb.SLICE not in pending[problem.object_id] or thing.has("cookable")


def _step(need: Verb, group: list[Problem], things: Things) -> Instruction:
    states = _STATES.get(need, ())
    found = things.known(problem.object_id for problem in group)
    noun = found[0].object_type
    if need is Verb.SLICE:
        states = (State.COOKED,) if found[0].is_cooked else ()
    alike = things.of(noun)
    told = states if len(alike) > len(found) else ()
    if group[0].every:
        return Instruction(need, Reference(noun, None, True, told))
    count = 1 if need in (Verb.COFFEE, Verb.SLICE, Verb.PICK_UP) else len(found)
    definite = len(alike) == 1
    return Instruction(need, Reference(noun, count, definite, () if definite else told))


def _whereabouts(what: Reference, things: Things) -> Instruction | None:
    """An answer to "where is it?"."""
    holders = [holder for thing in things.of(what.noun) for holder in things.holders(thing)[:1]]
    closed = [holder for holder in holders if holder.is_shut]
    return Instruction(Verb.LOOK, None, describe((closed or holders)[0], things)) if holders else None
