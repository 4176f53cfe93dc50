"""How likely a reading is right, by which parts read it so and what a language model makes of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.understanding.noun_phrases import is_known

WEIGHTS = Path(__file__).parent / "option_weights.json"
"""Fitted by `scripts/train_reader.py`: without the model, `quick`, and with it, `with_model`."""
QUICK, WITH_MODEL = "quick", "with_model"
_FLOOR = -12.0
"""The least that a logarithm of a probability counts."""


class Option(NamedTuple):
    """One way in which an utterance may be read, and by which parts; `sure` is how sure the heads are of theirs,
    `likely` the logarithm of how likely the model writes it, where it was asked.
    """

    acts: Sequence[DialogueAct]
    by: frozenset[str]
    sure: float = 0.0
    likely: float | None = None


def told(option: Option, options: Sequence[Option], words: int) -> dict[str, float]:
    """What tells whether an option is right."""
    things = [slot.phrase for act in option.acts for one in (act, *act.of) for slot in one.slots]
    found = {
        "rules": float("rules" in option.by),
        "heads": float("heads" in option.by),
        "rules_and_heads": float({"rules", "heads"} <= option.by),
        "joined": float(option.by == {"joined"}),
        "sure": option.sure,
        "rivals": float(len(options) - 1),
        "length": math.log(max(1, words)),
        "acts": float(len(option.acts)),
        "unknown": float(sum(not is_known(thing) for thing in things)),
        "unclear": float(any(act.act is Act.UNCLEAR for act in option.acts)),
        "constant": 1.0,
    }
    if option.likely is not None:
        found |= {
            "model": float("model" in option.by),
            "model_and_other": float("model" in option.by and len(option.by) > 1),
            "likely": max(option.likely, _FLOOR),
            "probable": math.exp(max(option.likely, _FLOOR)),
        }
    return found


def chance(option: Option, options: Sequence[Option], words: int) -> float:
    """How likely an option is right."""
    weights = fitted_weights()[QUICK if option.likely is None else WITH_MODEL]
    score = sum(weights[name] * value for name, value in told(option, options, words).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def fitted_weights() -> Mapping[str, Mapping[str, float]]:
    """The weights that the package comes with."""
    read: Mapping[str, Mapping[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf8"))
    return read
