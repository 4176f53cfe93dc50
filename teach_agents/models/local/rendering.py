"""Prompts as what a model reads: chat templates, tokens padded on the left, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from teach_agents.errors import ModelError
from teach_agents.models.local.packages import package
from teach_agents.models.local.weights import Weights
from teach_agents.models.prompts import ChatMessage, Prompt


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt, asked for no more tokens than the model has room for, as the text and the tokens that it is to it."""

    prompt: Prompt
    text: str
    tokens: list[int]


def rendered(weights: Weights, prompt: Prompt) -> str:
    """The text that a prompt is to this model: by its chat template, or the messages' texts where it has none.

    A template that knows no system message gets its text at the head of the first message by the user. Raises
    `ModelError` where the template takes no such chat.
    """
    if prompt.images and weights.processor is None:
        raise ModelError("the prompt holds images, and this model does not see")
    templates = weights.processor if weights.processor is not None else weights.tokenizer
    if not getattr(templates, "chat_template", None):
        return "\n\n".join(message.text for message in prompt.messages)
    messages = _merged(prompt.messages)
    refused = package("jinja2").TemplateError
    try:
        return _templated(weights, templates, messages)
    except refused as error:
        if messages[0].role != "system":
            raise ModelError(f"the model's chat template refuses the prompt: {error}") from error
    try:
        system, first, *rest = messages
        return _templated(weights, templates, [replace(first, text=f"{system.text}\n\n{first.text}"), *rest])
    except refused as error:
        raise ModelError(f"the model's chat template refuses the prompt: {error}") from error


def seeing(batch: Sequence[Rendered]) -> bool:
    """Whether prompts hold pictures, however the model's processor calls what it makes of them."""
    return any(one.prompt.images for one in batch)


def inputs(weights: Weights, batch: Sequence[Rendered]) -> Any:
    """Tensors of prompts, padded on the left, on the model's device: all with images or all without."""
    options = {"return_tensors": "pt", "padding": True, "padding_side": "left", **_cutting(weights)}
    texts = [one.text for one in batch]
    if seeing(batch):
        assert weights.processor is not None
        images = [[package("PIL.Image").fromarray(image) for image in one.prompt.images] for one in batch]
        made = weights.processor(text=texts, images=images, **options)
    else:
        made = weights.tokenizer(texts, **options)
        made.pop("token_type_ids", None)
    return made.to(weights.device)


def tokens_of(weights: Weights, text: str) -> list[int]:
    """The tokens of a rendered prompt without pictures."""
    tokens: list[int] = weights.tokenizer(text, **_cutting(weights))["input_ids"]
    return tokens


def _cutting(weights: Weights) -> dict[str, bool]:
    """A chat template has put the tokens that begin a text; without one the tokenizer does."""
    return {"add_special_tokens": not getattr(weights.processor or weights.tokenizer, "chat_template", None)}


def _templated(weights: Weights, templates: Any, messages: Sequence[ChatMessage]) -> str:
    seeing = weights.processor is not None
    chat = [{"role": one.role, "content": _parts(one) if seeing else one.text} for one in messages]
    ends = messages[-1].role == "user"
    options = {"add_generation_prompt": ends, "continue_final_message": not ends}
    return str(templates.apply_chat_template(chat, tokenize=False, **options))


def _parts(message: ChatMessage) -> list[dict[str, str]]:
    return [*({"type": "image"} for _ in message.images), {"type": "text", "text": message.text}]


def _merged(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Neighbours of one role as one message: many templates want the roles to alternate."""
    merged: list[ChatMessage] = []
    for message in messages:
        if merged and merged[-1].role == message.role:
            last = merged[-1]
            merged[-1] = replace(last, text=f"{last.text}\n\n{message.text}", images=last.images + message.images)
        else:
            merged.append(message)
    return merged
