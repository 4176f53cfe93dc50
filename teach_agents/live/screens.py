"""What a role's screen shows besides pictures, and where a click could act, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teach_agents.actions import Role
from teach_agents.household import Household
from teach_agents.household.map import RoomMap
from teach_agents.live.events import pose_as_json
from teach_agents.live.ledger import Ledger, held_type
from teach_agents.observations import Pose, Privilege
from teach_agents.session.turns import Done

__all__ = ["screen_of", "targets_of"]


def screen_of(household: Household, ledger: Ledger, room_map: RoomMap, role: Role | None) -> dict[str, Any]:
    """A role's screen; without a role, everything.

    Places on the map are fractions of the overhead picture, to the right and down. Only the Commander's holds the last
    progress check, the last search, and its own camera on the map.
    """
    body = household.simulator.state.agent
    shown: dict[str, Any] = {
        "role": None if role is None else role.value,
        "room": household.scenario.room,
        "turns": len(ledger.turns),
        "pose": pose_as_json(household.commander if role is Role.COMMANDER else body),
        "held": held_type(household),
        "dialogue": [
            {"speaker": said.speaker.value, "text": said.text, "time_ms": said.time_ms} for said in household.dialogue
        ],
        "map": {
            "x": room_map.x,
            "z": room_map.z,
            "half": room_map.half,
            "follower": _on_map(room_map, body),
        },
        "last": None if role is None else _last(ledger.last(role)),
    }
    if role is not Role.FOLLOWER:
        shown["map"]["commander"] = _on_map(room_map, household.commander)
        shown["progress"] = _check(ledger.check)
        shown["search"] = _search(ledger.search)
    return shown


def _on_map(room_map: RoomMap, pose: Pose) -> dict[str, float]:
    x, y = room_map.place(pose.position.x, pose.position.z)
    return {"x": x, "y": y, "yaw": pose.yaw}


def _last(done: Done | None) -> dict[str, Any] | None:
    if done is None:
        return None
    result = done.result
    return {
        "action": None if done.action is None else done.action.to_json(),
        "success": result.success,
        "message": result.message,
        "help": result.help,
        "time_ms": done.time_ms,
    }


def _check(done: Done | None) -> dict[str, Any] | None:
    """A progress check's reply, as TEACh has it, and when it was made."""
    return None if done is None else {"time_ms": done.time_ms, "reply": done.result.reply}


def _search(done: Done | None) -> dict[str, Any] | None:
    """What was searched for, what the search camera shows, and where both are on the map."""
    if done is None or done.action is None:
        return None
    reply: Mapping[str, Any] = done.result.reply or {}
    return {
        "time_ms": done.time_ms,
        "query": done.action.query,
        "object_id": reply["oid"],
        "shown_id": reply["shown_oid"],
        "at": reply["pos_norm"],
        "camera": {"at": reply["view_pos_norm"], "towards": reply["view_rot_norm"]},
    }


def targets_of(household: Household, action_name: str) -> list[dict[str, Any]]:
    """The objects in the Follower's view on which a click of `action_name` would act, nearest to the middle first.

    `x`, `y` is such a click, `box` [left, top, right, bottom] what is seen of the object, fractions of the picture.
    Raises `InputError` for an action that takes no click.
    """
    import numpy as np

    seen = household.observe(Role.FOLLOWER, {Privilege.SEGMENTATION}).privileged.segmentation
    size = seen.ids.shape[0]
    found = []
    for index in np.unique(seen.ids).tolist():
        click = household.click_for(seen.object_ids[index], action_name) if index >= 0 else None
        if click is None:
            continue
        mask = seen.ids == index
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        box = [columns[0] / size, rows[0] / size, (columns[-1] + 1) / size, (rows[-1] + 1) / size]
        obj = household.simulator.state.objects[seen.object_ids[index]]
        found.append(
            {
                "object_id": obj.object_id,
                "object_type": obj.object_type,
                "x": click[0],
                "y": click[1],
                "box": [float(edge) for edge in box],
            }
        )
    return sorted(found, key=lambda one: (one["x"] - 0.5) ** 2 + (one["y"] - 0.5) ** 2)
