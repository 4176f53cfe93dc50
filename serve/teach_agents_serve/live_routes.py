"""Live sessions over HTTP: make, list, act, pause, end (see docs/serving.md)."""

from __future__ import annotations

import json
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Query, Request, WebSocket
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonObject
from teach_agents.live import LiveError
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.live_desk import LiveDesk, Reception, Visitor
from teach_agents_serve.live_store import Kept
from teach_agents_serve.live_watching import attend, stream
from teach_agents_serve.live_wire import (
    LARGEST,
    SMALLEST,
    ActRequest,
    Created,
    Listed,
    LiveEventReply,
    NewSession,
    Options,
    SessionReply,
    Targets,
    ViewName,
)
from teach_agents_serve.posted import (
    JSON,
    body_of,
    check_kind,
    file_of,
    idempotency_key,
    problems,
    read_body,
    read_form,
)

_Form = TypeVar("_Form", bound=BaseModel)
_LISTED = 500
_BODY = 1 << 16
PROBLEMS = problems(400, 401, 403, 404, 408, 409, 413, 415, 422, 429)
JPEG = file_of("image/jpeg", "The picture.")
Size = Annotated[int, Query(ge=SMALLEST, le=LARGEST, description="Pixels a side.")]
After = Annotated[int, Query(ge=-1, lt=1 << 53, description="Number of the last event that is known.")]
Key = Annotated[str | None, Query(max_length=128, description="The session's key, where no header can be sent.")]
_FRESH = {"Cache-Control": "no-store"}


async def _visitor(session: str, request: Request, key: Key = None) -> Visitor:
    """Who asks for something of a session. Raises `Refusal`."""
    reception: Reception = request.app.state.reception
    return await reception.admit(session, request)


Asks = Annotated[Visitor, Depends(_visitor)]


def _seated(asks: Asks) -> Visitor:
    """Who may have a say in a session: its chairs, and the operator."""
    if asks.role is None and not asks.trusted:
        raise LiveError("not_yours", "who looks on does nothing")
    return asks


Chair = Annotated[Visitor, Depends(_seated)]


def live_router(desk: LiveDesk, reception: Reception) -> APIRouter:
    """The routes of live sessions. What is refused is raised, as `Refusal` or `LiveError`."""
    router = APIRouter(prefix="/v1/live", tags=["live sessions"], responses=PROBLEMS)
    _add_making(router, desk, reception)
    _add_doing(router, desk)
    _add_watching(router, desk, reception)
    return router


def _add_making(router: APIRouter, desk: LiveDesk, reception: Reception) -> None:
    @router.get("/options", response_model=Options)
    async def options(request: Request) -> Response:
        """What sessions can be made of: agents, tasks in words, rooms, games, limits."""
        limits = desk.limits
        known = {
            "sessions": limits.sessions_per_token,
            "idle_s": limits.idle_s,
            "total_s": limits.total_s,
            "smallest_picture": SMALLEST,
            "largest_picture": LARGEST,
        }
        return _told(desk.serving.options(known, token_needed=reception.token_needed))

    @router.post("", response_model=Created, status_code=201, openapi_extra=body_of(NewSession))
    async def create(request: Request) -> Response:
        """Make a session; the keys are told here and nowhere else."""
        asked = await _read(request, NewSession)
        made = await desk.create(asked, reception.owner(request), idempotency_key(request))
        links = {place: f"/#/live/{made.id}?key={key}" for place, key in made.keys}
        return _told(Created.model_validate({"id": made.id, "keys": made.keys, "links": links}), 201)

    @router.get("", response_model=Listed)
    async def listed(request: Request) -> Response:
        """The sessions of this server, newest first, for the holder of its token, or for users of its machine."""
        if not reception.trusted(request):
            raise Refusal(401, "no_token", "only who has the server's token sees its sessions")
        return _told(Listed(sessions=[_described(desk, kept, None) for kept in await desk.store.latest(_LISTED)]))

    @router.get("/{session}", response_model=SessionReply)
    async def one(asks: Asks) -> Response:
        """One session, as the holder of the key may know it."""
        return _told(_described(desk, asks.kept, asks.role))


