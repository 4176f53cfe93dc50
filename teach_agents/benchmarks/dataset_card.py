"""The card of an exported run: what `datasets.load_dataset` reads of names, files and types, and what people read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from teach_agents.benchmarks.stored import StoredRun

__all__ = ["FEATURES", "dataset_card"]

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
    """`README.md`: a YAML head (JSON is YAML) that declares each file with its columns, then words for people.

    `rows` are counted by the names of `FEATURES`, of the files that there are.
    """
    head = {
        "configs": [
            {"config_name": name, "data_files": [{"split": "train", "path": f"data/{name}.jsonl"}]} for name in rows
        ],
        "dataset_info": [
            {"config_name": name, "features": [_feature(*column) for column in FEATURES[name].items()]} for name in rows
        ],
    }
    lines = [f"{key}: {json.dumps(value)}" for key, value in head.items()]
    who = ", ".join(f"{role} `{run.settings[role]}`" for role in ("commander", "follower") if role in run.settings)
    counts = "\n".join(f"| `{name}` | {count} |" for name, count in rows.items())
    return "\n".join(
        [
            "---",
            *lines,
            "---",
            "",
            f"# {run.benchmark.upper()}, {who}",
            "",
            f"Sessions of a run of TEACh's {run.benchmark.upper()} over {len(run.asked)} instances, written by "
            "`teach-agents export`. `datasets.load_dataset(FOLDER, NAME)` reads:",
            "",
            "| name | rows |",
            "|---|---|",
            counts,
            "",
            "Poses are in Unity's frame (left-handed, metres, y up; yaw clockwise from +z and horizon downwards in "
            "degrees); clicks are fractions of the frame's width and height. `last_action`, `last_result`, `reply`, "
            "`thought`, `distribution` and the assistant's messages in `chat` are JSON in text. No pictures are "
            "included.",
            "",
        ]
    )


def _feature(name: str, found: Any) -> dict[str, Any]:
    return {"name": name, **_type(found)}


def _type(found: Any) -> dict[str, Any]:
    if isinstance(found, Mapping):
        return {"struct": [_feature(*one) for one in found.items()]}
    if isinstance(found, list):
        inner = _type(found[0])
        return {"list": inner.get("dtype") or inner["struct"]}
    return {"dtype": found}
