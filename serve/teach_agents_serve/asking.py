"""What routes that read a request themselves have in common."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Request

from teach_agents.conventions.agent_wire import KEY_HEADER, Problem
from teach_agents.core.json_types import JsonObject
from teach_agents_serve.agent_sessions import Refusal

JSON = "application/json"
_KEY_LENGTH = 128
KEY_PARAMETER: JsonObject = {
    "name": KEY_HEADER,
    "in": "header",
    "required": False,
    "description": "The same key again gets the same answer; nothing is done twice.",
    "schema": {"type": "string", "maxLength": _KEY_LENGTH},
}
"""The header, as OpenAPI has it."""


def problems(*statuses: int) -> dict[int | str, JsonObject]:
    """What OpenAPI says of refusals."""
    return {status: {"model": Problem} for status in statuses}


def kind_of_body(request: Request) -> str:
    """The media type of a request's body."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def check_kind(request: Request, *kinds: str) -> str:
    """The media type of a body. Raises `Refusal` for none of `kinds`."""
    kind = kind_of_body(request)
    if kind not in kinds:
        words = f"the body must be {' or '.join(kinds)}, not {kind[:80]!r}"
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", words)
    return kind


def idempotency_key(request: Request) -> str:
    """The key that a request carries, "" for none. Raises `Refusal` for one that is too long."""
    key = request.headers.get(KEY_HEADER, "")
    if len(key) > _KEY_LENGTH:
        raise Refusal(HTTPStatus.BAD_REQUEST, "bad_key", f"{KEY_HEADER} may have at most {_KEY_LENGTH} characters")
    return key


async def read_body(request: Request, most: int) -> bytes:
    """A body of at most `most` bytes. Raises `Refusal` for a larger one, as soon as that shows."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            words = f"the body is larger than {most} bytes"
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body_too_large", words)
    return bytes(body)
