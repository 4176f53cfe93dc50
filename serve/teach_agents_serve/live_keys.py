"""The keys of a live session: who may sit in which chair, and who may watch."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from teach_agents.actions import Role

__all__ = ["WATCH", "Keys", "hashed", "new_keys", "place_of"]

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


def hashed(keys: Keys) -> dict[str, str]:
    """What is kept of keys."""
    return {place: _digest(key) for place, key in keys.by_place().items()}


def place_of(key: str, digests: Mapping[str, str]) -> str | None:
    """The place that a key opens, `None` for a key of another session; every digest is compared, in constant time."""
    given = _digest(key)
    fits = [place for place, digest in digests.items() if hmac.compare_digest(given, digest)]
    return fits[0] if fits else None


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf8", "surrogatepass")).hexdigest()
