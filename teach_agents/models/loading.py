"""One SPEC names any language model, encoder, detector or estimator of depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from teach_agents.core.plugins import Kind
from teach_agents.core.registry import Registry
from teach_agents.core.specs import build
from teach_agents.kinds import DEPTH_ESTIMATOR, DETECTOR, MODEL, TEXT_ENCODER, VISION_ENCODER

if TYPE_CHECKING:
    from teach_agents.models.contract import LanguageModel
    from teach_agents.models.text.contract import TextEncoder
    from teach_agents.models.vision.contract import VisionEncoder
    from teach_agents.models.vision.depth import DepthEstimator
    from teach_agents.models.vision.detection import Detector


class _Named(Protocol):
    name: str


_NamedT = TypeVar("_NamedT", bound=_Named)


def _named(kind: Kind[_NamedT], spec: str | _NamedT, allow_import: bool, registry: Registry | None) -> _NamedT:
    """What a SPEC names, called so in results as it was written; what is none is given back as it is."""
    if not isinstance(spec, str):
        return spec
    made = build(kind, spec, allow_import=allow_import, registry=registry)
    made.name = spec.strip()
    return made


def load_model(
    spec: str | LanguageModel, *, allow_import: bool = False, registry: Registry | None = None
) -> LanguageModel:
    """The model that a SPEC names, called so in results; a model is given back as it is.

    | SPEC | model |
    |---|---|
    | `hf:FOLDER-or-id` | transformers, from a folder or the hub's cache |
    | `gguf:FILE` | a GGUF file, converted once |
    | `smollm2` | SmolLM2-135M-Instruct, once `teach-agents models get smollm2` has fetched it |
    | `langchain:openai:gpt-5` | what LangChain's `init_chat_model` makes of it |
    | `http://host:8000/v1#model` | a server that speaks OpenAI's chat completions |
    | `scripted:yes\\|no` | answers from a list |
    | any other | what plugins register |

    Parameters follow after a comma: `hf:FOLDER,adapter=FOLDER,dtype=float32`. Weights are loaded when first needed, and
    once per process. Raises `SpecError`, `MissingExtraError` and, for weights that are not there, `ModelMissingError`.
    """
    return _named(MODEL, spec, allow_import, registry)


def load_text_encoder(
    spec: str | TextEncoder, *, allow_import: bool = False, registry: Registry | None = None
) -> TextEncoder:
    """The encoder that a SPEC names, called so in results; an encoder is given back as it is.

    `hashed` needs no weights; `minilm` is all-MiniLM-L6-v2, once `teach-agents models get minilm` has fetched it;
    `hf:FOLDER-or-id` is any encoder of transformers; others are what plugins register. Weights are loaded when first
    needed. Raises `SpecError`, `MissingExtraError` and, for weights that are not there, `ModelMissingError`.
    """
    return _named(TEXT_ENCODER, spec, allow_import, registry)


def load_vision_encoder(
    spec: str | VisionEncoder, *, allow_import: bool = False, registry: Registry | None = None
) -> VisionEncoder:
    """The encoder that a SPEC names, called so in results: `hf:FOLDER-or-id`, `efficientnet-lite0`, plugins' names.

    An encoder is given back as it is. Weights are loaded when first needed. Raises `SpecError`, `MissingExtraError`
    and, for weights that are not there, `ModelMissingError`.
    """
    return _named(VISION_ENCODER, spec, allow_import, registry)


def load_detector(spec: str | Detector, *, allow_import: bool = False, registry: Registry | None = None) -> Detector:
    """The detector that a SPEC names: `household`, `hf:FOLDER-or-id`, plugins' names.

    Raises as `load_vision_encoder`.
    """
    return _named(DETECTOR, spec, allow_import, registry)


def load_depth_estimator(
    spec: str | DepthEstimator, *, allow_import: bool = False, registry: Registry | None = None
) -> DepthEstimator:
    """The estimator that a SPEC names: `household`, `floor`, `hf:FOLDER-or-id`, plugins' names.

    Raises as the others.
    """
    return _named(DEPTH_ESTIMATOR, spec, allow_import, registry)
