"""Which rooms the eyes are trained in, and which are kept to see how well they do elsewhere.

Kept are the 22 rooms in which no training session of TEACh takes place, and, so that there are five of each kind, the
two kitchens and the living room with the fewest of them.
"""

from __future__ import annotations

from teach_agents.learning.rooms import OTHER_ROOMS
from teach_agents.simulator.embedded.rooms import ROOM_NAMES

_FEW_SESSIONS = ("FloorPlan21", "FloorPlan14", "FloorPlan207")

HELD_OUT: tuple[str, ...] = (*OTHER_ROOMS, *_FEW_SESSIONS)
"""25 rooms; nothing is ever trained on a picture of them."""
TRAINING_ROOMS: tuple[str, ...] = tuple(name for name in ROOM_NAMES if name not in HELD_OUT)
"""The other 95."""
