"""One executed turn, as the record keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from teach_agents.core.values import Event, Utterance, nothing


@dataclass(frozen=True, slots=True)
class Done:
    """What one seat did in a turn.

    `action` is `None` when the agent's answer was no action: the result then says what it was. `trace` is what scoring
    needs, as JSON. `thought` is what the agent says of the thinking behind its answer, as `agents.thoughts.kept` leaves
    it; it takes no part in comparisons and stands apart in JSON. `forced` is what was done whatever the seat's agent
    would do: of a stated prefix.

    What dialogue hooks added: `chosen` is the agent's own choice where a hook made another `action` of it, `hint` is
    what the seat is told besides the result, `dialogue_acts` label an utterance.
    """

    action: Any
    result: Any
    time_ms: int
    trace: Mapping[str, Any] = field(default_factory=nothing)
    thought: Mapping[str, Any] | None = field(default=None, compare=False)
    chosen: Any = None
    hint: str = ""
    dialogue_acts: tuple[str, ...] = ()
    forced: bool = False

    @property
    def told(self) -> Any:
        """The result as the seat is told: with the hint, where the world's results have a place for it."""
        return self.result


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn that all who could act have carried out.

    `state` is the digest of the world's state after it; empty for a world that has none, and where nobody keeps it.
    `events` are the world's own. `before` is what strangers said right before the turn. `passed_s` are the seconds that
    passed in the world behind what was done, in one that has a clock.
    """

    turn: int
    done: Mapping[Any, Any]
    state: str = ""
    events: tuple[Event, ...] = ()
    before: tuple[Utterance, ...] = ()
    passed_s: float = 0.0

    @property
    def thoughts(self) -> dict[Any, Mapping[str, Any]]:
        """What agents say of the thinking behind this turn's answers, of those who say anything."""
        return {seat: done.thought for seat, done in self.done.items() if done.thought is not None}
