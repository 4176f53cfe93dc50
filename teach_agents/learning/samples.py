"""Demonstrations as what a model reads and answers, and which of them are held out."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from teach_agents.actions import Role
from teach_agents.arrays import IntArray
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration, digest, read_demonstrations
from teach_agents.learning.gathering import DEMONSTRATIONS
from teach_agents.learning.packing import Sample
from teach_agents.models.constraints import Choices
from teach_agents.models.local.grammar import Matcher
from teach_agents.models.local.rendering import rendered, tokens_of
from teach_agents.models.local.scoring import endings
from teach_agents.models.local.weights import Weights
from teach_agents.models.prompts import Prompt, Settings

OBJECTIVES = ("answer", "choice")
"""What is made likely: the right answer among all texts, or among the candidates, as constrained generation has it."""
_SHARES = 10_000
_PLAYED_AGAIN = re.compile(r"^self-play-\d+-\d+-(?=.)")
"""What self-play puts before the name of the session that it began as."""
_PATIENCE_S = 3600.0
_BEYOND = 16
"""Tokens that an answer may have beyond the characters of the longest choice, as in `agents.lm.deciding`."""


@dataclass(frozen=True, slots=True)
class Data:
    """The demonstrations of one role: those to learn from, those held out, and the files they are from, as JSON.

    `forced` counts those left out because nothing else was offered: at run time no model is asked there; `repeated`
    those left out because their answer would be most of what is learnt (`balanced`).
    """

    learnt: tuple[Demonstration, ...]
    held_out: tuple[Demonstration, ...]
    files: tuple[JsonObject, ...]
    forced: int
    repeated: int


def read_data(paths: Sequence[Path], role: Role, held_out: float, most: float = 1.0) -> Data:
    """The demonstrations of a role in files, or in folders that were gathered (`gathering`).

    A share of all sessions, `held_out`, by their ids alone, is kept apart, with all their decisions; of the others no
    answer makes up more than a share `most` of its kind. Raises `InputError` for a file that holds no
    demonstrations, and where none of the role is left to learn from.
    """
    learnt: list[Demonstration] = []
    kept: list[Demonstration] = []
    files: list[JsonObject] = []
    forced = 0
    for path in (one / DEMONSTRATIONS if one.is_dir() else one for one in paths):
        mine = [one for one in read_demonstrations(path) if one.role is role]
        open_ones = [one for one in mine if len(set(one.choices)) > 1]
        forced += len(mine) - len(open_ones)
        for one in open_ones:
            (kept if is_held_out(one.session, held_out) else learnt).append(one)
        files.append(
            {
                "file": "/".join(path.parts[-2:]) if path.parent.name else path.name,
                "sha256": digest(path),
                "sessions": len({one.session for one in open_ones}),
                "decisions": len(open_ones),
            }
        )
    if not learnt:
        raise InputError("--data", f"hold no decision of a {role} to learn from", value=", ".join(map(str, paths)))
    even = balanced(learnt, most)
    return Data(tuple(even), tuple(kept), tuple(files), forced, len(learnt) - len(even))


def balanced(demonstrations: Sequence[Demonstration], most: float) -> list[Demonstration]:
    """Decisions of which no answer makes up more than a share `most` of its kind; those left out are drawn by hash.

    People's stretches of EDH's form end in `stop` every time, and a Commander mostly checks the progress: what is
    learnt from that is to do so always. Answers that are rarer stay whole.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in demonstrations:
        counts[one.kind][one.choice] += 1
    ceilings = {kind: _ceiling(of_kind.values(), most) for kind, of_kind in counts.items()}
    return [
        one
        for number, one in enumerate(demonstrations)
        if _lot(f"{one.session} {number}") < ceilings[one.kind] / counts[one.kind][one.choice] * _SHARES
    ]


def _ceiling(counts: Iterable[int], most: float) -> float:
    """How many of an answer may stay, so that none is more than a share `most` of all that stays, if that can be."""
    often = sorted(counts, reverse=True)
    for above in range(len(often)):
        ceiling = sum(often[above:]) * most / (1 - above * most)
        if often[above] <= ceiling:
            return ceiling
        if (above + 1) * most >= 1:
            break
    return math.inf


def is_held_out(session: str, share: float) -> bool:
    """Whether a session is among a share of all: the same ones whatever else there is, and more of them for more.

    Self-play that began as a recorded session did goes with that one.
    """
    return _lot(_PLAYED_AGAIN.sub("", session)) < share * _SHARES


def _lot(name: str) -> int:
    """A number below `_SHARES` that only the name decides."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") % _SHARES


def prompt_of(one: Demonstration) -> Prompt:
    """The prompt as a `Decider` asks it of a model that is held to the choices."""
    options = list(dict.fromkeys(one.choices))
    settings = Settings(max_tokens=max(map(len, options)) + _BEYOND, timeout_s=_PATIENCE_S)
    return Prompt.of(one.user, Choices(options), settings, system=one.system)


def samples_of(
    weights: Weights, demonstrations: Iterable[Demonstration], objective: str = OBJECTIVES[0]
) -> list[Sample]:
    """Demonstrations as tokens: the prompt as it is rendered at run time, the answer as it is scored then.

    Raises `InputError` for one that is longer than the model reads.
    """
    made = []
    for one in demonstrations:
        asked = prompt_of(one)
        prompt = tokens_of(weights, rendered(weights, asked))
        (answer,) = endings(weights, [one.choice])
        allowed = _allowed(weights, asked, answer) if objective == "choice" else ()
        sample = Sample(one.session, tuple(prompt), tuple(answer), allowed)
        if len(sample.read) > weights.context:
            problem = f"a decision has {len(sample.read)} tokens; the model reads {weights.context}"
            raise InputError(f"session {one.session!r}", problem, value=one.user[:80])
        made.append(sample)
    return made


def _allowed(weights: Weights, prompt: Prompt, answer: Sequence[int]) -> tuple[IntArray, ...]:
    """The tokens that constrained generation compares for each of an answer; the answer's alone where it need not.

    That is where one candidate alone goes on like this (see `models.local.rows`), or nothing may follow.
    """
    assert prompt.answer is not None
    matcher, width = Matcher(weights, prompt.answer), len(weights.tokenizer)
    found: list[IntArray] = []
    is_open = True
    for at, token in enumerate(answer):
        said = weights.tokenizer.decode(answer[:at], skip_special_tokens=True, clean_up_tokenization_spaces=False)
        is_open = is_open and sum(one.startswith(said) for one in prompt.choices) > 1
        options = np.flatnonzero(matcher.allowed(width)) if is_open else np.array([token])
        found.append(np.union1d(options, [token]).astype(np.int64))
        is_open = is_open and not matcher.take(token)
    return tuple(found)
