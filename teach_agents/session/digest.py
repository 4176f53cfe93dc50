"""A short fingerprint of everything in a household that can change, so that a replay can be told from a likeness."""

from __future__ import annotations

from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter, is_

from teach_agents.household import Household
from teach_agents.simulator.contract import ObjectState

__all__ = ["StateDigest"]

_CHANGING = attrgetter(*(field.name for field in fields(ObjectState) if field.name != "kind"))
"""Everything of an object but what never changes about it."""


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf8"), digest_size=8).digest()


class StateDigest:
    """Digests of one household. Objects are immutable values, so only those that changed are hashed again."""

    def __init__(self, household: Household) -> None:
        self._household = household
        self._objects: dict[str, tuple[ObjectState, bytes]] = {}
        self._present: list[ObjectState] = []
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
        if len(present) != len(self._present) or not all(map(is_, present, self._present)):
            self._present = present
            self._all = b"".join([self._of(obj.object_id, obj) for obj in present])
        rest = repr((state.held, state.agent, self._household.commander))
        return blake2b(self._all + self._custom + rest.encode("utf8"), digest_size=8).hexdigest()

    def _of(self, object_id: str, obj: ObjectState) -> bytes:
        known = self._objects.get(object_id)
        if known is not None and known[0] is obj:
            return known[1]
        digest = _hash(repr((object_id, _CHANGING(obj))))
        self._objects[object_id] = (obj, digest)
        return digest
