"""A Follower's turns: when it decides, what it does between decisions, and what came of it in a few words."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, SkillError, Steps, not_found
from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.performing import perform, suited
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.skills.searching import (
    least_looked_into,
    look_for,
    look_into,
    look_round,
    one_more,
    survey,
)
from teach_agents.agents.dialogue.response_phrases import GREETING
from teach_agents.agents.lm.affordances import is_portable
from teach_agents.agents.lm.candidates import Candidate, Kind, Situation
from teach_agents.agents.lm.plan import Plan, outcome_of
from teach_agents.core.agents.contract import Briefing
from teach_agents.understanding.english.lexicon import noun
from teach_agents.understanding.english.speaking import say_report
from teach_agents.understanding.english.values import Reference, Report, ReportKind, Verb

_DONE, _NO_MORE = "done", "no more known"
_PLACES = 4
"""How many places that may be meant are looked at."""
_MESSAGE = 90
"""Characters of the simulator's message that are shown."""
_HINT = 110
"""Characters of the hint that are shown."""


def first_look(body: Body, *, alone: bool) -> Steps:
    """See the room before anything else; who is not alone is back then where the talk begins."""
    return survey(body, _SURVEY_ALONE) if alone else look_round(body)


class Step:
    """One instruction, or one search, on its way.

    `outcome` says how it went when it is over: "done", what kept it from being done and what the simulator said, or
    that there may be more to do it to than is known; `failed` the same as a report.
    """

    def __init__(self, body: Body, chosen: Candidate, missed: Report | None = None) -> None:
        assert chosen.instruction, "only what is to be done makes a step"
        self.instruction = chosen.instruction
        self.text = chosen.text
        self.outcome = _DONE
        self.failed: Report | None = None
        self._body = body
        self._searching = chosen.kind is Kind.LOOK_FOR
        self._missed = missed.noun if missed else ""

    def run(self) -> Steps:
        """Its actions; it is over when they end, whatever came of it."""
        failures = self._body.failures
        try:
            if self._searching:
                yield from self._search()
            elif self.instruction.verb is Verb.LOOK:
                yield from self._look()
            else:
                yield from self._perform()
        except SkillError as error:
            about = Reference(error.noun, 1, True) if error.noun else None
            self._fail(error.kind.value, Report(error.kind, about))
            if self._body.failures > failures and self._body.message:
                self.outcome += f"; {self._body.message[:_MESSAGE]} {self._body.hint[:_HINT]}".rstrip()

    def _fail(self, why: str, report: Report) -> None:
        self.failed = report
        self.outcome = f"{why}: {noun(report.what.noun).one}" if report.what else why

    def _perform(self) -> Steps:
        """Do it, and tell if there was less to do it to than was asked for: there may be more elsewhere."""
        what = self.instruction.what
        found = suited(self._body, self.instruction)
        idle = True
        for action in perform(self._body, self.instruction):
            yield action
            idle = False
        if not what or not self._body.knowledge or not is_portable(what.noun, self._body.things.of(what.noun)):
            return
        if idle or (found and len(found) < (what.count or 1)):
            self._fail(_NO_MORE, Report(ReportKind.NOT_FOUND, Reference(what.noun, 1, True)))

    def _look(self) -> Steps:
        """Go and look at a place, into it where it opens, for what was missed if anything was."""
        where = self.instruction.where
        assert where
        places = next((found for one in _looser(where) if (found := matching(one, self._body.things))), [])
        if not places:
            raise not_found(where.noun)
        if not self._body.knowledge:
            yield from perform(self._body, self.instruction)
            return
        wanted = one_more(self._body, self._missed) if self._missed else lambda: False
        yield from look_into(self._body, easiest(self._body, least_looked_into(self._body, places))[:_PLACES], wanted)

    def _search(self) -> Steps:
        """Look for one more of a kind than is known."""
        sought = self.instruction.noun
        yield from look_for(self._body, sought, one_more(self._body, sought))


def _looser(where: Reference) -> Iterator[Reference]:
    """A place as it was described, then with less said of it: what is in it may be just what nobody has seen yet."""
    for changes in ({}, {"content": None}, {"landmark": None}, {"place": None}, {"states": ()}):
        where = replace(where, **changes)
        yield where


