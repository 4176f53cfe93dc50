"""Masks and boxes of a segmentation picture, made when asked for, as AI2-THOR's events have them (4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from teach_agents.simulator.controller.pictures import Pictures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from teach_agents.arrays import BoolArray


BoxPixels = tuple[int, int, int, int]


class InstanceMasks(Mapping[str, "NDArray[np.bool_]"]):
    """Which pixels show an object, by id; only what shows at least one is there. Masks are bool, H x W."""

    def __init__(self, pictures: Pictures) -> None:
        assert pictures.ids is not None
        self._ids = pictures.ids
        self._names = pictures.object_ids
        self._made: dict[str, BoolArray] = {}

    @cached_property
    def _shown(self) -> dict[str, int]:
        return {self._names[n]: n for n in np.unique(self._ids).tolist() if n >= 0}

    def __getitem__(self, object_id: str) -> BoolArray:
        if object_id not in self._made:
            self._made[object_id] = self._ids == self._shown[object_id]
        return self._made[object_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

    @property
    def background(self) -> BoolArray:
        """Which pixels show no object."""
        return self._ids < 0


class ClassMasks(Mapping[str, "NDArray[np.bool_]"]):
    """The same by class: what an id has before its first `|` (so that slices count as the whole), and `background`."""

    def __init__(self, instances: InstanceMasks) -> None:
        self._instances = instances
        self._made: dict[str, BoolArray] = {}

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for object_id in self._instances:
            found.setdefault(object_id.partition("|")[0], []).append(object_id)
        return found

    def __getitem__(self, name: str) -> BoolArray:
        if name not in self._made:
            if name == "background" and self._instances.background.any():
                self._made[name] = self._instances.background
            else:
                self._made[name] = np.logical_or.reduce([self._instances[i] for i in self._members[name]])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


class InstanceDetections(Mapping[str, BoxPixels]):
    """(left, top, right, bottom) of each object's pixels, inclusive."""

    def __init__(self, instances: InstanceMasks) -> None:
        self._instances = instances

    def __getitem__(self, object_id: str) -> BoxPixels:
        mask = self._instances[object_id]
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        return int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])

    def __iter__(self) -> Iterator[str]:
        return iter(self._instances)

    def __len__(self) -> int:
        return len(self._instances)


class ClassDetections(Mapping[str, tuple[BoxPixels, ...]]):
    """The boxes of all objects of a class."""

    def __init__(self, instances: InstanceMasks) -> None:
        self._boxes = InstanceDetections(instances)

    @cached_property
    def _by_class(self) -> dict[str, tuple[BoxPixels, ...]]:
        found: dict[str, tuple[BoxPixels, ...]] = {}
        for object_id, box in self._boxes.items():
            name = object_id.partition("|")[0]
            found[name] = (*found.get(name, ()), box)
        return found

    def __getitem__(self, name: str) -> tuple[BoxPixels, ...]:
        return self._by_class[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_class)

    def __len__(self) -> int:
        return len(self._by_class)
