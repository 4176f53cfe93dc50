"""Make the rooms' data file from the object metadata of the 120 iTHOR rooms.

    python scripts/build_rooms.py PATH [OUT]

PATH is the wheel `procthor-0.0.1.dev2-py3-none-any.whl` (Apache-2.0), or the file
`procthor/databases/ai2thor-object-metadata.json` taken out of it. OUT defaults to the file the package ships. The same
input gives the same bytes.

Lists in the source are in floor-plan order. The source does not say where the body stood; it is computed from the
objects' distances to it (exact to a tenth of a millimetre) and snapped to the grid, and its heading is the quarter
turn that has most of the objects marked visible in front.
"""

from __future__ import annotations

import json
import math
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teach_agents.simulator.embedded.geometry import rotation_rows
from teach_agents.simulator.embedded.rooms import FLAGS, METRE, STATES, TURN, type_of

SOURCE = "procthor/databases/ai2thor-object-metadata.json"
TARGET = Path(__file__).parent.parent / "teach_agents" / "simulator" / "embedded" / "data" / "rooms.zip"
FIRST_FLOOR_PLAN = {"kitchens": 1, "living_rooms": 201, "bedrooms": 301, "bathrooms": 401}
CORNER_SIGNS = ((1, -1, 1), (-1, -1, 1), (-1, -1, -1), (1, -1, -1), (1, 1, 1), (-1, 1, 1), (-1, 1, -1), (1, 1, -1))
GRID = 0.25

Json = dict[str, Any]
Vector = NDArray[np.float64]


def read_source(path: Path) -> dict[str, list[list[Json]]]:
    """The source's rooms by category, from the wheel or from the JSON file."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return json.loads(wheel.read(SOURCE))  # type: ignore[no-any-return]  # the caller's annotation is the schema
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]  # as above


def vector(value: Json) -> Vector:
    return np.array([value["x"], value["y"], value["z"]])


def units(values: Vector, per: int) -> list[int]:
    return [round(float(value) * per) for value in values]


def body(objects: list[Json]) -> list[int]:
    """Where the body stood: x, y, z in tenths of millimetres and its heading in degrees."""
    points = np.array([vector(o["position"]) for o in objects])
    distances = np.array([o["distance"] for o in objects])
    matrix = 2 * (points[1:] - points[0])
    values = (points[1:] ** 2).sum(1) - (points[0] ** 2).sum() - distances[1:] ** 2 + distances[0] ** 2
    place = np.linalg.lstsq(matrix, values, rcond=None)[0]
    error = float(np.abs(np.linalg.norm(points - place, axis=1) - distances).max())
    if error > 0.01:
        raise SystemExit(f"the distances fit no single position: off by {error:.3f} m")
    place[[0, 2]] = np.round(place[[0, 2]] / GRID) * GRID
    seen = [vector(o["axisAlignedBoundingBox"]["center"]) - place for o in objects if o["visible"]]

    def in_front(yaw: int) -> int:
        sine, cosine = math.sin(math.radians(yaw)), math.cos(math.radians(yaw))
        return sum(bool(sine * x + cosine * z > abs(cosine * x - sine * z)) for x, _, z in seen)

    return [*units(place, METRE), max((0, 90, 180, 270), key=in_front)]


def oriented(obj: Json, center: Vector) -> list[int] | None:
    """The oriented box: its centre less the upright box's, and its half sizes in object axes."""
    box = obj["objectOrientedBoundingBox"]
    if box is None:
        return None
    corners = np.array(box["cornerPoints"])
    rotation = np.array(rotation_rows(tuple(obj["rotation"][axis] for axis in "xyz")))
    middle = corners.mean(0)
    local = (corners - middle) @ rotation
    half = np.abs(local).max(0)
    error = float(np.abs(local - np.array(CORNER_SIGNS) * half).max())
    if error > 0.002:
        raise SystemExit(f"{obj['objectId']}: the oriented box is not in object axes (off by {error:.4f} m)")
    return units(middle - center, METRE) + units(half, METRE)


def record(obj: Json, index: dict[str, int]) -> list[Any]:
    """One object's facts in the order that `rooms` reads."""
    if type_of(obj["objectId"]) != obj["objectType"]:
        raise SystemExit(f"{obj['objectId']}: the type {obj['objectType']} does not follow from the id")
    flags = sum(1 << bit for bit, key in enumerate(FLAGS) if obj[key])
    states = sum(1 << bit for bit, key in enumerate(STATES) if obj[key])
    position = vector(obj["position"])
    box = obj["axisAlignedBoundingBox"]
    center = vector(box["center"])
    turn = [value % (360 * TURN) for value in units(vector(obj["rotation"]), TURN)]
    return [
        obj["objectId"],
        obj["name"],
        obj["assetId"],
        flags,
        round(obj["mass"], 4),
        obj["salientMaterials"],
        [index[other] for other in obj["controlledObjects"] or []],
        units(position, METRE),
        turn,
        units(center - position, METRE) + units(vector(box["size"]), METRE),
        oriented(obj, center),
        [index[parent] for parent in obj["parentReceptacles"] or [] if parent in index],
        states,
        round(obj["openness"], 3),
        obj["fillLiquid"],
        obj["temperature"],
    ]


def room(objects: list[Json]) -> bytes:
    index = {obj["objectId"]: number for number, obj in enumerate(objects)}
    if len(index) != len(objects):
        raise SystemExit("two objects of one room share an id")
    content = {"agent": body(objects), "objects": [record(obj, index) for obj in objects]}
    return json.dumps(content, separators=(",", ":")).encode()


def main(arguments: list[str]) -> None:
    if not 1 <= len(arguments) <= 2:
        raise SystemExit(__doc__)
    source = read_source(Path(arguments[0]))
    target = Path(arguments[1]) if len(arguments) == 2 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with zipfile.ZipFile(target, "w") as archive:
        for category, first in FIRST_FLOOR_PLAN.items():
            for offset, objects in enumerate(source[category]):
                member = zipfile.ZipInfo(f"FloorPlan{first + offset}.json", date_time=(1980, 1, 1, 0, 0, 0))
                member.external_attr = 0o644 << 16
                archive.writestr(member, room(objects), compress_type=zipfile.ZIP_DEFLATED, compresslevel=9)
                count += 1
    print(f"{target}: {count} rooms, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
