"""The instances that a server's Follower is at, each with an agent of its own."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from teach_agents.conventions.wire_follower import Answer, WireFollower, check_servable
from teach_agents.errors import InputError
from teach_agents.observations import View

__all__ = ["Desk"]


@dataclass(slots=True)
class _Seat:
    """One instance's agent; it answers one request at a time."""

    follower: WireFollower
    lock: threading.Lock = field(default_factory=threading.Lock)


class Desk:
    """Makes a Follower for every instance that is begun and keeps the latest `capacity` of them.

    As with the reference's server, an instance that is begun again starts anew. Methods may be called from any thread.
    Raises `SpecError` for a Follower that needs what the protocol does not carry.
    """

    def __init__(self, spec: str, *, capacity: int, seed: int = 0, allow_import: bool = False) -> None:
        check_servable(spec, allow_import=allow_import)
        self.spec = spec
        self._seed = seed
        self._allow_import = allow_import
        self._capacity = capacity
        self._seats: OrderedDict[str, _Seat] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many instances are kept."""
        return len(self._seats)

    def begin(self, name: str, instance: Mapping[str, Any], views: Sequence[View]) -> None:
        """Seat a fresh agent at an instance. Raises what the agent raises, and `GameFileError` for an instance of
        another form.
        """
        made = WireFollower(self.spec, instance, views, name=name, seed=self._seed, allow_import=self._allow_import)
        with self._lock:
            leaving = [self._seats.pop(name)] if name in self._seats else []
            while len(self._seats) >= self._capacity:
                leaving.append(self._seats.popitem(last=False)[1])
            self._seats[name] = _Seat(made)
        for seat in leaving:
            with seat.lock:
                seat.follower.close()

    def answer(
        self, name: str, view: View, instance: Mapping[str, Any] | None, previous: Mapping[str, Any] | None
    ) -> Answer:
        """What the agent at an instance does next.

        An instance without a name is the one that was begun last. Raises `InputError` for one that was not begun, or
        was too long ago, and what the agent raises.
        """
        with self._lock:
            key = name or next(reversed(self._seats), "")
            seat = self._seats.get(key)
            if seat is not None:
                self._seats.move_to_end(key)
        if seat is None:
            problem = (
                f"was not begun, or is none of the last {self._capacity} in use: POST /start_new_edh_instance first"
            )
            raise InputError("edh_name", problem, value=name)
        with seat.lock:
            return seat.follower.answer(view, instance, previous)
