"""The adapters that come with the package: what makes SmolLM2 decide as a Commander or a Follower should."""

from __future__ import annotations

from pathlib import Path

from teach_agents.actions import Role
from teach_agents.errors import ModelMissingError, SpecError
from teach_agents.models.local.model import TransformersModel
from teach_agents.models.local.smollm2 import smollm2

_FOLDER = Path(__file__).parent / "adapters"
"""A folder for each role: what `teach-agents train` writes there, without the checkpoint."""


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
