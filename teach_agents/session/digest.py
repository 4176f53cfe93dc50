"""A short fingerprint of everything in a household that can change, so that a replay can be told from a likeness."""

from __future__ import annotations

from dataclasses import fields
from hashlib import blake2b
from itertools import compress, count
from operator import attrgetter, is_not

from teach_agents.household import Household
from teach_agents.simulator.contract import ObjectState

_CHANGING = attrgetter(*(field.name for field in fields(ObjectState) if field.name != "kind"))
"""Everything of an object but what never changes about it."""


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf8"), digest_size=8).digest()


class StateDigest:
    """Digests of one household. Objects are immutable values, so only those that changed are hashed again."""

    def __init__(self, household: Household) -> None:
        self._household = household
        self._present: list[ObjectState] = []
        self._parts: list[bytes] = []
        self._all = b""
        self._custom = b""

    def now(self, *, interacted: bool = True) -> str:
        """The digest of the present state, 16 hexadecimal digits.

        It covers every object, TEACh's custom properties, the hand, the Follower's body and the Commander's camera.
        With `interacted` false the custom properties, which only interactions change, are taken from the last digest.
        """
        state = self._household.simulator.state
        if interacted or not self._custom:
            self._custom = _hash(repr(sorted(self._household.custom_properties.items())))
        present = list(state.objects.values())
        if len(present) != len(self._present):
            self._parts = [_digest_of(obj) for obj in present]
            self._all = b"".join(self._parts)
        elif changed := [*compress(count(), map(is_not, present, self._present))]:
            for number in changed:
                self._parts[number] = _digest_of(present[number])
            self._all = b"".join(self._parts)
        self._present = present
        rest = repr((state.held, state.agent, self._household.commander))
        return blake2b(self._all + self._custom + rest.encode("utf8"), digest_size=8).hexdigest()


def _digest_of(obj: ObjectState) -> bytes:
    return _hash(repr((obj.object_id, _CHANGING(obj))))
