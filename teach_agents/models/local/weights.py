"""A model's weights, tokenizer and processor, in memory once per process."""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from teach_agents.errors import InputError, ModelError, ModelMissingError, TeachAgentsError
from teach_agents.models.local.packages import check_installed, loaded_once, package, quiet, torch, transformers
from teach_agents.models.local.prefixes import Prefixes

_SMALL = 2**30
"""Bytes of a checkpoint that may take twice as much in memory."""
_TURN_S = 0.0005
"""How long other threads may keep the interpreter, which a model needs again after each of its operations, thousands a
second: with Python's own 5 ms it takes several times as long as soon as sessions beside it compute, too."""
_HUB_ID = re.compile(r"\w[\w.-]*(/[\w.-]+)?")
_VALUES, _DIGITS = 16, 12
"""How many values of each tensor a fingerprint is of: all of them would be to read the model again; and its length."""
DTYPES = ("auto", "bfloat16", "float16", "float32")

_Assembled = TypeVar("_Assembled")


@dataclass(frozen=True, slots=True)
class Source:
    """Where weights come from and how they are held: `path` is a folder or a hub id, so is `adapter` (LoRA) if any.

    Device `auto` is the first of CUDA, MPS and CPU. Dtype `auto` is the checkpoint's own on an accelerator; on a CPU
    bfloat16 where the processor computes in it and the checkpoint holds it, else float32, and float32 for a small one
    where the processor has no matrix units, since it reads prompts faster so. Raises `InputError`, `MissingExtraError`,
    and `ModelMissingError` for a path that is no folder and cannot be a hub id.
    """

    path: str
    adapter: str = ""
    dtype: str = "auto"
    device: str = "auto"

    def __post_init__(self) -> None:
        """Refuse what would fail whenever the weights are needed."""
        if self.dtype not in DTYPES:
            raise InputError("model dtype", "is not one of ours", value=self.dtype, valid=DTYPES)
        check_installed()
        if not _HUB_ID.fullmatch(self.path) and not Path(self.path).is_dir():
            raise ModelMissingError(f"{self.path}: there is no such folder")


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A loaded model; `processor` is there when it sees. The lock is held while it computes, or its prefixes change."""

    model: Any
    tokenizer: Any
    processor: Any | None
    lock: threading.RLock = field(default_factory=threading.RLock)
    prefixes: Prefixes = field(default_factory=Prefixes)

    @property
    def device(self) -> Any:
        """The torch device that it is on."""
        return self.model.device

    @property
    def context(self) -> int:
        """Tokens that it was made to read at most."""
        config = self.model.config.get_text_config()
        stated = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
        return int(stated or 1 << 20)

    def takes(self, name: str) -> bool:
        """Whether a pass of the model takes this argument."""
        return name in inspect.signature(self.model.forward).parameters

    @property
    def cache_name(self) -> str:
        """The argument and the part of the output in which it keeps keys and values; empty where it keeps none.

        It is `cache` since transformers 5.24, where models that keep states (Mamba) have it too.
        """
        if self.takes("past_key_values"):
            return "past_key_values"
        return "cache" if self.takes("cache") and not self.model._is_stateful else ""

    @property
    def ends(self) -> tuple[int, ...]:
        """The tokens that end an answer; the tokenizer's comes first."""
        stated = getattr(self.model.generation_config, "eos_token_id", None)
        listed = stated if isinstance(stated, list) else [stated]
        return tuple(dict.fromkeys(one for one in (self.tokenizer.eos_token_id, *listed) if one is not None))


def load_weights(source: Source) -> Weights:
    """The weights of a source, loaded the first time.

    Raises `ModelMissingError` where there are none (without a network or with HF_HUB_OFFLINE=1: none in the hub's
    cache), and `ModelError` for what transformers cannot load.
    """
    sys.setswitchinterval(min(sys.getswitchinterval(), _TURN_S))
    return _loaded(source)


def read_weights(source: Source) -> Weights:
    """The weights of a source, read anew: for whoever changes them. Raises what `load_weights` raises."""
    hint = ". Small real weights without a hub: teach-agents models get smollm2"
    return assembled(source.path, lambda config: _assembled(source, config), hint)


_loaded = loaded_once(read_weights)


