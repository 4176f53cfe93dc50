"""What agents say of their thinking, `Agent.thought`, made fit to be kept.

A thought is a JSON object. Some keys have a meaning to others, all of them optional:

| key | meaning |
|---|---|
| `prompt` | what a model was asked: a text, or `{"system": ..., "user": ...}`; this makes the thought a decision |
| `candidates` | what it could choose from, as texts, where its answer had to be one of them |
| `choice` | what was chosen |
| `distribution` | how probable the model found candidates |
| `error` | why there was no choice of the model's: the decision failed |
| `heard` | how utterances were read: of each its number in the session (`utterance`), `acts`, `confidence`, `by` |
| `clarifies`, `repairs` | true where the answer asks what was left open, and where what was heard corrects the agent |
| `state` | what changed of all that the agent goes by, an object; a session that goes on hands it back (`Briefing`) |
| `plan`, `usage`, `seconds` | what is intended next, what the decision cost, how long it took |

`acts` are a line with all acts and their slots, `confidence` is from 0 to 1, `by` the part of the reader that decided.

Thoughts are kept, shown and exported, and neither compared nor counted into a state's digest: they may hold times.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from teach_agents.core.agents.contract import Agent
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.sizes import CLIPPED_TEXT, LARGEST_THOUGHT

_SHOWN = 200


class _Refused(Exception):
    """A thought holds what is no JSON."""


def thought_of(agent: Agent) -> JsonObject | None:
    """What an agent says now of the thinking behind its last answer; see `kept`. Never raises."""
    try:
        thought = agent.thought
    except Exception as error:  # noqa: BLE001  # a property can raise anything
        return {"error": f"the thought cannot be read: {type(error).__name__}: {error}"[:_SHOWN]}
    return None if thought is None else kept(thought)


def kept(thought: object) -> JsonObject:
    """A copy of a thought as JSON values that every file can hold.

    Texts of one that is larger than `LARGEST_THOUGHT` are cut short. Of one that is no JSON object, or too large all
    the same, there is an `error` instead, which says what is wrong with it. Never raises.
    """
    try:
        plain = _object(thought, "thought")
        if _size(plain) > LARGEST_THOUGHT:
            plain = _clipped(plain)
            if (size := _size(plain)) > LARGEST_THOUGHT:
                raise _Refused(f"the thought takes {size} bytes; at most {LARGEST_THOUGHT} are kept")
    except _Refused as refused:
        return {"error": str(refused)}
    except RecursionError:
        return {"error": "the thought is nested too deeply"}
    except Exception as error:  # noqa: BLE001  # a mapping of somebody's own can raise anything
        return {"error": f"the thought cannot be read: {type(error).__name__}: {error}"[:_SHOWN]}
    return plain


def state_told(thoughts: Iterable[JsonMapping | None]) -> JsonObject | None:
    """The state that thoughts told of, in their order: of each part of it the latest; `None` where none told any."""
    parts = (thought.get("state") for thought in thoughts if thought is not None)
    told: JsonObject = {}
    for part in parts:
        if isinstance(part, Mapping):
            told |= part
    return told or None


def readings(thoughts: Iterable[JsonMapping | None]) -> dict[int, JsonMapping]:
    """How utterances were read, as `heard` has it, by their numbers."""
    told = (one for thought in thoughts if thought is not None for one in thought.get("heard") or ())
    return {one["utterance"]: one for one in told if isinstance(one, Mapping) and "utterance" in one}


def shown(thought: JsonMapping | None) -> JsonMapping | None:
    """A thought as people are shown it: without the state, which is the agent's; `None` where nothing else is in it."""
    return {key: one for key, one in (thought or {}).items() if key != "state"} or None


def read_as(reading: JsonMapping | None) -> JsonObject:
    """A reading as rows of data have it: texts `acts` and `by`, empty where there was none, and `confidence`."""
    told = reading or {}
    confidence = told.get("confidence")
    return {"acts": str(told.get("acts", "")), "confidence": confidence, "by": str(told.get("by", ""))}


def is_decision(thought: JsonMapping | None) -> bool:
    """Whether a model was asked what to do."""
    return thought is not None and bool(thought.get("prompt"))


def _size(plain: object) -> int:
    return len(json.dumps(plain, ensure_ascii=False).encode("utf8"))


def _object(value: object, where: str) -> JsonObject:
    if not isinstance(value, Mapping):
        raise _Refused(f"{where} must be a JSON object, not a {type(value).__name__}")
    for key in value:
        if not isinstance(key, str):
            raise _Refused(f"{where} has a key that is no text: {key!r}"[:_SHOWN])
    return {_text(key): _plain(one, f"{where}.{key}") for key, one in value.items()}


def _plain(value: object, where: str) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, Mapping):
        return _object(value, where)
    if isinstance(value, list | tuple):
        return [_plain(one, f"{where}[{place}]") for place, one in enumerate(value)]
    shown = str(value) if isinstance(value, float) else f"a {type(value).__name__}"
    raise _Refused(f"{where} is no JSON value: {shown}"[:_SHOWN])


def _text(value: str) -> str:
    """What UTF-8 cannot hold (lone surrogates) is escaped."""
    return value.encode("utf8", errors="backslashreplace").decode("utf8")


def _clipped(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= CLIPPED_TEXT else f"{value[:CLIPPED_TEXT]}... ({len(value)} characters)"
    if isinstance(value, dict):
        return {key: _clipped(one) for key, one in value.items()}
    return [_clipped(one) for one in value] if isinstance(value, list) else value
