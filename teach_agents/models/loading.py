"""One SPEC names any language model."""

from __future__ import annotations

from typing import Protocol, TypeVar

from teach_agents.core.plugins import Kind
from teach_agents.core.registry import Registry
from teach_agents.core.specs import build
from teach_agents.kinds import MODEL
from teach_agents.models.contract import LanguageModel


class _Named(Protocol):
    name: str


_NamedT = TypeVar("_NamedT", bound=_Named)


def named(kind: Kind[_NamedT], spec: str, allow_import: bool, registry: Registry | None) -> _NamedT:
    """What a SPEC names, called so in results as it was written. Raises what `build` raises."""
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
    return spec if isinstance(spec, LanguageModel) else named(MODEL, spec, allow_import, registry)
