"""The instances that a server's Follower is at, each with an agent of its own."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from teach_agents.conventions.wire_follower import Answer, WireFollower, check_servable
from teach_agents.core.agents.runner import LateError, RaisedError, Runner
from teach_agents.errors import ActionError, InputError, SpecError, TeachAgentsError
from teach_agents.observations import View
from teach_agents_serve.agent_sessions import told_of
from teach_agents_serve.limits import Limits

__all__ = ["AgentFailedError", "Desk", "NotBegunError"]

_T = TypeVar("_T")


class AgentFailedError(TeachAgentsError):
    """An agent raised; the words are for clients."""


class NotBegunError(InputError):
    """An instance at which no agent is, or is no longer."""


class _LateError(AgentFailedError):
    """An agent took longer than it may."""


class _Seat:
    """One instance's agent, in a thread of its own: it answers one request at a time, and may be given up on."""

    def __init__(self, name: str) -> None:
        self._runner = Runner(f"follower at {name or 'an instance'}")
        self.follower: WireFollower | None = None

    def ask(self, call: Callable[[], _T], limit_s: float) -> _T:
        """What a call comes to in the agent's thread.

        Raises `AgentFailedError` where the agent raises or takes longer than `limit_s`, and the `InputError` of what it
        was given: an instance is read, and a picture unpacked, when the agent looks.
        """
        try:
            found: _T = self._runner.ask(call, limit_s, "gave no answer")
        except LateError as late:
            raise _LateError(f"the agent {late}; begin the instance again") from late
        except RaisedError as raised:
            error = raised.error
            if isinstance(error, InputError) and not isinstance(error, ActionError | SpecError):
                raise error from None
            raise AgentFailedError(f"the agent {told_of(error)}") from error
        return found

    def leave(self) -> None:
        """Let the agent go when it has answered what it is asked; one that hangs stays behind in its thread."""
        if self.follower is not None:
            self._runner.leave(self.follower.close)
        self._runner.stop()


class Desk:
    """Makes a Follower for every instance that is begun and keeps the latest `limits.instances` of them.

    As with the reference's server, an instance that is begun again starts anew. An agent that takes longer than
    `limits` allow loses its instance. Methods may be called from any thread. Raises `SpecError` for a Follower that
    needs what the protocol does not carry.
    """

    def __init__(self, spec: str, limits: Limits, *, seed: int = 0, allow_import: bool = False) -> None:
        check_servable(spec, allow_import=allow_import)
        self.spec = spec
        self._seed = seed
        self._allow_import = allow_import
        self._limits = limits
        self._seats: OrderedDict[str, _Seat] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many instances are kept."""
        return len(self._seats)

    def begin(self, name: str, instance: Mapping[str, Any], views: Sequence[View]) -> None:
        """Seat a fresh agent at an instance.

        Raises `AgentFailedError` for an agent that raises or does not get ready, and `GameFileError` for an instance of
        another form.
        """
        seat = _Seat(name)
        how: dict[str, Any] = {"name": name, "seed": self._seed, "allow_import": self._allow_import}
        try:
            seat.follower = seat.ask(lambda: WireFollower(self.spec, instance, views, **how), self._limits.ready_s)
        except BaseException:
            seat.leave()
            raise
        with self._lock:
            leaving = [self._seats.pop(name)] if name in self._seats else []
            while len(self._seats) >= self._limits.instances:
                leaving.append(self._seats.popitem(last=False)[1])
            self._seats[name] = seat
        for one in leaving:
            one.leave()

    def answer(
        self, name: str, view: View, instance: Mapping[str, Any] | None, previous: Mapping[str, Any] | None
    ) -> Answer:
        """What the agent at an instance does next.

        An instance without a name is the one that was begun last. Raises `NotBegunError` for one that was not begun, or
        was too long ago; `InputError` for a picture or an instance that cannot be read; `AgentFailedError` for an agent
        that raises, or takes too long: then its instance has to be begun again.
        """
        with self._lock:
            key = name or next(reversed(self._seats), "")
            seat = self._seats.get(key)
            if seat is not None:
                self._seats.move_to_end(key)
        if seat is None:
            kept = self._limits.instances
            problem = f"was not begun, or is none of the last {kept} in use: POST /start_new_edh_instance first"
            raise NotBegunError("edh_name", problem, value=name)
        follower = seat.follower
        assert follower is not None, "an instance is kept when its agent is ready"
        try:
            return seat.ask(lambda: follower.answer(view, instance, previous), self._limits.answer_s)
        except _LateError:
            self._free(key, seat)
            raise

    def _free(self, key: str, seat: _Seat) -> None:
        with self._lock:
            if self._seats.get(key) is seat:
                del self._seats[key]
        seat.leave()
