"""Past moments, drawn: the same picture from wherever one comes to it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from teach_agents_serve.live_past_routes import Look, Replays, map_of

from teach_agents.actions import Action, Role
from teach_agents.live import LiveSession, LiveSetting, make_scenario
from teach_agents.session import read_record

VIEW = Look("view", Role.FOLLOWER, 64)
TURNS = 12


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Records of sessions in which somebody turns round."""
    folder = tmp_path_factory.mktemp("records")

    async def play(name: str) -> Path:
        chairs = dict.fromkeys(Role, "human")
        live = LiveSession(LiveSetting(name, make_scenario(room="FloorPlan401"), chairs))
        await live.start()
        for _ in range(TURNS):
            await live.act(Role.FOLLOWER, Action("Turn Left"))
        await live.end()
        path = folder / f"{name}.jsonl"
        live.write_record(path)
        await live.close()
        return path

    return [asyncio.run(play(name)) for name in "abc"]


def test_pictures_do_not_depend_on_the_way_to_them(records: list[Path]) -> None:
    async def looked(turns: list[int]) -> dict[int, bytes | None]:
        replays = Replays()
        return {turn: await replays.picture(records[0], turn, VIEW) for turn in turns}

    forward = asyncio.run(looked(list(range(TURNS + 1))))
    backward = asyncio.run(looked([TURNS, 11, 2, 9, 1, 0, 10]))
    assert all(forward[turn] == picture for turn, picture in backward.items())
    assert forward[0] == forward[4] == forward[12] and len(set(forward.values())) == 4


def test_there_is_no_picture_of_what_was_not(records: list[Path]) -> None:
    async def looked() -> list[bytes | None]:
        replays, search = Replays(), Look("target_view", Role.COMMANDER, 64)
        return [
            await replays.picture(records[0], TURNS + 1, VIEW),
            await replays.picture(records[1], 99, VIEW),
            await replays.picture(records[0], 3, search),
            await replays.picture(records[2], 3, VIEW),
        ]

    *nothing, last = asyncio.run(looked())
    assert nothing == [None] * 3 and last is not None


def test_the_map_of_a_record_is_that_of_its_room(records: list[Path]) -> None:
    assert map_of(read_record(records[0])).half > 1
