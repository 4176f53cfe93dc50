"""How well eyes find objects in rooms that they were not trained in, and how long they take.

    python benchmarks/detector.py [household:DIR] [--frames 40] [--seed 7] [--varied] [--registry FILE] [--json FILE]

- **AP50**: COCO's average precision at an intersection over union of a half, over boxes of at least 100 square pixels
  (tight about the pixels that show an object) and types with at least 20 of them. Frames are of the 25 held-out rooms,
  `--frames` of each: random household states, poses that a Follower takes, half of them before something; 300 x 300
  pixels, the simulator's own colours and light unless `--varied`. The interval is the 95 % percentile bootstrap over
  rooms. Detections are asked for down to a score of 0.02.
- **Depth**: the median of |estimate / truth - 1|, of what the same network says of it.
- **Time**: processor time of one call with one frame on one thread, the least and the median of 30; what is known of
  the frame is forgotten in between.

With --registry the figures become rows of the registry, in place of those of the same name there.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from figures import commit
from follower_baselines import registered

from teach_agents.benchmarks.published import BASELINES, registry
from teach_agents.core.benchmark.results import Measurement, Results, Row
from teach_agents.core.benchmark.statistics import wilson
from teach_agents.learning.detection.frames import TYPES, Frame, held_out_frames
from teach_agents.learning.detection.judging import FEWEST, SMALLEST
from teach_agents.learning.detection.precision import Scored, Tally, precision_of, tallied
from teach_agents.learning.rooms import HELD_OUT
from teach_agents.models.vision import Detector, LabelMap, Lens, load_detector
from teach_agents.models.vision.household.shape import STRIDE

LEAST = 0.02
RESAMPLES = 200
REPEATS = 30


def scored(detector: Detector, frame: Frame) -> Scored:
    """What a detector finds in a frame, by types."""
    known, labels = {name: number for number, name in enumerate(TYPES)}, LabelMap()
    (found,) = detector.detect([frame.rgb])
    named = [(one, known[kind]) for one in found if (kind := labels.object_type(one.label)) in known]
    return Scored(
        np.array([one.box for one, _ in named], np.float32).reshape(-1, 4),
        np.array([kind for _, kind in named], np.int64),
        np.array([one.score for one, _ in named], np.float32),
    )


def interval(pictures: Sequence[Mapping[int, Tally]], per_room: int, seed: int) -> list[float]:
    """The 95 % interval of AP50 over resampled rooms; without spread no narrower than Wilson's of the pictures."""
    dice, rooms = np.random.default_rng(seed), len(pictures) // per_room
    means = []
    for _ in range(RESAMPLES):
        drawn = (dice.integers(rooms, size=rooms)[:, None] * per_room + np.arange(per_room)).ravel()
        means.append(precision_of([pictures[place] for place in drawn]).mean(FEWEST))
    low, high = (float(value) for value in np.percentile(means, (2.5, 97.5)))
    return [low, high] if low < high else wilson(low, len(pictures))


def depth_error(detector: Detector, frames: Sequence[Frame]) -> float | None:
    """The median of relative errors; `None` for eyes that see no depth."""
    if detector.estimator is None:
        return None
    errors = []
    for frame in frames:
        (depth,) = detector.estimator.estimate([frame.rgb], [Lens(1.576, 0.0)])
        half = STRIDE // 2
        errors.append(np.abs(depth[half::STRIDE, half::STRIDE] / frame.depth - 1).ravel())
    return float(np.median(np.concatenate(errors)))


def milliseconds(detector: Detector, frames: Sequence[Frame]) -> list[float]:
    """Processor time of one frame on one thread, for each of some frames, no frame twice."""
    torch.set_num_threads(1)
    dice = np.random.default_rng(0)
    taken = []
    for number in range(REPEATS + 3):
        fresh = frames[number % len(frames)].rgb.copy()
        fresh[0, 0] = dice.integers(256, size=3)
        begun = time.process_time()
        detector.detect([fresh])
        taken.append(1000 * (time.process_time() - begun))
    return taken[3:]


