"""The planner Follower in natural-language mode."""

from __future__ import annotations

import random
from collections.abc import Iterable

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.acting.performing import perform
from teach_agents.agents.acting.skills.searching import survey
from teach_agents.agents.conversing.conversation import Conversation
from teach_agents.agents.planner.context import Context, is_possible
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.english.motions import understand_motions
from teach_agents.understanding.english.speaking import say_report
from teach_agents.understanding.english.understanding import leaves_open, understand_instructions
from teach_agents.understanding.english.values import ABOUT_A_THING, Instruction, Reference, Report, ReportKind, Verb
from teach_agents.understanding.reader import Reader, load_reader

_PATIENCE = 20
"""Turns of silence after which the Follower asks again."""
_ABILITIES = (
    "I can get, put, wash, slice, cook, toast, boil, fill, empty, open, close and switch things: "
    "wash the mug, or put the apple in the fridge. I can turn, look up and down, and step: turn around, or step back."
)
_REST = "I did not understand the rest of what you said."
_IN_PASSING = frozenset({Verb.ASIDE, Verb.FINISH, Verb.GIVE_UP})
"""What calls for no action and no report."""


class PlannerFollower(Agent):
    """Does what the Commander says, and nothing else.

    A function of its observations and of the utterances alone. Its privileges stand for perfect perception and a map:
    object ids and depth of its own view, every object's state, the cells it can stand on.
    """

    privileges = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})

    def __init__(self, seed: int | None = None, *, understanding: str | Reader = "hybrid") -> None:
        self._seed = seed
        self._reader = load_reader(understanding)
        self._start(0)

    def _start(self, seed: int, *, resumed: bool = False) -> None:
        self._rng = random.Random(seed if self._seed is None else self._seed)
        self._body = Body()
        self._context = Context()
        self._heard = 0
        self._noticed = 0
        self._asked: int | None = None
        self._talk = Conversation(self._body, self._reader, self._rng, lambda text: False, resumed=resumed)
        self._resumed = resumed
        self._life = self._live()

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._start(briefing.seed, resumed=briefing.resumed)

    def act(self, observation: Observation) -> Action:
        """One turn: the next action of the step under way, or listening."""
        self._body.see(self._talk.hear(observation))
        action = self._talk.turn()
        self.thought = self._talk.thought
        if action is not None:
            return action
        if self._talk.took_over():
            self._life = self._listen()
        return self._talk.guarded(next(self._life))

    def _live(self) -> Steps:
        before = self._body.observation.dialogue if self._resumed else ()
        self._heard = self._noticed = len(before)
        for said in before:
            if said.speaker is Role.COMMANDER:
                self._context.hear(understand_instructions(said.text))
        yield self._say(Report(ReportKind.ASK_TASK))
        yield from survey(self._body)
        yield from self._listen()

    def _listen(self) -> Steps:
        """Do what is asked for, for ever; asked again after long silence."""
        while True:
            for _ in range(_PATIENCE):
                utterance = self._hear()
                if utterance is not None:
                    motions = understand_motions(utterance)
                    yield from self._move(motions) if motions else self._work(utterance)
                    break
                yield Action.wait()
            else:
                yield self._say(Report(ReportKind.ASK_NEXT))

    def _hear(self) -> str | None:
        """The Commander's first utterance that was not listened to yet."""
        for said in self._body.observation.dialogue[self._heard :]:
            self._heard += 1
            if said.speaker is Role.COMMANDER:
                return said.text
        return None

    def _move(self, motions: Iterable[str]) -> Steps:
        """Motions that were asked for, until one does not work."""
        self._asked = None
        report = Report(ReportKind.DONE)
        for name in motions:
            yield Action(name)
            if not self._body.succeeded:
                report = Report(ReportKind.FAILED)
                break
        yield self._say(report, Report(ReportKind.ASK_NEXT))

    def _work(self, utterance: str) -> Steps:
        said = understand_instructions(utterance)
        doing = [step for step in said if not self._is_said_in_passing(step)]
        if doing:
            self._asked = None
        report = Report(ReportKind.DONE)
        for step in said:
            if step not in doing:
                self._context.hear([step])
                continue
            meant = self._context.meant(step, said, self._body)
            try:
                for action in self._doing(meant):
                    yield action
                    if self._is_called_off(meant):
                        return
            except SkillError as error:
                report = _failure(error)
                if report.kind is ReportKind.NOT_FOUND:
                    self._asked = len(self._body.observation.dialogue)
                break
        if doing:
            yield self._say(report, Report(ReportKind.ASK_NEXT), more=_REST if leaves_open(utterance) else "")
        elif leaves_open(utterance):
            yield self._say(Report(ReportKind.NOT_UNDERSTOOD), more=_ABILITIES)

    def _doing(self, step: Instruction) -> Steps:
        if not is_possible(step, self._body):
            raise SkillError(ReportKind.FAILED)
        yield from perform(self._body, step)

    def _is_said_in_passing(self, step: Instruction) -> bool:
        """Small talk, and hints of places that were not asked for: they call for no action and no report."""
        if step.verb is not Verb.LOOK:
            return step.verb in _IN_PASSING
        return self._asked is None or self._heard <= self._asked or step.where is None

    def _is_called_off(self, doing: Instruction) -> bool:
        """Whether the Commander, meanwhile, said that all is done. Where things are is remembered in passing."""
        news = self._body.observation.dialogue[self._noticed :]
        self._noticed += len(news)
        heard = (said.text for said in news if said.speaker is Role.COMMANDER)
        steps = [step for text in heard for step in understand_instructions(text)]
        self._body.memory.hints += [hint for step in steps if (hint := _hint(step, doing)) is not None]
        return any(step.verb is Verb.FINISH for step in steps)

    def _say(self, report: Report, *others: Report, more: str = "") -> Action:
        said = [say_report(one, self._rng) for one in (report, *others)]
        return Action.say(" ".join([said[0], *([more] if more else []), *said[1:]]))


def _hint(said: Instruction, doing: Instruction) -> tuple[str, Reference] | None:
    """What a hint is about, which is what one is at where it says "it", and the place it names."""
    what = doing.what if said.what is None or said.what.noun == "It" else said.what
    if said.verb is not Verb.LOOK or said.where is None or what is None:
        return None
    return what.noun, said.where


def _failure(error: SkillError) -> Report:
    if error.kind in ABOUT_A_THING and error.noun not in ("", "It"):
        return Report(error.kind, Reference(error.noun, 1, True))
    return Report(ReportKind.NOT_UNDERSTOOD if error.noun == "It" else ReportKind.FAILED)
