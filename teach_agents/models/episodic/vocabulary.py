"""What the Episodic Transformer knows by number: words, the Follower's actions, types of objects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError
from teach_agents.tasks.classes import type_from_id

ACTIONS: tuple[str, ...] = ("Stop", *MOTIONS, *OBJECT_ACTIONS, "Text")
"""Actions by number. `Stop` is one like any other (the reference's shares its number with padding, which makes it
impossible to learn and to choose: specification 7.3); `Text` is only ever one of the past."""
ACTION_NUMBER: Mapping[str, int] = {name: number for number, name in enumerate(ACTIONS)}
STOP = ACTION_NUMBER["Stop"]

Said = Iterable[tuple[Role, str]]
"""A dialogue: who said what, in order."""

_PADDING, _UNKNOWN = "<<pad>>", "<<unknown>>"
_ENDS = {Role.COMMANDER: "<<commander>>", Role.FOLLOWER: "<<follower>>"}
"""What stands behind an utterance, and tells whose it was. (The reference drops the speaker.)"""
_OVER = "<<stop>>"
_MARKS = (_PADDING, _UNKNOWN, *_ENDS.values(), _OVER)
END = _MARKS.index(_OVER)
"""The word that ends a dialogue; alone, it is a dialogue in which nothing was said."""
_WORD = re.compile(r"[a-z]+|\d+|[^\w\s]")


def words_of(text: str) -> list[str]:
    """The words, numbers and signs of a text, lower case."""
    return _WORD.findall(text.lower())


def object_class(object_id: str) -> str:
    """The class of what was clicked on: its type, slices by themselves, a basin as its sink or bathtub."""
    return type_from_id(object_id).removesuffix("Basin")


@dataclass(frozen=True)
class Vocabulary:
    """Words and classes by number. `kept` is how many words of a dialogue are read, the last ones.

    Raises `InputError` for lists that are no vocabulary.
    """

    words: tuple[str, ...]
    objects: tuple[str, ...]
    kept: int = 320

    def __post_init__(self) -> None:
        if self.words[: len(_MARKS)] != _MARKS or len(set(self.words)) != len(self.words):
            raise InputError("vocabulary, words", f"must begin with {_MARKS} and name no word twice")
        if not self.objects or len(set(self.objects)) != len(self.objects):
            raise InputError("vocabulary, objects", "must name at least one class, and none twice")
        if self.kept < 1:
            raise InputError("vocabulary, kept", "must be at least 1", value=self.kept)

    @classmethod
    def of(cls, texts: Iterable[str], objects: Iterable[str], *, fewest: int = 2, kept: int = 320) -> Vocabulary:
        """Every word that is used `fewest` times or more, the frequent ones first, and every class."""
        counts = Counter(word for text in texts for word in words_of(text))
        known = sorted((word for word, count in counts.items() if count >= fewest), key=lambda one: (-counts[one], one))
        return cls((*_MARKS, *known), tuple(sorted(set(objects))), kept)

    @classmethod
    def from_json(cls, told: JsonMapping) -> Vocabulary:
        """The vocabulary that a JSON object tells. Raises `InputError`."""
        try:
            return cls(tuple(told["words"]), tuple(told["objects"]), int(told["kept"]))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("vocabulary", f"cannot be read: {type(error).__name__}: {error}") from error

    def to_json(self) -> JsonObject:
        """The same as JSON."""
        return {"words": list(self.words), "objects": list(self.objects), "kept": self.kept}

    @cached_property
    def object_number(self) -> Mapping[str, int]:
        """Classes by name."""
        return {name: number for number, name in enumerate(self.objects)}

    @cached_property
    def _word_number(self) -> Mapping[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def read(self, said: Said) -> list[int]:
        """A dialogue as the numbers of its words, at least one: utterance, whose it was, ..., end."""
        known, unknown = self._word_number, _MARKS.index(_UNKNOWN)
        numbers = [
            known.get(word, unknown) for speaker, text in said for word in (*words_of(text), _ENDS[Role(speaker)])
        ]
        return [*numbers, END][-self.kept :]


def padded(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Rows of one length, filled up with padding (0) at their ends."""
    longest = max(map(len, rows))
    return [[*row, *([_MARKS.index(_PADDING)] * (longest - len(row)))] for row in rows]
