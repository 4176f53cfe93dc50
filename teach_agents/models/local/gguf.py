"""GGUF files as folders that transformers loads in a fraction of a second.

transformers reads GGUF itself, but in pure Python and anew each time (20 s for 135 million parameters), so a file is
converted once. Weights are kept in bfloat16.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

from teach_agents.errors import InputError, ModelError
from teach_agents.models.cache import cache_folder, made_once
from teach_agents.models.local.packages import quiet, torch, transformers

_MAGIC = b"GGUF"


def converted(file: Path, tell: Callable[[str], None] = lambda words: None) -> Path:
    """The folder of a GGUF file's conversion: made now if it is not there, while others that want it wait.

    The folder is named after the file, its size and its time, so that a changed file is converted anew.
    Raises `InputError` for what is no GGUF file, and `ModelError` where transformers cannot read it.
    """
    _check(file)
    state = file.stat()
    key = f"{file.resolve()} {state.st_size} {state.st_mtime_ns}"
    name = f"gguf-{file.stem}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    return made_once(cache_folder() / name, lambda folder: convert(file, folder, tell))


def _check(file: Path) -> None:
    if not file.is_file():
        raise InputError("gguf", "there is no such file", value=str(file))
    with file.open("rb") as opened:
        if opened.read(len(_MAGIC)) != _MAGIC:
            raise InputError("gguf", "is no GGUF file: it does not begin with 'GGUF'", value=str(file))


def convert(file: Path, folder: Path, tell: Callable[[str], None]) -> None:
    """Convert a GGUF file into a folder, telling in words what begins. Raises `ModelError` where it cannot be read."""
    tell(f"converting {file.name}, once; {file.stat().st_size / 1e6:.0f} MB, about a second per 5 MB")
    library = transformers()
    source = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    try:
        with quiet(), redirect_stderr(io.StringIO()):  # a bar of its own, which nothing else silences
            tokenizer = library.AutoTokenizer.from_pretrained(**source)
            model = library.AutoModelForCausalLM.from_pretrained(**source, dtype=torch().bfloat16)
            # A model that was read from GGUF refuses to be saved until it no longer remembers that.
            model.hf_quantizer = None
            if hasattr(model.config, "quantization_config"):
                del model.config.quantization_config
            tell("writing")
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
    except OSError:
        raise
    except Exception as error:
        raise ModelError(f"{file}: cannot be converted: {type(error).__name__}: {error}") from error
