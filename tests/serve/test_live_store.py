"""Sessions on the disk: whole, in order, and of one server at a time."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from teach_agents_serve.live_store import Ending, Kept, LiveStore, StoreError, hashed, new_keys, place_of

from teach_agents.errors import InputError

_T = TypeVar("_T")
SETTING = {"room": "FloorPlan1"}


def _with(folder: Path, work: Callable[[LiveStore], Awaitable[_T]]) -> _T:
    async def opened() -> _T:
        store = LiveStore(folder)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())


def _line(number: int, *, turn: bool = True, said: bool = False) -> dict[str, Any]:
    events = [{"seq": number, "time_ms": number, "kind": "utterance" if said else "action"}]
    return {"events": events, **({"turn": {"turn": number}} if turn else {})}


def test_what_was_kept_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    async def keep(store: LiveStore) -> None:
        await store.add(Kept("a", "me", {"task": "é\ud800"}, {"watch": "x"}, 5.0), SETTING)
        await asyncio.gather(
            *(store.append("a", number, _line(number, said=number % 3 == 0)) for number in range(1200))
        )
        await store.pause("a", paused=True)

    async def look(store: LiveStore) -> tuple[Kept | None, Any, list[dict[str, Any]], Kept | None]:
        return await store.one("a"), await store.setting("a"), await store.lines("a"), await store.one("b")

    _with(tmp_path, keep)
    kept, setting, lines, nobody = _with(tmp_path, look)
    assert kept == Kept("a", "me", {"task": "é\ud800"}, {"watch": "x"}, 5.0, 1200, 400, True)
    assert setting == SETTING and nobody is None
    assert [line["events"][0]["seq"] for line in lines] == list(range(1200))


def test_a_line_is_kept_once_and_one_that_fails_harms_no_other(tmp_path: Path) -> None:
    async def work(store: LiveStore) -> tuple[list[Any], int]:
        await store.add(Kept("a", "me", {}, {}), SETTING)
        done = await asyncio.gather(*(store.append("a", n, _line(n)) for n in (0, 1, 1, 2)), return_exceptions=True)
        return done, len(await store.lines("a"))

    done, lines = _with(tmp_path, work)
    assert [type(one) for one in done] == [type(None), type(None), StoreError, type(None)] and lines == 3


def test_what_ended_a_session_first_stays(tmp_path: Path) -> None:
    async def work(store: LiveStore) -> tuple[Kept | None, list[str], list[str]]:
        for name in "abc":
            await store.add(Kept(name, "me", {}, {}, float(ord(name))), SETTING)
        surplus = await store.surplus("me", 1)
        await store.end("a", Ending(1.0, "finished", True, 7, 70))
        await store.end("a", Ending(2.0, "ended", False, 8, 80))
        return await store.one("a"), surplus, await store.unfiled()

    kept, surplus, unfiled = _with(tmp_path, work)
    assert kept is not None and kept.ending == Ending(1.0, "finished", True, 7, 70)
    assert surplus == ["b", "a"] and unfiled == ["a"]


def test_a_store_is_of_one_server_at_a_time(tmp_path: Path) -> None:
    async def work(_: LiveStore) -> None:
        with pytest.raises(InputError, match="another server"):
            LiveStore(tmp_path)

    _with(tmp_path, work)


def test_a_store_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "live.sqlite").write_bytes(b"no database at all, but long enough to look like one" * 50)
    with pytest.raises(InputError, match="cannot be opened"):
        LiveStore(tmp_path)
    (tmp_path / "live.sqlite").unlink()
    later = sqlite3.connect(tmp_path / "live.sqlite")
    later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(InputError, match="another version"):
        LiveStore(tmp_path)


def test_keys_are_kept_as_digests_and_open_one_place() -> None:
    keys = new_keys()
    digests = hashed(keys)
    assert not set(dict(keys).values()) & set(digests.values())
    assert [place_of(key, digests) for key in dict(keys).values()] == list(dict(keys))
    assert [place_of(key, digests) for key in ("", "é", "\ud800", keys.watch + "x")] == [None] * 4
