"""One SPEC names any text encoder."""

from __future__ import annotations

from teach_agents.core.registry import Registry
from teach_agents.kinds import TEXT_ENCODER
from teach_agents.models.loading import named
from teach_agents.models.text.contract import TextEncoder


def load_text_encoder(
    spec: str | TextEncoder, *, allow_import: bool = False, registry: Registry | None = None
) -> TextEncoder:
    """The encoder that a SPEC names, called so in results; an encoder is given back as it is.

    `hashed` needs no weights; `minilm` is all-MiniLM-L6-v2, once `teach-agents models get minilm` has fetched it;
    `hf:FOLDER-or-id` is any encoder of transformers; others are what plugins register. Weights are loaded when first
    needed. Raises `SpecError`, `MissingExtraError` and, for weights that are not there, `ModelMissingError`.
    """
    return spec if isinstance(spec, TextEncoder) else named(TEXT_ENCODER, spec, allow_import, registry)
