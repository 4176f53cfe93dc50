"""Small states for tests: objects as game files hold them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from teach_agents.tasks import Task, TaskLibrary, object_classes

__all__ = ["atom", "definition", "library", "only", "relation", "subtask", "thing"]


def thing(object_type: str, number: int = 0, **properties: Any) -> dict[str, Any]:
    """An object at x = `number` metres, of its type's classes; `inside` lists the ids of what holds it."""
    made: dict[str, Any] = {
        "objectId": f"{object_type}|{number:+06.2f}|+00.00|+00.00",
        "objectType": object_type,
        "position": {"x": float(number), "y": 0.0, "z": 0.0},
        "simbotObjectClass": object_classes(object_type),
        "receptacle": object_type in {"Sink", "Plate", "Bowl", "CounterTop", "DiningTable", "Shelf"},
        "isDirty": False,
        "isCooked": False,
        "isToggled": False,
        "parentReceptacles": properties.pop("inside", None),
    }
    return made | properties


def atom(conditions: dict[str, Any], determiner: str = "a", *, shareable: bool = False, **descs: str) -> dict[str, Any]:
    """A component that asks for objects; its first condition is the primary one."""
    return {
        "determiner": determiner,
        "primary_condition": next(iter(conditions)),
        "instance_shareable": shareable,
        "conditions": conditions,
        "condition_failure_descs": descs,
    }


def subtask(name: str, *params: str, determiner: str = "a") -> dict[str, Any]:
    """A component that is a task."""
    return {"determiner": determiner, "task_name": name, "task_params": list(params)}


def relation(tail: str, tail_determiner: str, **heads: str) -> dict[str, Any]:
    """A relation of heads (key to determiner) to a tail."""
    return {
        "property": "parentReceptacles",
        "tail_entity_list": [tail],
        "tail_determiner_list": [tail_determiner],
        "head_entity_list": list(heads),
        "head_determiner_list": list(heads.values()),
        "failure_desc": "belongs elsewhere",
    }


def definition(name: str = "T", task_id: int = 900, **keys: Any) -> dict[str, Any]:
    """A definition file's content; `nparams`, `anchor`, `components`, `relations` and `desc` as needed."""
    return {
        "task_id": task_id,
        "task_name": name,
        "task_nparams": keys.get("nparams", 0),
        "task_anchor_object": keys.get("anchor"),
        "desc": keys.get("desc", name.lower()),
        "components": keys.get("components", {}),
        "relations": keys.get("relations", []),
    }


def library(folder: Path, *definitions: dict[str, Any]) -> TaskLibrary:
    """A library of these definitions, written to files first."""
    for index, data in enumerate(definitions):
        (folder / f"{index}__test.json").write_text(json.dumps(data), encoding="utf-8")
    return TaskLibrary.load([folder])


def only(folder: Path, *params: str, **keys: Any) -> Task:
    """The task of a library that holds just this one definition."""
    return library(folder, definition(nparams=len(params), **keys)).task("T", params)
