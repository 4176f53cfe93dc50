"""A program for AI2-THOR, run without Unity: only the first import differs from the original.

    python examples/thor_program.py [picture.png]

With `teach-agents thor-double install` not even that: see docs/thor.md.
"""

from __future__ import annotations

import math
import sys

from PIL import Image

from teach_agents.simulator.controller import Controller  # from ai2thor.controller import Controller


def straight_ahead(pose, at):
    """How far away the point lies in the direction of the pose, less how far beside it."""
    angle, dx, dz = math.radians(pose["rotation"]), at["x"] - pose["x"], at["z"] - pose["z"]
    return dx * math.sin(angle) + dz * math.cos(angle) - 3 * abs(dx * math.cos(angle) - dz * math.sin(angle))


controller = Controller(scene="FloorPlan1", width=400, height=300, renderInstanceSegmentation=True)
event = controller.last_event
fridge, apple = (event.objects_by_type(kind)[0]["objectId"] for kind in ("Fridge", "Apple"))
for target, action in ((apple, "PickupObject"), (fridge, "OpenObject"), (fridge, "PutObject")):
    query = {"action": "GetInteractablePoses", "objectId": target, "standings": [True], "horizons": [30]}
    poses = controller.step(query).metadata["actionReturn"]
    pose = max(poses, key=lambda pose: straight_ahead(pose, event.get_object(target)["position"]))
    place = {axis: pose[axis] for axis in "xyz"}
    controller.step("TeleportFull", position=place, rotation=pose["rotation"], horizon=pose["horizon"], standing=True)
    event = controller.step(action=action, objectId=target, forceAction=True)
    print(action, event.metadata["lastActionSuccess"], event.metadata["errorMessage"])
print("the fridge holds:", event.get_object(fridge)["receptacleObjectIds"])
print(len(event.instance_masks), "objects in view")
Image.fromarray(event.frame).save(sys.argv[1] if len(sys.argv) > 1 else "thor_program.png")
controller.stop()
