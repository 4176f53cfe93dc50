"""OpenAI's chat completions in front of a live Follower (see docs/openai_endpoint.md)."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import ValidationError

from teach_agents.actions import Role
from teach_agents.conventions.agent_wire import KEY_HEADER
from teach_agents.conventions.observation_wire import problems_of
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents_serve.door import OWNER
from teach_agents_serve.live_desk import LiveDesk
from teach_agents_serve.openai_answers import Answer, Piece, plain
from teach_agents_serve.openai_chats import Asked, Chats, Conversation, asked_of
from teach_agents_serve.openai_wire import (
    ChatError,
    ChatRequest,
    Chosen,
    chosen,
    chunk,
    completion,
    data_uri,
    model_entry,
    model_names,
    read_model,
    tokens_of,
)
from teach_agents_serve.posted import later

SESSION_HEADER = "X-Teach-Session"
_TRIES_HEADER = "x-stainless-retry-count"
"""OpenAI's own clients say in it how often they sent a request before."""
_LONGEST_S = 120.0
"""An answer ends after so many seconds at the latest."""
_BEAT_S = 10.0
"""A stream is not silent for longer."""
_NAME = 128
_DIGITS = 5
_CONTENT = {"application/json": {"schema": {"$ref": "#/components/schemas/ChatRequest"}}}


def openai_router(desk: LiveDesk) -> APIRouter:
    """The routes. Errors are in OpenAI's format."""
    router = APIRouter(prefix="/v1", tags=["OpenAI's chat completions"])
    followers = [*desk.serving.agents.get(Role.FOLLOWER, {})]
    chats = Chats(desk, _LONGEST_S)

    def entry(name: str) -> JsonObject:
        return model_entry(name, desk.serving.sends_to(Role.FOLLOWER, read_model(name, followers)[0]))

    @router.get("/models")
    async def models() -> Response:
        """The Followers, as models; `sends_to` names the hosts that are sent what is said to one, if any are."""
        known = entry if followers else model_entry
        return JSONResponse({"object": "list", "data": [known(name) for name in model_names(followers)]})

    @router.get("/models/{name:path}")
    async def model(name: str) -> Response:
        """A Follower, in a room or with a task where its name says so."""
        try:
            return JSONResponse(entry(name))
        except ChatError as error:
            return JSONResponse(error.to_json(), error.status)

    @router.post("/chat/completions", openapi_extra={"requestBody": {"required": True, "content": _CONTENT}})
    async def complete(request: Request) -> Response:
        """The next answer of a chat, which is a live session."""
        try:
            try:
                asked = ChatRequest.model_validate_json(await request.body())
            except ValidationError as error:
                raise ChatError(problems_of(error)) from None
            choice = chosen(asked, followers)
            conversation, turn = chats.take(_asked(request, asked, choice), choice)
            reply = _Reply(asked, conversation, turn.answer)
            if asked.stream:
                await turn.answer.begun(_BEAT_S)
                return StreamingResponse(reply.stream(), media_type="text/event-stream", headers=_UNBUFFERED)
            return JSONResponse(await reply.whole(choice.pictures == "parts"))
        except ChatError as error:
            return JSONResponse(error.to_json(), error.status, later(error.status))

    return router


_UNBUFFERED = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def _asked(request: Request, asked: ChatRequest, choice: Chosen) -> Asked:
    """The request as far as it decides about the session."""
    named = (asked.metadata or {}).get("session") or request.headers.get(SESSION_HEADER, "")
    key = request.headers.get(KEY_HEADER, "")
    for value, what in ((named, "a session's name"), (key, KEY_HEADER)):
        if len(value) > _NAME:
            raise ChatError(f"{what} may have at most {_NAME} characters")
    tries = request.headers.get(_TRIES_HEADER, "")
    past, said = asked_of(asked.messages)
    owner = request.scope.get(OWNER, "anybody")
    told = tries.isdecimal() and len(tries) < _DIGITS
    return Asked((owner, choice.scope), past, said, named, key, int(tries) if told else None)


@dataclass(eq=False)
class _Reply:
    """An answer in OpenAI's form, whole or piece by piece."""

    _asked: ChatRequest
    _conversation: Conversation
    _answer: Answer
    _name: str = field(default_factory=lambda: f"chatcmpl-{secrets.token_hex(12)}")

    def _usage(self) -> tuple[int, int]:
        return tokens_of([one.text for one in self._asked.messages]), tokens_of([plain(self._answer.text)])

    async def whole(self, parts: bool) -> JsonObject:
        """All of it. Raises `ChatError`."""
        await self._answer.whole()
        content: Any = self._answer.text
        if parts:
            shown = [{"type": "image_url", "image_url": {"url": data_uri(one)}} for one in self._answer.pictures]
            content = [{"type": "text", "text": content}, *shown]
        finish, session = self._answer.finish, self._conversation.session
        return completion(self._name, self._asked.model, content, finish, self._usage(), session)

    async def stream(self) -> AsyncIterator[str]:
        """Server-sent events."""
        model, options = self._asked.model, self._asked.stream_options
        yield _event(chunk(self._name, model, {"role": "assistant", "content": ""}))
        try:
            async for piece in self._answer.follow(_BEAT_S):
                yield _event(chunk(self._name, model, _delta(piece))) if piece else ": still there\n\n"
        except ChatError as error:
            yield _event(error.to_json())
            return
        yield _event(chunk(self._name, model, {}, self._answer.finish))
        if options and options.include_usage:
            yield _event(chunk(self._name, model, None, usage=self._usage()))
        yield "data: [DONE]\n\n"


def _delta(piece: Piece) -> JsonObject:
    if piece.picture:
        return {"content": "", "images": [{"type": "image_url", "image_url": {"url": data_uri(piece.picture)}}]}
    return {"content": piece.text}


def _event(data: JsonMapping) -> str:
    return f"data: {json.dumps(data, separators=(',', ':'))}\n\n"
