"""Our models as LangChain's."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

from teach_agents.errors import InputError, ModelReplyError
from teach_agents.models import Prompt, ScriptedModel

pytest.importorskip("langchain_core")
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage  # after the check

from teach_agents.models.langchain_chat import ChatTeachAgents  # the same
from teach_agents.models.langchain_messages import chat_messages  # the same


def pick_up(thing: str, hand: int = 1) -> str:
    """Pick up a thing."""
    return f"picked up {thing} with hand {hand}"


def look() -> str:
    """Look around."""
    return "nothing"


CALL = '{"name": "pick_up", "arguments": {"thing": "Mug"}}'


def _png(size: tuple[int, int] = (3, 2)) -> str:
    file = io.BytesIO()
    Image.new("RGB", size, (255, 0, 0)).save(file, format="PNG")
    return base64.b64encode(file.getvalue()).decode()


def test_a_call_in_the_answer_is_a_tool_call() -> None:
    model = ScriptedModel([CALL, "There is nothing to pick up."])
    chat = ChatTeachAgents.around(model).bind_tools([pick_up, look])
    called = chat.invoke("Take the mug.")
    assert [(call["name"], call["args"]) for call in called.tool_calls] == [("pick_up", {"thing": "Mug"})]
    assert (called.content, called.response_metadata["finish_reason"]) == ("", "tool_calls")
    said = chat.invoke("Take the cup.")
    assert (said.content, said.tool_calls) == ("There is nothing to pick up.", [])
    told = model.prompts[0].messages[0].text
    assert "- pick_up: Pick up a thing." in told and "- look: Look around." in told


@pytest.mark.parametrize("said", ['{"name": "drop", "arguments": {}}', '{"name": "pick_up", "arguments": {}}', "{"])
def test_what_is_no_call_of_a_tool_is_words_or_where_there_must_be_one_an_error(said: str) -> None:
    assert ChatTeachAgents.around(ScriptedModel([said])).bind_tools([pick_up]).invoke("Go.").content == said
    model = ScriptedModel([said])
    with pytest.raises(ModelReplyError):
        ChatTeachAgents.around(model).bind_tools([pick_up], tool_choice="any").invoke("Go.")
    assert len(model.prompts) == 2


def test_a_tool_may_be_named() -> None:
    model = ScriptedModel(['{"name": "look", "arguments": {}}'])
    for choice in ("look", {"type": "function", "function": {"name": "look"}}):
        chat = ChatTeachAgents.around(model).bind_tools([pick_up, look], tool_choice=choice)
        assert chat.invoke("Look.").tool_calls[0]["name"] == "look"
    assert "pick_up" not in model.prompts[-1].messages[0].text
    with pytest.raises(InputError, match="names no tool"):
        ChatTeachAgents.around(model).bind_tools([look], tool_choice="jump")


def test_streams_add_up_to_the_answer() -> None:
    chat = ChatTeachAgents.around(ScriptedModel(["one two\n three", CALL]))
    pieces = list(chat.stream("Count."))
    assert [piece.text for piece in pieces] == ["one", " two", "\n three", ""]
    assert pieces[-1].usage_metadata is not None and pieces[-1].usage_metadata["output_tokens"] == 3

    async def last() -> list[object]:
        return [piece async for piece in chat.bind_tools([pick_up]).astream("Take the mug.")]

    (piece,) = asyncio.run(last())
    assert isinstance(piece, AIMessage) and piece.tool_calls[0]["args"] == {"thing": "Mug"}


def test_a_conversation_with_tools_is_told_in_json() -> None:
    call = {"name": "pick_up", "args": {"thing": "Mug"}, "id": "1"}
    messages = [
        SystemMessage("You are a robot."),
        HumanMessage("Take the mug."),
        AIMessage("Yes.", tool_calls=[call]),
        ToolMessage("done", name="pick_up", tool_call_id="1"),
    ]
    told = chat_messages(messages)
    assert [one.role for one in told] == ["system", "user", "assistant", "user"]
    assert told[2].text == f"Yes.\n{CALL}"
    assert json.loads(told[3].text) == {"tool": "pick_up", "status": "success", "result": "done"}


def test_pictures_in_messages_are_seen() -> None:
    seen: list[Prompt] = []

    def look_at(prompt: Prompt) -> str:
        seen.append(prompt)
        return "red"

    blocks: list[str | dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_png()}"}},
        {"type": "image", "base64": _png((4, 4)), "mime_type": "image/png"},
        {"type": "text", "text": "What is it?"},
    ]
    ChatTeachAgents.around(ScriptedModel(look_at)).invoke([HumanMessage(blocks)])
    (message,) = seen[0].messages
    assert message.text == "What is it?" and [image.shape for image in message.images] == [(2, 3, 3), (4, 4, 3)]
    assert np.array_equal(message.images[0][0, 0], (255, 0, 0))


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "url": "http://127.0.0.1/a.png"},
        {"type": "image", "base64": "AAAA", "mime_type": "image/png"},
        {"type": "audio", "base64": "AAAA", "mime_type": "audio/wav"},
    ],
)
def test_what_cannot_be_seen_is_refused(block: dict[str, str]) -> None:
    with pytest.raises(InputError, match="picture"):
        chat_messages([HumanMessage([block])])
