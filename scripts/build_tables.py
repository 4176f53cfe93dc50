"""Condense what is known about AI2-THOR's rooms and objects into the embedded simulator's data files.

    python scripts/build_tables.py --facts FACTS --games TEACH/games/train

Run `scripts/build_rooms.py` first: rooms without recordings are read from its data file.

FACTS is a folder with `object_types.json` (AI2-THOR's type table) and `fidelity/*.json` (what the TEACh recordings
show: knob to burner, slices per prefab, support heights, placements, sizes). GAMES is a folder of TEACh games: the
train split only, so that validation sessions stay unseen. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import statistics
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from room_interior import interior_cells

from teach_agents.simulator.embedded.counters import NO_SUPPORT, SUPPORTING_BODIES, carved, supports_of
from teach_agents.simulator.embedded.geometry import Rectangle, rectangle_of
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room

GRID = 0.25
MOVES = {2: (0, 1), 3: (0, -1), 8: (-1, 0), 9: (1, 0)}
"""TEACh motion id to (right, forward) in grid steps."""
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
MINIMUM_REFUSALS = 2
SHELF_GAP = 0.04
"""Bottoms of things in a fridge closer than this stand on the same shelf, metres."""
SPOTTED = ("CounterTop", "DiningTable", "SideTable", "Sink")
"""Receptacles with AI2-THOR's own grid of places to put things, as far as it shows in the recordings."""
MINIMUM_STANDINGS = 2
OPENING = ("Cabinet", "Drawer", "Fridge", "Microwave", "Safe")
SLICES = {
    "BreadSliced": (0.12, 0.136, 0.033),
    "Bread": (0.146, 0.139, 0.145),
    "TomatoSliced": (0.096, 0.094, 0.016),
    "PotatoSliced": (0.062, 0.063, 0.012),
    "LettuceSliced": (0.123, 0.135, 0.022),
    "AppleSliced": (0.068, 0.106, 0.073),
    "EggCracked": (0.129, 0.02, 0.119),
}
"""Median sizes of slices in the recorded final states, metres (fidelity notes, section 4)."""

Edge = tuple[int, int, int]


