"""Agents over HTTP: open a session, act, close (see docs/serving.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from teach_agents.conventions.agent_wire import (
    PICTURES,
    ActReply,
    CloseReply,
    Description,
    OpenReply,
    OpenRequest,
    Problem,
    ReadReply,
    RecallReply,
    WireObservation,
)
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents_serve.agent_sessions import AgentSessions, Refusal
from teach_agents_serve.door import OWNER
from teach_agents_serve.limits import Limits
from teach_agents_serve.posted import (
    JSON,
    body_of,
    check_kind,
    idempotency_key,
    later,
    problems,
    read_form,
    read_posted,
)

_PROBLEMS = problems(400, 401, 403, 404, 408, 409, 413, 415, 422, 424, 429)
_SESSION: JsonObject = {"name": "session", "in": "path", "required": True, "schema": {"type": "string"}}
_ASKED: Mapping[str, tuple[type[BaseModel], str]] = {
    "act": (ActReply, "The agent's answer to an observation."),
    "recall": (
        RecallReply,
        "The agent takes in what somebody observed whose place it takes, before it acts for the first time.",
    ),
    "read": (ReadReply, "How probable the agent is to do what on seeing this; nothing of it is done."),
}
"""What may be asked of a session's agent with an observation."""


def _observed() -> JsonObject:
    """What OpenAPI says of an observation, which may come in parts."""
    form = {"$ref": f"#/components/schemas/{WireObservation.__name__}"}
    pictures = {one: {"type": "string", "contentMediaType": "image/jpeg"} for one in PICTURES}
    parts = {"observation": {"type": "string", "contentMediaType": JSON, "contentSchema": form}, **pictures}
    whole = {"type": "object", "required": ["observation"], "properties": parts}
    said = body_of(WireObservation, {"multipart/form-data": {"schema": whole}})
    return {**said, "parameters": [_SESSION, *said["parameters"]]}


def agent_router(sessions: AgentSessions, description: Description, limits: Limits) -> APIRouter:
    """The routes of agents. Whatever is refused is answered with a `Problem`."""
    router = APIRouter(prefix="/v1", tags=["agents"], responses=_PROBLEMS)

    @router.get("/agents", response_model=Description)
    async def agents() -> Response:
        """The agents that are served, and what observations have to hold for them."""
        return _told(description)

    @router.post("/sessions", response_model=OpenReply, openapi_extra=body_of(OpenRequest))
    async def open_session(request: Request) -> Response:
        """Open a session with an agent of its own."""
        return await _answered(_opened(sessions, request))

    for what, (reply, words) in _ASKED.items():
        router.add_api_route(
            f"/sessions/{{session}}/{what}",
            _asking(sessions, what, limits),
            methods=["POST"],
            name=what,
            description=words,
            response_model=reply,
            openapi_extra=_observed(),
        )

    @router.delete("/sessions/{session}", response_model=CloseReply)
    async def close_session(session: str, request: Request) -> Response:
        """Close a session; one that is closed already is no error."""
        return _told(CloseReply(closed=sessions.close(session, _owner(request))))

    return router


def _asking(sessions: AgentSessions, what: str, limits: Limits) -> Callable[[Request], Awaitable[Response]]:
    async def asked(request: Request) -> Response:
        # The path is read here and not by FastAPI: that costs as much as the rest of this route.
        return await _answered(_asked(sessions, what, request, limits))

    return asked


async def _opened(sessions: AgentSessions, request: Request) -> Response:
    check_kind(request, JSON)
    asked = read_form(OpenRequest, await request.body())
    return _told(await sessions.open(asked, _owner(request), idempotency_key(request)))


async def _asked(sessions: AgentSessions, what: str, request: Request, limits: Limits) -> Response:
    kind = check_kind(request, JSON, "multipart/form-data")
    files: dict[str, bytes] = {}
    if kind == JSON:
        body: bytes | str = await request.body()
    else:
        posted = await read_posted(request, limits)
        files = {name: content[0] for name, content in posted.files.items() if name in PICTURES}
        body = posted.files["observation"][0] if "observation" in posted.files else posted.text("observation")
    session = request.path_params["session"]
    key = idempotency_key(request)
    answer = await sessions.ask(what, session, _owner(request), key, lambda read: read(body, files))
    return Response(answer, media_type=JSON)


async def _answered(work: Awaitable[Response]) -> Response:
    try:
        return await work
    except Refusal as refusal:
        status, problem = refusal.status, Problem(error=refusal.error, message=str(refusal))
    except HTTPException as error:
        status = 400
        problem = Problem(error="bad_request", message=f"the body cannot be read: {error.detail}")
    except InputError as error:
        status, problem = 422, Problem(error="bad_request", message=str(error))
    return Response(problem.model_dump_json(), status, later(status), JSON)


def _told(reply: BaseModel) -> Response:
    return Response(reply.model_dump_json(exclude_none=True), media_type=JSON)


def _owner(request: Request) -> str:
    return str(request.scope.get(OWNER, "anybody"))
