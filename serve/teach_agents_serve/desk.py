"""The instances that a server's Follower is at, each with an agent of its own."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from teach_agents.conventions.wire_follower import Answer, WireFollower, check_servable
from teach_agents.core.agents.runner import LateError, RaisedError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.timing import Timeouts
from teach_agents.errors import ActionError, InputError, SpecError, TeachAgentsError
from teach_agents.observations import View
from teach_agents_serve.agent_sessions import told_of
from teach_agents_serve.limits import Limits


class AgentFailedError(TeachAgentsError):
    """An agent raised; the words are for clients."""


class NotBegunError(InputError):
    """An instance at which no agent is, or is no longer."""


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
        self._followers: OrderedDict[str, WireFollower] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many instances are kept."""
        return len(self._followers)

    def begin(self, name: str, instance: JsonMapping, views: Sequence[View]) -> None:
        """Seat a fresh agent at an instance.

        Raises `AgentFailedError` for an agent that raises or does not get ready, and `GameFileError` for an instance of
        another form.
        """
        timeouts = Timeouts(self._limits.ready_s, self._limits.answer_s)
        how: JsonObject = {"name": name, "seed": self._seed, "allow_import": self._allow_import}
        with _told():
            follower = WireFollower(self.spec, instance, views, timeouts=timeouts, **how)
        with self._lock:
            leaving = [self._followers.pop(name)] if name in self._followers else []
            while len(self._followers) >= self._limits.instances:
                leaving.append(self._followers.popitem(last=False)[1])
            self._followers[name] = follower
        for one in leaving:
            one.close()

    def answer(self, name: str, view: View, instance: JsonMapping | None, previous: JsonMapping | None) -> Answer:
        """What the agent at an instance does next.

        An instance without a name is the one that was begun last. Raises `NotBegunError` for one that was not begun, or
        was too long ago; `InputError` for a picture or an instance that cannot be read; `AgentFailedError` for an agent
        that raises, or takes too long: then its instance has to be begun again.
        """
        with self._lock:
            key = name or next(reversed(self._followers), "")
            follower = self._followers.get(key)
            if follower is not None:
                self._followers.move_to_end(key)
        if follower is None:
            kept = self._limits.instances
            problem = f"was not begun, or is none of the last {kept} in use: POST /start_new_edh_instance first"
            raise NotBegunError("edh_name", problem, value=name)
        with _told():
            try:
                return follower.answer(view, instance, previous)
            except LateError:
                self._free(key, follower)
                raise

    def _free(self, key: str, follower: WireFollower) -> None:
        with self._lock:
            if self._followers.get(key) is follower:
                del self._followers[key]
        follower.close()


@contextmanager
def _told() -> Iterator[None]:
    """What an agent raises, and that it takes too long, as `AgentFailedError`; but the `InputError` of what it was
    given, as an instance is read, and a picture unpacked, when the agent looks."""
    try:
        yield
    except LateError as late:
        raise AgentFailedError(f"the agent {late}; begin the instance again") from late
    except RaisedError as raised:
        raise AgentFailedError(f"the agent {told_of(raised.error)}") from raised.error
    except Exception as error:
        if isinstance(error, InputError) and not isinstance(error, ActionError | SpecError):
            raise
        raise AgentFailedError(f"the agent {told_of(error)}") from error
