"""What a Commander remembers of its session besides the room: the last check, what it asked for, what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teach_agents.agents.acting.things import Things
from teach_agents.agents.instructing.goals import Problem, is_complete, problems_of, satisfied_conditions
from teach_agents.agents.lm.commander_knowledge import goals_in
from teach_agents.agents.lm.commander_moves import Move
from teach_agents.agents.lm.plan import LONGEST, shortened
from teach_agents.tasks import OBJECT_CLASSES
from teach_agents.understanding.english.understanding import mentioned, understand_reports
from teach_agents.understanding.english.values import Instruction, Report, ReportKind, Verb

_TRIED, _TALK = 6, 10
"""How much a prompt shows at most: steps asked for, utterances."""
_READ = 400
"""Characters of an utterance that are looked at at most."""
_QUESTIONS = ReportKind.ASK_TASK, ReportKind.ASK_NEXT


@dataclass(slots=True)
class _Try:
    """How often a step was asked for, and what was last reported."""

    times: int = 0
    outcome: str = ""


class Notes:
    """One session's notes. `event` is what happened last, as the template `lm_commander` takes it."""

    def __init__(self) -> None:
        self.reply: Mapping[str, object] | None = None
        self.is_current = False
        self.event: Mapping[str, object] = {"what": "begun"}
        self.silence = 0
        self.has_looked = False
        self.step: Instruction | None = None
        self.report: Report | None = None
        self.is_question = False
        self.may_praise = False
        self.asked_about: tuple[str, ...] = ()
        self._asked_in_words = ""
        self._tries: dict[str, _Try] = {}
        self._satisfied = -1
        self._searched: set[str] = set()
        self._searched_now: set[str] = set()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the last check found wrong."""
        return problems_of(self.reply or {})

    @property
    def satisfied(self) -> int:
        """How many goal conditions held at the last check."""
        return satisfied_conditions(self.reply or {})

    @property
    def is_reported_done(self) -> bool:
        """Whether the Follower said that the last step is done, and the progress was checked since."""
        return self.is_current and self.report == Report(ReportKind.DONE)

    def happened(self, what: str, **more: object) -> None:
        """Something that the Commander did led to this."""
        self.event = {"what": what, **more}

    def checked(self, reply: Mapping[str, object]) -> None:
        """A progress check came back; what was tried before the task got on is forgotten."""
        self.reply, self.is_current = reply, True
        if self.satisfied > self._satisfied:
            self._satisfied = self.satisfied
            self._tries.clear()
        self.happened("checked")

    def looked(self) -> None:
        """The room was looked over."""
        self.has_looked = True
        self.happened("looked")

    def searched(self, noun: str, sought: str, place: str) -> None:
        """A kind of thing was searched for: `sought` in words, and the `place` where it is, "" for not known."""
        self._searched.add(noun)
        self._searched_now.add(noun)
        self.happened("found", sought=sought, place=place)

    def asked(self, move: Move) -> None:
        """A step was asked for."""
        self.step, self._asked_in_words, self.report = move.step, move.about, None
        self._tries.setdefault(move.about, _Try()).times += 1
        self.told()

    def told(self) -> None:
        """Something was said: what was asked about is settled."""
        self.asked_about, self.is_question, self.may_praise, self.silence = (), False, False, 0

    def silent(self, turns: int) -> None:
        """Nothing has happened for so many turns more; what is known may be out of date."""
        self._is_news()
        self.has_looked = False
        self.silence += turns
        self.happened("silence")

    def heard(self, text: str) -> Report | None:
        """The Follower said something: what it reports of the last step, if that is what it did."""
        self._is_news()
        self.silence = 0
        self.happened("heard")
        text = text[:_READ]
        reports = understand_reports(text)
        outcome = next((one for one in reports if one.kind not in _QUESTIONS), None)
        self.is_question = text.rstrip().endswith("?") and not reports
        self.asked_about = tuple(dict.fromkeys(_asked_about(text, reports)))
        if outcome:
            self.has_looked = False
            self.report = outcome
            self.may_praise = outcome.kind is ReportKind.DONE
            if self._asked_in_words in self._tries:
                self._tries[self._asked_in_words].outcome = _line(text)
        return outcome

    def _is_news(self) -> None:
        self.is_current = False
        self._searched_now.clear()

    def wanted(self, things: Things, undone: Instruction | None) -> list[str]:
        """Kinds of things that it would help to search for: what was asked about, what is needed and not known.

        `undone` is a step that seems to be needed still although it was reported done: one would have a look.
        """
        asked = (*self.asked_about, undone.noun if undone else "")
        needed = [one.wanted for one in self.problems if one.need is Verb.PUT and not things.of(one.wanted)]
        needed += [one.object_type for one in self.problems if not _is_placed(one, things)]
        fresh = [noun for noun in asked if noun and noun not in self._searched_now]
        return [*dict.fromkeys([*fresh, *(noun for noun in needed if noun not in self._searched)])]

    def inputs(self, talk: Sequence[Mapping[str, str]]) -> dict[str, object]:
        """What the template `lm_commander` is rendered with; `talk` is everything that was said."""
        reply = self.reply or {}
        tried = [{"step": step, "times": one.times, "outcome": one.outcome} for step, one in self._tries.items()]
        return {
            "talk": [{"speaker": one["speaker"], "text": _line(one["text"])} for one in talk[-_TALK:]],
            "checked": self.reply is not None,
            "task": _line(str(reply.get("task_desc") or "")),
            "complete": is_complete(reply),
            "current": self.is_current,
            "goals": goals_in(reply),
            "tried": tried[-_TRIED:],
            "event": dict(self.event),
            "silence": self.silence,
        }


def _line(text: str) -> str:
    return shortened(text[: 4 * LONGEST])


def _asked_about(text: str, reports: Sequence[Report]) -> list[str]:
    """Object types and classes that an utterance asks for, or could not find."""
    named = [one.noun for one in reports if one.kind is ReportKind.NOT_FOUND and one.noun]
    if named or reports or not text.rstrip().endswith("?"):
        return named
    return [one.noun for one in mentioned(text) if one.noun in OBJECT_CLASSES]


def _is_placed(problem: Problem, things: Things) -> bool:
    """Whether it is known where a problem's object is."""
    thing = things.get(problem.object_id)
    return thing is None or bool(things.holders(thing)) or not thing.has("pickupable") or thing.has("isPickedUp")
