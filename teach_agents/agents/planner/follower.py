"""The planner Follower in natural-language mode."""

from __future__ import annotations

import random
from itertools import repeat

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.acting.skills.searching import look_round
from teach_agents.agents.dialogue.conversation import Conversation
from teach_agents.agents.dialogue.response_phrases import GREETING
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.english.speaking import say_report
from teach_agents.understanding.english.values import Report, ReportKind
from teach_agents.understanding.reader import Reader, load_reader, load_weights_of, quick

_PATIENCE = 20
"""Turns of silence after which the Follower asks again."""


class PlannerFollower(Agent):
    """Does what it is asked for, answers what it is asked, and nothing else.

    A function of its observations and of the utterances alone, which `understanding`, a reader or its SPEC, reads. Its
    privileges stand for perfect perception and a map: object ids and depth of its own view, every object's state, the
    cells it can stand on.
    """

    privileges = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})

    def __init__(self, seed: int | None = None, *, understanding: str | Reader = "hybrid") -> None:
        self._seed = seed
        self._reader = load_reader(understanding)
        self._start(Briefing("", Role.FOLLOWER))

    def _start(self, briefing: Briefing) -> None:
        self._rng = random.Random(briefing.seed if self._seed is None else self._seed)
        self._body = Body()
        reader = self._reader if briefing.person else quick(self._reader)
        self._talk = Conversation(self._body, reader, self._rng, briefing=briefing)
        self._life = self._live(briefing)

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._start(briefing)

    def load(self) -> None:
        """Load what reads people's words."""
        load_weights_of(self._reader)

    def act(self, observation: Observation) -> Action:
        """One turn: the next action of what was asked for, words, or listening."""
        self._body.see(self._talk.hear(observation))
        action = self._talk.turn()
        self.thought = self._talk.thought()
        if action is not None:
            return action
        if self._talk.took_over():
            self._life = self._listen()
        return next(self._life)

    def _live(self, briefing: Briefing) -> Steps:
        if briefing.state is None:
            yield Action.say(GREETING) if briefing.person else self._asking(ReportKind.ASK_TASK)
        yield from look_round(self._body)
        yield from self._listen()

    def _listen(self) -> Steps:
        """Wait for words, for ever; ask again after long silence."""
        while True:
            yield from repeat(Action.wait(), _PATIENCE)
            yield self._asking(ReportKind.ASK_NEXT)

    def _asking(self, kind: ReportKind) -> Action:
        return Action.say(say_report(Report(kind), self._rng))
