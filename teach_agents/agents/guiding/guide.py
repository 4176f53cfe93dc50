"""A Commander's session with a person in the Follower's seat: it waits, listens, answers, and asks for steps."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.things import Things
from teach_agents.agents.dialogue.noun_text import capitalized
from teach_agents.agents.guiding.answers import answer
from teach_agents.agents.guiding.descriptions import request, task_of, where_are
from teach_agents.agents.guiding.lines import QUIET, Line, Topic, lines_of
from teach_agents.agents.guiding.matter import Matter
from teach_agents.agents.instructing.goals import Reply, is_complete, reply_of, satisfied_conditions, state_of
from teach_agents.agents.instructing.strategy import Strategist
from teach_agents.observations import Observation, Utterance
from teach_agents.understanding.english.values import Instruction, Verb
from teach_agents.understanding.reader import Reader

Turns = Generator[Action, None, None]
_CHECK_EVERY = 12
"""Turns of waiting between two progress checks: one of them may end the session."""
_TROUBLES = 2
"""Who says more often that a step does not work is asked for another one."""
_HINTED = 3
"""Of more things than these it is not told with the step where they are."""
_ANSWERED_BY_A_STEP = frozenset({Topic.NEXT, Topic.HELLO})
_LOOKED_UP = frozenset({Topic.WHERE, Topic.MISSING, Topic.WHICH, Topic.COUNT, Topic.STATE, Topic.THERE, Topic.NEED})
_PRAISE = ("Good, that is done.", "Well done.", "Great, thank you.", "Very good.")


class Leader(ABC):
    """Who leads: what it knows, and how it chooses steps. `searches` is whether it has to look for what is asked about;
    `sees` whether it can tell what things are like, `thinks` whether its choice takes a while."""

    searches = False
    sees = True
    thinks = False

    @property
    @abstractmethod
    def now(self) -> Observation:
        """What is observed in this turn."""

    @property
    @abstractmethod
    def things(self) -> Things:
        """What is known of the room in this turn."""

    @abstractmethod
    def choose(self, options: Sequence[Instruction], reply: Reply) -> Instruction:
        """One of the steps that would help, the usual one first."""

    def worth_searching(self, reply: Reply) -> Sequence[str]:
        """Kinds of things to search for before a step is chosen."""
        return ()

    def searched(self, noun: str) -> None:
        """A kind of thing was searched for before a step was chosen."""
        return None


class Guide:
    """Leads a person from step to step until the progress check says that the task is complete, and never gives up.

    Every line of the person's is taken in order: behind a new progress check it is answered, and where that shows that
    the step is done the next one comes with the answer.
    """

    def __init__(self, leader: Leader, reader: Reader, rng: random.Random) -> None:
        self._leader = leader
        self._reader = reader
        self._rng = rng
        self._strategist = Strategist()
        self._heard: int | None = None
        self._waiting: list[tuple[str, bool]] = []
        self._step: Instruction | None = None
        self._asked = self._troubles = 0
        self._is_shown = False
        self._reply: Reply = {}
        self._satisfied = 0
        self._spoken: tuple[str, ...] = ()

    def turns(self) -> Turns:
        """An action a turn, for ever."""
        self._listen()
        greeting = not self._leader.now.dialogue
        yield from self._check()
        begun: list[str] = []
        if greeting:
            description = str(self._reply.get("task_desc") or "")
            begun = [f"Hello! The task: {task_of(description)}." if description else "Hello!"]
            if self._leader.thinks:
                yield Action.say(f"{begun.pop()} Give me a moment.")
        while not is_complete(self._reply):
            if self._step is None:
                begun += yield from self._first_answers()
            yield from self._ask(begun)
            begun = yield from self._until_done()
        yield Action.say(" ".join([*begun, "The task is complete. Well done, and thank you!"]))
        yield from self._check()
        while True:
            yield Action.finish()

    def _first_answers(self) -> Generator[Action, None, list[str]]:
        """Answers to who spoke before anything was asked for, but for what the greeting says."""
        self._listen()
        lines = self._take()
        yield from map(Action.search, self._sought(lines))
        greeted = QUIET | {Topic.HELLO, Topic.TASK}
        return [answer(one, self._matter()) for one in lines if one.topic not in greeted]

    def _check(self) -> Turns:
        yield Action.progress_check()
        self._reply = reply_of(self._leader.now) or self._reply

    def _ask(self, before: Sequence[str]) -> Turns:
        """Ask for the next step, behind what is to be said before; wait where there is none."""
        for noun in self._leader.worth_searching(self._reply):
            yield Action.search(noun)
            self._leader.searched(noun)
        options = self._options() or self._afresh()
        self._asked += 1
        self._troubles = 0
        self._step = self._leader.choose(options, self._reply) if options else None
        if self._step is not None:
            self._strategist.ask(self._step)
        self._is_shown = self._is_open(self._options())
        self._satisfied = satisfied_conditions(self._reply)
        words = [*before, self._asking()]
        yield Action.say(" ".join(filter(None, words)))

    def _options(self) -> list[Instruction]:
        return self._strategist.options(*state_of(self._reply), self._leader.things)

    def _afresh(self) -> list[Instruction]:
        """The steps once more that were asked for in vain."""
        self._strategist = Strategist()
        return self._options()

    def _asking(self) -> str:
        step = self._step
        if step is None:
            stuck = bool(state_of(self._reply)[0])
            return "I do not know what else could be done. Try what you can." if stuck else "Do as you please."
        if step.verb is Verb.LOOK:
            return f"{capitalized(request(step))}."
        lead = "First, " if self._asked == 1 else self._rng.choice(("Now ", "Next, ", "Please "))
        self._spoken = (step.what.noun,) if step.what is not None else ()
        found = self._matter().wanted()
        where = where_are(found, self._leader.things) if 0 < len(found) <= _HINTED else ""
        return capitalized(f"{lead}{request(step)}. {where}".strip())

    def _until_done(self) -> Generator[Action, None, list[str]]:
        """Wait and answer until the step is done; what is to be said before the next one."""
        quiet = 0
        while True:
            self._listen()
            if not self._waiting:
                quiet += 1
                if quiet % _CHECK_EVERY:
                    yield Action.wait()
                    continue
                yield from self._check()
                if is_complete(self._reply):
                    return []
                continue
            lines = self._take()
            if not lines:
                continue
            yield from self._check()
            yield from map(Action.search, self._sought(lines))
            if is_complete(self._reply):
                return []
            if self._is_settled(lines):
                said = [answer(one, self._matter()) for one in lines if one.topic not in QUIET | {Topic.TROUBLE}]
                return [*filter(None, said), *self._praise()]
            if self._is_changed(lines):
                return ["Never mind."]
            said = [answer(one, self._matter()) for one in lines]
            named = (one.kinds for one in reversed(lines) if one.kinds and one.topic in _LOOKED_UP - {Topic.NEED})
            self._spoken = next(named, self._spoken)
            yield Action.say(" ".join(filter(None, said)) or "All right.")

    def _praise(self) -> list[str]:
        """Praise, where the check shows that the task got on."""
        return [self._rng.choice(_PRAISE)] if satisfied_conditions(self._reply) > self._satisfied else []

    def _is_settled(self, lines: Sequence[Line]) -> bool:
        """Whether the step needs no more asking for: by the check, or by the person where no check can show it."""
        if self._is_shown:
            return not self._is_open(self._options())
        return any(one.topic in (Topic.DONE, Topic.NEXT) for one in lines)

    def _is_open(self, options: Sequence[Instruction]) -> bool:
        return self._step is not None and any(_alike(self._step, one) for one in options)

    def _is_changed(self, lines: Sequence[Line]) -> bool:
        """Whether something else has to be done before what did not work, or is better done instead."""
        troubles = [one for one in lines if one.topic is Topic.TROUBLE and not self._matter().is_aside(one)]
        if not troubles:
            return False
        before = self._options()
        for report in filter(None, (one.report for one in troubles)):
            self._strategist.report(report, self._leader.things)
        after = self._options()
        self._troubles += 1
        others = [one for one in after if self._step is None or not _alike(one, self._step)]
        return any(one not in before for one in after[:1]) or (self._troubles > _TROUBLES and bool(others))

    def _sought(self, lines: Sequence[Line]) -> list[str]:
        """What has to be searched for before it is answered."""
        if not self._leader.searches:
            return []
        nouns: list[str] = []
        for one in lines:
            own = [self._step.noun] if self._step is not None and not one.kinds else []
            nouns += [*one.kinds[:1], *one.places[:1], *own] if one.topic in _LOOKED_UP else []
        return [noun for noun in dict.fromkeys(nouns) if noun]

    def _listen(self) -> None:
        said: Sequence[Utterance] = self._leader.now.dialogue
        new = said[len(said) if self._heard is None else self._heard :]
        self._heard = len(said)
        spoke = max((number for number, one in enumerate(new) if one.speaker is Role.COMMANDER), default=-1)
        self._waiting += [(one.text, n < spoke) for n, one in enumerate(new) if one.speaker is Role.FOLLOWER]

    def _take(self) -> list[Line]:
        """The oldest line that was not answered yet, read; nothing where there is none.

        What was asked while the step was being said, and is answered by it, is left out.
        """
        if not self._waiting:
            return []
        text, crossed = self._waiting.pop(0)
        lines = lines_of(text, self._told(), self._reader)
        return [line for line in lines if not (crossed and line.topic in _ANSWERED_BY_A_STEP)]

    def _told(self) -> str:
        """What the Commander said last."""
        told = (one.text for one in reversed(self._leader.now.dialogue) if one.speaker is Role.COMMANDER)
        return next(told, "")

    def _matter(self) -> Matter:
        leader = self._leader
        more = (self._spoken, self._options(), self._told(), leader.sees, not leader.searches)
        return Matter(self._step, leader.things, self._reply, *more)


def _alike(one: Instruction, other: Instruction) -> bool:
    """Whether two ask for the same, of things that may have changed their places meanwhile."""
    places = [step.where.noun if step.where is not None else "" for step in (one, other)]
    return one.verb is other.verb and one.noun == other.noun and places[0] == places[1]
