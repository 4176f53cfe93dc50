"""Pictures of a live session as JPEG files, drawn once for all who look at the same."""

from __future__ import annotations

import asyncio
from functools import partial

from teach_agents.actions import Role
from teach_agents.conventions.pictures import jpeg_file
from teach_agents.errors import TeachAgentsError
from teach_agents.live import LiveSession

sharp_jpeg = partial(jpeg_file, quality=88, subsampling=0)
"""A picture as a JPEG file, its colours as sharp as its outlines (no chroma subsampling)."""
_KEPT = 16


class Pictures:
    """A session's pictures of the present moment. Belongs to one event loop; `drawing` is held while one is drawn."""

    def __init__(self, live: LiveSession, drawing: asyncio.Semaphore) -> None:
        self._live = live
        self._drawing = drawing
        self._drawn: dict[tuple[str, Role | None, int], tuple[int, asyncio.Future[bytes]]] = {}

    async def get(self, name: str, role: Role | None, size: int, moment: int) -> bytes:
        """A picture as it is after event `moment`, or later. Raises `LiveError` for one that there is not."""
        key = name, role, size
        kept_at, known = self._drawn.pop(key, (-2, None))
        if known is None or kept_at < moment:
            kept_at, known = moment, asyncio.ensure_future(self._draw(name, role, size))
        self._drawn[key] = kept_at, known
        while len(self._drawn) > _KEPT:
            self._drawn.pop(next(iter(self._drawn)))
        try:
            return await asyncio.shield(known)
        except (TeachAgentsError, RuntimeError):
            if self._drawn.get(key) == (kept_at, known):
                del self._drawn[key]
            raise

    async def _draw(self, name: str, role: Role | None, size: int) -> bytes:
        async with self._drawing:
            return await self._live.made_of_picture(name, role, size, sharp_jpeg)
