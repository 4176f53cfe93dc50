"""Sessions that are over, carried out again to be looked at: pictures after any turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from teach_agents.actions import Role
from teach_agents.arrays import ByteArray
from teach_agents.core.specs import build
from teach_agents.household import Household
from teach_agents.household.map import RoomMap
from teach_agents.installed import installed_tasks
from teach_agents.kinds import SIMULATOR
from teach_agents.observations import View
from teach_agents.session import SessionRecord, read_record
from teach_agents.simulator.contract import Channel
from teach_agents_serve.live_pictures import sharp_jpeg

_REELS = 4
_PICTURES = 400
_BEFORE = 8


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
        reel = max((one for one in reels if one.at <= turn), key=lambda one: one.at, default=None)
        if reel is None:
            reel = self._again(record, turn, look, path.name)
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
                if done.action is not None:
                    self._household.act(role, done.action, done.time_ms)
            self.at += 1

    def file(self, look: Look) -> bytes | None:
        """A picture as it is here, as a JPEG file; `None` where there is none."""
        rgb = self._picture(look)
        return None if rgb is None else sharp_jpeg(rgb)

    def _picture(self, look: Look) -> ByteArray | None:
        if look.name == "overhead":
            channels = frozenset({Channel.RGB})
            return self._household.simulator.view(self._map.camera, channels, size=look.size).rgb
        seen = self._household.observe(look.role, size=look.size)
        view: View | None = getattr(seen, "overhead" if look.name == "map" else look.name)
        return None if view is None else view.rgb


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