def _add_doing(router: APIRouter, desk: LiveDesk) -> None:
    @router.post("/{session}/act", response_model=LiveEventReply, openapi_extra=body_of(ActRequest))
    async def act(asks: Asks, request: Request) -> Response:
        """Act in the chair of the key; the event that tells of it. The same Idempotency-Key acts once."""
        asked, key = await _read(request, ActRequest), idempotency_key(request)
        if asks.role is None:
            raise LiveError("not_yours", "who looks on does nothing")
        async with desk.using(asks.kept.id) as awake:
            event = await awake.live.act(asks.role, asked.action.action(), key)
        return _json(event.to_json(asks.role))

    async def told(asks: Visitor) -> Response:
        return _told(_described(desk, await desk.kept(asks.kept.id), asks.role))

    async def paused(asks: Visitor, *, paused: bool) -> Response:
        await desk.pause(asks.kept.id, paused=paused)
        return await told(asks)

    @router.post("/{session}/pause", response_model=SessionReply)
    async def pause(asks: Chair) -> Response:
        """Let nobody act until `resume`."""
        return await paused(asks, paused=True)

    @router.post("/{session}/resume", response_model=SessionReply)
    async def resume(asks: Chair) -> Response:
        """Go on."""
        return await paused(asks, paused=False)

    @router.post("/{session}/end", response_model=SessionReply)
    async def end(asks: Chair) -> Response:
        """End the session; what was done decides whether its task is done."""
        async with desk.using(asks.kept.id) as awake:
            await awake.live.end(f"{asks.role or 'the operator'} ended it")
        return await told(asks)

    @router.post("/{session}/retry", response_model=SessionReply)
    async def retry(asks: Chair) -> Response:
        """Try agents again that have failed."""
        async with desk.using(asks.kept.id) as awake:
            await awake.live.retry()
        return await told(asks)


def _add_watching(router: APIRouter, desk: LiveDesk, reception: Reception) -> None:
    @router.get("/{session}/events", response_class=StreamingResponse, responses=_STREAM)
    async def events(asks: Asks, request: Request, after: After = -1) -> Response:
        """Server-sent events from number `after` on (or `Last-Event-ID`), until the session is over."""
        known = request.headers.get("last-event-id", "")
        behind = int(known) if known.isascii() and known.isdigit() and len(known) <= 18 else after
        ending = asks.kept.ending
        if ending and behind >= ending.last:
            return Response(status_code=204)
        if ending is None:
            desk.check_connections(await desk.awake(asks.kept.id))  # what is refused, is before the stream begins
        told = stream(desk, asks, behind)
        return StreamingResponse(told, media_type="text/event-stream", headers={**_FRESH, "X-Accel-Buffering": "no"})

    @router.websocket("/{session}/socket")
    async def socket(websocket: WebSocket) -> None:
        await attend(desk, reception, websocket)

    @router.get("/{session}/screen")
    async def screen(asks: Asks) -> JsonObject:
        """What the screen of the key's chair shows besides pictures."""
        async with desk.using(asks.kept.id) as awake:
            return await awake.live.screen(asks.role)

    @router.get("/{session}/targets", response_model=Targets)
    async def targets(asks: Asks, action: Annotated[str, Query(max_length=32)] = "") -> Response:
        """The objects in the Follower's view on which a click would act; without an action, any."""
        async with desk.using(asks.kept.id) as awake:
            return _json({"targets": await awake.live.targets(action)})

    @router.get("/{session}/views/{name}.jpg", response_class=Response, responses=JPEG)
    async def view(asks: Asks, name: ViewName, size: Size = 300) -> Response:
        """A picture of the present moment."""
        async with desk.using(asks.kept.id) as awake:
            file = await awake.pictures.get(name, asks.role, size, awake.moment(name, asks.role))
        return Response(file, media_type="image/jpeg", headers=_FRESH)


_STREAM = file_of("text/event-stream", "The events.") | {
    204: {"description": "The session is over, and everything known."}
}


async def _read(request: Request, form: type[_Form]) -> _Form:
    """A JSON body. Raises `Refusal` for any other."""
    check_kind(request, JSON)
    return read_form(form, await read_body(request, _BODY))


def _described(desk: LiveDesk, kept: Kept, you: Role | None) -> SessionReply:
    card, ending, awake = dict(kept.card), kept.ending, desk.in_memory(kept.id)
    card["title"] = card["task"] or "Just explore"
    if you is Role.FOLLOWER and ending is None:
        card |= {"title": None, "task": None, "task_name": None, "params": [], "game": None, "seed": None}
    status = "ended" if ending else awake.live.status if awake else "asleep"
    present = awake.live.present if awake else {}
    hosts = [desk.serving.sends_to(Role(role), name) for role, name in card["chairs"].items()]
    return SessionReply(
        id=kept.id,
        you=you,
        status=status,
        **card,
        present=[role for role in Role if present.get(role)],
        watching=present.get(None, 0),
        turns=kept.turns,
        utterances=kept.utterances,
        created=kept.created,
        ended=ending.time if ending else None,
        reason=ending.reason if ending else "",
        success=ending.success if ending else None,
        last=awake.live.events[-1].seq if awake else ending.last if ending else None,
        sends_to=" and ".join(dict.fromkeys(filter(None, hosts))),
        recorded=desk.store.folder is not None,
    )


def _told(reply: BaseModel, status: int = 200) -> Response:
    return Response(reply.model_dump_json(), status, _FRESH, JSON)


def _json(value: object) -> Response:
    return Response(json.dumps(value), 200, _FRESH, JSON)