@dataclass
class RoomFacts:
    """What the games say about one room. Spans are (x0, y0, z0, x1, y1, z1)."""

    sessions: int = 0
    walked: Counter[Edge] = field(default_factory=Counter)
    refused: Counter[Edge] = field(default_factory=Counter)
    opened: defaultdict[str, list[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(list))
    counters: dict[str, Rectangle] = field(default_factory=dict)
    bodies: set[Rectangle] = field(default_factory=set)
    resting: defaultdict[str, set[Rectangle]] = field(default_factory=lambda: defaultdict(set))
    shelved: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    mugs: defaultdict[str, list[tuple[float, float, float]]] = field(default_factory=lambda: defaultdict(list))
    stood: defaultdict[str, Counter[tuple[int, int]]] = field(default_factory=lambda: defaultdict(Counter))


def _span(thing: Mapping[str, Any]) -> tuple[float, ...]:
    box = thing["axisAlignedBoundingBox"]
    center, size = box["center"], box["size"]
    low = [center[axis] - size[axis] / 2 for axis in "xyz"]
    return (*low, *(center[axis] + size[axis] / 2 for axis in "xyz"))


def _plan(thing: Mapping[str, Any]) -> Rectangle:
    x0, _, z0, x1, _, z1 = _span(thing)
    return Rectangle(round(x0, 3), round(z0, 3), round(x1, 3), round(z1, 3))


def _steps(episode: Mapping[str, Any]) -> Iterator[tuple[Edge, bool]]:
    body = episode["initial_state"]["agents"][1]
    x, z, yaw = body["position"]["x"], body["position"]["z"], body["rotation"]["y"]
    for interaction in episode["interactions"]:
        if interaction["agent_id"] != 1 or not 2 <= interaction["action_id"] <= 9:
            continue
        step = MOVES.get(interaction["action_id"])
        if step is not None:
            right, forward = step
            turn = round(yaw / 90) % 4
            direction = DIRECTIONS.index((right, forward))
            yield (round(x / GRID), round(z / GRID), (direction - turn) % 4), bool(interaction["success"])
        z, x, yaw = interaction["pose"][0], -interaction["pose"][1], -interaction["pose"][5]


def _read_room(facts: RoomFacts, episode: Mapping[str, Any]) -> None:
    facts.sessions += 1
    seen: dict[Edge, set[bool]] = defaultdict(set)
    for edge, success in _steps(episode):
        seen[edge].add(success)
    for edge, results in seen.items():
        facts.walked[edge] += True in results
        facts.refused[edge] += False in results
    for thing in episode["initial_state"]["objects"]:
        if thing["objectType"] == "CounterTop":
            facts.counters[thing["objectId"]] = _plan(thing)
        elif thing["objectType"] in SUPPORTING_BODIES:
            facts.bodies.add(_plan(thing))
        elif thing["objectType"] not in NO_SUPPORT:
            for parent in thing["parentReceptacles"] or ():
                facts.resting[parent].add(_plan(thing))
    for thing in episode["final_state"]["objects"]:
        if thing["objectType"] in OPENING and thing["isOpen"]:
            facts.opened[thing["objectId"]].append(_span(thing))
    _read_fridges(facts, episode["initial_state"]["objects"])
    _read_coffee_machines(facts, episode["final_state"]["objects"])
    _read_spots(facts, episode)


def _read_spots(facts: RoomFacts, episode: Mapping[str, Any]) -> None:
    """Over which points, in centimetres, pivots stood; once a session each."""
    seen = set()
    for state in ("initial_state", "final_state"):
        for thing in episode[state]["objects"]:
            parent = next(iter(thing["parentReceptacles"] or ()), "")
            if thing["pickupable"] and parent.partition("|")[0] in SPOTTED and "|SinkBasin" not in parent:
                x, z = (round(100 * thing["position"][axis]) for axis in "xz")
                seen.add((parent, (x, z)))
    for parent, point in seen:
        facts.stood[parent][point] += 1


def _read_fridges(facts: RoomFacts, things: Sequence[Mapping[str, Any]]) -> None:
    bottoms = {thing["objectId"]: _span(thing)[1] for thing in things}
    for thing in things:
        for parent in thing["parentReceptacles"] or ():
            if thing["pickupable"] and parent.startswith("Fridge|"):
                facts.shelved[parent].append(bottoms[thing["objectId"]] - bottoms[parent])


def _read_coffee_machines(facts: RoomFacts, things: Sequence[Mapping[str, Any]]) -> None:
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
            facts.mugs[machine["name"].split("(")[0]].append(local)


def read_games(folder: Path) -> dict[str, RoomFacts]:
    """Facts by room from every game in `folder`."""
    rooms: defaultdict[str, RoomFacts] = defaultdict(RoomFacts)
    for path in sorted(folder.glob("*.game.json")):
        episode = json.loads(path.read_text())["tasks"][0]["episodes"][0]
        _read_room(rooms[episode["world"].removesuffix("_physics")], episode)
    return dict(sorted(rooms.items()))


def footpaths(facts: RoomFacts) -> dict[str, Any] | None:
    """One byte per cell: bits 0-3 steps that people made in the four directions, bits 4-7 steps refused.

    Majority of sessions; a refusal needs two.
    """
    edges = {}
    for edge in facts.walked.keys() | facts.refused.keys():
        made, refused = facts.walked[edge], facts.refused[edge]
        if made > refused:
            edges[edge] = edge[2]
        elif refused > made and refused >= MINIMUM_REFUSALS:
            edges[edge] = edge[2] + 4
    if not edges:
        return None
    x0, z0 = min(e[0] for e in edges), min(e[1] for e in edges)
    width, depth = max(e[0] for e in edges) - x0 + 1, max(e[1] for e in edges) - z0 + 1
    cells = bytearray(width * depth)
    for (x, z, _), bit in edges.items():
        cells[(x - x0) * depth + z - z0] |= 1 << bit
    packed = base64.b64encode(zlib.compress(bytes(cells), 9)).decode()
    return {"origin": [x0, z0], "shape": [width, depth], "cells": packed}


def walked_cells(facts: RoomFacts) -> set[tuple[int, int]]:
    """Both ends of every step that most sessions could make."""
    made = [edge for edge, count in facts.walked.items() if count > facts.refused[edge]]
    ends = {(x + DIRECTIONS[d][0], z + DIRECTIONS[d][1]) for x, z, d in made}
    return ends | {(x, z) for x, z, _ in made}


def outlines(facts: RoomFacts) -> dict[str, list[list[float]]]:
    """Carved outlines of the counters that are not plain boxes."""
    found = {}
    for counter, plan in sorted(facts.counters.items()):
        pieces = carved(plan, facts.bodies | facts.resting[counter])
        found[counter] = [[round(value, 3) for value in piece] for piece in pieces]
    return found


def shipped_outlines(name: str) -> dict[str, list[list[float]]]:
    """Outlines by what stands on the counters as the room ships."""
    objects = room(name).objects
    return {
        counter: [
            [round(v, 3) for v in piece]
            for piece in carved(rectangle_of(obj.box), supports_of(objects.values(), counter))
        ]
        for counter, obj in objects.items()
        if obj.object_type == "CounterTop"
    }


def shipped_supports(name: str) -> dict[str, float]:
    """Support heights by what rests on things as the room ships: the lowest third."""
    objects = room(name).objects
    found = {}
    for holder, obj in objects.items():
        resting = sorted(objects[i].box.low.y - obj.box.low.y for i in obj.contents if objects[i].kind.pickupable)
        if resting and not obj.kind.pickupable and obj.object_type not in ("Floor", "Fridge") and resting[0] > -0.05:
            found[holder] = round(max(0.0, resting[len(resting) // 3]), 3)
    return found


def opened_boxes(facts: RoomFacts) -> dict[str, list[float]]:
    """The median box of every receptacle that was open at the end of a session."""
    return {
        name: [round(statistics.median(values), 3) for values in zip(*spans, strict=True)]
        for name, spans in sorted(facts.opened.items())
    }


def shelves(facts: RoomFacts) -> dict[str, list[float]]:
    """Heights of each fridge's shelves above the bottom of its box: clusters of at least 4 % of what was stored."""
    found = {}
    for fridge, heights in sorted(facts.shelved.items()):
        groups: list[list[float]] = []
        for height in sorted(heights):
            if not groups or height - groups[-1][-1] > SHELF_GAP:
                groups.append([])
            groups[-1].append(height)
        kept = [group for group in groups if len(group) >= max(3, 0.04 * len(heights))]
        if kept:
            found[fridge] = [round(group[len(group) // 5], 3) for group in kept]
    return found


def spots(facts: RoomFacts) -> dict[str, list[int]]:
    """Points of AI2-THOR's placement grids: x and z in centimetres by turns, where two sessions or more agree."""
    found = {}
    for name, points in sorted(facts.stood.items()):
        often = sorted(point for point, count in points.items() if count >= MINIMUM_STANDINGS)
        if often:
            found[name] = [value for point in often for value in point]
    return found


def mug_places(rooms: Iterable[RoomFacts]) -> dict[str, list[float]]:
    """Where a mug stands in each model of coffee machine, in the machine's frame, metres."""
    seen: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for facts in rooms:
        for prefab, places in facts.mugs.items():
            seen[prefab].extend(places)
    return {
        prefab: [round(statistics.median(values), 3) for values in zip(*places, strict=True)]
        for prefab, places in sorted(seen.items())
    }


def support_tables(folder: Path, types: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, float]]:
    """Support heights (metres above the box's bottom) by room and object where they differ from the type's median."""
    raw = json.loads((folder / "support_heights.json").read_text())
    by_type = {name: round(value, 3) for name, value in sorted(_type_medians(raw).items())}
    rooms: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for key, height in sorted(raw["by_plan_receptacle"].items()):
        scene, name = key.split("/", 1)
        kind = type_of_id(name)
        carried = types.get(kind, {}).get("pickupable", False)
        if not carried and abs(height - by_type.get(kind, 9.0)) > 0.002:
            rooms[scene.removesuffix("_physics")][name] = round(max(0.0, height), 3)
    return dict(rooms), by_type


def _type_medians(raw: Mapping[str, Any]) -> dict[str, float]:
    heights: defaultdict[str, list[float]] = defaultdict(list)
    for key, height in raw["by_plan_receptacle"].items():
        heights[type_of_id(key.split("/", 1)[1])].append(max(0.0, height))
    return {kind: statistics.median(values) for kind, values in heights.items()}


def type_of_id(name: str) -> str:
    """Object type named by an object id."""
    parts = name.split("|")
    return parts[0] if len(parts) == 4 else parts[-1].split("_")[0]


def by_room(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """Split `room_physics/id` keys into rooms."""
    rooms: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for key, value in pairs:
        scene, name = key.split("/", 1)
        rooms[scene.removesuffix("_physics")][name] = value
    return dict(sorted(rooms.items()))


def room_table(name: str, facts: RoomFacts | None) -> dict[str, Any]:
    """All that is known of one room, recorded or not."""
    if facts is None:
        x0, z0, inside = interior_cells(name, (), sessions=0)
    else:
        x0, z0, inside = interior_cells(name, walked_cells(facts), sessions=facts.sessions)
    packed = base64.b64encode(zlib.compress(np.packbits(inside.ravel()).tobytes(), 9)).decode()
    table: dict[str, Any] = {"interior": {"origin": [x0, z0], "shape": list(inside.shape), "cells": packed}}
    if facts is None:
        return table | {"counters": shipped_outlines(name)}
    return table | {
        "paths": footpaths(facts),
        "counters": outlines(facts),
        "opened": opened_boxes(facts),
        "shelves": shelves(facts),
        "spots": spots(facts),
    }


def general_tables(folder: Path) -> dict[str, Any]:
    """Everything that comes from the fact files."""
    facts = folder / "fidelity"
    types = json.loads((folder / "object_types.json").read_text())
    supports, support_types = support_tables(facts, types["types"])
    slices = json.loads((facts / "slices_by_prefab.json").read_text())
    sizes = json.loads((facts / "type_sizes.json").read_text())
    placed = json.loads((facts / "placements.json").read_text())
    return {
        "support_heights": supports,
        "support_heights_by_type": support_types,
        "burners": by_room(sorted(json.loads((facts / "knob_to_burner.json").read_text()).items())),
        "slices": {name: int(max(counts, key=counts.get)) for name, counts in sorted(slices.items())},
        "slice_sizes": SLICES,
        "sizes": {name: entry["median"] for name, entry in sorted(sizes.items())},
        "placements": {name: dict(sorted(counts.items())) for name, counts in sorted(placed.items())},
        "compatible": {
            name: sorted(entry["compatible_receptacles"])
            for name, entry in sorted(types["types"].items())
            if entry.get("compatible_receptacles")
        },
    }


def write(path: Path, table: Mapping[str, Any]) -> None:
    """Compact JSON, one top-level key a line."""
    lines = [f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}" for key, value in table.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    """Read the arguments, write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--games", type=Path, required=True)
    here = Path(__file__).parents[1] / "teach_agents" / "simulator" / "embedded" / "data"
    parser.add_argument("--out", type=Path, default=here)
    options = parser.parse_args()
    rooms = read_games(options.games)
    general = general_tables(options.facts) | {"mug_places": mug_places(rooms.values())}
    for name in ROOM_NAMES:
        if name not in rooms:
            general["support_heights"][name] = shipped_supports(name)
    write(options.out / "tables.json", general)
    learnt = {name: room_table(name, rooms.get(name)) for name in ROOM_NAMES}
    write(options.out / "tables_rooms.json", learnt)
    for name in ("tables.json", "tables_rooms.json"):
        print(f"{name}: {(options.out / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
