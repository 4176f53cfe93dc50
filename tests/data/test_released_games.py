"""All released sessions: each is read and written byte for byte, and together they are what the paper counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from teach_agents.actions import Role
from teach_agents.data import Game, RoomKind, game_files, read_game
from teach_agents.data.stats import PUBLISHED_TASKS, SessionStats, session_stats, split_of, summarise

pytestmark = [pytest.mark.data, pytest.mark.slow]


class _Session(NamedTuple):
    """What the tests ask of one session; its game, of some megabytes, is not kept."""

    name: str
    game_id: str
    same: bool
    """Whether it is written as it stands in its file."""
    episodes: int
    world_type: str | None
    room_kind: RoomKind | None
    commander_embodied: bool
    stats: SessionStats


def _session(path: Path) -> _Session:
    game: Game = read_game(path)
    episode = game.episode
    return _Session(
        name=path.name,
        game_id=game.game_id,
        same=json.dumps(game.to_json()) == path.read_text(encoding="utf-8").strip(),
        episodes=len(game.episodes),
        world_type=episode.world_type,
        room_kind=episode.room_kind,
        commander_embodied=episode.commander_embodied,
        stats=session_stats(game, split_of(path)),
    )


@pytest.fixture(scope="module")
def sessions(teach_data: Path) -> list[_Session]:
    """Every session, read once for all tests."""
    return [_session(path) for path in game_files(teach_data / "games")]


def test_every_released_game_is_read_and_written_byte_for_byte(sessions: list[_Session]) -> None:
    assert len(sessions) == 1663
    assert [one.name for one in sessions if not one.same] == []
    assert [one.name for one in sessions if one.name != f"{one.game_id}.game.json"] == []


def test_every_released_game_is_in_a_known_room_without_a_body_for_the_commander(sessions: list[_Session]) -> None:
    assert [one.name for one in sessions if one.room_kind is None or one.commander_embodied] == []
    assert sum(one.episodes == 2 for one in sessions) == 3
    assert sum(one.world_type == "Kitchen" for one in sessions) == 4


def test_the_released_sessions_have_the_published_counts(sessions: list[_Session]) -> None:
    summary = summarise(one.stats for one in sessions)
    for task, counts in PUBLISHED_TASKS.items():
        found = tuple(summary.count(task, split) for split in ("train", "valid_seen"))
        assert found == counts[:2]
    commander, follower = Role.COMMANDER, Role.FOLLOWER
    assert abs(summary.utterances(commander).mean - 8.40) < 0.4
    assert abs(summary.utterances(follower).mean - 5.25) < 0.4
    assert abs(summary.tokens(commander).mean - 5.70) < 0.3
    assert abs(summary.tokens(follower).mean - 3.80) < 0.3
    assert abs(summary.actions(follower).mean - 131.8) < 1.0
