"""How well objects are recognised by their looks: nearest neighbours in another network's eyes, over rooms held out.

    python benchmarks/object_crops.py [--json FILE] [--places 16] [--crops 2] [--folds 3] [--seed 0]

Fixed before anything was tuned to it:

- **Pictures**: every room as it ships, from `--places` poses drawn at random: a grid cell the Follower can walk to, one
  of the four headings, eyes level or 30 degrees down. 900 x 900 pixels, TEACh's size.
- **Crops**: of every object but the floor whose visible pixels span at least 32 pixels both across and down: the square
  about them, a tenth wider, with everything else that it shows, resized to 224 x 224. At most `--crops` per type and
  room, drawn at random among all of them, so that no type and no room outweighs the others.
- **Features**: EfficientNet-Lite0 with ImageNet weights, its last feature map averaged over the picture, length 1.
- **Naming**: the type of the most similar (cosine) crop of the rooms that are not held out. Rooms of each kind are
  shuffled and dealt into `--folds` parts; each part is held out once. A type that no other room has counts as missed.

The interval is the 95 % percentile bootstrap over rooms (`teach_agents.core.benchmark.statistics`). `by_type` gives
each type's share and what it was taken for.
Needs the extra `models` and `teach-agents models get efficientnet-lite0`. The features run on one thread.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from teach_agents.core.benchmark.statistics import bootstrap_mean
from teach_agents.models.vision import load_vision_encoder
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Channel, follower_camera
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.navigation import NavigationMap
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of

SIZE = 900
SMALLEST = 32
INPUT = 224
MARGIN = 0.1
YAWS = (0.0, 90.0, 180.0, 270.0)
HORIZONS = (0.0, 30.0)
BATCH = 16
CHANNELS = frozenset((Channel.RGB, Channel.IDS))


@dataclass(frozen=True)
class Crop:
    """One object in one picture: uint8, 224 x 224 x 3."""

    room: str
    object_type: str
    picture: NDArray[np.uint8]


def crops_of_room(name: str, places: int, most: int, seed: int) -> Iterator[Crop]:
    """At most `most` crops of each type that the Follower may see in a room."""
    rng = np.random.default_rng([seed, ROOM_NAMES.index(name)])
    world = load_room(name)
    renderer = Renderer()
    cells = sorted(NavigationMap(world).reachable(world))
    found: dict[str, list[tuple[int, tuple[int, int, int, int]]]] = defaultdict(list)
    pictures = []
    for number in range(places):
        x, z = cells[rng.integers(len(cells))]
        place = Vec3(x, world.agent.position.y, z)
        yaw, horizon = float(rng.choice(YAWS)), float(rng.choice(HORIZONS))
        world.move_agent(replace(world.agent, position=place, yaw=yaw, horizon=horizon))
        frame = renderer.view(world, follower_camera(world.agent), CHANNELS, SIZE)
        assert frame.rgb is not None and frame.ids is not None
        pictures.append(frame.rgb)
        for index in np.unique(frame.ids[frame.ids >= 0]):
            object_type = world.objects[frame.object_ids[index]].object_type
            span = _span(frame.ids == index)
            if object_type != "Floor" and min(span[2] - span[0], span[3] - span[1]) >= SMALLEST:
                found[object_type].append((number, span))
    for object_type in sorted(found):
        seen = found[object_type]
        for i in rng.permutation(len(seen))[:most]:
            number, span = seen[i]
            yield Crop(name, object_type, _cut(pictures[number], span))


def _span(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """The first and the end column, and the first and the end row: left, top, right, bottom."""
    across, down = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
    return int(across[0]), int(down[0]), int(across[-1]) + 1, int(down[-1]) + 1


def _cut(picture: NDArray[np.uint8], span: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """The square about a span, a tenth wider, moved into the picture, resized."""
    left, top, right, bottom = span
    wide = min(SIZE, round(max(right - left, bottom - top) * (1 + MARGIN)))
    x = min(max((left + right - wide) // 2, 0), SIZE - wide)
    y = min(max((top + bottom - wide) // 2, 0), SIZE - wide)
    square = Image.fromarray(picture[y : y + wide, x : x + wide])
    return np.asarray(square.resize((INPUT, INPUT), Image.Resampling.BICUBIC, reducing_gap=3.0))


def features(crops: Sequence[Crop]) -> NDArray[np.float32]:
    """A unit vector of 1,280 numbers for each crop. Raises `ModelMissingError` where the weights were not fetched."""
    import torch

    torch.set_num_threads(1)  # two fight for the cores wherever something else runs
    encoder = load_vision_encoder("efficientnet-lite0")
    rows = []
    for first in range(0, len(crops), BATCH):
        vectors = encoder.encode([crop.picture for crop in crops[first : first + BATCH]]).vectors
        rows.append(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
        _progress("looking at crops", first + len(vectors), len(crops))
    return np.concatenate(rows)


def dealt(folds: int, seed: int, rooms: Sequence[str] = ROOM_NAMES) -> dict[str, int]:
    """The part that each room is held out with: every kind's rooms, shuffled, are dealt one by one."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for name in rooms:
        kinds[kind_of(name)].append(name)
    rng = np.random.default_rng(seed)
    return {names[i]: k % folds for names in kinds.values() for k, i in enumerate(rng.permutation(len(names)))}


