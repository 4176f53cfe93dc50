"""The Commander's half of the model `oracle`: a planner's choice, read off the prompt and the choices alone.

It reads the texts of the template `lm_commander` and of `commander_moves`, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from teach_agents.agents.instructing.goals import NEEDS
from teach_agents.agents.instructing.strategy import ON_THE_SPOT
from teach_agents.agents.lm.commander_moves import Kind
from teach_agents.understanding.english.understanding import (
    understand_instructions,
    understand_reference,
    understand_reports,
)
from teach_agents.understanding.english.values import Instruction, ReportKind, Verb

_PATIENCE = 200
"""Turns of silence after which a step is asked for again."""
_TRIED = re.compile(r"- (?P<step>.+?)(?: \((?P<times>\d+) times\))?: .*")
_SILENT = re.compile(r"has said nothing for (\d+) turns")


def is_commanders(choices: Sequence[str]) -> bool:
    """Whether these are a Commander's choices."""
    return Kind.FINISH in choices


def commander_choice(prompt: str, choices: Sequence[str]) -> str:
    """The choice that a planner would make in the Commander's chair."""
    page = _Page(prompt, choices)
    return next((choice for rule in _RULES if (choice := rule(page))), choices[-1])


class _Page:
    """A prompt with its choices, read."""

    def __init__(self, prompt: str, choices: Sequence[str]) -> None:
        self.choices = choices
        self.lines = prompt.splitlines()
        said = [line for line in self.lines if line.startswith(("Commander: ", "Follower: "))]
        self.told = [line.partition(": ")[2].lower().rstrip(".") for line in said if line.startswith("Commander: ")]
        last = said[-1] if said else ""
        self.reports = understand_reports(last.partition(": ")[2]) if last.startswith("Follower: ") else ()
        self.is_complete = any(line.startswith("Task: ") and line.endswith("It is complete.") for line in self.lines)
        silent = _SILENT.search(prompt)
        self.silence = int(silent[1]) if silent else 0

    def first(self, kind: Kind) -> str | None:
        """The first choice of a kind."""
        return next(iter(self.all(kind)), None)

    def all(self, kind: Kind) -> list[str]:
        """The choices of a kind."""
        return [choice for choice in self.choices if choice.startswith(kind)]

    @property
    def tried(self) -> dict[str, int]:
        """How often each step was asked for since the task last got on, those asked for last at the end."""
        start = self.lines.index("You asked for:") + 1 if "You asked for:" in self.lines else len(self.lines)
        matches = map(_TRIED.fullmatch, self.lines[start:])
        return {match["step"]: int(match["times"] or 1) for match in matches if match}

    def reported(self, kind: ReportKind) -> str | None:
        """The noun of a report just made, "" for none; `None` where there is no such report."""
        return next((report.noun for report in self.reports if report.kind is kind), None)


def _answer(page: _Page) -> str | None:
    """Where something is that the Follower did not find: what was not told yet, else what a search shows."""
    if page.reported(ReportKind.NOT_FOUND) is None:
        return None
    fresh = [choice for choice in page.all(Kind.TELL) if _about(choice).lower() not in page.told]
    return next(iter([*fresh, *page.all(Kind.SEARCH)]), None)


def _search(page: _Page) -> str | None:
    """What is needed and was not found yet."""
    done = next(reversed(page.tried), "")
    return next((choice for choice in page.all(Kind.SEARCH) if not _is_about(choice, done)), None)


def _ask(page: _Page) -> str | None:
    """The first step that is needed, of those asked for least.

    Before one is asked for again, a look is taken at what became of it; the very thing is asked for, if that can be.
    """
    tried = page.tried
    best = min(_ranked(page, tried), default=None)
    if not best:
        return None
    choice = best[-1]
    if _about(choice) not in tried:
        return choice
    correct = [one for one in page.all(Kind.CORRECT) if _about(one) not in tried]
    return next(iter([*page.all(Kind.LOOK), *page.all(Kind.SEARCH), *correct]), choice)


_RULES: tuple[Callable[[_Page], str | None], ...] = (
    lambda page: page.first(Kind.CHECK),
    lambda page: page.first(Kind.FINISH) if page.is_complete else None,
    lambda page: None if page.told else page.first(Kind.LOOK),
    _answer,
    lambda page: page.first(Kind.WAIT) if 0 < page.silence < _PATIENCE else None,
    _search,
    _ask,
    lambda page: page.first(Kind.GIVE_UP),
)
"""Tried in turn: a look is taken once, before the first word."""


def _about(choice: str) -> str:
    """What a choice says behind the words of its kind."""
    kind = next(kind for kind in Kind if choice.startswith(kind))
    return choice.removeprefix(kind).strip()


def _is_about(search: str, step: str) -> bool:
    """Whether a search is for what a step is done to."""
    meant, sought = understand_instructions(step), understand_reference(_about(search))
    return sought is not None and sought.noun in [one.noun for one in meant[:1]]


def _ranked(page: _Page, tried: Mapping[str, int]) -> Iterator[tuple[bool, int, int, int, str]]:
    """The choices that ask for a step, each behind what ranks it: how often it was tried, and the order of needs."""
    for number, choice in enumerate(page.all(Kind.ASK)):
        times = tried.get(_about(choice), 0)
        for step in understand_instructions(_about(choice))[:1]:
            place = NEEDS.index(step.verb if step.verb in NEEDS else Verb.PUT)
            yield times > 0 or not _helps(step, page), times, place, number, choice


def _helps(step: Instruction, page: _Page) -> bool:
    """Whether a step, not asked for yet, makes room or brings what was out of reach to where it can be reached."""
    if page.reported(ReportKind.NO_ROOM) is not None:
        return step.verb is Verb.CLEAR
    missed = page.reported(ReportKind.NOT_REACHED)
    if not missed or not page.tried or step.verb is not Verb.PUT or step.noun != missed:
        return False
    return any(last.verb in ON_THE_SPOT for last in understand_instructions([*page.tried][-1])[:1])
