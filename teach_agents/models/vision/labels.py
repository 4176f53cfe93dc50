"""Words of detectors as AI2-THOR's object types."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from teach_agents.errors import InputError
from teach_agents.tasks.classes import OBJECT_TYPES

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def phrase_of(object_type: str) -> str:
    """An object type in words: `CoffeeMachine` is `coffee machine`, `TVStand` `tv stand`."""
    return " ".join(_WORDS.findall(object_type)).lower()


@cache
def _synonyms() -> Mapping[str, str]:
    """What COCO, LVIS, Open Images and people call things of which AI2-THOR has a type; "" for what it has none of."""
    found: Mapping[str, str] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
    return found


_BY_PHRASE: Mapping[str, str] = {phrase_of(one): one for one in sorted(OBJECT_TYPES)}


class LabelMap:
    """From a detector's label to the AI2-THOR object type that it means.

    A label counts whatever its case and whether words are set apart by blanks, hyphens, underscores or capitals. What
    is in `own` comes first ("" there: ignore the label), then the types' own names, then what common data sets call
    them.
    """

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._own = {_plain(label): object_type for label, object_type in (own or {}).items()}
        for label, object_type in (own or {}).items():
            if object_type and object_type not in OBJECT_TYPES:
                where = f"label map, {label!r}"
                raise InputError(where, "no such object type", value=object_type, valid=sorted(OBJECT_TYPES))

    @classmethod
    def read(cls, path: Path) -> LabelMap:
        """The map in a JSON file: an object from label to object type. Raises `InputError`."""
        try:
            own = json.loads(path.read_text(encoding="utf8"))
        except (OSError, ValueError) as error:
            raise InputError(path, f"is no label map: {error}") from error
        if not isinstance(own, dict) or not all(isinstance(one, str) for one in own.values()):
            raise InputError(path, "must be a JSON object from label to object type")
        return cls(own)

    def object_type(self, label: str) -> str | None:
        """The type, or `None` for what is none of AI2-THOR's."""
        said = _plain(label)
        for known in (self._own, _BY_PHRASE, _synonyms()):
            if said in known:
                return known[said] or None
        return None


def _plain(label: str) -> str:
    """The words of a label, lower case, single blanks between."""
    apart = phrase_of(label) if re.search(r"[a-z][A-Z]|[A-Z]{2}[a-z]", label) else label
    return " ".join(apart.replace("_", " ").replace("-", " ").lower().split())
