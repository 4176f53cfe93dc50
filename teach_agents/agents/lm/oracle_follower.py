"""The Follower's half of the model `oracle`: what the planner would do, read off the prompt and the choices alone.

It reads the text of the template `lm_follower`: the log of what was said and done tells what is still to be done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from teach_agents.agents.lm.candidates import GO_ON, OVER, PROBLEMS, STOP, WAIT
from teach_agents.agents.lm.phrases import command, phrase
from teach_agents.understanding.english.understanding import (
    understand_instructions,
    understand_reference,
    understand_reports,
)
from teach_agents.understanding.english.values import Instruction, Reference, ReportKind, Verb

_SAID = re.compile(r"(Commander|You): (.*)")
_DID = re.compile(
    r"\((.+?): (done|called off|no more known|not found|not reached|no room|failed|not understood)(?:: ([^;]*))?.*\)"
)

_ALONE, _SILENT = "Nobody answers any more.", "Nobody said anything for"
_UNTOUCHED = "Nothing was done but what stands in brackets."


def follower_choice(prompt: str, choices: Sequence[str]) -> str:
    """The choice that a planner would make in the Follower's chair."""
    wishes = follower_wishes(prompt, busy=GO_ON.text in choices)
    wishes += ["report that it did not work", GO_ON.text, STOP.text, WAIT.text, choices[-1]]
    return next(one for one in wishes if one in choices)


def follower_wishes(prompt: str, *, busy: bool) -> list[str]:
    """What a planner would choose if it could, the dearest first; `busy` says that a step is under way."""
    state = _State(alone=_ALONE in prompt, untouched=_UNTOUCHED in prompt)
    for line in prompt.splitlines():
        state.read(line)
    return state.wishes(busy=busy)


@dataclass
class _State:
    """What the log says is still to be done, and how it stands."""

    pending: list[Instruction] = field(default_factory=list)
    hints: list[tuple[str, Reference]] = field(default_factory=list)
    """Where things of a kind were said to be."""
    tried: set[str] = field(default_factory=set)
    """What was done since the pending step was last begun."""
    trouble: tuple[str, str] | None = None
    """What the last step failed for, and with what."""
    done: int = 0
    asked: str = ""
    """What the Follower asked the way to."""
    over: bool = False
    confused: bool = False
    last: str = ""
    alone: bool = False
    untouched: bool = False
    """The log is of a session that is to be done again: what it says was done was not."""
    silent: bool = False

    def read(self, line: str) -> None:
        """Take in a line of the prompt."""
        said, did = _SAID.fullmatch(line), _DID.fullmatch(line)
        if did:
            self.last = "step"
            self._did(did[1], did[2], did[3] or "")
        elif said:
            self.last = said[1]
            (self._heard if said[1] == "Commander" else self._spoke)(said[2])
        self.silent |= line.startswith(_SILENT)

    def _heard(self, text: str) -> None:
        steps = understand_instructions(text)
        self.confused = not steps
        self.over = any(step.verb in OVER for step in steps)
        for step in steps:
            if step.verb is Verb.LOOK:
                self._hinted(step)
            elif step.verb not in (Verb.ASIDE, *OVER) and step not in self.pending:
                self.pending.append(step)
                self.tried.clear()

    def _hinted(self, hint: Instruction) -> None:
        """Where something is: what was asked for, or what was spoken of, unless it says what."""
        noun = "" if hint.noun == "It" else hint.noun
        noun = noun or self.asked or (self.pending[-1].noun if self.pending else "")
        mark = hint.what and hint.what.landmark
        place = hint.where or (mark and mark.thing)
        if noun and place:
            self.hints.append((noun, place))
            self.tried.discard(command(Instruction(Verb.LOOK, None, place)))
        self.asked = ""

    def _spoke(self, text: str) -> None:
        self.confused = False
        if self.untouched:
            return
        for report in understand_reports(text)[:1]:
            if report.kind is ReportKind.NOT_FOUND and report.noun:
                self.asked = report.noun
                self.tried.add("ask " + report.noun)
                return
            self.pending.clear()
            self.tried.clear()
            self.trouble = None
            self.asked = ""
            self.done = 0

    def _did(self, text: str, outcome: str, about: str) -> None:
        self.tried.add(text)
        step = next((one for one in self.pending if text == command(one)), None)
        if not step:
            if outcome == "done" and text.startswith("look"):
                self.trouble = None
        elif outcome == "done":
            self.pending.remove(step)
            self.tried.clear()
            self.trouble = None
            self.done += 1
        elif outcome != "called off":
            self.trouble = outcome, about

    def wishes(self, *, busy: bool) -> list[str]:
        """What it would choose, the dearest first."""
        if busy:
            return [WAIT.text if self.over else GO_ON.text]
        heard = self.last == "Commander"
        if not self.alone and (self.over and heard or self.asked and not self.silent):
            return [WAIT.text]
        if self.trouble and self.pending:
            others = [text for one in self.pending if (text := command(one)) not in self.tried] if self.alone else []
            return [*self._remedies(*self.trouble), *others, "report that it did not work", STOP.text]
        if self.pending:
            return [command(self.pending[0]), "ask what was meant"]
        if self.alone:
            return [STOP.text]
        if self.done:
            return ["report that it is done"]
        if heard:
            return ["ask what was meant" if self.confused else WAIT.text]
        return ["ask what to do" if self.silent or not self.last else WAIT.text]

    def _remedies(self, outcome: str, about: str) -> list[str]:
        thing = understand_reference(about)
        if not thing:
            return []
        if outcome in PROBLEMS:
            return [f"say that {PROBLEMS[outcome]} {phrase(Reference(thing.noun, definite=True))}"]
        if outcome == "not found":
            return self._ways_to(thing.noun, sought=True)
        if outcome == "no more known":  # who asked for it will see what is left to do
            return [*self._ways_to(thing.noun, sought=False), "report that it is done"]
        return []

    def _ways_to(self, noun: str, *, sought: bool) -> list[str]:
        """How to find something: where it was said to be, by asking and by looking; what was `sought` is asked for."""
        ways = [command(Instruction(Verb.LOOK, None, place)) for about, place in reversed(self.hints) if about == noun]
        asking = [] if "ask " + noun in self.tried else [f"ask where {phrase(Reference(noun, definite=True))} is"]
        looking = [f"look for {phrase(Reference(noun))}"]
        ways += asking + looking if sought else looking + asking
        return [one for one in ways if one not in self.tried]
