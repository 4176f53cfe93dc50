"""Messages of LangChain as any model reads them; tools for models that know none, called in JSON."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import numpy as np
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage
from langchain_core.messages.tool import tool_call

from teach_agents.arrays import ByteArray
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, ModelReplyError
from teach_agents.models.constraints import Schema
from teach_agents.models.prompts import ChatMessage, Completion


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
    from PIL import Image

    if "base64" not in block:
        raise InputError("message", "a picture must be in the message itself, as base64", value=block.get("url"))
    try:
        with Image.open(io.BytesIO(base64.b64decode(block["base64"]))) as picture:
            return np.asarray(picture.convert("RGB"))
    except (OSError, ValueError) as error:
        raise InputError("message", f"holds what is no picture ({error})") from error


_MUST = ("any", "required", "true")


@dataclass(frozen=True, slots=True)
class Tools:
    """Tools that a model may call, or must."""

    functions: tuple[JsonMapping, ...]
    must: bool
    schema: Schema

    @classmethod
    def of(cls, described: Sequence[JsonMapping], choice: Any) -> Tools:
        """Tools as OpenAI describes them. Raises `InputError` for a choice or a schema that is none."""
        functions = tuple(one["function"] for one in described)
        names = [one["name"] for one in functions]
        wanted = _wanted(choice)
        if wanted and wanted not in (*_MUST, "auto", "none", "false", *names):
            raise InputError("tool_choice", "names no tool", value=wanted, valid=["any", "auto", *names])
        chosen = tuple(one for one in functions if one["name"] == wanted) or functions
        return cls(chosen, wanted in (*_MUST, *names), Schema(_calling(chosen)))

    @property
    def instructions(self) -> ChatMessage:
        """What the model is told of them."""
        from teach_agents_prompts import render

        listed = [
            {
                "name": one["name"],
                "description": one.get("description", ""),
                "parameters": json.dumps(one.get("parameters", {})),
            }
            for one in self.functions
        ]
        names = " or ".join(one["name"] for one in self.functions)
        return ChatMessage("system", render("tools", tools=listed, must=names if self.must else ""))

    @property
    def answer(self) -> Schema | None:
        """What the answer has to be: a call, where there must be one."""
        return self.schema if self.must else None

    def calls(self, done: Completion) -> list[ToolCall]:
        """The call that an answer is; an empty list for one in words."""
        called = done.value
        if not self.must:
            try:
                called = self.schema.read(done.text) if done.text.lstrip().startswith("{") else None
            except ModelReplyError:
                called = None
        if not isinstance(called, dict):
            return []
        return [tool_call(name=called["name"], args=called["arguments"], id=f"call_{uuid4().hex[:12]}")]


def _wanted(choice: Any) -> str:
    """A tool choice in any of its forms, as one word; empty for none."""
    if isinstance(choice, Mapping):
        return str(choice.get("function", {}).get("name", ""))
    return str(choice).lower() if isinstance(choice, bool) else str(choice or "")


def _calling(functions: Sequence[JsonMapping]) -> JsonObject:
    """The JSON Schema of a call of one of them."""
    shared: JsonObject = {}
    kinds = []
    for one in functions:
        parameters = dict(one.get("parameters") or {"type": "object", "properties": {}})
        shared |= parameters.pop("$defs", {})
        kinds.append(
            {
                "type": "object",
                "properties": {"name": {"const": one["name"]}, "arguments": parameters},
                "required": ["name", "arguments"],
                "additionalProperties": False,
            }
        )
    schema = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {**schema, "$defs": shared} if shared else schema
