"""Dialogue hooks: what plugins may do to speech and actions; those of one session, called in order and checked."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from teach_agents.core.environment import Environment
from teach_agents.core.errors import ActionError
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.session.result import CRASHED, End
from teach_agents.core.values import Utterance

_T = TypeVar("_T")


class DialogueHook:
    """Override what you need. Hooks are called in order; one that raises or answers nonsense ends the session as
    crashed, by name. What it draws at random it draws by the seed of `begin`, so that sessions repeat.
    """

    spec: str = ""
    """The SPEC it was made from, which results call it by; empty for one made in Python, which goes by its class."""
    stamped: bool = True
    """Whether results name it; false for one that only watches."""

    def begin(self, session_id: str, seed: int) -> None:
        """A session begins; forget the last one. One taken up again tells `turn_executed` of the turns so far next."""

    def before_action(self, observation: Any, action: Any) -> Any:
        """What a seat does instead of `action`, chosen on seeing `observation`, which is to be read now if at all."""
        return action

    def say(self, turn: int, speaker: Any, text: str) -> str:
        """What is said instead of `text`; everybody and the record get this. Empty text lets the turn pass."""
        return text

    def heard(self, turn: int, listener: Any, utterance: Utterance) -> Sequence[str] | None:
        """Somebody has heard an utterance. May give its dialogue acts, for record and results."""
        return None

    def after_result(self, turn: int, role: Any, action: Any, result: Any) -> str | None:
        """An action of a seat was carried out or refused. May give a hint, which the seat is told with the result."""
        return None

    def turn_executed(self, record: Any) -> None:
        """A turn is over and recorded."""

    def ended(self, result: Any) -> JsonMapping | None:
        """The session is over. May give notes (JSON), which the result keeps under the hook's name."""
        return None


class Over(Exception):
    """An agent or a hook ended the session."""

    def __init__(self, reason: str, text: str, details: str = "") -> None:
        super().__init__(text)
        self.end = End(reason, text, details)


class HookRunner:
    """Dialogue hooks with their names. Every method but `ended` raises `Over` when a hook has ended the session."""

    def __init__(self, hooks: Sequence[tuple[str, DialogueHook]], environment: Environment[Any, Any, Any]) -> None:
        self._hooks = tuple(hooks)
        self._environment = environment

    def __bool__(self) -> bool:
        return bool(self._hooks)

    def begin(self, session_id: str, seed: int, past: Sequence[Any]) -> None:
        """A session begins, or goes on behind `past`."""
        for name, hook in self._hooks:
            _called(name, hook.begin, session_id, seed)
        for record in past:
            self.turn_executed(record)

    def before_action(self, seat: Any, observation: Any, action: Any) -> Any:
        """What becomes of the action that an agent chose: an action of the same seat."""
        world = self._environment
        for name, hook in self._hooks:
            found = _called(name, hook.before_action, observation, action)
            if found != action and (world.codec.problem_of(found) or not world.belongs(seat, found)):
                raise _nonsense(name, f"must return an action of the {seat}", found)
            action = found
        return action

    def say(self, turn: int, speaker: Any, said: Any, text: str) -> Any:
        """What becomes of an action that says `text`; waiting where the hooks leave nothing to be said."""
        codec, before = self._environment.codec, text
        for name, hook in self._hooks:
            text = _called(name, hook.say, turn, speaker, text)
            try:
                if not isinstance(text, str):
                    raise _nonsense(name, "must return the text that is said", text)
                codec.say(text)
            except ActionError as error:
                raise _nonsense(name, "must return text that can be said", text) from error
        if text == before:
            return said
        return codec.say(text) if text else codec.wait()

    def heard(self, turn: int, said: Utterance) -> tuple[str, ...]:
        """Tell of an utterance; its dialogue acts, as all hooks together name them for the first who hears it."""
        acts: list[str] = []
        listeners = [seat for seat in self._environment.seats if seat != said.speaker]
        for name, hook in self._hooks:
            for place, listener in enumerate(listeners):
                found = _called(name, hook.heard, turn, listener, said)
                if found is None:
                    continue
                if not isinstance(found, list | tuple) or not all(isinstance(act, str) and act for act in found):
                    raise _nonsense(name, "must return dialogue acts as a list of names, or None", found)
                acts += found if place == 0 else []
        return tuple(acts)

    def after_result(self, turn: int, seat: Any, action: Any, result: Any) -> str:
        """Tell of a result; the hints of all hooks, or nothing."""
        hints: list[str] = []
        for name, hook in self._hooks:
            found = _called(name, hook.after_result, turn, seat, action, result)
            if not isinstance(found, str | None):
                raise _nonsense(name, "must return a hint as text, or None", found)
            hints += [found] if found else []
        return " ".join(hints)

    def turn_executed(self, record: Any) -> None:
        """Tell of a turn that is over."""
        for name, hook in self._hooks:
            _called(name, hook.turn_executed, record)

    def ended(self, result: Any) -> tuple[tuple[tuple[str, JsonMapping], ...], End | None]:
        """Tell all of the end: the stamped hooks' names with their notes, and the end that the first to fail makes."""
        stamps: list[tuple[str, JsonMapping]] = []
        failure: End | None = None
        for name, hook in self._hooks:
            notes: JsonMapping = {}
            try:
                notes = _notes(name, _called(name, hook.ended, result))
            except Over as over:
                failure = failure or over.end
            stamps += [(name, notes)] if hook.stamped else []
        return tuple(stamps), failure


def _notes(name: str, found: JsonMapping | None) -> JsonMapping:
    with suppress(TypeError, ValueError):
        if isinstance(notes := json.loads(json.dumps({} if found is None else found, allow_nan=False)), dict):
            return notes
    raise _nonsense(name, "must return notes as a JSON object, or None", found)


def _nonsense(name: str, problem: str, found: object) -> Over:
    return Over(CRASHED, f"dialogue hook {name!r} {problem}, not {found!r}")


def _called(name: str, call: Callable[..., _T], *arguments: object) -> _T:
    try:
        return call(*arguments)
    except Exception as error:  # a plugin's hook can raise anything
        text = f"dialogue hook {name!r} raised {type(error).__name__}: {error}"
        raise Over(CRASHED, text, "".join(traceback.format_exception(error))) from error
