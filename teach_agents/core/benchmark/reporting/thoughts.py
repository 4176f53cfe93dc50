"""What agents thought, as a report shows it: folded, step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_TITLE = 120


@dataclass(frozen=True, slots=True)
class Thought:
    """The thinking behind one step: a line that says what came of it, and its parts as names and texts."""

    title: str
    parts: tuple[tuple[str, str], ...]
    failed: bool = False

    @property
    def size(self) -> int:
        """Characters."""
        return len(self.title) + sum(len(name) + len(text) for name, text in self.parts)


def told(steps: Iterable[Any]) -> tuple[Thought, ...]:
    """The thoughts behind steps, of those that have one."""
    return tuple(_thought(step.number, step.thought) for step in steps if step.thought is not None)


def _thought(step: int, thought: Mapping[str, Any]) -> Thought:
    said = " ".join(str(thought.get("error") or thought.get("choice") or "a thought").split())
    title = f"step {step}: {said if len(said) <= _TITLE else said[:_TITLE] + '...'}"
    return Thought(title, tuple(_parts(thought)), failed="error" in thought)


def _parts(thought: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in thought.items():
        if name == "prompt" and isinstance(value, Mapping):
            yield from _parts(value, "prompt, ")
        else:
            yield prefix + name.replace("_", " "), _text(value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False)
