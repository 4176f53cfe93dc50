"""Condense what is known about AI2-THOR's rooms and objects into the embedded simulator's data files.

    python scripts/build_tables.py --types object_types.json --games TEACH/games/train [--without-rooms FloorPlan1 ...]

Run `scripts/build_rooms.py` first: what rooms ship with is read from its data file.

`--types` names AI2-THOR's type table, of which only the restriction on placements is used; where it is left out, that
table is taken over from the data files that the package ships. `--games` is a folder of TEACh games: the train split
only, so that validation sessions stay unseen. With `--without-rooms` the sessions in those rooms are not looked at, and
the rooms' tables hold what follows from AI2-THOR's metadata alone: `benchmarks/five_fold.py` measures what carries over
to rooms never recorded. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import statistics
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from recorded_rooms import DIRECTIONS, RoomFacts, read_games
from room_interior import interior_cells
from standing_zones import recovered_zones

from teach_agents.simulator.embedded.counters import carved, supports_of
from teach_agents.simulator.embedded.facts import ONE_PLACE
from teach_agents.simulator.embedded.geometry import rectangle_of
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room, type_of

DATA = Path(__file__).parents[1] / "teach_agents" / "simulator" / "embedded" / "data"
MINIMUM_REFUSALS = 2
SHELF_GAP = 0.04
"""Bottoms of things in a fridge closer than this stand on the same shelf, metres."""
LOWEST_SHARE = 0.3
"""Of what rests in a receptacle, the lowest share that is taken to lie on its surface and not on other things."""
TYPICAL = 0.002
"""A support height this close to its type's median is the median, metres."""
FARTHEST_ATTACHED = 0.3
"""What one-place receptacles hold further than this from their pivots is held by their neighbours, metres."""


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


def opened_boxes(facts: RoomFacts) -> dict[str, list[float]]:
    """The median box of every receptacle that was open at the end of a session."""
    return {
        name: [round(statistics.median(values), 3) for values in zip(*spans, strict=True)]
        for name, spans in sorted(facts.opened.items())
    }


