"""What it costs to begin: import, `--help`, the first frame of a cold process, 100 sessions in one process.

python benchmarks/start_up.py [--json FILE] [--repeats 7]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from telling import tell

HEAVY = "torch transformers langchain langchain_core ai2thor fastapi numba ray redis matplotlib scipy".split()

FIRST_FRAME = """
from teach_agents.simulator.contract import Channel, Scene, follower_camera
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
simulator = EmbeddedSimulator()
simulator.reset(Scene("FloorPlan1"))
simulator.view(follower_camera(simulator.state.agent), frozenset(Channel), size=300)
"""

HUNDRED = """
import resource
from teach_agents.simulator.contract import Channel, Scene, follower_camera
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.simulator.embedded.rooms import ROOM_NAMES
names = ROOM_NAMES
kept = []
for number in range(100):
    simulator = EmbeddedSimulator()
    simulator.reset(Scene(names[number % len(names)]), seed=number)
    simulator.view(follower_camera(simulator.state.agent), frozenset(Channel), size=300)
    kept.append(simulator)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def seconds(command: list[str], repeats: int) -> float:
    """Median wall time of a whole process, after one uncounted run."""
    times = []
    for _ in range(repeats + 1):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return statistics.median(times[1:])


def measure(repeats: int) -> dict[str, object]:
    """All figures by name; seconds and MiB."""
    python = [sys.executable, "-c"]
    empty = seconds([*python, "pass"], repeats)
    loaded = subprocess.run(
        [*python, f"import teach_agents, sys; print(*[m for m in {HEAVY!r} if m in sys.modules])"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    memory = subprocess.run([*python, HUNDRED], check=True, capture_output=True, text=True).stdout
    return {
        "python_start_s": empty,
        "import_s": seconds([*python, "import teach_agents"], repeats),
        "import_s_without_python_start": seconds([*python, "import teach_agents"], repeats) - empty,
        "heavy_modules_loaded_by_import": loaded,
        "help_s": seconds([str(Path(sys.executable).with_name("teach-agents")), "--help"], repeats),
        "first_frame_s": seconds([*python, FIRST_FRAME], max(3, repeats // 2)),
        "hundred_sessions_mib": float(memory),
    }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    figures = measure(arguments.repeats)
    tell(figures, arguments.json)


if __name__ == "__main__":
    main()
