"""The true state of a household at one moment, and which things a noun means in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.household import Household
from teach_agents.observations import Pose
from teach_agents.simulator.contract import ObjectState
from teach_agents.tasks import object_classes
from teach_agents.tasks.classes import OBJECT_CLASSES
from teach_agents.tasks.state_diff import base_id

NOUN = re.compile(r"([A-Za-z]+(?:/[A-Za-z]+)*)(?:@([A-Za-z]+))?(?:#(\d+))?")
"""`Mug`, `Mug/Cup`, `Mug@Fridge` (the mugs in the fridge), `Drawer#2` (the second drawer)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Objects by id, TEACh's own properties of them, what is held, and where the Follower stands."""

    objects: Mapping[str, ObjectState]
    custom: Mapping[str, JsonMapping]
    held: str | None
    pose: Pose

    @classmethod
    def of(cls, household: Household) -> Moment:
        """The present one; it stays as it is."""
        state = household.simulator.state
        custom = {name: dict(record) for name, record in household.custom_properties.items()}
        return cls(dict(state.objects), custom, state.held, state.agent)

    def is_in(self, object_id: str, holder: str) -> bool:
        """Whether something is in or on something, if only by way of what holds it."""
        return holder in self.objects[object_id].parents

    def controls_of(self, object_id: str) -> tuple[str, ...]:
        """The ids of what switches a thing on and off in its stead: the knobs of a burner."""
        return tuple(one for one, obj in self.objects.items() if object_id in obj.kind.controls)

    def pieces_of(self, object_id: str) -> tuple[str, ...]:
        """The ids of what a thing was cut into that is there, or cracked into; none where it is whole."""
        if self.objects[object_id].exists:
            return ()
        return tuple(one for one, obj in self.objects.items() if one != object_id == base_id(one) and obj.exists)

    def of_class(self, name: str) -> Iterator[str]:
        """The ids of what is of a type or class; what was cut is, pieces that are of its own type are not."""
        for one, obj in self.objects.items():
            if name in object_classes(obj.object_type):
                base = base_id(one)
                if base == one or base not in self.objects or self.objects[base].object_type != name:
                    yield one


def check_noun(where: str, noun: str) -> None:
    """Refuse what is no noun, or names a class that there is not."""
    found = NOUN.fullmatch(noun)
    if found is None:
        raise InputError(where, "is no noun such as Mug, Mug/Cup, Mug@Fridge or Drawer#2", value=noun)
    for name in filter(None, (*found[1].split("/"), found[2])):
        if name not in OBJECT_CLASSES:
            raise InputError(where, "names no object class", value=name, valid=sorted(OBJECT_CLASSES))


def meant(noun: str, first: Moment, now: Moment | None = None) -> tuple[str, ...]:
    """The ids that a noun means: places and numbers as they are in the first moment, pieces as they are `now`."""
    check_noun("noun", noun)
    found = NOUN.fullmatch(noun)
    assert found is not None
    names, holder, number = found[1].split("/"), found[2], found[3]
    where = first if holder or number or now is None else now
    ids = [one for name in names for one in where.of_class(name)]
    if holder:
        holders = set(first.of_class(holder))
        ids = [one for one in ids if holders.intersection(first.objects[one].parents)]
    if number:
        ids = ids[int(number) - 1 : int(number)]
    return tuple(dict.fromkeys(ids))
