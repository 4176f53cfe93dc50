"""A Follower behind a server that speaks TEACh's remote-model protocol (specification 6.8)."""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from teach_agents.agents.history import History
from teach_agents.benchmarks.solo.assignment import Assignment, ShownInstance
from teach_agents.conventions.calling import server_of, token_of
from teach_agents.conventions.pictures import image_file
from teach_agents.conventions.teach_model import TeachModelFollower
from teach_agents.core.context import takes
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import TeachAgentsError, explained

_SHOWN = 500


@dataclass(frozen=True, slots=True)
class FilePart:
    """One JPEG file of a multipart form."""

    field: str
    name: str
    content: bytes


def form_body(fields: Sequence[tuple[str, str]], files: Iterable[FilePart]) -> tuple[str, bytes]:
    """Content type and body of a form: multipart with files, url-encoded without, as the reference's client sends."""
    files = tuple(files)
    if not files:
        return "application/x-www-form-urlencoded", urlencode(fields).encode()
    boundary = secrets.token_hex(16)
    parts = [(f'form-data; name="{name}"', value.encode()) for name, value in fields]
    parts += [
        (f'form-data; name="{one.field}"; filename="{_quoted(one.name)}"\r\nContent-Type: image/jpeg', one.content)
        for one in files
    ]
    lines = [f"--{boundary}\r\nContent-Disposition: {head}\r\n\r\n".encode() + body + b"\r\n" for head, body in parts]
    return f"multipart/form-data; boundary={boundary}", b"".join(lines) + f"--{boundary}--\r\n".encode()


def _quoted(name: str) -> str:
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


class RemoteModel:
    """TEACh's model interface over HTTP, field for field as the reference's client.

    `url` is `http://host:port` or `https://...`, `timeout_s` how long one answer may take. `token` is sent as a bearer
    token, which the reference's client cannot do. Every reply other than 200 raises `TeachAgentsError`.
    """

    def __init__(self, url: str, *, timeout_s: float = 120.0, token: str = "") -> None:
        connect, self._path = server_of("teach-remote", url, "url=http://host:port")
        self._url = url.rstrip("/")
        self._connect = partial(connect, timeout=timeout_s)
        self._headers = {"Connection": "close", **({"Authorization": f"Bearer {token}"} if token else {})}

    def start_new_edh_instance(
        self, edh_instance: JsonObject, edh_history_images: list[Any] | None, edh_name: str | None = None
    ) -> bool:
        """Send the instance and the pictures of its history."""
        fields = [("edh_name", edh_name or ""), ("edh_instance", json.dumps(edh_instance))]
        images = enumerate(edh_history_images or ())
        files = (FilePart("edh_history_images", f"history{index}", image_file(image)) for index, image in images)
        self._post("/start_new_edh_instance", fields, files)
        return True

    def get_next_action(
        self,
        img: Any,
        edh_instance: JsonObject,
        prev_action: JsonObject | None,
        img_name: str | None = None,
        edh_name: str | None = None,
    ) -> tuple[str | None, Any]:
        """Send the present picture; the reply's action and click (row, column)."""
        fields = [("img_name", img_name or ""), ("edh_name", edh_name or "")]
        if prev_action is not None:
            fields.append(("prev_action", json.dumps(prev_action)))
        fields.append(("edh_instance", json.dumps(edh_instance)))
        body = self._post("/get_next_action", fields, [FilePart("img", img_name or "img", image_file(img))])
        try:
            reply = json.loads(body)
            return reply["action"], reply.get("obj_relative_coord")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            shown = _shown(body)
            raise TeachAgentsError(f"{self._url}/get_next_action: not the protocol's reply: {shown!r}") from error

    def _post(self, route: str, fields: Sequence[tuple[str, str]], files: Iterable[FilePart]) -> bytes:
        content_type, body = form_body(fields, files)
        try:
            with closing(self._connect()) as connection:
                connection.request("POST", self._path + route, body, {"Content-Type": content_type, **self._headers})
                response = connection.getresponse()
                answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise TeachAgentsError(f"{self._url}{route}: no answer: {explained(error)}") from error
        if response.status != http.client.OK:
            raise TeachAgentsError(f"{self._url}{route}: answered {response.status}: {_shown(answer)}")
        return answer


def _shown(answer: bytes) -> str:
    return answer[:_SHOWN].decode("utf8", "replace")


@takes("assignment", when="ground_truth")
def teach_remote(  # noqa: PLR0913  # one parameter of a SPEC each, and what the benchmark knows
    url: str,
    timeout_s: float = 120.0,
    token_env: str = "",
    send_history: bool = True,
    ground_truth: bool = False,
    *,
    assignment: Assignment | None = None,
    instance: ShownInstance | None = None,
    history: History | None = None,
) -> TeachModelFollower:
    """A Follower that any server of TEACh's remote-model protocol plays, such as `teach-agents serve`.

    `token_env` names the environment variable with a bearer token, where the server wants one. Without `send_history`
    no pictures of the history are drawn and sent. With `ground_truth` the server is sent what people did next as well,
    as by the reference's client, and every result says so.
    """
    model = RemoteModel(url, timeout_s=timeout_s, token=token_of("teach-remote", token_env))
    known = history if send_history else None
    return TeachModelFollower(model, assignment=assignment or instance, history=known, ground_truth=ground_truth)
