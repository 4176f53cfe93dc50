"""Messages of LangChain as messages that any model reads."""

from __future__ import annotations

import base64
import binascii
import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from teach_agents.errors import InputError
from teach_agents.models.prompts import ChatMessage

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray


def chat_messages(messages: Sequence[BaseMessage]) -> tuple[ChatMessage, ...]:
    """The messages, in order; calls of tools and their results are JSON.

    Raises `InputError` for what no model here reads: pictures behind addresses, sound, documents.
    """
    return tuple(_message(one) for one in messages)


def _message(message: BaseMessage) -> ChatMessage:
    if isinstance(message, ToolMessage):
        result = {"tool": message.name or message.tool_call_id, "status": message.status, "result": str(message.text)}
        return ChatMessage("user", json.dumps(result), _images(message))
    role = "system" if isinstance(message, SystemMessage) else "assistant" if isinstance(message, AIMessage) else "user"
    parts = [str(message.text)] if message.text else []
    if isinstance(message, AIMessage):
        parts += [json.dumps({"name": call["name"], "arguments": call["args"]}) for call in message.tool_calls]
    images = _images(message) if isinstance(message, HumanMessage) else ()
    return ChatMessage(role, "\n".join(parts), images)


def _images(message: BaseMessage) -> tuple[ByteArray, ...]:
    if isinstance(message.content, str):
        return ()
    found = []
    for block in message.content_blocks:
        kind = str(block["type"])
        if kind == "image":
            found.append(_image(block))
        elif kind in ("audio", "video", "file"):
            raise InputError("message", "models here read text and pictures", value=kind)
    return tuple(found)


def _image(block: Any) -> ByteArray:
    import numpy as np
    from PIL import Image, UnidentifiedImageError

    if "base64" not in block:
        raise InputError("message", "a picture must be in the message itself, as base64", value=block.get("url"))
    try:
        with Image.open(io.BytesIO(base64.b64decode(block["base64"]))) as picture:
            return np.asarray(picture.convert("RGB"))
    except (binascii.Error, UnidentifiedImageError, OSError, ValueError) as error:
        raise InputError("message", f"holds what is no picture ({error})") from error
