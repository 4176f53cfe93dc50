"""What TEACh's train sessions say about each room: one pass over the game files.

Nothing is decided here: `RoomFacts` holds counts and samples, and `build_tables.py` makes tables of them, with some
rooms left out where that is asked for.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toaster_slots import clicked_sides

from teach_agents.simulator.embedded.counters import NO_SUPPORT, SUPPORTING_BODIES
from teach_agents.simulator.embedded.facts import ONE_PLACE
from teach_agents.simulator.embedded.geometry import Rectangle

__all__ = ["DIRECTIONS", "Edge", "RoomFacts", "read_games"]

GRID = 0.25
MOVES = {2: (0, 1), 3: (0, -1), 8: (-1, 0), 9: (1, 0)}
"""TEACh motion id to (right, forward) in grid steps."""
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
NO_ZONES = frozenset({"Floor", *ONE_PLACE})
"""Receptacles without AI2-THOR's grid of places to put things, or of which it says nothing worth knowing."""
OPENING = ("Cabinet", "Drawer", "Fridge", "Microwave", "Safe")
SLICEABLE = ("Apple", "Bread", "Egg", "Lettuce", "Potato", "Tomato")

Edge = tuple[int, int, int]
Thing = Mapping[str, Any]


@dataclass
class RoomFacts:
    """What the games say about one room. Spans are (x0, y0, z0, x1, y1, z1); lengths in metres."""

    sessions: int = 0
    walked: Counter[Edge] = field(default_factory=Counter)
    refused: Counter[Edge] = field(default_factory=Counter)
    opened: defaultdict[str, list[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(list))
    counters: dict[str, Rectangle] = field(default_factory=dict)
    bodies: set[Rectangle] = field(default_factory=set)
    resting: defaultdict[str, set[Rectangle]] = field(default_factory=lambda: defaultdict(set))
    supported: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By receptacle: how high above the bottom of its box the bottoms of what it holds are, in initial states."""
    heights: dict[str, float] = field(default_factory=dict)
    """Heights of the boxes of receptacles that stay in place."""
    mugs: defaultdict[str, list[tuple[float, float, float]]] = field(default_factory=lambda: defaultdict(list))
    plans: dict[str, Rectangle] = field(default_factory=dict)
    stood: defaultdict[str, Counter[tuple[int, int]]] = field(default_factory=lambda: defaultdict(Counter))
    slices: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """By prefab of what was sliced: into how many pieces, counted."""
    slice_sizes: defaultdict[str, list[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(list))
    slots: defaultdict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    """By toaster prefab: whether slices were clicked to the right of its middle."""


def read_games(folder: Path, without: Collection[str] = ()) -> dict[str, RoomFacts]:
    """Facts by room from every game in `folder`, except the rooms named in `without`."""
    rooms: defaultdict[str, RoomFacts] = defaultdict(RoomFacts)
    for path in sorted(folder.glob("*.game.json")):
        episode = json.loads(path.read_text())["tasks"][0]["episodes"][0]
        name = episode["world"].removesuffix("_physics")
        if name not in without:
            _read_session(rooms[name], episode)
    return dict(sorted(rooms.items()))


def _read_session(facts: RoomFacts, episode: Mapping[str, Any]) -> None:
    facts.sessions += 1
    first, last = episode["initial_state"]["objects"], episode["final_state"]["objects"]
    _read_steps(facts, episode)
    _read_furniture(facts, first)
    _read_supports(facts, first)
    for thing in last:
        if thing["objectType"] in OPENING and thing["isOpen"]:
            facts.opened[thing["objectId"]].append(_span(thing))
    _read_coffee_machines(facts, last)
    _read_standings(facts, (first, last))
    _read_slices(facts, first, last)
    for toaster, right in clicked_sides(episode):
        facts.slots[toaster][right] += 1


def _span(thing: Thing) -> tuple[float, ...]:
    box = thing["axisAlignedBoundingBox"]
    center, size = box["center"], box["size"]
    low = [center[axis] - size[axis] / 2 for axis in "xyz"]
    return (*low, *(center[axis] + size[axis] / 2 for axis in "xyz"))


def _plan(thing: Thing) -> Rectangle:
    x0, _, z0, x1, _, z1 = _span(thing)
    return Rectangle(round(x0, 3), round(z0, 3), round(x1, 3), round(z1, 3))


def _read_steps(facts: RoomFacts, episode: Mapping[str, Any]) -> None:
    """Steps made and refused, once a session each."""
    seen: dict[Edge, set[bool]] = defaultdict(set)
    for edge, success in _steps(episode):
        seen[edge].add(success)
    for edge, results in seen.items():
        facts.walked[edge] += True in results
        facts.refused[edge] += False in results


def _steps(episode: Mapping[str, Any]) -> Iterator[tuple[Edge, bool]]:
    body = episode["initial_state"]["agents"][1]
    x, z, yaw = body["position"]["x"], body["position"]["z"], body["rotation"]["y"]
    for interaction in episode["interactions"]:
        if interaction["agent_id"] != 1 or not 2 <= interaction["action_id"] <= 9:
            continue
        step = MOVES.get(interaction["action_id"])
        if step is not None:
            direction = DIRECTIONS.index(step)
            turn = round(yaw / 90) % 4
            yield (round(x / GRID), round(z / GRID), (direction - turn) % 4), bool(interaction["success"])
        z, x, yaw = interaction["pose"][0], -interaction["pose"][1], -interaction["pose"][5]


def _read_furniture(facts: RoomFacts, things: Sequence[Thing]) -> None:
    """Counters, and what shows where they really are."""
    for thing in things:
        if thing["objectType"] == "CounterTop":
            facts.counters[thing["objectId"]] = _plan(thing)
        elif thing["objectType"] in SUPPORTING_BODIES:
            facts.bodies.add(_plan(thing))
        elif thing["objectType"] not in NO_SUPPORT:
            for parent in thing["parentReceptacles"] or ():
                facts.resting[parent].add(_plan(thing))


def _read_supports(facts: RoomFacts, things: Sequence[Thing]) -> None:
    spans = {thing["objectId"]: _span(thing) for thing in things}
    for thing in things:
        for parent in thing["parentReceptacles"] or ():
            if thing["pickupable"] and parent in spans:
                facts.supported[parent].append(spans[thing["objectId"]][1] - spans[parent][1])
        if thing["receptacle"] and not thing["pickupable"]:
            facts.heights[thing["objectId"]] = thing["axisAlignedBoundingBox"]["size"]["y"]


def _read_coffee_machines(facts: RoomFacts, things: Sequence[Thing]) -> None:
    """Where mugs stood, in the frame of each machine (x right, y up, z forward)."""
    machines = {thing["objectId"]: thing for thing in things if thing["objectType"] == "CoffeeMachine"}
    for thing in things:
        for parent in thing["parentReceptacles"] or ():
            machine = machines.get(parent)
            if thing["objectType"] != "Mug" or machine is None:
                continue
            dx, dy, dz = (thing["position"][axis] - machine["position"][axis] for axis in "xyz")
            yaw = math.radians(machine["rotation"]["y"])
            local = (dx * math.cos(yaw) - dz * math.sin(yaw), dy, dx * math.sin(yaw) + dz * math.cos(yaw))
            facts.mugs[_prefab(machine)].append(local)


def _read_standings(facts: RoomFacts, states: Sequence[Sequence[Thing]]) -> None:
    """Over which points pivots stood, in tenths of millimetres; once a session each."""
    seen = set()
    for things in states:
        for thing in things:
            parent = next(iter(thing["parentReceptacles"] or ()), "")
            if thing["pickupable"] and not thing["objectType"].endswith("Sliced"):
                x, z = (round(10000 * thing["position"][axis]) for axis in "xz")
                seen.add((parent, (x, z)))
    for thing in states[0]:
        if thing["receptacle"] and not thing["pickupable"] and thing["objectType"] not in NO_ZONES:
            facts.plans[thing["objectId"]] = _plan(thing)
    for parent, point in seen:
        if parent in facts.plans:
            facts.stood[parent][point] += 1


def _read_slices(facts: RoomFacts, first: Sequence[Thing], last: Sequence[Thing]) -> None:
    prefabs = {thing["objectId"]: _prefab(thing) for thing in first if thing["objectType"] in SLICEABLE}
    pieces: Counter[str] = Counter()
    for thing in last:
        base = thing["objectId"].rpartition("|")[0]
        if base in prefabs:
            pieces[base] += 1
            size = thing["axisAlignedBoundingBox"]["size"]
            facts.slice_sizes[thing["objectType"]].append((size["x"], size["y"], size["z"]))
    for base, count in pieces.items():
        facts.slices[prefabs[base]][count] += 1


def _prefab(thing: Thing) -> str:
    return str(thing["name"]).partition("(")[0]
