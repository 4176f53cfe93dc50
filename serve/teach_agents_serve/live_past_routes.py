"""Sessions that are over, over HTTP: game and record to be kept, pictures to be looked through, drawn again."""

from __future__ import annotations

import asyncio
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from fastapi.responses import FileResponse, Response

from teach_agents.actions import Role
from teach_agents.core.specs import build
from teach_agents.household import Household
from teach_agents.household.map import RoomMap
from teach_agents.installed import installed_tasks
from teach_agents.kinds import SIMULATOR
from teach_agents.live import LiveSession, household_for
from teach_agents.live.events import actor_of
from teach_agents.live.screens import mark_of
from teach_agents.live.stage import draw
from teach_agents.session import SessionRecord, TurnRecord, read_record
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.live_awake import sharp_jpeg
from teach_agents_serve.live_desk import LiveDesk, Visitor
from teach_agents_serve.live_past import past_events, write_game_of
from teach_agents_serve.live_routes import JPEG, PROBLEMS, Asks, Size
from teach_agents_serve.live_store import Ending
from teach_agents_serve.live_wire import LiveEventReply, MapExtents, Mark, Replay, ReplayTurn, ViewName
from teach_agents_serve.posted import JSON, file_of

_Write = Callable[[LiveSession, Path], None]
_REELS = 4
_PICTURES = 400
_BEFORE = 8
_TURNS = 1_000_000
_FOREVER = {"Cache-Control": "private, max-age=86400, immutable"}
_FILE = file_of(JSON, "The file.")
_LINES = file_of("application/jsonl", "The file: one JSON value a line.")


@dataclass(frozen=True, slots=True)
class Look:
    """Which picture: of `live.stage.PICTURES`, from whose chair, pixels a side."""

    name: str
    role: Role
    size: int


class Replays:
    """Draws pictures of past moments. The last reels and pictures are kept; one picture is drawn at a time.

    Belongs to one event loop.
    """

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._reels: OrderedDict[str, list[_Reel]] = OrderedDict()
        self._drawn: OrderedDict[tuple[str, int, Look], bytes | None] = OrderedDict()

    async def picture(self, path: Path, turn: int, look: Look) -> bytes | None:
        """A picture after `turn` turns of a record, as a JPEG file; `None` where there was none, or no such turn."""
        key = path.name, turn, look
        async with self._one:
            if key not in self._drawn:
                self._drawn[key] = await asyncio.to_thread(self._picture, path, turn, look)
                while len(self._drawn) > _PICTURES:
                    self._drawn.popitem(last=False)
            self._drawn.move_to_end(key)
            return self._drawn[key]

    def _picture(self, path: Path, turn: int, look: Look) -> bytes | None:
        reels = self._reels.get(path.name, [])
        record = reels[0].record if reels else read_record(path)
        if not 0 <= turn <= len(record.turns):
            return None
        known = max((one for one in reels if one.at <= turn), key=lambda one: one.at, default=None)
        reel = known or self._again(record, turn, look, path.name)
        self._reels.move_to_end(path.name)
        reel.go(turn)
        return reel.file(look)

    def _again(self, record: SessionRecord, turn: int, look: Look, name: str) -> _Reel:
        """A reel from the beginning. Who looks back will look at what was before too: it is drawn on the way."""
        while sum(map(len, self._reels.values())) >= _REELS:
            oldest, reels = next(iter(self._reels.items()))
            reels.pop()
            if not reels:
                del self._reels[oldest]
        reel = _Reel(record)
        self._reels.setdefault(name, []).insert(0, reel)
        for earlier in range(max(0, turn - _BEFORE), turn):
            reel.go(earlier)
            self._drawn[name, earlier, look] = reel.file(look)
        return reel


