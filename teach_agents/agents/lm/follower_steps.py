"""Carrying out what a Follower chose, on what it knows of the room, and what came of it in a few words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.performing import perform, suited
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.skills.searching import look_for, look_into
from teach_agents.agents.english.lexicon import noun
from teach_agents.agents.english.values import Reference, Report, ReportKind, Verb
from teach_agents.agents.lm.affordances import is_portable
from teach_agents.agents.lm.candidates import Candidate, Kind

_DONE, _NO_MORE = "done", "no more known"
_PLACES = 4
"""How many places that may be meant are looked at."""
_MESSAGE = 90
"""Characters of the simulator's message that are shown."""
_HINT = 110
"""Characters of the hint that are shown."""


class Step:
    """One instruction, or one search, on its way.

    `outcome` says how it went when it is over: "done", what kept it from being done and what the simulator said, or
    that there may be more to do it to than is known; `failed` the same as a report.
    """

    def __init__(self, body: Body, chosen: Candidate, missed: Report | None = None) -> None:
        assert chosen.instruction is not None, "only what is to be done makes a step"
        self.instruction = chosen.instruction
        self.text = chosen.text
        self.outcome = _DONE
        self.failed: Report | None = None
        self._body = body
        self._searching = chosen.kind is Kind.LOOK_FOR
        self._missed = missed.what.noun if missed is not None and missed.what is not None else ""

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
        self.outcome = f"{why}: {noun(report.what.noun).one}" if report.what is not None else why

    def _perform(self) -> Steps:
        """Do it, and tell if there was less to do it to than was asked for: there may be more elsewhere."""
        what = self.instruction.what
        found = suited(self._body, self.instruction)
        idle = True
        for action in perform(self._body, self.instruction):
            yield action
            idle = False
        if what is None or self._body.knowledge is None or not is_portable(what.noun, self._body.things.of(what.noun)):
            return
        if idle or (found and len(found) < (what.count or 1)):
            self._fail(_NO_MORE, Report(ReportKind.NOT_FOUND, Reference(what.noun, 1, True)))

    def _look(self) -> Steps:
        """Go and look at a place, into it where it opens, for what was missed if anything was."""
        where = self.instruction.where
        assert where is not None
        places = next((found for one in _looser(where) if (found := matching(one, self._body.things))), [])
        if not places:
            raise SkillError(ReportKind.NOT_FOUND, noun=where.noun)
        if self._body.knowledge is None:
            yield from perform(self._body, self.instruction)
            return
        wanted = _one_more(self._body, self._missed) if self._missed else lambda: False
        yield from look_into(self._body, easiest(self._body, places)[:_PLACES], wanted)

    def _search(self) -> Steps:
        """Look for one more of a kind than is known."""
        what = self.instruction.what
        assert what is not None
        yield from look_for(self._body, what.noun, _one_more(self._body, what.noun))


def _looser(where: Reference) -> Iterator[Reference]:
    """A place as it was described, then with less said of it: what is in it may be just what nobody has seen yet."""
    for changes in ({}, {"content": None}, {"landmark": None}, {"place": None}, {"states": ()}):
        where = replace(where, **changes)
        yield where


def _one_more(body: Body, name: str) -> Callable[[], bool]:
    known = {thing.object_id for thing in body.things.of(name)}
    return lambda: any(thing.object_id not in known for thing in body.things.of(name))
