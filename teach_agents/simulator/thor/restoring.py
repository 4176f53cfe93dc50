"""Bringing a scene into a recorded state, as TEACh does (TEACh specification 5.7).

Everything that can move is posed; each stored object is then matched to one of the scene, by its id or else the
nearest of its type, and its states are forced by actions. What cannot be undone (sliced, cooked, broken, used up) and
what has no counterpart is told in `Restored`.

Randomised initial states: drawn by the embedded simulator, then brought about by AI2-THOR's own actions. So a seed
means the same state on either simulator, its objects are known by the same ids, and what the solvability filter found
solvable is what is played. (TEACh's collectors let AI2-THOR draw: TEACh specification 5.7.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.simulator.contract import Scene, StoredState
from teach_agents.simulator.metadata import object_metadata
from teach_agents.simulator.thor.requests import teleport, vector

Raw = JsonMapping
Pair = tuple[Raw, Raw]
"""A stored object and its counterpart in the scene."""
Step = Callable[[JsonMapping], Any]
_NEAR = 0.5
"""Another object of the type further away than this, metres, is another object."""

_SWITCHES: Sequence[tuple[str, str, str, str]] = (
    ("openable", "isOpen", "OpenObject", "CloseObject"),
    ("canFillWithLiquid", "isFilledWithLiquid", "FillObjectWithLiquid", "EmptyLiquidFromObject"),
    ("dirtyable", "isDirty", "DirtyObject", "CleanObject"),
    ("toggleable", "isToggled", "ToggleObjectOn", "ToggleObjectOff"),
    ("cookable", "isCooked", "CookObject", ""),
    ("breakable", "isBroken", "BreakObject", ""),
    ("sliceable", "isSliced", "SliceObject", ""),
)
"""An affordance, its state, the action that sets it and the one that clears it, if there is one."""


class Restored(NamedTuple):
    """How far a scene was brought into a stored state.

    `names` leads from AI2-THOR's ids to the stored ones; `unmatched` are stored ids without a counterpart, `unmet`
    says which states could not be had.
    """

    names: Mapping[str, str]
    unmatched: tuple[str, ...]
    unmet: tuple[str, ...]


def restore(step: Step, present: Sequence[Raw], stored: StoredState) -> Restored:
    """Bring the scene whose objects are `present` into a stored state; `step` carries out requests."""
    rows: list[Raw] = [row for row in stored.objects if isinstance(row, Mapping)]
    poses = list(_poses(present, rows))
    if poses:
        present = step({"action": "SetObjectPoses", "objectPoses": poses, "placeStationary": True}).metadata["objects"]
    unmet = list(_set_states(step, _matched(present, rows)))
    present = step(teleport(stored.agent, force=True)).metadata["objects"]
    pairs = _matched(present, rows)
    unmet += _take(step, pairs)
    names = {str(there["objectId"]): str(row["objectId"]) for row, there in pairs}
    found = set(names.values())
    unmatched = (object_id for object_id in (str(row["objectId"]) for row in rows) if object_id not in found)
    return Restored(names, tuple(unmatched), tuple(unmet))


def _prefab(row: Raw) -> str:
    return str(row["name"]).partition("(")[0]


def _loose(row: Raw) -> bool:
    return bool(row.get("pickupable") or row.get("moveable"))


def _poses(present: Sequence[Raw], rows: Sequence[Raw]) -> Iterator[JsonObject]:
    """Where what can move shall be; what the scene does not know by name (slices) cannot be put."""
    known = {_prefab(row): str(row["name"]) for row in present if _loose(row)}
    for row in rows:
        name = known.get(_prefab(row))
        if name is not None and _loose(row):
            yield {"objectName": name, **{key: vector(row[key])._asdict() for key in ("position", "rotation")}}


def _matched(present: Sequence[Raw], rows: Sequence[Raw]) -> list[Pair]:
    """Stored objects with their counterparts: the same id for what is fixed, else the nearest free one of the type."""
    free = {str(row["objectId"]): row for row in present}
    pairs: list[Pair] = []
    rest: list[Raw] = []
    for row in rows:
        there = None if _loose(row) else free.pop(row["objectId"], None)
        if there is None:
            rest.append(row)
        else:
            pairs.append((row, there))
    distances = sorted(
        (math.dist(vector(row["position"]), vector(there["position"])), number, there_id)
        for number, row in enumerate(rest)
        for there_id, there in free.items()
        if row["objectType"] == there["objectType"]
    )
    left = dict(enumerate(rest))
    for distance, number, there_id in distances:
        if distance <= _NEAR and number in left and there_id in free:
            pairs.append((left.pop(number), free.pop(there_id)))
    return pairs


def _set_states(step: Step, pairs: Sequence[Pair]) -> Iterator[str]:
    """Force the states that differ, switching off and closing before opening and switching on."""
    wishes = []
    for row, there in pairs:
        if row["objectType"] == "StoveBurner":
            continue
        for order, (affordance, key, on, off) in enumerate(_SWITCHES):
            wanted, is_now = bool(row.get(key)), bool(there.get(key))
            if there.get(affordance) and wanted != is_now:
                wishes.append((wanted, order if wanted else -order, on if wanted else off, row, there, key))
    for wanted, _, action, row, there, key in sorted(wishes, key=lambda wish: wish[:2]):
        event = step(_forced(action, str(there["objectId"]))) if action else None
        if event is None or not event.metadata["lastActionSuccess"]:
            why = "it cannot be undone" if event is None else str(event.metadata["errorMessage"])
            yield f"{row['objectId']}: {key} should be {wanted}: {why}"


def _forced(action: str, object_id: str) -> JsonObject:
    request = {"action": action, "objectId": object_id, "forceAction": True}
    return {**request, "fillLiquid": "water"} if action == "FillObjectWithLiquid" else request


def _take(step: Step, pairs: Sequence[Pair]) -> Iterator[str]:
    """Put into the hand what was in it."""
    for row, there in pairs:
        if row.get("isPickedUp") and not there.get("isPickedUp"):
            event = step(_forced("PickupObject", str(there["objectId"])))
            if not event.metadata["lastActionSuccess"]:
                yield f"{row['objectId']}: should be held: {event.metadata['errorMessage']}"


def randomized_state(scene: Scene, seed: int) -> StoredState:
    """The state that a randomised scene begins in. Raises `SceneError` as the embedded simulator does."""
    from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

    simulator = EmbeddedSimulator()
    simulator.reset(scene, seed=seed)
    state = simulator.state
    rows = [object_metadata(obj) for obj in state.objects.values()]
    return StoredState(state.room, rows, state.agent, None if scene.stored is None else scene.stored.commander)
