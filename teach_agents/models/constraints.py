"""What an answer has to be, and reading an answer as that.

Reading is forgiving about wrapping (blanks, quotes, code fences, words around JSON) and strict about content. Whatever
a model says, reading it ends in a value or in `ModelReplyError`.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError, ModelReplyError
from teach_agents.models.json_schema import check_schema, misfit

_LONGEST = 100_000
"""Characters; a longer answer is not looked into."""
_STARTS = 16
"""Places in an answer where JSON may begin that are tried."""
_SHOWN = 80


class Constraint(ABC):
    """What an answer has to be."""

    schema: JsonMapping | None = None
    """A JSON Schema of an object that says the same, for models that know no other constraint; `None` if none."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """The value of an answer. Raises `ModelReplyError` saying what is wrong, in words that a model may be told."""


class Choices(Constraint):
    """One of these texts. Raises `InputError` for none, an empty one, or two that are the same."""

    def __init__(self, options: Sequence[str]) -> None:
        if isinstance(options, str):
            raise InputError("choices", "must be a list of texts", value=options)
        self.options = tuple(options)
        wrong = [one for one in self.options if not isinstance(one, str) or not one.strip()]
        if not self.options or wrong or len(set(self.options)) < len(self.options):
            raise InputError("choices", "must be different texts, at least one", value=list(self.options))
        self.schema: JsonMapping = {
            "type": "object",
            "properties": {"choice": {"type": "string", "enum": list(self.options)}},
            "required": ["choice"],
            "additionalProperties": False,
        }

    def read(self, text: str) -> str:
        """The choice that the text is, but for case, blanks, quotes and a full stop, or that its JSON gives."""
        if text in self.options:
            return text
        said = _plain(text)
        found = [one for one in self.options if _plain(one) == said]
        if len(found) == 1:
            return found[0]
        if len(text) <= _LONGEST and '"choice"' in text:
            return str(Schema(self.schema).read(text)["choice"])
        _misread("is none of the choices", text)


class Schema(Constraint):
    """JSON that fits a JSON Schema. Raises `InputError` for a schema that says what cannot be checked."""

    def __init__(self, schema: JsonMapping) -> None:
        check_schema(schema)
        self.schema: JsonMapping = schema

    def read(self, text: str) -> Any:
        """The first JSON in the text that fits."""
        problems = []
        for value in _jsons(text):
            wrong = misfit(value, self.schema)
            if wrong is None:
                return value
            problems.append(wrong)
        _misread(f"does not fit: {problems[0]}" if problems else "holds no JSON", text)


class Regex(Constraint):
    """Text that a regular expression matches from end to end: one that Python's `re` (ASCII) and llguidance know."""

    def __init__(self, pattern: str) -> None:
        try:
            self._compiled = re.compile(pattern, re.ASCII)
        except re.error as error:
            raise InputError("regex", f"is no regular expression ({error})", value=pattern) from error
        self.pattern = pattern

    def read(self, text: str) -> str:
        """The text without blanks around it, if it matches."""
        for said in (text, text.strip()):
            if len(said) <= _LONGEST and self._compiled.fullmatch(said):
                return said
        _misread(f"does not match {self.pattern}", text)


def _plain(text: str) -> str:
    return " ".join(text[:_LONGEST].strip(" \t\r\n\"'`*.").casefold().split())


def _misread(problem: str, text: str) -> NoReturn:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    raise ModelReplyError(f"the answer {problem}: {shown!r}")


def _jsons(text: str) -> Iterator[Any]:
    """Every JSON value that the text is or holds, not those inside others, from a few places on at most."""
    if len(text) > _LONGEST:
        return
    end = 0
    starts = [len(text) - len(text.lstrip()), *(found.start() for found in re.finditer(r"[{\[]", text))]
    for start in starts[:_STARTS]:
        if start >= end:
            found, end = _json(text, start)
            yield from found


def _json(text: str, start: int) -> tuple[list[Any], int]:
    """The JSON value that begins there, in a list of one, and where it ends; an empty list where there is none."""
    try:
        value, end = _DECODER.raw_decode(text, start)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # lone surrogates are no text, 1e999 no number
    except (ValueError, RecursionError):
        return [], start
    return [value], end


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
