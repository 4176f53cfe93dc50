"""What things are, for whoever asks what something is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def _purposes() -> Mapping[str, str]:
    found: Mapping[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
    return found


def purpose(kind: str) -> str:
    """What a thing of a type is: "a deep spoon to serve soup with"; "" where nothing is written of it."""
    return _purposes().get(kind.removesuffix("Basin"), "")
