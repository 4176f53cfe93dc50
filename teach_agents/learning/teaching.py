"""The teacher of self-play: the planners' choices as labels, and now and then something else that is done instead.

A `Teacher` is the model behind an ordinary language-model agent. What is said may be put in other words on its way
(`Wording`): agents hear these, and so their candidates come from them; the teacher alone reads the plain words.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from teach_agents.actions import Role
from teach_agents.agents.lm.candidates import GO_ON, STOP
from teach_agents.agents.lm.commander_moves import Kind
from teach_agents.agents.lm.oracle_commander import commander_choice, is_commanders
from teach_agents.agents.lm.oracle_follower import follower_wishes
from teach_agents.learning.demonstrations import Demonstration
from teach_agents.learning.matching import meant_by, nearest
from teach_agents.learning.paraphrasing import Paraphraser
from teach_agents.models import Choices, Completion, LanguageModel, Prompt
from teach_agents.session import DialogueHook

_SPEAKERS = ("Commander: ", "Follower: ", "You: ")
_AT_WORK = "You are at work: "
_ENDINGS = STOP.text, Kind.FINISH, Kind.GIVE_UP
"""What ends a session: never done for the sake of exploring."""


class Wording(DialogueHook):
    """Puts what the roles say in other words; knows the plain ones. Each role has a way of its own in a session."""

    stamped = False

    def __init__(self, ways: dict[Role, Paraphraser]) -> None:
        self._ways = ways
        self._plain: dict[tuple[Role, str], str] = {}

    @property
    def reworded(self) -> bool:
        """Whether anybody's words are put in others."""
        return bool(self._ways)

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """The words that are heard."""
        way = self._ways.get(speaker)
        if not way:
            return text
        said = way.command(text) if speaker is Role.COMMANDER else way.report(text)
        said = " ".join(said.split()) or text
        return said if self._plain.setdefault((speaker, said), text) == text else text

    def plain(self, line: str, reader: Role, *, own_only: bool = False) -> str:
        """A line of a prompt with the plain words; `own_only` leaves the partner's as they were heard."""
        for opening in _SPEAKERS:
            if line.startswith(opening):
                speaker = Role.COMMANDER if opening == _SPEAKERS[0] else Role.FOLLOWER
                if own_only and speaker is not reader:
                    return line
                said = line.removeprefix(opening)
                return opening + self._plain.get((speaker, said), said)
        return line


@dataclass(eq=False)
class Teacher(LanguageModel):
    """Answers one agent's decisions in one session, and keeps them as demonstrations.

    The label is what a planner would choose. With a probability of `exploring` another candidate is answered instead,
    so that the session goes where a planner would never take it, and the labels there tell the way back (Ross et al.
    2011, DAgger); with a `student` it is what that model answers. What a planner would have no choice for is left out:
    `dropped` counts why. `explored` counts answers that are not the label, `nearest` labels that are not quite what was
    wished for.
    """

    session: str
    wording: Wording
    rng: random.Random
    exploring: float = 0.0
    student: LanguageModel | None = None
    demonstrations: list[Demonstration] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    explored: int = 0
    nearest: int = 0
    _stands_for: dict[str, str] = field(default_factory=dict)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    name = "teacher"
    constrains = True

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """One of the choices each; nothing for what is no choice."""
        return [Completion(self._answer(one) if isinstance(one.answer, Choices) else "") for one in prompts]

    def _answer(self, prompt: Prompt) -> str:
        choices = prompt.choices
        role = Role.COMMANDER if is_commanders(choices) else Role.FOLLOWER
        label = self._label(prompt.messages[-1].text, choices, role)
        if label:
            self._keep(prompt, role, label)
        if self.rng.random() < self.exploring:
            other = self._other(prompt, label)
            self.explored += other != label
            return other
        # Where a planner has no choice the session goes on, or ends where nothing is left to do.
        ways = (Kind.GIVE_UP.value if role is Role.COMMANDER else "report that it did not work", "wait", choices[-1])
        return label or next(one for one in ways if one in choices)

    def _label(self, text: str, choices: Sequence[str], role: Role) -> str | None:
        plain = "\n".join(self._as_meant(line, role) for line in text.split("\n"))
        if role is Role.COMMANDER:
            choice = commander_choice(plain, choices)
            if choice == Kind.GIVE_UP:
                self.dropped["the Commander would give up"] += 1
                return None
            return choice
        for wish in follower_wishes(plain, busy=GO_ON.text in choices):
            if offered := nearest(wish, choices):
                if offered != wish:
                    self._stands_for[offered] = wish
                    self.nearest += 1
                return offered
        self.dropped["what the Follower would do is not offered"] += 1
        return None

    def _as_meant(self, line: str, reader: Role) -> str:
        """A line as the planner reads it: in plain words, with the commands that were wished for."""
        if line.startswith("("):
            step, colon, outcome = line[1:].partition(": ")
            return f"({self._stands_for.get(step, step)}{colon}{outcome}"
        if line.startswith(_AT_WORK):
            step = line.removeprefix(_AT_WORK).rstrip(".")
            return f"{_AT_WORK}{self._stands_for.get(step, step)}."
        return self.wording.plain(line, reader)

    def _keep(self, prompt: Prompt, role: Role, label: str) -> None:
        lines = prompt.messages[-1].text.split("\n")
        user = "\n".join(self.wording.plain(line, role, own_only=True) for line in lines)
        if (user, label) in self._seen:
            self.dropped["the same decision once more in a session"] += 1
            return
        self._seen.add((user, label))
        self.labels[f"{role}: {_sort_of(label)}"] += 1
        system = prompt.messages[0].text if prompt.messages[0].role == "system" else ""
        self.demonstrations.append(
            Demonstration(self.session, "self-play", role, system, user, tuple(prompt.choices), label)
        )

    def _other(self, prompt: Prompt, label: str | None) -> str:
        if self.student:
            answered = self.student.generate([prompt])[0]
            return str(answered.value) if answered.error is None else label or prompt.choices[0]
        others = [one for one in prompt.choices if one != label and one not in _ENDINGS]
        return self.rng.choice(others) if others else label or prompt.choices[0]


def _sort_of(label: str) -> str:
    """A label by what it does, for counts."""
    meant = meant_by(label)
    if meant and not label.startswith(("ask", "tell", "correct", "report", "search", "say")):
        return meant.verb.value
    words = label.split()
    return " ".join(words[: 2 if words[0] in ("look", "ask", "search", "tell", "correct", "say", "go") else 4])
