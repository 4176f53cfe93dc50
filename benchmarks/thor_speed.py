"""How much of the possible speed a program gets through the ai2thor package and the double.

    python benchmarks/thor_speed.py [--steps 300] [--json FILE]

A: steps per second of a double that sends a fixed 300 x 300 picture and FloorPlan1's whole metadata: the client and
the wire alone. B: steps in process, with the same picture and metadata made. Both must happen one after the other, so
1 / (1/A + 1/B) is what can be had; the line "share" says how much of it is. Start and reset are the best of three.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

_ROOM = "FloorPlan1"
_ACTIONS = ("RotateRight", "LookDown", "RotateRight", "LookUp")


def fixed() -> None:
    """Stand in for Unity with one event that never changes but for its number."""
    from teach_agents.simulator.controller.engine import Engine
    from teach_agents.simulator.double.events import on_the_wire
    from teach_agents.simulator.double.fifo import Fifo

    wire = Fifo(os.environ["AI2THOR_FIFO_SERVER_PIPE_PATH"], os.environ["AI2THOR_FIFO_CLIENT_PIPE_PATH"])
    engine = Engine()
    first = engine.act({"action": "Reset", "sceneName": _ROOM})
    answers = {
        "GetScenesInBuild": engine.act({"action": "GetScenesInBuild"}),
        "Initialize": engine.act({"action": "Initialize"}),
    }
    same = engine.act({"action": "RotateRight"})
    wire.send(on_the_wire(first, 0))
    try:
        while True:
            request = wire.receive()
            wire.send(on_the_wire(answers.get(request["action"], same), int(request["sequenceId"])))
    except EOFError:
        os._exit(0)


def rate(step: Callable[[str], Any], steps: int) -> float:
    """Steps per second; each action shows another view."""
    for action in _ACTIONS:
        step(action)
    began = time.perf_counter()
    for number in range(steps):
        step(_ACTIONS[number % len(_ACTIONS)])
    return steps / (time.perf_counter() - began)


def client(executable: str) -> tuple[Any, float]:
    """The package's controller, and how long its start and first reset took."""
    from ai2thor.controller import Controller

    began = time.perf_counter()
    options = {"server_timeout": None, "server_start_timeout": 60.0}
    made = Controller(local_executable_path=executable, x_display=":99", scene=_ROOM, **options)
    return made, time.perf_counter() - began


def through(executable: str, steps: int, rounds: int) -> tuple[float, float]:
    """The best rate and the shortest start of a few rounds."""
    rates, starts = [], []
    for _ in range(rounds):
        made, start = client(executable)
        rates.append(rate(made.step, steps))
        starts.append(start)
        made.stop()
    return max(rates), min(starts)


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    from teach_agents.simulator.controller import Controller
    from teach_agents.simulator.double import command

    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        wire_alone, _ = through(shlex.join([sys.executable, __file__, "fixed"]), arguments.steps, arguments.rounds)
        in_process = max(rate(Controller(scene=_ROOM).step, arguments.steps) for _ in range(arguments.rounds))
        both, start = through(command(), arguments.steps, arguments.rounds)
    possible = 1 / (1 / wire_alone + 1 / in_process)
    found = {
        "wire_steps_per_s": round(wire_alone, 1),
        "in_process_steps_per_s": round(in_process, 1),
        "possible_steps_per_s": round(possible, 1),
        "client_steps_per_s": round(both, 1),
        "share": round(both / possible, 3),
        "start_and_reset_s": round(start, 2),
    }
    print("\n".join(f"{name:24} {value}" for name, value in found.items()))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["fixed"]:
        fixed()
    else:
        main()