_PATIENCE = 20
"""Turns of silence after which the Follower decides again."""
_SURVEY_ALONE = 16
"""Actions that looking around takes at most who is alone, and has seen something of the room in what went before."""
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
    What it hears while it is at work makes it decide whether to go on. When decisions run out it stops. A person is
    greeted without a decision, so that nobody waits for a model's weights to be welcome.
    """

    def __init__(
        self, body: Body, ways: Ways, rng: random.Random, *, alone: bool = False, untouched: bool = False
    ) -> None:
        self._body = body
        self._ways = ways
        self._rng = rng
        self._decided_in = -1
        self._greets = False
        self.situation = Situation(body, Plan(), alone, untouched)

    def turns(self, briefing: Briefing) -> Steps:
        """An action a turn, for ever."""
        self._greets = briefing.person
        self._listen()
        yield from self._from((yield from (self._begin() if briefing.state is None else self._take_up())))

    def go_on(self) -> Steps:
        """The same, after something else was done in between: what was under way is called off."""
        if self._plan.doing:
            self._plan.end("called off")
        self._listen()
        yield from self._silence()
        yield from self._from(None)

    def _from(self, chosen: Candidate | None) -> Steps:
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
        plan.listen(self._body.observation.dialogue)
        return replace(self.situation, plan=plan)

    @property
    def _plan(self) -> Plan:
        return self.situation.plan

    def _begin(self) -> _Working:
        """Look around, once something is said, so that others know that the Follower is there."""
        if self.situation.alone:
            yield from first_look(self._body, alone=True)
            return None
        if self._greets:
            return (yield from self._welcome())
        chosen = yield from self._choose()
        if chosen.kind is Kind.STOP:
            return chosen
        if chosen.reports:
            yield self._saying(chosen)
        yield from first_look(self._body, alone=False)
        if self._listen():
            return None
        if chosen.reports:
            yield from self._silence()
            return None
        return chosen

    def _welcome(self) -> _Working:
        """Greet a person who was not spoken to yet, look around, and wait to be told something."""
        asked = bool(self._plan.requests)
        if not any(one.speaker is Role.FOLLOWER for one in self._plan.entries):
            yield Action.say(GREETING)
        yield from first_look(self._body, alone=False)
        if not self._listen() and not asked:
            yield from self._silence()
        return None

    def _take_up(self) -> _Working:
        """Look around in a session that goes on, then wait to be spoken to, unless the Commander had the last word."""
        dialogue = self._body.observation.dialogue
        yield from look_round(self._body)
        if not self._listen() and dialogue and dialogue[-1].speaker is Role.FOLLOWER:
            yield from self._silence()
        return None

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
        if chosen.action:
            self._plan.begin(chosen.text)
            yield chosen.action
            self.situation.vain.clear()
            self._plan.end(outcome_of(self._body.observation.last_result))
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
        situation, tried = self.situation, step.instruction
        if not idle:
            situation.vain.clear()
        elif step.failed:
            situation.vain.add(tried)
        situation.failed = step.failed
        again = [tried] if step.failed and tried.verb is not Verb.LOOK else []
        situation.retry = [*again, *(one for one in situation.retry if one != tried)][:_RETRIED]

    def _saying(self, chosen: Candidate) -> Action:
        """The words of a candidate; nothing where it has none."""
        if not chosen.reports:
            return Action.wait()
        words = self._ways.word(chosen) or " ".join(self._report(one) for one in chosen.reports)
        return Action.say(words)

    def _report(self, report: Report) -> str:
        """A report in words; a person is asked for no task."""
        if self._greets and report.kind is ReportKind.ASK_TASK:
            report = Report(ReportKind.ASK_NEXT)
        return say_report(report, self._rng)

    def _silence(self) -> Steps:
        """Wait until the Commander says something, but not for ever."""
        for _ in range(_PATIENCE):
            yield Action.wait()
            if self._listen():
                return
        self.situation.silence = _PATIENCE

    def _listen(self) -> bool:
        """Take in what was said since; whether any of it was the Commander's."""
        news = self._plan.listen(self._body.observation.dialogue)
        if news:
            self.situation.silence = 0
            self.situation.vain.clear()
        return any(said.speaker is Role.COMMANDER for said in news)
