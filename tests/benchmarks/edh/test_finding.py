"""Looking through sessions for EDH instances."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.solo.references import Search
from teach_agents.data import write_game
from teach_agents.errors import TeachAgentsError
from tests.benchmarks.edh.sessions import errand

ALL = [f"{name}.edh{number}" for name in ("a", "b", "c") for number in (0, 1)]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sessions that are alike but in name."""
    folder = tmp_path_factory.mktemp("teach") / "games" / "train"
    session = errand()
    for name in ("a", "b", "c"):
        one = replace(session, episodes=(replace(session.episode, episode_id=name),))
        write_game(one, folder / f"{name}.game.json")
    return folder


@pytest.mark.parametrize("workers", [1, 2])
def test_the_search_ends_when_enough_is_found(games: Path, workers: int) -> None:
    told: list[tuple[int, int]] = []
    search = Search(workers, enough=3, told=lambda done, total: told.append((done, total)))
    assert [one.instance_id for one in edh_references(games=str(games), search=search)] == ALL[:4]
    assert 2 <= len(told) <= 3 and told[0] == (1, 3)


def test_several_processes_find_the_same(games: Path) -> None:
    found = edh_references(games=str(games), search=Search(2))
    assert found == edh_references(games=str(games))
    assert [one.instance_id for one in found] == ALL


def test_a_session_that_cannot_be_read_is_named(games: Path, tmp_path: Path) -> None:
    (tmp_path / "z.game.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TeachAgentsError, match=r"z\.game\.json"):
        edh_references(games=str(tmp_path), search=Search(2))
    with pytest.raises(TeachAgentsError, match=r"z\.game\.json"):
        edh_references(games=str(tmp_path))
