"""Rooms that agents and eyes learn in, and rooms that they never saw."""

from __future__ import annotations

from teach_agents.simulator.embedded.rooms import ROOM_NAMES

_OTHERS = "9 10 29 204 215 219 226 308 312 313 315 320 325 327 329 404 405 410 416 417 424 425"

OTHER_ROOMS: tuple[str, ...] = tuple(f"FloorPlan{number}" for number in _OTHERS.split())
"""The 22 rooms in which no session of TEACh's training split takes place."""
TRAINING_ROOMS: tuple[str, ...] = tuple(room for room in ROOM_NAMES if room not in OTHER_ROOMS)
"""The 98 rooms of the sessions in TEACh's training split."""

_FEW_SESSIONS = ("FloorPlan21", "FloorPlan14", "FloorPlan207")
"""So that of each kind five are kept from eyes: the two kitchens and the living room with the fewest sessions."""
HELD_OUT: tuple[str, ...] = (*OTHER_ROOMS, *_FEW_SESSIONS)
"""25 rooms to see how well eyes do elsewhere; they are never trained on a picture of them."""
ROOMS_OF_EYES: tuple[str, ...] = tuple(name for name in ROOM_NAMES if name not in HELD_OUT)
"""The other 95, which eyes are trained in."""
