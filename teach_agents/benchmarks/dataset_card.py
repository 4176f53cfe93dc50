"""The card of an exported run: what `datasets.load_dataset` reads of names, files and types, and what people read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teach_agents.core.benchmark.exporting import hub_card
from teach_agents.core.benchmark.stored import StoredRun

_TEXT, _NUMBER, _WHOLE, _FLAG = "string", "float64", "int64", "bool"
_SPOKEN = [{"speaker": _TEXT, "text": _TEXT}]
_ABOUT: Mapping[str, Any] = {
    "benchmark": _TEXT,
    "instance_id": _TEXT,
    "task_name": _TEXT,
    "task_params": [_TEXT],
    "room": _TEXT,
    "simulator": _TEXT,
    "status": _TEXT,
    "success": _FLAG,
}
_MESSAGES = [{"role": _TEXT, "content": _TEXT}]
_GOALS = {"total": _WHOLE, "satisfied": _WHOLE}

FEATURES: Mapping[str, Mapping[str, Any]] = {
    "episodes": {
        **_ABOUT,
        "agents": {"commander": _TEXT, "follower": _TEXT},
        "privileges": {"commander": [_TEXT], "follower": [_TEXT]},
        "dialogue": _SPOKEN,
        "goal_conditions": {"initial": _GOALS, "final": _GOALS},
        "reference_length": _WHOLE,
        "steps": _WHOLE,
        "failed_actions": _WHOLE,
        "reason": _TEXT,
    },
    "steps": {
        **_ABOUT,
        "step": _WHOLE,
        "role": _TEXT,
        "agent": _TEXT,
        "observation": {
            "pose": {"x": _NUMBER, "y": _NUMBER, "z": _NUMBER, "yaw": _NUMBER, "horizon": _NUMBER, "standing": _FLAG},
            "heard": _SPOKEN,
            "last_action": _TEXT,
            "last_result": _TEXT,
        },
        "message": _TEXT,
        "action": {"name": _TEXT, "x": _NUMBER, "y": _NUMBER, "query": _TEXT},
        "result": {"success": _FLAG, "message": _TEXT, "object_id": _TEXT, "reply": _TEXT},
        "thought": _TEXT,
    },
    "chat": {**_ABOUT, "role": _TEXT, "agent": _TEXT, "messages": _MESSAGES},
    "decisions": {
        **_ABOUT,
        "step": _WHOLE,
        "role": _TEXT,
        "agent": _TEXT,
        "messages": _MESSAGES,
        "candidates": [_TEXT],
        "choice": _TEXT,
        "distribution": _TEXT,
        "error": _TEXT,
    },
}
"""Columns of each file: a type, a mapping of a struct's, or a list with that of its items."""


def dataset_card(run: StoredRun, rows: Mapping[str, int]) -> str:
    """The card of a run over TEACh; `rows` are counted by the names of `FEATURES`, of the files that there are."""
    who = ", ".join(f"{seat} `{run.settings[seat]}`" for seat in run.kind.agents)
    name = run.benchmark.upper()
    return hub_card(
        rows,
        FEATURES,
        title=f"{name}, {who}",
        about=f"Sessions of a run of TEACh's {name} over {len(run.asked)} instances",
        note="Poses are in Unity's frame (left-handed, metres, y up; yaw clockwise from +z and horizon downwards in "
        "degrees); clicks are fractions of the frame's width and height. `last_action`, `last_result`, `reply`, "
        "`thought`, `distribution` and the assistant's messages in `chat` are JSON in text. No pictures are "
        "included.",
    )
