"""Household values on the bus: observations written as for agents over HTTP, what has changed since the one before."""

from __future__ import annotations

from collections.abc import Collection

from teach_agents.actions import Role
from teach_agents.conventions.observation_wire import ObservationReader, ObservationWriter
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.messages import BeginAsked, Message, ObservationAsked
from teach_agents.core.values import NOTHING
from teach_agents.errors import BusError, InputError
from teach_agents.observations import Privilege
from teach_agents.session.codec import TEACH

_BEGIN = b"begin"
_MAX_PIXELS = 2_000_000
_Seat = tuple[str, str]


class ObservationWire(MessageCodec):
    """Both ends remember what travelled since the agent was begun; a beginning makes both forget.

    An agent's worker says which `privileges` the agent reads, the environment which pictures a seat `looks_at`, sent as
    `pictures`: "png", as they are, or "jpeg".
    """

    def __init__(self, privileges: Collection[Privilege] = (), *, pictures: str = "png") -> None:
        super().__init__(TEACH)
        self._privileges = frozenset(privileges)
        self._pictures = pictures
        self._views: dict[str, tuple[str, ...]] = {}
        self._writers: dict[_Seat, ObservationWriter] = {}
        self._readers: dict[_Seat, ObservationReader] = {}

    @property
    def stated(self) -> JsonMapping:
        """Nothing: workers that state no world are those of this one's first version."""
        return NOTHING

    def looks_at(self, seat: str, views: tuple[str, ...]) -> None:
        """These pictures are sent to a role, and no others."""
        self._views[seat] = views

    def pack(self, message: Message) -> bytes:
        """The observation of a request; a mark for a beginning. Raises what drawing its pictures raises."""
        payload = message.payload
        if isinstance(payload, BeginAsked):
            self._writers.pop((message.session, payload.role), None)
            return _BEGIN
        if not isinstance(payload, ObservationAsked) or payload.observation is None:
            return super().pack(message)
        seat, seen = (message.session, payload.role), payload.observation
        writer = self._writers.get(seat)
        if writer is None:
            views = self._views.get(payload.role, ())
            granted = sorted(map(Privilege, seen.privileged.granted))
            writer = self._writers[seat] = ObservationWriter(granted, views, self._pictures)
        return writer.write(seen)

    def unpack(self, message: Message, packed: bytes) -> Message:
        """The request with its observation, or without where the session began before this process.

        Raises `BusError` for what is no observation.
        """
        payload = message.payload
        if isinstance(payload, BeginAsked) and payload.role in list(Role):
            reader = ObservationReader(Role(payload.role), self._privileges, _MAX_PIXELS)
            self._readers[message.session, payload.role] = reader
        if not isinstance(payload, ObservationAsked):
            return message
        known = self._readers.get((message.session, payload.role))
        if known is None:
            return message
        try:
            seen = known.read(packed)
        except InputError as error:
            raise BusError(f"the observation of turn {payload.turn} cannot be read: {error}") from error
        return message.model_copy(update={"payload": payload.model_copy(update={"observation": seen})})