def named(crops: Sequence[Crop], vectors: NDArray[np.float32], part: dict[str, int]) -> list[str]:
    """For each crop, the type of the most similar one of the rooms that are not held out with its own."""
    parts = np.array([part[crop.room] for crop in crops])
    names: list[str] = [""] * len(crops)
    for held in sorted(set(part.values())):
        asked, known = np.flatnonzero(parts == held), np.flatnonzero(parts != held)
        nearest = known[np.argmax(vectors[asked] @ vectors[known].T, axis=1)]
        for i, j in zip(asked, nearest, strict=True):
            names[i] = crops[j].object_type
    return names


def report(crops: Sequence[Crop], names: Sequence[str]) -> dict[str, Any]:
    """Share named rightly with its interval, and the same by type, worst first, and by kind of room."""
    types: dict[str, list[str]] = defaultdict(list)
    kinds: dict[str, list[bool]] = defaultdict(list)
    for crop, name in zip(crops, names, strict=True):
        types[crop.object_type].append(name)
        kinds[kind_of(crop.room)].append(name == crop.object_type)
    rooms = [crop.room for crop in crops]
    right = [float(name == crop.object_type) for crop, name in zip(crops, names, strict=True)]
    share, interval = bootstrap_mean(right, clusters=rooms)
    by_type = {kind: _of_type(kind, types[kind]) for kind in types}
    return {
        "top1": {"value": share, "n": len(crops), "ci": interval},
        "top1_mean_over_types": {"value": float(np.mean([f["value"] for f in by_type.values()])), "n": len(by_type)},
        "rooms": len(set(rooms)),
        "by_kind": {kind: {"value": float(np.mean(hit)), "n": len(hit)} for kind, hit in kinds.items()},
        "by_type": dict(sorted(by_type.items(), key=lambda item: (item[1]["value"], item[0]))),
    }


def _of_type(kind: str, names: Sequence[str]) -> dict[str, Any]:
    wrong = Counter(name for name in names if name != kind)
    return {"value": names.count(kind) / len(names), "n": len(names), "taken_for": dict(wrong.most_common(5))}


def _progress(what: str, done: int, total: int) -> None:
    print(f"\r{what}: {done} of {total} ", end="" if done < total else "\n", file=sys.stderr, flush=True)


def _shown(figures: dict[str, Any]) -> Iterator[str]:
    for kind, figure in figures["by_type"].items():
        taken = ", ".join(f"{name} {count}" for name, count in figure["taken_for"].items())
        yield f"{kind:20s} {figure['value']:6.1%} of {figure['n']:4d}  {taken}"
    for kind, figure in figures["by_kind"].items():
        yield f"{kind:20s} {figure['value']:6.1%} of {figure['n']:4d}"
    whole, even = figures["top1"], figures["top1_mean_over_types"]
    yield f"named rightly: {whole['value']:.1%} [{whole['ci'][0]:.1%}, {whole['ci'][1]:.1%}] of {whole['n']} crops"
    yield f"mean over {even['n']} types: {even['value']:.1%}"


def main() -> None:
    """Draw, look, name, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--places", type=int, default=16, help="pictures of each room")
    parser.add_argument("--crops", type=int, default=2, help="most crops of a type in a room")
    parser.add_argument("--folds", type=int, default=3, help="parts that the rooms are dealt into")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    crops: list[Crop] = []
    for number, name in enumerate(ROOM_NAMES, 1):
        crops.extend(crops_of_room(name, chosen.places, chosen.crops, chosen.seed))
        _progress("drawing rooms", number, len(ROOM_NAMES))
    names = named(crops, features(crops), dealt(chosen.folds, chosen.seed))
    figures = report(crops, names)
    print("\n".join(_shown(figures)))
    if chosen.json:
        settings = {"places": chosen.places, "crops": chosen.crops, "folds": chosen.folds, "seed": chosen.seed}
        chosen.json.write_text(json.dumps({"settings": settings, **figures}, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
