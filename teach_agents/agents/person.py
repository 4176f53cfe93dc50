"""A person at the terminal, in any seat of any world."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from teach_agents.core.values import Result
from teach_agents.core.world import World
from teach_agents.errors import ActionError, InputError, TeachAgentsError
from teach_agents.models.scaffold import Candidate, Scaffold, ScaffoldAgent, scaffold_of

_HOW = "a number, words to say, or an action as JSON; the end of input stops"


class Person(ScaffoldAgent):
    """Shows what the seat sees and what may be done, and reads what the person does; it has as long as it takes.

    A line is the number of a candidate, an action in JSON as the world's codec writes it, or else words to say. At the
    end of the input (Ctrl-D) the seat stops, and leaves a world in which it may not. `reads` and `writes` are the
    terminal's, if no others are given.
    """

    timed = False

    def __init__(
        self, scaffold: Scaffold[Any], seat: str, *, reads: TextIO | None = None, writes: TextIO | None = None
    ) -> None:
        self._reads = reads
        self._writes = writes
        super().__init__(scaffold, seat)

    def _forget(self) -> None:
        super()._forget()
        self._shown = ""
        self._gone = False

    def told(self, result: Result) -> None:
        """Show it too. Raises `TeachAgentsError` where who has gone may not stop."""
        super().told(result)
        if self._gone and not result.success:
            raise TeachAgentsError(f"the person in the seat {self.seat!r} has gone: the input is at its end")

    def _choose(self, observation: Any, offered: Mapping[str, Candidate]) -> Candidate:
        listed = list(offered.values())
        self._show(observation, listed)
        while True:
            line = self._line("> ")
            if line is None:
                self._gone = True
                return Candidate("stop", self.scaffold.codec.stop(self.seat))
            try:
                if (chosen := self._meant(line, listed)) is not None:
                    return chosen
            except (InputError, ActionError, ValueError) as error:
                self._tell(str(error))

    def _show(self, observation: Any, listed: list[Candidate]) -> None:
        lines = () if self.scaffold.tells_past else self.past
        about = "" if self._shown else self.scaffold.about(self.seat)
        self._shown = "shown"
        self._tell("\n".join(filter(None, ("", about, *lines, self.scaffold.text(observation)))))
        self.past.clear()
        self._tell("\n".join(f"{number:3} {one.text}" for number, one in enumerate(listed, 1)))
        self._tell(f"{self.seat}: {_HOW}")

    def _meant(self, line: str, listed: list[Candidate]) -> Candidate | None:
        """What a line stands for; `None` for nothing. Raises `ValueError` for what cannot be meant."""
        if line.startswith("{"):
            return Candidate(line, self.scaffold.codec.action_from_json(_object(line)))
        if not line.isdecimal():
            return self._saying(line) if line else None
        if not 0 < int(line) <= len(listed):
            raise InputError("number", "there is no such choice", value=line, valid=(f"1 to {len(listed)}",))
        chosen = listed[int(line) - 1]
        if not chosen.words:
            return chosen
        words = self._line("say: ")
        return self._saying(words) if words else None

    def _line(self, prompt: str) -> str | None:
        """A line that the person types, without blanks around it; `None` at the end of the input."""
        self._tell(prompt, end="")
        if self._reads is None:
            self._reads = _terminal()
        line = self._reads.readline()
        return line.strip() if line else None

    def _tell(self, text: str, end: str = "\n") -> None:
        if text:
            print(text, end=end, file=self._writes or sys.stdout, flush=True)


def _object(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise InputError("action", f"is no JSON ({error}); what begins with {{ is an action", value=line) from error


def _terminal() -> TextIO:
    """What is typed here; a process of a run has no input of its own, and asks the terminal by its name."""
    if multiprocessing.parent_process() is None:
        return sys.stdin
    try:
        return open("/dev/tty", encoding="utf8")
    except OSError as error:
        problem = "has no terminal in a process of the run's: say --engine here to be asked in this one"
        raise InputError("person", problem) from error


def person(world: World, seat: str) -> Person:
    """Whoever sits at this terminal, in a seat of any world; where what is typed comes from a pipe, a run needs
    `--engine here`."""
    return Person(scaffold_of(world), seat)
