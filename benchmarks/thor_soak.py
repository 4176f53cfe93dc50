"""Whether a long run through the ai2thor package and the double leaves memory, processes or files behind.

    python benchmarks/thor_soak.py [--resets 1000] [--steps 100000] [--json FILE]

Resident memory of the double is taken after a tenth of the run and at its end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from teach_agents.simulator.contract import Channel, Scene, SimulatorAction, follower_camera
from teach_agents.simulator.thor import ThorSimulator

_ROOMS = ("FloorPlan1", "FloorPlan7", "FloorPlan203", "FloorPlan305", "FloorPlan412")
_ACTIONS = ("MoveAhead", "RotateRight", "RotateLeft", "MoveBack", "LookDown", "LookUp")
_PICTURE_EVERY = 10


def resident(pid: int) -> float:
    """Resident memory of a process, MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def soak(resets: int, steps: int) -> dict[str, Any]:
    """Play, and say what was left behind."""
    rng = random.Random(0)
    simulator = ThorSimulator(executable="double")
    began = time.perf_counter()
    memory: list[float] = []
    for episode in range(resets):
        simulator.reset(Scene(_ROOMS[episode % len(_ROOMS)]))
        pid = simulator.process_id
        assert pid is not None
        if episode in (resets // 10, resets - 1):
            memory.append(resident(pid))
        for number in range(steps // resets):
            simulator.step(SimulatorAction(rng.choice(_ACTIONS)))
            if number % _PICTURE_EVERY == 0:
                simulator.view(follower_camera(simulator.state.agent), frozenset({Channel.RGB}))
    simulator.close()
    return {
        "resets": resets,
        "steps": resets * (steps // resets),
        "seconds": round(time.perf_counter() - began, 1),
        "double_mib_after_a_tenth": round(memory[0], 1),
        "double_mib_at_the_end": round(memory[-1], 1),
        "growth": round(memory[-1] / memory[0] - 1, 4),
        "process_left": Path(f"/proc/{pid}").exists(),
        "files_left": sorted(path.name for path in Path(tempfile.gettempdir()).iterdir()),
    }


def main() -> None:
    """Play and tell; exit status 1 if memory grew by more than 5 % or anything is left."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resets", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as scratch:
        os.environ["HOME"] = home
        tempfile.tempdir = scratch
        found = soak(arguments.resets, arguments.steps)
    print("\n".join(f"{name:26} {value}" for name, value in found.items()))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf8")
    raise SystemExit(1 if found["growth"] > 0.05 or found["process_left"] or found["files_left"] else 0)


if __name__ == "__main__":
    main()
