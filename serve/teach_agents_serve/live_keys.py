"""The keys of a live session: who may sit in which chair, and who may watch."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping

from teach_agents_serve.live_wire import LiveKeys

WATCH = "watch"
"""The place of those who look on; the other places are the chairs."""
_BYTES = 18


def new_keys() -> LiveKeys:
    """Three keys of 144 random bits: too many to guess, so that a plain digest of one keeps it secret."""
    return LiveKeys(**{place: secrets.token_urlsafe(_BYTES) for place in LiveKeys.model_fields})


def repeatable_keys(asked: str, salt: bytes) -> LiveKeys:
    """The keys of a session that was asked for under an idempotency key: the same for the same request.

    The salt is kept, the idempotency key is not, so that the keys cannot be read off what is kept.
    """
    secret = asked.encode("utf8", "surrogatepass")

    def key(place: str) -> str:
        made = hmac.digest(salt, place.encode() + b"\0" + secret, "sha256")[:_BYTES]
        return base64.urlsafe_b64encode(made).decode()

    return LiveKeys(**{place: key(place) for place in LiveKeys.model_fields})


def new_salt() -> bytes:
    """A salt that no other session has."""
    return secrets.token_bytes(_BYTES)


def digest(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode("utf8", "surrogatepass")).hexdigest()


def hashed(keys: LiveKeys) -> dict[str, str]:
    """What is kept of keys."""
    return {place: digest(key) for place, key in keys.by_place().items()}


def place_of(key: str, digests: Mapping[str, str]) -> str | None:
    """The place that a key opens, `None` for a key of another session; every digest is compared, in constant time."""
    given = digest(key)
    fits = [place for place, kept in digests.items() if hmac.compare_digest(given, kept)]
    return fits[0] if fits else None
