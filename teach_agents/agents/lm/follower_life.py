"""A Follower's turns: when it decides, and what it does between decisions."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.acting.skills.searching import survey
from teach_agents.agents.english.speaking import say_report
from teach_agents.agents.english.values import Verb
from teach_agents.agents.lm.candidates import Candidate, Kind, Situation
from teach_agents.agents.lm.follower_steps import Step
from teach_agents.agents.lm.plan import Plan

_PATIENCE = 20
"""Turns of silence after which the Follower decides again."""
_SURVEY, _SURVEY_ALONE = 40, 16
"""Actions that looking around takes at most; who is alone has seen something of the room in what went before."""
_RETRIED = 3
"""How many instructions that did not work are kept among the candidates."""

_Choosing = Generator[Action, None, Candidate]
_Working = Generator[Action, None, Candidate | None]


@dataclass(frozen=True, slots=True)
class Ways:
    """What is the model's in a Follower's life.

    `decide` chooses a candidate; `word` puts what a candidate says in words of the model's own, `None` for the usual
    ones; `is_spent` tells when there are no decisions left.
    """

    decide: Callable[[Situation], Candidate]
    word: Callable[[Candidate], str | None]
    is_spent: Callable[[], bool]


class Life:
    """One session of a Follower.

    It decides when something happened: it heard something, a step is over, it waited long enough; at most once a turn.
    What it hears while it is at work makes it decide whether to go on. When decisions run out it stops.
    """

    def __init__(
        self, body: Body, ways: Ways, rng: random.Random, *, alone: bool = False, untouched: bool = False
    ) -> None:
        self._body = body
        self._ways = ways
        self._rng = rng
        self._noticed = 0
        self._decided_in = -1
        self.situation = Situation(body, Plan(), alone, untouched)

    def turns(self) -> Steps:
        """An action a turn, for ever."""
        self._listen()
        chosen = yield from self._begin()
        while chosen is None or chosen.kind is not Kind.STOP:
            if chosen is None:
                if self._ways.is_spent():
                    break
                chosen = yield from self._choose()
            else:
                chosen = yield from self._carry_out(chosen)
        while True:
            yield Action.stop()

    def preview(self) -> Situation:
        """The situation with what was said since it was last looked at, which remains to be heard."""
        plan = self._plan.copy()
        plan.hear(self._body.observation.dialogue[self._noticed :])
        return replace(self.situation, plan=plan)

    @property
    def _plan(self) -> Plan:
        return self.situation.plan

    def _begin(self) -> _Working:
        """Look around, once something is said, so that others know that the Follower is there."""
        if self.situation.alone:
            yield from survey(self._body, _SURVEY_ALONE)
            return None
        chosen = yield from self._choose()
        if chosen.kind is Kind.STOP:
            return chosen
        if chosen.reports:
            yield self._saying(chosen)
        yield from survey(self._body, _SURVEY)
        if self._listen():
            return None
        if chosen.reports:
            yield from self._silence()
            return None
        return chosen

    def _choose(self) -> _Choosing:
        if self._decided_in == self._body.observation.turn:
            yield Action.wait()
        self._listen()
        self._decided_in = self._body.observation.turn
        chosen = self._ways.decide(self.situation)
        self.situation.silence = 0
        return chosen

    def _carry_out(self, chosen: Candidate) -> _Working:
        """What was chosen; what was chosen instead of it while it was under way, if anything."""
        if chosen.kind in (Kind.DO, Kind.LOOK_FOR):
            return (yield from self._work(Step(self._body, chosen, self.situation.failed)))
        if chosen.action is not None:
            self._plan.begin(chosen.text)
            yield chosen.action
            self.situation.vain.clear()
            self._plan.end(
                "done" if self._body.succeeded else f"{self._body.message} {self._body.hint}".strip() or "failed"
            )
            return None
        yield self._saying(chosen)
        if not self._listen() and not self.situation.alone:
            yield from self._silence()
        return None

    def _work(self, step: Step) -> _Working:
        self._plan.begin(step.text)
        idle = True
        for action in step.run():
            idle = False
            yield action
            if not self._listen():
                continue
            if self._ways.is_spent():
                continue
            other = yield from self._choose()
            if other.reports:
                yield self._saying(other)
            elif other.kind is not Kind.GO_ON:
                self._plan.end("called off")
                return other
        self._over(step, idle)
        return None

    def _over(self, step: Step, idle: bool) -> None:
        """Remember how a step went, and whether it took no action."""
        self._plan.end(step.outcome)
        if not idle:
            self.situation.vain.clear()
        elif step.failed is not None:
            self.situation.vain.add(step.instruction)
        self.situation.failed = step.failed
        others = [one for one in self.situation.retry if one != step.instruction]
        again = [step.instruction] if step.failed is not None and step.instruction.verb is not Verb.LOOK else []
        self.situation.retry = [*again, *others][:_RETRIED]

    def _saying(self, chosen: Candidate) -> Action:
        """The words of a candidate; nothing where it has none."""
        if not chosen.reports:
            return Action.wait()
        own = self._ways.word(chosen)
        return Action.say(own or " ".join(say_report(one, self._rng) for one in chosen.reports))

    def _silence(self) -> Steps:
        """Wait until the Commander says something, but not for ever."""
        for _ in range(_PATIENCE):
            yield Action.wait()
            if self._listen():
                return
        self.situation.silence = _PATIENCE

    def _listen(self) -> bool:
        """Take in what was said since; whether any of it was the Commander's."""
        news = self._body.observation.dialogue[self._noticed :]
        self._noticed += len(news)
        self._plan.hear(news)
        if news:
            self.situation.silence = 0
            self.situation.vain.clear()
        return any(said.speaker is Role.COMMANDER for said in news)
