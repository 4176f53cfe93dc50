"""What a role's screen shows besides pictures, and where a click could act, as JSON."""

from __future__ import annotations

from typing import Any

from teach_agents.actions import Action, Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.household import Household
from teach_agents.household.clicks import AFFORDANCES
from teach_agents.household.follower import lacking
from teach_agents.household.map import RoomMap
from teach_agents.live.events import pose_as_json
from teach_agents.live.ledger import Ledger, held_type
from teach_agents.observations import Pose, Privilege
from teach_agents.session.format import Done


def screen_of(household: Household, ledger: Ledger, room_map: RoomMap, role: Role | None) -> JsonObject:
    """A role's screen; without a role, everything, from the Commander's place.

    `marks` are places on the overhead picture as fractions, to the right and down. Only the Commander's screen holds
    the last progress check, the last search, and marks of its own camera and of the search's.
    """
    body = household.simulator.state.agent
    shown: JsonObject = {
        "role": role.value if role else None,
        "room": household.scenario.room,
        "turns": len(ledger.turns),
        "pose": pose_as_json(body if role is Role.FOLLOWER else household.commander),
        "held": held_type(household),
        "last": _last(ledger.last.get(role)) if role else None,
        "dialogue": [
            {"speaker": str(said.speaker), "text": said.text, "time_ms": said.time_ms} for said in household.dialogue
        ],
        "map": {"x": room_map.x, "z": room_map.z, "half": room_map.half},
        "marks": [mark_of(room_map, "follower", body)],
    }
    if role is not Role.FOLLOWER:
        check, search = ledger.check, ledger.search
        shown |= {
            "progress": check.result.reply if check else None,
            "checked_ms": check.time_ms if check else None,
            "shown": _shown(search) if search else None,
        }
        shown["marks"].append(mark_of(room_map, "commander", household.commander))
        shown["marks"] += [_searcher(search)] if search else []
    return shown


def mark_of(room_map: RoomMap, who: str, pose: Pose) -> JsonObject:
    """Whoever stands somewhere, on the overhead picture."""
    x, y = room_map.place(pose.position.x, pose.position.z)
    return {"who": who, "x": x, "y": y, "yaw": pose.yaw}


def _last(done: Done | None) -> JsonObject | None:
    if done is None:
        return None
    result = done.result
    return {
        "action": done.action.to_json() if done.action else None,
        "success": result.success,
        "message": result.message,
        "help": result.help,
        "time_ms": done.time_ms,
    }


def _shown(done: Done) -> JsonObject:
    """What was searched for, and what the search camera shows."""
    reply: JsonMapping = done.result.reply or {}
    return {
        "time_ms": done.time_ms,
        "query": done.action.query if done.action else "",
        "oid": reply["oid"],
        "shown_oid": reply["shown_oid"],
        "message": done.result.message,
        "at": reply["pos_norm"],
    }


def _searcher(done: Done) -> JsonObject:
    """Where the search camera stands."""
    reply: JsonMapping = done.result.reply or {}
    (x, y), (right, down) = reply["view_pos_norm"], reply["view_rot_norm"]
    return {"who": "search", "x": x, "y": y, "yaw": _YAWS[round(right), round(down)]}


_YAWS = {(0, -1): 0.0, (1, 0): 90.0, (0, 1): 180.0, (-1, 0): 270.0}
"""The search camera looks along an axis; on the map, up is +z."""


def targets_of(household: Household, action_name: str = "") -> list[JsonObject]:
    """The objects in the Follower's view on which a click would act now, nearest to the middle of the picture first.

    `actions` are the interactions that would, of all eight or only `action_name`; `x`, `y` is a click that chooses the
    object for the first of them, `box` [left, top, right, bottom] is around what is seen of it: fractions of the
    picture. Raises `InputError` for an action that takes no click.
    """
    import numpy as np

    if action_name:
        household.aimed_at(Action.click(action_name, 0.5, 0.5))
    state = household.simulator.state
    held = state.objects[state.held] if state.held else None
    wanted = [action_name] if action_name else [*AFFORDANCES]
    # a hand that is full picks up nothing
    names = [name for name in wanted if lacking(name, held) is None and (name != "Pickup" or held is None)]
    seen = household.observe(Role.FOLLOWER, {Privilege.SEGMENTATION}).privileged.segmentation
    found = []
    for index in np.unique(seen.ids).tolist():
        if index < 0:
            continue
        object_id = seen.object_ids[index]
        clicks = {name: click for name in names if (click := household.click_for(object_id, name))}
        if clicks:
            x, y = next(iter(clicks.values()))
            kind = state.objects[object_id].object_type
            target = {"object_id": object_id, "object_type": kind, "actions": list(clicks), "x": x, "y": y}
            found.append({**target, "box": _box(seen.ids == index)})
    return sorted(found, key=lambda one: (one["x"] - 0.5) ** 2 + (one["y"] - 0.5) ** 2)


def _box(mask: Any) -> list[float]:
    """Around a mask: left, top, right, bottom."""
    import numpy as np

    size = mask.shape[0]
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return [float(edge) / size for edge in (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)]
