"""The episodes of a report: what was said and done in each, in order, and why it failed."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.benchmarks.episodes import Episode, Step, read_episode
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.reporting.thoughts import Thought, told
from teach_agents.benchmarks.solo.judging import unmet_of
from teach_agents.benchmarks.stored import TATC, StoredRun
from teach_agents.benchmarks.tatc.rescoring import checks
from teach_agents.errors import TeachAgentsError

__all__ = ["Card", "Deed", "Picture", "Scene", "card_of", "end_of", "plainly"]

_PARTICULARS = re.compile(r"\|[-+|.,\w]*|_[0-9a-f]{8}\b|\(Clone\)_copy_\d+| (?:by|at) \([-\d., ]+\)")
"""What tells one object of a type, or one step, from another in AI2-THOR's messages."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a data URL."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Deed:
    """Actions of one kind and outcome, one after the other; `message` says why they failed."""

    action: str
    count: int
    success: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What one role did without a pause for words, or, where `text` is not `None`, said; and what it thought then."""

    role: Role
    text: str | None = None
    deeds: tuple[Deed, ...] = ()
    thoughts: tuple[Thought, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One instance in a report. `state` is `success`, `failure`, or the status of what broke down.

    `thoughtless` says that its thoughts are left out here.
    """

    outcome: Outcome
    params: tuple[str, ...]
    end: str
    scenes: tuple[Scene, ...]
    unmet: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]
    pictures: tuple[Picture, ...]
    problem: str = ""
    thoughtless: bool = False

    @property
    def thoughts_size(self) -> int:
        """Characters of all its thoughts."""
        return sum(thought.size for scene in self.scenes for thought in scene.thoughts)

    def without_thoughts(self) -> Card:
        """The card with nothing of what was thought."""
        return replace(self, scenes=tuple(replace(one, thoughts=()) for one in self.scenes), thoughtless=True)

    @property
    def state(self) -> str:
        """How it went, in one word."""
        if self.outcome.status is not Status.DONE:
            return self.outcome.status.value
        return "success" if self.outcome.success else "failure"


def plainly(message: str) -> str:
    """A message that names objects by their types alone, and no distances."""
    return _PARTICULARS.sub("", message)


def end_of(run: StoredRun, outcome: Outcome) -> str:
    """How an instance ended, in words."""
    line = run.lines.get(outcome.instance_id, {})
    if outcome.status is not Status.DONE:
        found = outcome.status.value
    elif run.benchmark == TATC:
        found = line["end_reason"]
    elif outcome.predicted_stop:
        found = "stopped"
    else:
        over = outcome.failed_actions >= run.settings["max_failures"]
        found = "failure_limit" if over else "step_limit"
    return found.replace("_", " ")


def card_of(run: StoredRun, outcome: Outcome, pictures: Iterable[tuple[str, Path]] = ()) -> Card:
    """One instance's card, with its titled `pictures`.

    Records that cannot be read leave it with the reason in place of what happened.
    """
    name, problem = outcome.instance_id, ""
    try:
        episode = read_episode(run, name)
        unmet = _unmet(run, outcome)
    except TeachAgentsError as error:
        episode, unmet, problem = None, (), str(error)
    steps = episode.steps if episode else ()
    return Card(
        outcome=outcome,
        params=episode.task_params if episode else (),
        end=end_of(run, outcome),
        scenes=tuple(_scenes(episode)) if episode else (),
        unmet=unmet,
        refused=tuple(
            (step.action.name if step.action else "no action", _refusal(step))
            for step in steps
            if not step.result.success
        ),
        pictures=tuple(Picture(title, _data_url(path)) for title, path in pictures),
        problem=problem,
    )


def _refusal(step: Step) -> str:
    """Why an action failed; its own name need not be said again."""
    message = plainly(step.result.message)
    return message.removeprefix(f"{step.action.name}: ") if step.action else message


def _unmet(run: StoredRun, outcome: Outcome) -> tuple[str, ...]:
    line = run.lines.get(outcome.instance_id)
    if line is None or outcome.success or outcome.final is None:
        return ()
    if run.benchmark == TATC:
        return tuple(unmet_of(checks(run, line)[1]))
    return tuple(line["unmet"])


def _data_url(path: Path) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def _scenes(episode: Episode) -> Iterator[Scene]:
    """What was said before, then words and deeds in the order in which they came about."""
    spoken = {id(step) for step in episode.steps if _words(step) is not None}
    before = len(episode.dialogue) - len(spoken)
    for said in episode.dialogue[:before]:
        yield Scene(Role(said.speaker), said.text)
    acted = [step for step in episode.steps if step.action is None or step.action.name != "NoOp" or step.thought]
    for (role, words), steps in groupby(acted, lambda step: (step.role, _words(step))):
        group = list(steps)
        if words is None:
            yield Scene(role, deeds=tuple(_deeds(group)), thoughts=told(group))
        else:
            yield from (Scene(role, words, thoughts=told([step])) for step in group)


def _words(step: Step) -> str | None:
    action = step.action
    return action.utterance if action is not None and action.name == "Text" and step.result.success else None


def _deeds(steps: Sequence[Step]) -> Iterator[Deed]:
    """Like actions with like outcomes are told once, with their number."""

    def likeness(step: Step) -> tuple[str, bool, str]:
        action, result = step.action, step.result
        what = "no action" if action is None else action.name
        if action is not None and (of := action.query or result.object_id):
            what += f" {of.split('|', 1)[0]}"
        return what, result.success, "" if result.success else _refusal(step)

    for (what, success, message), group in groupby(steps, likeness):
        yield Deed(what, sum(1 for _ in group), success, message)
