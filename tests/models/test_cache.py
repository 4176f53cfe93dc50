from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from teach_agents.errors import ModelError
from teach_agents.models.cache import cache_folder, made_once


def test_a_folder_is_made_once_however_many_want_it(tmp_path: Path) -> None:
    made: list[Path] = []
    together = threading.Barrier(4, timeout=20)

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "weights").write_text("heavy")

    def want(_: int) -> Path:
        together.wait()
        return made_once(tmp_path / "cache" / "model", make)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(want, range(4)))
    assert found == [tmp_path / "cache" / "model"] * 4 and len(made) == 1
    assert (found[0] / "weights").read_text() == "heavy"


def test_one_that_fails_leaves_nothing_and_can_be_made_again(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_text("of it")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made_once(tmp_path / "model", fail)
    assert not (tmp_path / "model").exists() and not list(tmp_path.glob(".model.part-*"))
    left = tmp_path / ".model.part-killed"
    left.mkdir()
    made_once(tmp_path / "model", lambda folder: (folder / "whole").touch())
    assert (tmp_path / "model" / "whole").exists() and not left.exists()


def test_a_cache_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ModelError, match="TEACH_AGENTS_CACHE"):
        made_once(tmp_path / "file" / "model", lambda folder: None)


def test_the_cache_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEACH_AGENTS_CACHE", "/chosen")
    assert cache_folder() == Path("/chosen/models")
    monkeypatch.setenv("TEACH_AGENTS_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_folder() == Path("/caches/teach_agents/models")
