"""How likely a reading is right, by which parts read it so and what a language model makes of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from teach_agents.core.dialogue import COURTESIES, Act, DialogueAct
from teach_agents.understanding.noun_phrases import is_known

WEIGHTS = Path(__file__).parent / "option_weights.json"
"""Fitted by `scripts/train_reader.py`: of what heads were asked, and of what the model was, too."""
HEADS, MODEL = "heads", "model"
FLOOR = -12.0
"""The least that a logarithm of a probability counts."""


class Option(NamedTuple):
    """One way in which an utterance may be read, and by which parts; the logarithms of how likely the heads write it,
    `written`, and the model, `likely`, where it was asked.
    """

    acts: Sequence[DialogueAct]
    by: frozenset[str]
    written: float
    likely: float | None = None


def told(option: Option, options: Sequence[Option], words: int) -> dict[str, float]:
    """What tells whether an option is right."""
    things = [slot.phrase for act in option.acts for one in (act, *act.of) for slot in one.slots]
    rest = max((other.written for other in options if other is not option), default=remaining(option.written))
    found = {
        "rules": float("rules" in option.by),
        "phrasebook": float("phrasebook" in option.by),
        "heads": float("heads" in option.by),
        "rules_and_heads": float({"rules", "heads"} <= option.by),
        "written": max(option.written, FLOOR),
        "probable": math.exp(max(option.written, FLOOR)),
        "lead": max(FLOOR, min(-FLOOR, option.written - rest)),
        "length": math.log(max(1, words)),
        "acts": float(len(option.acts)),
        "unknown": float(sum(not is_known(thing) for thing in things)),
        "unclear": float(any(act.act is Act.UNCLEAR for act in option.acts)),
        "polite": float(any(act.act in COURTESIES for act in option.acts)),
        "constant": 1.0,
    }
    if option.likely is not None:
        found |= {
            "model": float("model" in option.by),
            "model_and_other": float("model" in option.by and len(option.by) > 1),
            "model_written": max(option.likely, FLOOR),
            "model_probable": math.exp(max(option.likely, FLOOR)),
        }
    return found


def remaining(likely: float) -> float:
    """The logarithm of how likely all else is than what is so likely (a logarithm itself), `FLOOR` at least."""
    return max(FLOOR, math.log(max(-math.expm1(min(likely, 0.0)), math.exp(FLOOR))))


def chance(option: Option, options: Sequence[Option], words: int) -> float:
    """How likely an option is right."""
    weights = fitted_weights()[asked(option)]
    return logistic(sum(weights[name] * value for name, value in told(option, options, words).items()))


def logistic(score: float) -> float:
    """A score as a probability."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def asked(option: Option) -> str:
    """Which weights count for an option: by who was asked last."""
    return HEADS if option.likely is None else MODEL


@cache
def fitted_weights() -> Mapping[str, Mapping[str, float]]:
    """The weights that the package comes with."""
    read: Mapping[str, Mapping[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf8"))
    return read
