"""Pictures whose bytes are known: what the renderer draws of plain rooms, as SHA-256 of each channel.

    python tests/simulator/embedded/golden.py            # print what is drawn now
    python tests/simulator/embedded/golden.py --update   # and keep it: after shapes or looks were changed on purpose

`golden_pixels.json` holds what was kept; `test_determinism.py` compares. Look at the pictures before you keep them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, Channel, Scene, SimulatorAction, follower_camera
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

__all__ = ["KEPT", "drawn"]

KEPT = Path(__file__).with_name("golden_pixels.json")


def _scenes() -> Iterator[tuple[str, EmbeddedSimulator, Camera, int]]:
    """Name, world, camera and size of each picture."""
    simulator = EmbeddedSimulator()
    simulator.reset(Scene("FloorPlan1"))
    fridge = next(o.object_id for o in simulator.state.objects.values() if o.object_type == "Fridge")
    yield "kitchen, own eyes", simulator, follower_camera(simulator.state.agent), 300
    simulator.step(SimulatorAction("OpenObject", object_id=fridge, force=True))
    yield "open fridge, free camera", simulator, Camera(Vec3(-0.5, 1.6, 1.0), yaw=260.0, pitch=20.0), 224
    simulator.reset(Scene("FloorPlan212"))
    above = Camera(Vec3(0.0, 2.5, 0.0), yaw=0.0, pitch=90.0, orthographic=3.0)
    yield "living room from above", simulator, above, 224
    simulator.reset(Scene("FloorPlan305"))
    simulator.step(SimulatorAction("LookDown"))
    yield "bedroom, own eyes", simulator, follower_camera(simulator.state.agent), 900
    simulator.reset(Scene("FloorPlan410"))
    yield "bathroom, tilted eyes", simulator, replace(follower_camera(simulator.state.agent), roll=10.0), 97


def drawn() -> dict[str, dict[str, Any]]:
    """Every picture by name: its size, and its channels' hashes."""
    found = {}
    for name, simulator, camera, size in _scenes():
        frame = simulator.view(camera, frozenset(Channel), size=size)
        assert frame.rgb is not None and frame.ids is not None and frame.depth is not None
        channels = {"rgb": frame.rgb.tobytes(), "ids": frame.ids.tobytes(), "depth": frame.depth.tobytes()}
        hashes = {key: hashlib.sha256(values).hexdigest() for key, values in channels.items()}
        found[name] = {"room": simulator.state.room, "size": size, **hashes}
    return found


if __name__ == "__main__":
    text = json.dumps(drawn(), indent=1) + "\n"
    sys.stdout.write(text)
    if "--update" in sys.argv[1:]:
        KEPT.write_text(text, encoding="utf-8")