def report(detector: Detector, per_room: int, seed: int, varied: bool) -> dict[str, Any]:
    """All figures."""
    frames = list(held_out_frames(seed, per_room, varied=varied))
    pictures = [tallied(scored(detector, one), one.boxes, one.types, smallest=SMALLEST) for one in frames]
    whole = precision_of(pictures)
    kept = {TYPES[kind]: value for kind, value in whole.by_type.items() if whole.boxes[kind] >= FEWEST}
    taken = milliseconds(detector, frames)
    return {
        "detector": {"name": detector.name, "hash": detector.hash},
        "ap50": {"value": whole.mean(FEWEST), "ci": interval(pictures, per_room, seed), "types": len(kept)},
        "boxes": sum(whole.boxes.values()),
        "frames": len(frames),
        "rooms": len(HELD_OUT),
        "varied": varied,
        "depth_error": depth_error(detector, frames),
        "ms": {"least": min(taken), "median": statistics.median(taken)},
        "by_type": dict(sorted(kept.items(), key=lambda item: item[1])),
    }


def results_of(found: Mapping[str, Any], spec: str, asked: argparse.Namespace) -> Results:
    """The figures as rows of the registry."""
    varied = " --varied" * found["varied"]
    dressed = ", other colours and light" * found["varied"]
    named = f"eyes {spec}{varied}"
    source = Measurement(
        kind="measurement",
        command=f"python benchmarks/detector.py {spec} --frames {asked.frames} --seed {asked.seed}{varied}",
        commit=commit(),
        simulator="embedded",
        instances=f"{found['frames']} frames of {found['rooms']} rooms held out{dressed}",
        denominator=f"the {found['ap50']['types']} types of which there are {FEWEST} boxes",
        privileges={},
        seed=asked.seed,
        model=found["detector"]["name"],
        model_hash=found["detector"]["hash"],
    )
    low, high = (round(100 * bound, 2) for bound in found["ap50"]["ci"])
    ap50 = {"metric": "ap50", "value": round(100 * found["ap50"]["value"], 2), "interval": (low, high)}
    time_of_one = {"metric": "frame_time", "value": round(found["ms"]["median"], 1)}
    depth = [] if found["depth_error"] is None else [("depth_error", found["depth_error"])]
    off = [{"metric": metric, "value": round(100 * value, 2)} for metric, value in depth]
    split = f"rooms held out{', varied' * found['varied']}"
    told = {"system": spec, "benchmark": "eyes", "split": split, "n": found["frames"], "source": named}
    rows = tuple(Row(**told, **row) for row in (ap50, *off, time_of_one))
    return Results(metrics=registry().metrics, sources={named: source}, rows=rows)


def main() -> None:
    """Look, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("detector", nargs="?", default="household", help="SPEC of a detector")
    parser.add_argument("--frames", type=int, default=40, help="frames of each held-out room")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--varied", action="store_true", help="other colours and light in every frame")
    parser.add_argument("--registry", type=Path, nargs="?", const=BASELINES, help="by default the file that ships")
    parser.add_argument("--json", type=Path, help="write the figures here")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    spec = chosen.detector
    if spec.partition(":")[0] == "household" and "threshold" not in spec:
        spec += (",threshold=" if ":" in spec else ":threshold=") + str(LEAST)
    figures = report(load_detector(spec), chosen.frames, chosen.seed, chosen.varied)
    for kind, value in figures["by_type"].items():
        print(f"{kind:20s} {value:.3f}")
    ap50, ms = figures["ap50"], figures["ms"]
    low, high = ap50["ci"]
    print(f"AP50 {ap50['value']:.3f} [{low:.3f}, {high:.3f}] over {ap50['types']} types, {figures['frames']} frames")
    if figures["depth_error"] is not None:
        print(f"depth off by {100 * figures['depth_error']:.1f} % (median)")
    print(f"one frame on one thread: {ms['least']:.0f} ms at least, {ms['median']:.0f} ms median")
    if chosen.registry:
        registered(results_of(figures, chosen.detector, chosen), chosen.registry)
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
