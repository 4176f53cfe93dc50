"""Who asks: the holder of a session's key, or of the server's token."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from teach_agents.actions import Role
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.door import OWNER
from teach_agents_serve.limits import is_loopback
from teach_agents_serve.live_desk import LiveDesk
from teach_agents_serve.live_keys import WATCH, place_of
from teach_agents_serve.live_store import Kept

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who may be at a session: in the chair of `role`, or (`None`) looking on."""

    kept: Kept
    role: Role | None
    trusted: bool = False
    """Whether the whole server is theirs."""

    @property
    def eyes(self) -> Role:
        """Whose pictures there are to see: who looks on sees the Commander's, which are all there are."""
        return self.role or Role.COMMANDER


class Reception:
    """Knows visitors by their keys.

    Whoever has the server's token may look on everywhere; where none is asked for, this machine's users may.
    """

    def __init__(self, desk: LiveDesk, *, token_needed: bool) -> None:
        self._desk = desk
        self.token_needed = token_needed

    async def admit(self, session: str, asks: HTTPConnection) -> Visitor:
        """Who somebody is to a session. Raises `Refusal`: 404 where there is no such session, 401 for a wrong key."""
        kept = await self._desk.kept(session)
        named, header = asks.query_params.get("key", ""), _bearer(asks)
        place, trusted = place_of(named or header, kept.keys), self.trusted(asks)
        another = named or (header and asks.scope.get(OWNER) is None)  # a key, and not the server's token
        if place is None and (another or not trusted):
            words = "the session has another key: send it as a bearer token, or as ?key="
            raise Refusal(HTTPStatus.UNAUTHORIZED, "wrong_key", words)
        return Visitor(kept, None if place in (None, WATCH) else Role(place), trusted)

    def trusted(self, asks: HTTPConnection) -> bool:
        """Whether somebody may know of every session."""
        if asks.scope.get(OWNER) is not None:
            return True
        return not self.token_needed and asks.client is not None and is_loopback(asks.client.host)

    def owner(self, asks: HTTPConnection) -> str:
        """Whose sessions count together: a token's, or an address's."""
        return str(asks.scope.get(OWNER) or f"address {asks.client.host if asks.client else ''}")


def _bearer(asks: HTTPConnection) -> str:
    kind, _, value = asks.headers.get("authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else ""
