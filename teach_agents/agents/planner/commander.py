"""The planner Commander that talks in sentences."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Steps
from teach_agents.agents.acting.things import Things
from teach_agents.agents.guiding.guide import Guide, Leader
from teach_agents.agents.instructing.goals import Reply, is_complete, reply_of, satisfied_conditions, state_of
from teach_agents.agents.instructing.strategy import Strategist
from teach_agents.agents.planner.commander_answers import asks, replied
from teach_agents.agents.planner.conversation import Conversation, NaturalConversation, PlainConversation
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.english.understanding import understand_reports
from teach_agents.understanding.english.values import Instruction, Report, ReportKind
from teach_agents.understanding.reader import Reader, load_reader, load_weights_of

STYLES: Mapping[str, Callable[[random.Random], Conversation]] = {
    "natural": NaturalConversation,
    "plain": PlainConversation,
}
"""How the Commander talks: as people do, or in the controlled English alone."""

_CHECK_EVERY = 12
_SILENCE = 240
_REMARK_AFTER = 15


class PlannerCommander(Agent):
    """Reads the task off the progress check and asks for one step at a time, in plain English.

    It knows nothing of the task but what progress checks say. Its privilege is the state of every object, which tells
    it where things are (a person looks for them with the object search). `style` is one of `STYLES`; wording varies
    with the briefing's seed, or `seed` where it is given, and with the scene. A person in the Follower's seat is led by
    `guiding`, whose words are read by `understanding`, a reader or its SPEC.
    """

    privileges = frozenset({Privilege.OBJECTS})
    _now: Observation
    _conversation: Conversation

    def __init__(
        self, seed: int | None = None, *, style: str = "natural", understanding: str | Reader = "hybrid"
    ) -> None:
        self._seed = seed
        self._reader = load_reader(understanding)
        self._style = style
        self._start(0)

    def _start(self, seed: int) -> None:
        self._session_seed = seed if self._seed is None else self._seed
        self._failed = False
        self._strategist = Strategist()
        self._known: Things | None = None
        self._heard = 0
        self._overdue = 0
        self._satisfied = 0
        self._questions: list[str] = []
        self._life = self._live()

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._start(briefing.seed)
        if briefing.person:
            rng = random.Random(f"guide {self._session_seed}")
            self._life = Guide(_Leader(self), self._reader, rng).turns()

    def load(self) -> None:
        """Load what reads people's words."""
        load_weights_of(self._reader)

    def act(self, observation: Observation) -> Action:
        """One turn: check the progress, say the next step, or wait."""
        self._now = observation
        return next(self._life)

    def _live(self) -> Steps:
        """Ask for step after step; finish if the task is still done once the Follower knows that it is."""
        self._heard = len(self._now.dialogue)
        where = [thing.position for thing in self._things()]  # so that wording varies from scene to scene
        self._rng = random.Random(f"answers {self._session_seed} {where}")
        self._conversation = STYLES[self._style](random.Random(f"{self._session_seed} {where}"))
        settled = False
        while not settled:
            complete = yield from self._instruct()
            yield Action.progress_check()
            settled = not complete or is_complete(reply_of(self._now))
        while True:
            yield Action.finish()

    def _instruct(self) -> Generator[Action, None, bool]:
        """Ask until the task is done, or until there is nothing left to ask for; whether it is done."""
        while True:
            yield Action.progress_check()
            reply = reply_of(self._now)
            complete = is_complete(reply)
            step = None if complete else self._strategist.next_step(*state_of(reply), self._things())
            if step is None:
                break
            was, self._satisfied = self._satisfied, satisfied_conditions(reply)
            confirmed = was < self._satisfied
            yield from _say(self._conversation.step(step, self._things(), failed=self._failed, confirmed=confirmed))
            yield from self._until_reported(step)
        yield from _say(self._conversation.ending(complete=complete))
        return complete

    def _until_reported(self, step: Instruction) -> Steps:
        """Wait for the Follower's report, answering what it asks; look at the progress now and then, as it may end the
        session."""
        for turn in range(1, _SILENCE):
            report = self._hear()
            if report is None and self._questions:
                yield Action.say(replied(self._questions.pop(0), step, self._things(), self._rng))
                continue
            if report is not None and not self._is_belated(report):
                self._failed = report.is_failure
                self._strategist.report(report, self._things())
                return
            if turn % _CHECK_EVERY:
                remark = self._conversation.meanwhile() if turn == _REMARK_AFTER else None
                yield Action.say(remark) if remark else Action.wait()
                continue
            yield Action.progress_check()
            if is_complete(reply_of(self._now)):
                return
        self._overdue += 1

    def _is_belated(self, report: Report) -> bool:
        """Whether a report is about a step that was given up waiting for; who asks again has done with all of them."""
        if report.kind is ReportKind.ASK_NEXT or not self._overdue:
            self._overdue = 0
            return False
        self._overdue -= 1
        return True

    def _hear(self) -> Report | None:
        """The Follower's report on the step, if it made one: how it went, or a question for the next step."""
        for said in self._now.dialogue[self._heard :]:
            self._heard += 1
            if said.speaker is not Role.FOLLOWER:
                continue
            reports = understand_reports(said.text)
            for report in reports:
                if report.kind is not ReportKind.ASK_TASK:
                    return report
            if not reports and asks(said.text):
                self._questions.append(said.text)
        return None

    def _things(self) -> Things:
        self._known = Things.now(self._now.privileged.lasting_objects, self._known)
        return self._known


class _Leader(Leader):
    """The planner leads a person: it knows all of the room, and takes the usual step."""

    def __init__(self, commander: PlannerCommander) -> None:
        self._commander = commander

    @property
    def now(self) -> Observation:
        """What is observed in this turn."""
        return self._commander._now

    @property
    def things(self) -> Things:
        """Everything in the room."""
        return self._commander._things()

    def choose(self, options: Sequence[Instruction], reply: Reply) -> Instruction:
        """The first."""
        return options[0]


def _say(utterances: Iterable[str]) -> Steps:
    for utterance in utterances:
        yield Action.say(utterance)
