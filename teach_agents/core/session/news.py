"""What agents of other processes are told with the next observation, where it does not hold that itself."""

from __future__ import annotations

from typing import Any

from teach_agents.core.codec import Codec
from teach_agents.core.messages import ObservationAsked
from teach_agents.core.session.replay import said_in
from teach_agents.core.values import Utterance


class News:
    """What was said and what came of actions since each seat was asked last."""

    def __init__(self, seats: tuple[Any, ...]) -> None:
        self._heard: dict[Any, list[Utterance]] = {seat: [] for seat in seats}
        self._told: dict[Any, Any] = dict.fromkeys(seats)

    def heard(self, said: Utterance) -> None:
        """Somebody spoke."""
        for seat, heard in self._heard.items():
            if seat != said.speaker:
                heard.append(said)

    def told(self, seat: Any, done: Any) -> None:
        """What became of what a seat did."""
        self._told[seat] = done.told

    def executed(self, codec: Codec[Any, Any, Any], turn: Any) -> None:
        """A turn was carried out; what strangers said before it was heard already."""
        for seat, done in turn.done.items():
            self.told(seat, done)
        for said in said_in(codec, turn):
            self.heard(said)

    def asked(self, seat: Any, seen: Any, turn: int, **how: Any) -> ObservationAsked:
        """The question what a seat does on seeing this; `how` is what else it says. Nothing is told twice."""
        heard, self._heard[seat] = self._heard[seat], []
        result, self._told[seat] = self._told[seat], None
        return ObservationAsked(
            turn=turn,
            role=seat,
            observation=seen,
            heard=()
            if hasattr(seen, "dialogue")
            else tuple((str(one.speaker), one.text, one.time_ms) for one in heard),
            told=None if hasattr(seen, "last_result") else result,
            **how,
        )