def assembled(path: str, assemble: Callable[[Any], _Assembled], hint: str = "") -> _Assembled:
    """What is made of the configuration at a path.

    Raises `ModelMissingError` where there is none, and `ModelError` for what cannot be made of it.
    """
    with quiet():
        try:
            config = transformers().AutoConfig.from_pretrained(path)
        except (OSError, ValueError) as error:
            why = _first_line(error)
            if Path(path).is_dir():
                raise ModelMissingError(f"{path}: holds no model that transformers can read: {why}") from error
            alone = package("huggingface_hub").constants.HF_HUB_OFFLINE
            offline = " (HF_HUB_OFFLINE forbids to ask the hub)" if alone else ""
            problem = f"{path}: neither a folder nor a model in the hub's cache{offline}: {why}{hint}"
            raise ModelMissingError(problem) from error
        try:
            return assemble(config)
        except TeachAgentsError:
            raise
        except (OSError, ValueError, ImportError, RuntimeError, KeyError, AttributeError) as error:
            raise ModelError(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _assembled(source: Source, config: Any) -> Weights:
    library = transformers()
    processor = _processor(source.path, config)
    tokenizer = processor.tokenizer if processor else library.AutoTokenizer.from_pretrained(source.path)
    family = library.AutoModelForImageTextToText if processor else library.AutoModelForCausalLM
    device = device_of(source.device)
    dtype = dtype_of(source.dtype, device, config)
    if source.dtype == "auto" and dtype == torch().bfloat16 and _is_faster_in_full(source.path):
        dtype = torch().float32
    model = family.from_pretrained(source.path, dtype=dtype)
    if source.adapter:
        model = _adapted(model, source.adapter)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    if tokenizer.pad_token_id is None:
        raise ModelError(f"{source.path}: its tokenizer has neither a padding token nor one that ends a text")
    tokenizer.padding_side = "left"
    return Weights(model.to(device).eval(), tokenizer, processor)


def _processor(path: str, config: Any) -> Any | None:
    """The processor of a model that takes images and text and answers in text; `None` for any other."""
    seeing: Mapping[type, object] = transformers().AutoModelForImageTextToText._model_mapping
    if type(config) not in seeing:
        return None
    processor = transformers().AutoProcessor.from_pretrained(path)
    return processor if hasattr(processor, "image_processor") else None


def device_of(wanted: str) -> Any:
    """The torch device that `Source.device` means. Raises `InputError`."""
    library = torch()
    if wanted == "auto":
        slower = "mps" if library.backends.mps.is_available() else "cpu"
        wanted = "cuda" if library.cuda.is_available() else slower
    try:
        return library.device(wanted)
    except RuntimeError as error:
        raise InputError("model device", f"torch knows none of this name ({error})", value=wanted) from error


def dtype_of(wanted: str, device: Any, config: Any) -> Any:
    """The torch type that `Source.dtype` means for a checkpoint on a device."""
    library = torch()
    if wanted != "auto":
        return getattr(library, wanted)
    if device.type != "cpu":
        return "auto"
    held = getattr(config, "dtype", None) or getattr(config.get_text_config(), "dtype", None)
    fast = library.ops.mkldnn._is_mkldnn_bf16_supported()
    return library.bfloat16 if held == library.bfloat16 and fast else library.float32


def _is_faster_in_full(path: str) -> bool:
    """Whether a CPU computes a checkpoint of bfloat16 faster in float32, and that does not take much memory."""
    size = sum(one.stat().st_size for one in Path(path).glob("*.safetensors"))
    return 0 < size < _SMALL and not torch().cpu.get_capabilities().get("amx_bf16", False)


def _adapted(model: Any, adapter: str) -> Any:
    """The model with a LoRA adapter merged into its weights, so that it costs nothing when used."""
    refused = (OSError, ValueError, KeyError, RuntimeError, package("safetensors").SafetensorError)
    try:
        return package("peft").PeftModel.from_pretrained(model, adapter).merge_and_unload()
    except refused as error:
        raise ModelMissingError(f"{adapter}: no adapter that fits this model: {_first_line(error)}") from error


@lru_cache(maxsize=16)
def fingerprint(weights: Weights) -> str:
    """12 hexadecimal digits of the names, shapes and first values of all tensors, adapters merged."""
    found = hashlib.sha256()
    for name, tensor in sorted(weights.model.state_dict().items()):
        values = tensor.flatten()[:_VALUES].detach().float().cpu().tolist()
        found.update(f"{name} {tuple(tensor.shape)} {values}\n".encode())
    return found.hexdigest()[:_DIGITS]
