"""What a client posted: a form, url-encoded or multipart, or JSON (specification 6.8)."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError

if TYPE_CHECKING:
    from fastapi import Request

    from teach_agents_serve.limits import Limits


_FIELDS = 100
_SHOWN = 80


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
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind.endswith("json"):
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
    except (binascii.Error, ValueError) as error:
        raise InputError(name, "must be a picture in base64", value=_short(value)) from error


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."
