"""Weights by which the hybrid reader tells how likely each way to read an utterance is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from teach_agents.learning.reading.calibration import fitted
from teach_agents.understanding.ensemble_reader import EnsembleReader, weighed
from teach_agents.understanding.matching import same
from teach_agents.understanding.reading_options import QUICK, WITH_MODEL, Option, told
from teach_agents.understanding.requests import Request
from teach_agents.understanding.small_lm.reader import SmallModelReader

_Judged = list[tuple[dict[str, float], bool]]


def fit(
    requests: Sequence[Request], reader: EnsembleReader, model: SmallModelReader, tell: Callable[[str], None]
) -> dict[str, dict[str, float]]:
    """The weights, from requests that neither heads nor the model were trained on."""
    quick: _Judged = []
    asked: _Judged = []
    for number, request in enumerate(requests):
        text, recent = request.text, request.before
        options = reader.options(text, recent, reader.quick.read(text, recent))
        quick += _judged(options, request)
        asked += _judged(weighed(options, model, text, recent), request)
        if number % 50 == 0:
            tell(f"weighed {number} of {len(requests)} requests")
    return {QUICK: fitted(quick), WITH_MODEL: fitted(asked)}


def write(weights: dict[str, dict[str, float]], path: Path) -> None:
    """Write the weights as the package has them."""
    path.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf8")


def _judged(options: Sequence[Option], request: Request) -> _Judged:
    words = len(request.text.split())
    return [(told(one, options, words), same(one.acts, request.meaning)) for one in options]
