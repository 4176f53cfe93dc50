"""Weights by which the hybrid reader tells how likely each way to read an utterance is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from teach_agents.learning.reading.calibration import fitted
from teach_agents.understanding.hybrid_reader import HybridReader, weighed
from teach_agents.understanding.matching import same
from teach_agents.understanding.reading_options import HEADS, MODEL, Option, fitted_weights, told
from teach_agents.understanding.requests import Request
from teach_agents.understanding.small_lm.reader import SmallModelReader

_Judged = list[tuple[dict[str, float], bool]]


def fit(
    requests: Sequence[Request], reader: HybridReader, model: SmallModelReader | None, tell: Callable[[str], None]
) -> dict[str, Mapping[str, float]]:
    """The weights, from requests that neither heads nor the model were trained on: of what the `model` weighs, or,
    without one, of what heads do. The package's stay for the other.
    """
    judged: _Judged = []
    for number, request in enumerate(requests):
        text, recent = request.text, request.before
        options = reader.options(text, recent, reader.quick.certain(text, recent))
        judged += _judged(options if model is None else weighed(options, model, text, recent), request)
        if number % 100 == 0:
            tell(f"weighed {number} of {len(requests)} requests")
    return {**fitted_weights(), HEADS if model is None else MODEL: fitted(judged)}


def write(weights: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """Write the weights as the package has them."""
    path.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf8")


def _judged(options: Sequence[Option], request: Request) -> _Judged:
    words = len(request.text.split())
    return [(told(one, options, words), same(one.acts, request.meaning)) for one in options]
