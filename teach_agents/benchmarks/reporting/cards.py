"""The cards of a report: what was said and done in an instance, in order, and why it failed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from teach_agents.benchmarks.base import kind_of
from teach_agents.benchmarks.episodes import Episode, Step, read_episode
from teach_agents.benchmarks.metrics import Outcome
from teach_agents.core.agents.thoughts import shown
from teach_agents.core.benchmark.reporting.parts import Card, Scene, pictures_of, scenes, state_of, words_of_reading
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.errors import TeachAgentsError

_PARTICULARS = re.compile(r"\|[-+|.,\w]*|_[0-9a-f]{8}\b|\(Clone\)_copy_\d+| (?:by|at) \([-\d., ]+\)")
"""What tells one object of a type, or one step, from another in AI2-THOR's messages."""


def plainly(message: str) -> str:
    """A message that names objects by their types alone, and no distances."""
    return _PARTICULARS.sub("", message)


def card_of(run: StoredRun, outcome: Outcome, pictures: Iterable[tuple[str, Path]] = ()) -> Card:
    """One instance's card, with its titled `pictures`.

    Records that cannot be read leave it with the reason in place of what happened.
    """
    name, problem, kind = outcome.instance_id, "", kind_of(run)
    end = kind.end_of(run, outcome).replace("_", " ")
    try:
        episode = read_episode(run, name)
        unmet = _unmet(run, outcome)
    except TeachAgentsError as error:
        episode, unmet, problem = None, (), str(error)
    actions = f"{outcome.steps} actions, {outcome.failed_actions} failed"
    final = outcome.final
    return Card(
        instance_id=name,
        title=outcome.task_name,
        state=state_of(outcome),
        end=end,
        params=episode.task_params if episode else (),
        about=(
            outcome.cluster,
            name,
            actions,
            end,
            *([f"goal conditions {final.met} of {final.total}"] if final else []),
        ),
        reason=outcome.reason,
        scenes=tuple(_scenes(episode)) if episode else (),
        unmet=unmet,
        refused=tuple(
            (step.action.name if step.action else "no action", _refusal(step))
            for step in (episode.steps if episode else ())
            if not step.result.success
        ),
        pictures=pictures_of(pictures),
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
    return tuple(kind_of(run).unmet(run, line))


def _scenes(episode: Episode) -> Iterator[Scene]:
    """What was said before, then words and deeds in the order in which they came about."""
    spoken = {id(step) for step in episode.steps if _words(step) is not None}
    before = len(episode.dialogue) - len(spoken)
    read = episode.readings
    for number, said in enumerate(episode.dialogue[:before]):
        yield Scene(str(said.speaker), said.text, words_of_reading(read.get(number)))
    acted = [step for step in episode.steps if step.action is None or step.action.name != "NoOp" or shown(step.thought)]
    yield from scenes(acted, lambda step: (step.role, _words(step)), _likeness, read)


def _words(step: Step) -> str | None:
    action = step.action
    return action.utterance if action is not None and action.name == "Text" and step.result.success else None


def _likeness(step: Step) -> tuple[str, bool, str]:
    action, result = step.action, step.result
    what = "no action" if action is None else action.name
    if action is not None and (of := action.query or result.object_id):
        what += f" {of.split('|', 1)[0]}"
    return what, result.success, "" if result.success else _refusal(step)
