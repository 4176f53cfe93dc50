"""Sessions that are over, over HTTP: game and record to be kept, pictures to be looked through."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from fastapi.responses import FileResponse, Response

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonObject
from teach_agents.household.map import RoomMap
from teach_agents.live import LiveSession, household_for
from teach_agents.live.events import actor_of
from teach_agents.observations import Pose
from teach_agents.session import SessionRecord, TurnRecord, read_record
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.asking import JSON
from teach_agents_serve.live_desk import LiveDesk
from teach_agents_serve.live_past import past_events, write_game_of
from teach_agents_serve.live_replays import Look, Replays, map_of
from teach_agents_serve.live_routes import JPEG, PROBLEMS, Asks, Size
from teach_agents_serve.live_store import Ending
from teach_agents_serve.live_visitors import Visitor
from teach_agents_serve.live_wire import LiveEventReply, MapExtents, Mark, Replay, ReplayTurn, ViewName

_TURNS = 1_000_000
_FOREVER = {"Cache-Control": "private, max-age=86400, immutable"}
_FILE: dict[int | str, JsonObject] = {200: {"content": {JSON: {}}, "description": "The file."}}
_LINES: dict[int | str, JsonObject] = {
    200: {"content": {"application/jsonl": {}}, "description": "The file: one JSON value a line."}
}


def past_router(desk: LiveDesk) -> APIRouter:
    """What is left of sessions."""
    router = APIRouter(prefix="/v1/live/{session}", tags=["live sessions"], responses=PROBLEMS)
    replays = Replays()

    @router.get("/game", response_class=FileResponse, responses=_FILE)
    async def game(asks: Asks) -> Response:
        """The session as a TEACh game file; so far, while it goes on (not for the Follower: it names the task)."""
        name = f"{asks.kept.id}.game.json"
        if asks.kept.ending is None:
            return _download(await _so_far(desk, asks, _write_game), JSON, name)
        await desk.filing.file(asks.kept.id)
        path = desk.filing.game_path(asks.kept.id)
        if not path.exists():
            raise Refusal(HTTPStatus.NOT_FOUND, "no_game", "nothing was done in this session")
        return FileResponse(path, media_type=JSON, filename=name)

    @router.get("/record", response_class=FileResponse, responses=_LINES)
    async def record(asks: Asks) -> Response:
        """The session's record (see docs/sessions.md); so far, while it goes on (not for the Follower)."""
        name, kind = f"{asks.kept.id}.jsonl", "application/jsonl"
        if asks.kept.ending is None:
            return _download(await _so_far(desk, asks, LiveSession.write_record), kind, name)
        await _record_of(desk, asks)
        return FileResponse(desk.filing.record_path(asks.kept.id), media_type=kind, filename=name)

    @router.get("/replay", response_model=Replay)
    async def replay(asks: Asks) -> Response:
        """A session that is over, turn by turn."""
        return Response((await _replay(desk, asks)).model_dump_json(), media_type=JSON)

    @router.get("/replay/{turn}/{name}.jpg", response_class=Response, responses=JPEG)
    async def picture(
        asks: Asks, turn: Annotated[int, InPath(ge=0, le=_TURNS)], name: ViewName, size: Size = 300
    ) -> Response:
        """A picture after so many turns of a session that is over."""
        _check_over(asks)
        await _record_of(desk, asks)
        path = desk.filing.record_path(asks.kept.id)
        file = await replays.picture(path, turn, Look(name, asks.eyes, size))
        if file is None:
            raise Refusal(HTTPStatus.NOT_FOUND, "no_picture", "there is no such picture after that turn")
        return Response(file, media_type="image/jpeg", headers=_FOREVER)

    return router


async def _replay(desk: LiveDesk, asks: Visitor) -> Replay:
    ending = _check_over(asks)
    card, lines = asks.kept.card, await desk.store.lines(asks.kept.id)
    record = await _record_of(desk, asks)
    room = await asyncio.to_thread(map_of, record)
    told = [event.to_json(asks.role) for event in past_events(lines)]
    mine: list[ViewName] = ["view", "overhead", "map"]
    commanders: list[ViewName] = ["follower_view", "target_view", "target_lit"]
    return Replay(
        id=asks.kept.id,
        task=card["task"],
        room=card["room"],
        success=ending.success,
        reason=ending.reason,
        duration_ms=ending.last_ms,
        map=MapExtents(x=room.x, z=room.z, half=room.half),
        views=mine if asks.role is Role.FOLLOWER else mine + commanders,
        turns=[_turn(turn, room) for turn in record.turns],
        events=[LiveEventReply(**one) for one in told if one is not None],
    )


def _turn(turn: TurnRecord, room: RoomMap) -> ReplayTurn:
    role = actor_of(turn)
    done = turn.done[role]
    return ReplayTurn(
        turn=turn.turn,
        time_ms=done.time_ms,
        role=role,
        action=None if done.action is None else done.action.to_json(),
        success=done.result.success,
        message=done.result.message,
        marks=[_mark(one, turn.done[one].pose, room) for one in Role],
    )


def _mark(role: Role, pose: Pose, room: RoomMap) -> Mark:
    x, y = room.place(pose.position.x, pose.position.z)
    return Mark(who=role, x=x, y=y, yaw=pose.yaw)


async def _record_of(desk: LiveDesk, asks: Visitor) -> SessionRecord:
    """The record of a session that is over."""
    path = desk.filing.record_path(asks.kept.id)
    if not path.exists():
        await desk.filing.file(asks.kept.id)
    return await asyncio.to_thread(read_record, path)


def _check_over(asks: Visitor) -> Ending:
    if asks.kept.ending is None:
        raise Refusal(HTTPStatus.CONFLICT, "not_over", "the session is not over; watch it, or come back")
    return asks.kept.ending


async def _so_far(desk: LiveDesk, asks: Visitor, write: Callable[[LiveSession, Path], None]) -> bytes:
    """A file of a session that goes on."""
    if asks.role is Role.FOLLOWER:
        _check_over(asks)
    async with desk.filing.one, desk.using(asks.kept.id) as awake:
        return await asyncio.to_thread(_written, write, awake.live)


def _write_game(live: LiveSession, path: Path) -> None:
    write_game_of(live.record(), household_for(live.setting), path)


def _written(write: Callable[[LiveSession, Path], None], live: LiveSession) -> bytes:
    with tempfile.TemporaryDirectory(prefix="teach-agents-") as folder:
        path = Path(folder) / "session.json"
        write(live, path)
        return path.read_bytes()


def _download(content: bytes, kind: str, name: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)
