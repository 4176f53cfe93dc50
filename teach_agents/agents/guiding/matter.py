"""What a Commander answers a person from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.dialogue.referring_expressions import distinct
from teach_agents.agents.dialogue.states import LOOKS
from teach_agents.agents.guiding.advice import is_needed
from teach_agents.agents.guiding.descriptions import (
    request,
    task_of,
)
from teach_agents.agents.guiding.lines import Line
from teach_agents.agents.instructing.goals import Reply
from teach_agents.understanding.english.lexicon import noun
from teach_agents.understanding.english.values import Instruction, Reference, Verb


@dataclass(frozen=True, slots=True)
class Matter:
    """What a Commander answers from: the step that it asked for, the room as it knows it, the last progress check.

    `spoken` are the kinds of things that were spoken of last, `options` the steps that would help, `told` is what was
    said to the person last. `sees` is whether it can see what things are like, `complete` whether it knows of all that
    is there.
    """

    step: Instruction | None
    things: Things
    reply: Reply
    spoken: tuple[str, ...] = ()
    options: Sequence[Instruction] = ()
    told: str = ""
    sees: bool = True
    complete: bool = True

    @property
    def reminder(self) -> str:
        """What is to be done now, as a sentence; "" before anything was asked for."""
        return f"Now {request(self.step)}." if self.step is not None and self.step.verb is not Verb.LOOK else ""

    @property
    def task(self) -> str:
        """What the task is, and what is to be done now."""
        description = str(self.reply.get("task_desc") or "")
        told = f"The task: {task_of(description)}." if description else "I tell you step by step."
        return f"{told} {self.reminder}".strip()

    def meant(self, line: Line) -> list[Thing]:
        """The things that a line is about: what it names, else what was spoken of, else what the step is about."""
        if line.unknown:
            return []
        if line.kinds:
            found = distinct(self.things.of(*line.kinds))
            return [one for one in found if all(LOOKS[look](one, self.things) for look in line.looks)]
        if self.spoken and self.things.of(*self.spoken) and not self._is_of_step(self.spoken):
            return distinct(self.things.of(*self.spoken))
        return self.wanted()

    def is_aside(self, line: Line) -> bool:
        """Whether a line is about things that the step does not take."""
        return bool(line.kinds) and self.step is not None and not is_needed(line.kinds, self.step, self.things)

    def _is_of_step(self, kinds: Sequence[str]) -> bool:
        return self.step is not None and self.step.noun in kinds

    def wanted(self) -> list[Thing]:
        """What the step is to be done to."""
        what = self.step.what if self.step is not None else None
        if what is None:
            return []
        return distinct(matching(what, self.things) or self.things.of(what.noun))


def unknown_thing(line: Line) -> str:
    """That no such thing is known."""
    if line.unknown:
        return f"I know of no {line.unknown} here."
    return f"I know of no {noun(line.kinds[0]).one} here." if line.kinds else "I do not know that."


def same_things(kinds: Sequence[str], phrases: Sequence[Reference], things: Things) -> bool:
    """Whether things of these kinds are among what is described; so are none."""
    asked = things.of(*kinds) if kinds else []
    return not kinds or any(thing.is_a(phrase.noun) for phrase in phrases for thing in asked)
