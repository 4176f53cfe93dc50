"""The keys of a live session: who may sit in which chair, and who may watch."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from teach_agents.actions import Role

WATCH = "watch"
"""The place of those who look on; the other places are the chairs."""
_BYTES = 18


@dataclass(frozen=True, slots=True)
class Keys:
    """A session's secrets, as whoever creates it is told them once. They are kept as digests only."""

    commander: str
    follower: str
    watch: str

    def by_place(self) -> dict[str, str]:
        """Each place's key."""
        return {Role.COMMANDER.value: self.commander, Role.FOLLOWER.value: self.follower, WATCH: self.watch}


def new_keys() -> Keys:
    """Three keys of 144 random bits: too many to guess, so that a plain digest of one keeps it secret."""
    return Keys(*(secrets.token_urlsafe(_BYTES) for _ in range(3)))


def repeatable_keys(asked: str, salt: bytes) -> Keys:
    """The keys of a session that was asked for under an idempotency key: the same for the same request.

    The salt is kept, the idempotency key is not, so that the keys cannot be read off what is kept.
    """
    places = (Role.COMMANDER.value, Role.FOLLOWER.value, WATCH)
    secret = asked.encode("utf8", "surrogatepass")
    made = (hmac.digest(salt, place.encode() + b"\0" + secret, "sha256")[:_BYTES] for place in places)
    return Keys(*(base64.urlsafe_b64encode(one).decode() for one in made))


def new_salt() -> bytes:
    """A salt that no other session has."""
    return secrets.token_bytes(_BYTES)


def digest(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode("utf8", "surrogatepass")).hexdigest()


def hashed(keys: Keys) -> dict[str, str]:
    """What is kept of keys."""
    return {place: digest(key) for place, key in keys.by_place().items()}


def place_of(key: str, digests: Mapping[str, str]) -> str | None:
    """The place that a key opens, `None` for a key of another session; every digest is compared, in constant time."""
    given = digest(key)
    fits = [place for place, kept in digests.items() if hmac.compare_digest(given, kept)]
    return fits[0] if fits else None