def shelves(facts: RoomFacts) -> dict[str, list[float]]:
    """Heights of each fridge's shelves above the bottom of its box: clusters of at least 4 % of what was stored."""
    found = {}
    for fridge, heights in sorted(facts.supported.items()):
        if not fridge.startswith("Fridge|"):
            continue
        groups: list[list[float]] = []
        for height in sorted(heights):
            if not groups or height - groups[-1][-1] > SHELF_GAP:
                groups.append([])
            groups[-1].append(height)
        kept = [group for group in groups if len(group) >= max(3, 0.04 * len(heights))]
        if kept:
            found[fridge] = [round(group[len(group) // 5], 3) for group in kept]
    return found


def fridge_shelves(rooms: Iterable[RoomFacts]) -> list[float]:
    """Shelves of a fridge never seen, as shares of its height: medians over those with the commonest number."""
    known = [
        [height / facts.heights[fridge] for height in levels]
        for facts in rooms
        for fridge, levels in shelves(facts).items()
    ]
    count = statistics.mode(sorted(len(levels) for levels in known))
    alike = [levels for levels in known if len(levels) == count]
    return [round(statistics.median(level), 2) for level in zip(*alike, strict=True)]


def zones(facts: RoomFacts) -> dict[str, list[list[float]]]:
    """AI2-THOR's trigger boxes over the receptacles on which enough was seen to stand."""
    found = {}
    for name, points in sorted(facts.stood.items()):
        sessions = {(x / 10000, z / 10000): count for (x, z), count in sorted(points.items())}
        recovered = recovered_zones(sessions, facts.plans[name])
        if recovered:
            found[name] = [[round(value, 3) for value in zone] for zone in recovered]
    return found


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
        "zones": zones(facts),
    }


def support_tables(rooms: Mapping[str, RoomFacts]) -> dict[str, Any]:
    """Support heights (metres above the box's bottom) by room and object where they differ from the type's median.

    Types take their medians over recorded rooms: heights where things of the type are carried about, else shares of the
    heights of their boxes, which reach as far above a low table as above a high one. A room without sessions shows its
    heights by what it ships with.
    """
    carried = {obj.object_type for name in ROOM_NAMES for obj in room(name).objects.values() if obj.kind.pickupable}
    heights: defaultdict[str, list[float]] = defaultdict(list)
    shares: defaultdict[str, list[float]] = defaultdict(list)
    every = {name: _recorded_supports(facts) for name, facts in rooms.items()}
    for name, supports in every.items():
        for holder, height in supports.items():
            if type_of(holder) in carried:
                heights[type_of(holder)].append(height)
            else:
                shares[type_of(holder)].append(height / rooms[name].heights[holder])
    typical = {kind: round(statistics.median(values), 3) for kind, values in sorted(shares.items())}
    special = {}
    for name in ROOM_NAMES:
        sizes = rooms[name].heights if name in rooms else {i: o.box.size.y for i, o in room(name).objects.items()}
        special[name] = {
            holder: round(height, 3)
            for holder, height in sorted((every.get(name) or _shipped_supports(name)).items())
            if type_of(holder) not in carried
            and abs(height - typical.get(type_of(holder), 9.0) * sizes[holder]) > TYPICAL
        }
    return {
        "support_heights": special,
        "support_heights_by_type": {kind: round(statistics.median(v), 3) for kind, v in sorted(heights.items())},
        "support_shares_by_type": typical,
    }


def _recorded_supports(facts: RoomFacts) -> dict[str, float]:
    return {
        holder: max(0.0, sorted(heights)[int(LOWEST_SHARE * len(heights))])
        for holder, heights in facts.supported.items()
        if not holder.startswith("Floor|")
    }


def _shipped_supports(name: str) -> dict[str, float]:
    objects = room(name).objects
    found = {}
    for holder, obj in objects.items():
        resting = sorted(objects[i].box.low.y - obj.box.low.y for i in obj.contents if objects[i].kind.pickupable)
        if resting and not obj.kind.pickupable and obj.object_type not in ("Floor", "Fridge") and resting[0] > -0.05:
            found[holder] = max(0.0, resting[len(resting) // 3])
    return found


def slice_tables(rooms: Iterable[RoomFacts]) -> tuple[dict[str, int], dict[str, list[float]]]:
    """Into how many pieces each prefab falls, and the median size of each type of piece, metres."""
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    sizes: defaultdict[str, list[tuple[float, ...]]] = defaultdict(list)
    for facts in rooms:
        for prefab, seen in facts.slices.items():
            counts[prefab] += seen
        for kind, some in facts.slice_sizes.items():
            sizes[kind] += some
    return (
        {prefab: max(sorted(seen), key=seen.__getitem__) for prefab, seen in sorted(counts.items())},
        {kind: _medians(some) for kind, some in sorted(sizes.items())},
    )


def mug_places(rooms: Iterable[RoomFacts]) -> dict[str, list[float]]:
    """Where a mug stands in each model of coffee machine, in the machine's frame, metres."""
    seen: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for facts in rooms:
        for prefab, places in facts.mugs.items():
            seen[prefab].extend(places)
    return {prefab: _medians(places) for prefab, places in sorted(seen.items())}


def attached_places() -> dict[str, list[float]]:
    """Where the pivots of what one-place receptacles hold are as the rooms ship, in the receptacle's frame, metres."""
    seen: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for name in ROOM_NAMES:
        objects = room(name).objects
        for obj in objects.values():
            for other in obj.contents if obj.object_type in ONE_PLACE else ():
                dx, dy, dz = (a - b for a, b in zip(objects[other].position, obj.position, strict=True))
                sine, cosine = math.sin(math.radians(obj.rotation.y)), math.cos(math.radians(obj.rotation.y))
                if objects[other].object_type in ONE_PLACE[obj.object_type] and math.hypot(dx, dz) < FARTHEST_ATTACHED:
                    seen[obj.object_type].append((dx * cosine - dz * sine, dy, dx * sine + dz * cosine))
    return {kind: _medians(places) for kind, places in sorted(seen.items())}


def right_slots(rooms: Iterable[RoomFacts]) -> list[str]:
    """Toaster prefabs whose slice was clicked to the right of their middle more often than to the left."""
    clicks: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for facts in rooms:
        for prefab, sides in facts.slots.items():
            clicks[prefab] += sides
    return sorted(prefab for prefab, sides in clicks.items() if sides[True] > sides[False])


def _medians(points: Iterable[tuple[float, ...]]) -> list[float]:
    return [round(statistics.median(values), 3) + 0.0 for values in zip(*points, strict=True)]


def compatible(types: Path | None) -> dict[str, list[str]]:
    """AI2-THOR's restriction: which receptacles take a type."""
    if types is None:
        shipped: dict[str, list[str]] = json.loads((DATA / "tables.json").read_text())["compatible"]
        return shipped
    return {
        name: sorted(entry["compatible_receptacles"])
        for name, entry in sorted(json.loads(types.read_text())["types"].items())
        if entry.get("compatible_receptacles")
    }


def general_table(rooms: Mapping[str, RoomFacts], types: Path | None) -> dict[str, Any]:
    """What holds in every room, and the support heights."""
    slices, sizes = slice_tables(rooms.values())
    return {
        **support_tables(rooms),
        "fridge_shelves": fridge_shelves(rooms.values()),
        "slices": slices,
        "slice_sizes": sizes,
        "compatible": compatible(types),
        "mug_places": mug_places(rooms.values()),
        "attached": attached_places(),
        "right_slots": right_slots(rooms.values()),
    }


def write(path: Path, table: Mapping[str, Any]) -> None:
    """Compact JSON, one top-level key a line."""
    lines = [f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}" for key, value in table.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    """Read the arguments, write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--types", type=Path)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--without-rooms", nargs="+", choices=ROOM_NAMES, default=[], metavar="ROOM")
    parser.add_argument("--out", type=Path, default=DATA)
    options = parser.parse_args()
    rooms = read_games(options.games, options.without_rooms)
    if not rooms:
        raise SystemExit(f"{options.games} holds no sessions of the rooms asked for")
    options.out.mkdir(parents=True, exist_ok=True)
    write(options.out / "tables.json", general_table(rooms, options.types))
    write(options.out / "tables_rooms.json", {name: room_table(name, rooms.get(name)) for name in ROOM_NAMES})
    for name in ("tables.json", "tables_rooms.json"):
        print(f"{name}: {(options.out / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
