"""What a request brings: a key, and a form, url-encoded or multipart, or JSON (specification 6.8).

Instances and pictures that it only names are in the folders that whoever started the server gave.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from teach_agents.conventions.agent_wire import KEY_HEADER, Problem
from teach_agents.conventions.observation_wire import problems_of
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.values import NOTHING
from teach_agents.data.games import read_json
from teach_agents.errors import InputError
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.limits import Limits

_Form = TypeVar("_Form", bound=BaseModel)
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
_FIELDS = 100
_SHOWN = 80


Answers = dict[int | str, JsonObject]
"""What OpenAPI says of answers, by status."""


def file_of(kind: str, words: str) -> Answers:
    """What OpenAPI says of an answer that is a file of a media type."""
    return {200: {"content": {kind: {}}, "description": words}}


def problems(*statuses: int) -> Answers:
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
        raise Refusal(415, "unsupported_media_type", words)
    return kind


def idempotency_key(request: Request) -> str:
    """The key that a request carries, "" for none. Raises `Refusal` for one that is too long."""
    key = request.headers.get(KEY_HEADER, "")
    if len(key) > _KEY_LENGTH:
        raise Refusal(400, "bad_key", f"{KEY_HEADER} may have at most {_KEY_LENGTH} characters")
    return key


def body_of(form: type[BaseModel], content: JsonMapping = NOTHING) -> JsonObject:
    """What OpenAPI says of a JSON body that is read here, of other `content`, and of the key's header."""
    schema = {"$ref": f"#/components/schemas/{form.__name__}"}
    body = {"required": True, "content": {JSON: {"schema": schema}, **content}}
    return {"requestBody": body, "parameters": [KEY_PARAMETER]}


def read_form(form: type[_Form], body: bytes) -> _Form:
    """A JSON body. Raises `Refusal` for any other."""
    try:
        return form.model_validate_json(body)
    except ValidationError as error:
        raise Refusal(422, "bad_request", problems_of(error)) from None


def later(status: int) -> dict[str, str] | None:
    """The header of a refusal that says when to come back, where that helps."""
    return {"Retry-After": "1"} if status == 429 else None


async def read_body(request: Request, most: int) -> bytes:
    """A body of at most `most` bytes. Raises `Refusal` for a larger one, as soon as that shows."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            words = f"the body is larger than {most} bytes"
            raise Refusal(413, "body_too_large", words)
    return bytes(body)


@dataclass(frozen=True, slots=True)
class Posted:
    """The fields of a request, of which any may be absent, and its files by field, in the order in which they came."""

    fields: JsonMapping
    files: Mapping[str, Sequence[bytes]]

    def text(self, name: str) -> str:
        """A field as text, "" where it is absent."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, str):
            raise InputError(name, "must be text", value=_short(value))
        return value or ""

    def mapping(self, name: str) -> JsonObject | None:
        """A field that holds a JSON object, as itself or as text; `None` where it is absent, empty or null."""
        value = self.fields.get(name)
        if isinstance(value, str):
            try:
                value = json.loads(value) if value.strip() else None
            except (ValueError, RecursionError) as error:
                raise InputError(name, "is no JSON text", value=_short(self.fields[name])) from error
        if value is not None and not isinstance(value, dict):
            raise InputError(name, "must be a JSON object", value=_short(value))
        return value

    def pictures(self, name: str) -> tuple[bytes, ...]:
        """The files of a field; in JSON a base64 text, or a list of them."""
        if name in self.files:
            return tuple(self.files[name])
        value = self.fields.get(name)
        listed = value if isinstance(value, list) else [] if value in (None, "") else [value]
        return tuple(_decoded(name, one) for one in listed)


async def read_posted(request: Request, limits: Limits) -> Posted:
    """Read a request's body. Raises `InputError` for one that is none of the three."""
    if kind_of_body(request).endswith("json"):
        return _json(await request.body())
    fields: JsonObject = {}
    files: dict[str, list[bytes]] = {}
    size = limits.body_bytes
    async with request.form(max_files=limits.history_pictures, max_fields=_FIELDS, max_part_size=size) as form:
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields[name] = value
            else:
                files.setdefault(name, []).append(await value.read())
    return Posted(fields, files)


def _json(body: bytes) -> Posted:
    try:
        value = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError) as error:
        raise InputError("body", "is no JSON") from error
    if not isinstance(value, dict):
        raise InputError("body", "must be a JSON object", value=_short(value))
    return Posted(value, {})


def _decoded(name: str, value: object) -> bytes:
    if not isinstance(value, str):
        raise InputError(name, "must be a picture in base64", value=_short(value))
    try:
        return base64.b64decode(value.partition("base64,")[2] or value, validate=True)
    except ValueError as error:
        raise InputError(name, "must be a picture in base64", value=_short(value)) from error


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."


@dataclass(frozen=True, slots=True)
class Stored:
    """The folders that names are looked up in; `None` where requests have to bring everything themselves.

    These are the reference's `--use_edh_file` and `--use_img_file`. Absolute names are taken too, as long as they lead
    into the folder.
    """

    instances: Path | None = None
    images: Path | None = None

    def instance(self, name: str) -> JsonObject | None:
        """The instance of a name, `None` where there is no folder or no name. Raises `InputError` for any other."""
        path = _inside("edh_name", self.instances, name)
        found = read_json(path) if path else None
        if found is not None and not isinstance(found, dict):
            raise InputError("edh_name", "names a file that holds no instance", value=name)
        return found

    def image(self, name: str) -> bytes | None:
        """The picture of a name, `None` where there is no folder or no name. Raises `InputError` for any other."""
        path = _inside("img_name", self.images, name)
        return path.read_bytes() if path else None


def _inside(field: str, folder: Path | None, name: str) -> Path | None:
    if folder is None or not name:
        return None
    root = folder.resolve()
    try:
        path = (root / name).resolve()
        inside = path.is_relative_to(root) and path.is_file()
    except (OSError, ValueError):  # a name that no file can have: too long, with a zero byte, no Unicode
        inside = False
    if not inside:
        raise InputError(field, "names no file in the server's folder", value=name)
    return path
