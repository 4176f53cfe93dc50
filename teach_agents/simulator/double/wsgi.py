"""WSGI: the simulator posts events to the client; the responses are the requests (AI2-THOR specification 6.9)."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping

from teach_agents.core.json_types import JsonObject
from teach_agents.simulator.double.events import Field, WireEvent

_NAMES: Mapping[Field, tuple[str, str]] = {
    Field.RGB: ("image", "image-thirdParty-camera"),
    Field.DEPTH: ("image_depth", "image_thirdParty_depth"),
    Field.CLASSES: ("image_classes", "image_thirdParty_classes"),
    Field.IDS: ("image_ids", "image_thirdParty_image_ids"),
}
"""Of the agent's pictures, and of other cameras'."""
_BOUNDARY = "teach-agents-unity"
_TEXT = 'text/plain; charset="utf-8"'


class Wsgi:
    """The client's address. Raises `EOFError` when the client is gone, says good-bye or refuses the token."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection(host, port)
        self._token = token

    def send(self, event: WireEvent) -> None:
        """Post an event. There are no patches here: a question's answer comes with everything."""
        body = b"".join((*_parts(event, self._token), f"--{_BOUNDARY}--\r\n".encode()))
        headers = {"Content-Type": f'multipart/form-data; boundary="{_BOUNDARY}"'}
        try:
            self._connection.request("POST", "/train", body, headers)
        except OSError as error:
            raise EOFError("the client is gone") from error

    def receive(self) -> JsonObject:
        """The next request: the response to the last event."""
        try:
            response = self._connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise EOFError("the client is gone") from error
        if response.status != http.client.OK:
            raise EOFError(f"the client answered {response.status}: {body[:200]!r}")
        request: JsonObject = json.loads(body)
        if "action" not in request:
            raise EOFError("the client said good-bye")
        return request


def _parts(event: WireEvent, token: str) -> Iterator[bytes]:
    for field, other, pixels in event.images:
        name = _NAMES[field][other]
        yield _part(f'name="{name}"; filename="{name}.dat"', "application/octet-stream", bytes(pixels))
    yield _part('name="metadata"', _TEXT, json.dumps(event.metadata).encode())
    yield _part('name="token"', _TEXT, token.encode())


def _part(disposition: str, kind: str, body: bytes) -> bytes:
    head = f"--{_BOUNDARY}\r\nContent-Type: {kind}\r\nContent-disposition: form-data; {disposition}\r\n\r\n"
    return b"".join((head.encode(), body, b"\r\n"))
