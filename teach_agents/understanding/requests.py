"""The corpus of requests: what people say to a Follower, each with its meaning; written for this project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from teach_agents.core.dialogue import DialogueAct
from teach_agents.core.errors import InputError
from teach_agents.understanding.english.phrasebook import NUMBERS, phrasebook
from teach_agents.understanding.notation import read_meaning

CORPUS = Path(__file__).parent / "corpus"
KINDS = frozenset(
    """plain polite typos steps places references questions control impossible facts social other_language""".split()
)
_MEANING = frozenset({"case", "turn", "text", "before", "meaning"})
"""Keys of an utterance of a case."""
_COURTESIES = ("thank you", "could you", "can you", "would you", "will you") + tuple(
    "please pls plz hey hi hello thanks robot kindly ok okay now just".split()
)


@dataclass(frozen=True, slots=True)
class Request:
    """One utterance: its text, kind and meaning, and what was said and done `before`, oldest first.

    Lines of `before` begin with "person: ", "robot: " or "did: " (an act of the notation).
    """

    text: str
    kind: str
    meaning: tuple[DialogueAct, ...]
    before: tuple[str, ...] = ()


def read_requests(path: Path) -> Iterator[Request]:
    """The requests of a file of JSON lines. Raises `InputError` with the line of one that cannot be read."""
    for number, line in enumerate(path.read_text(encoding="utf8").splitlines(), 1):
        where = f"{path.name}, line {number}"
        try:
            told = json.loads(line)
            kind, before = str(told["kind"]), tuple(map(str, told.get("before", ())))
            request = Request(str(told["text"]), kind, read_meaning(told["meaning"]), before)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(where, f"is no request: {error}") from error
        if kind not in KINDS:
            raise InputError(where, "no such kind", value=kind, valid=sorted(KINDS))
        yield request


def read_meanings(path: Path) -> Iterator[Request]:
    """The utterances of cases of the benchmark `requests`, each with its meaning, of a file of JSON lines or all of a
    folder (`*.jsonl`).

    A line's kind is what its case is called before the last "-". Raises `InputError` for a line that cannot be read.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise InputError(str(path), "holds no .jsonl files")
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf8").splitlines(), 1):
            if line.strip():
                yield _meaning(f"{file.name}, line {number}", line)


def _meaning(where: str, line: str) -> Request:
    try:
        told = json.loads(line)
        if told.keys() - _MEANING:
            raise InputError(where, "unknown keys", value=sorted(told.keys() - _MEANING), valid=sorted(_MEANING))
        before = tuple(map(str, told.get("before") or ()))
        return Request(str(told["text"]), str(told["case"]).rsplit("-", 1)[0], read_meaning(told["meaning"]), before)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(where, f"is no utterance with its meaning: {error}") from error


@cache
def corpus() -> tuple[Request, ...]:
    """All requests of the project. Raises `InputError` in an installed package: they are in the repository alone."""
    return _requests("*.jsonl")


@cache
def first_corpus() -> tuple[Request, ...]:
    """Those that the rules were written with: files `a` to `k`. Raises `InputError` as `corpus` does."""
    return _requests("[a-k].jsonl")


def _requests(files: str) -> tuple[Request, ...]:
    paths = sorted(CORPUS.glob(files))
    if not paths:
        raise InputError("corpus", "is in the project's repository, not in installed packages", value=str(CORPUS))
    return tuple(request for path in paths for request in read_requests(path))


def masked(text: str) -> str:
    """What is left of a text without nouns, numbers and courtesies: requests that share it differ in these alone."""
    plain = " ".join(re.findall(r"[^\W_]+(?:'[^\W_]+)?", text.lower()))
    plain = _courtesies().sub(" ", plain)
    return " ".join(_numbers().sub("#", _nouns().sub("N", plain)).split())


@cache
def _nouns() -> re.Pattern[str]:
    book = phrasebook()
    named = {form for forms in (*book.nouns.values(), *book.synonyms.values()) for form in forms}
    words = sorted((re.escape(one.lower()) for one in named), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(words)})(?:s|es)?\b")


@cache
def _numbers() -> re.Pattern[str]:
    return re.compile(rf"\b(?:\d+|{'|'.join(NUMBERS)})\b")


@cache
def _courtesies() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_COURTESIES)})\b")