class _Reel:
    """A record that is carried out turn by turn."""

    def __init__(self, record: SessionRecord) -> None:
        self.record = record
        self.at = 0
        self._household = _household(record)
        self._map = RoomMap.of(self._household.simulator)

    def go(self, turn: int) -> None:
        """Carry out what is left until a turn."""
        for one in self.record.turns[self.at : turn]:
            for role, done in one.done.items():
                if done.action:
                    self._household.act(role, done.action, done.time_ms)
            self.at += 1

    def file(self, look: Look) -> bytes | None:
        """A picture as it is here, as a JPEG file; `None` where there is none."""
        rgb = draw(self._household, self._map.camera, look.role, look.name, look.size)
        return None if rgb is None else sharp_jpeg(rgb)


def map_of(record: SessionRecord) -> RoomMap:
    """The map of a record's room."""
    return RoomMap.of(_household(record).simulator)


def _household(record: SessionRecord) -> Household:
    """A household like a record's, at its beginning."""
    header = record.header
    made = build(SIMULATOR, header.simulator)
    household = Household(made, installed_tasks(), view_size=header.view_size, click_size=header.click_size)
    household.reset(header.scenario)
    return household


def past_router(desk: LiveDesk) -> APIRouter:
    """What is left of sessions."""
    router = APIRouter(prefix="/v1/live/{session}", tags=["live sessions"], responses=PROBLEMS)
    replays = Replays()

    @router.get("/game", response_class=FileResponse, responses=_FILE)
    async def game(asks: Asks) -> Response:
        """The session as a TEACh game file; so far, while it goes on (not for the Follower: it names the task)."""
        name = f"{asks.kept.id}.game.json"
        if asks.kept.ending is None:
            return await _so_far(desk, asks, _write_game, JSON, name)
        await desk.filing.file(asks.kept.id)
        path = desk.filing.game_path(asks.kept.id)
        if not path.exists():
            raise Refusal(404, "no_game", "nothing was done in this session")
        return FileResponse(path, media_type=JSON, filename=name)

    @router.get("/record", response_class=FileResponse, responses=_LINES)
    async def record(asks: Asks) -> Response:
        """The session's record (see docs/sessions.md); so far, while it goes on (not for the Follower)."""
        name, kind = f"{asks.kept.id}.jsonl", "application/jsonl"
        if asks.kept.ending is None:
            return await _so_far(desk, asks, LiveSession.write_record, kind, name)
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
        file = await replays.picture(desk.filing.record_path(asks.kept.id), turn, Look(name, asks.eyes, size))
        if file is None:
            raise Refusal(404, "no_picture", "there is no such picture after that turn")
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
        events=[LiveEventReply(**one) for one in told if one],
    )


def _turn(turn: TurnRecord, room: RoomMap) -> ReplayTurn:
    role = actor_of(turn)
    done = turn.done[role]
    return ReplayTurn(
        turn=turn.turn,
        time_ms=done.time_ms,
        role=role,
        action=done.action.to_json() if done.action else None,
        success=done.result.success,
        message=done.result.message,
        marks=[Mark(**mark_of(room, one, turn.done[one].pose)) for one in Role],
    )


async def _record_of(desk: LiveDesk, asks: Visitor) -> SessionRecord:
    """The record of a session that is over."""
    path = desk.filing.record_path(asks.kept.id)
    if not path.exists():
        await desk.filing.file(asks.kept.id)
    return await asyncio.to_thread(read_record, path)


def _check_over(asks: Visitor) -> Ending:
    if asks.kept.ending is None:
        raise Refusal(409, "not_over", "the session is not over; watch it, or come back")
    return asks.kept.ending


async def _so_far(desk: LiveDesk, asks: Visitor, write: _Write, kind: str, name: str) -> Response:
    """A file of a session that goes on, to be kept by a name."""
    if asks.role is Role.FOLLOWER:
        _check_over(asks)
    async with desk.filing.one, desk.using(asks.kept.id) as awake:
        content = await asyncio.to_thread(_written, write, awake.live)
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


def _write_game(live: LiveSession, path: Path) -> None:
    write_game_of(live.record(), household_for(live.setting), path)


def _written(write: _Write, live: LiveSession) -> bytes:
    with tempfile.TemporaryDirectory(prefix="teach-agents-") as folder:
        path = Path(folder) / "session.json"
        write(live, path)
        return path.read_bytes()
