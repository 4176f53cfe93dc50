"""The folder of a run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from teach_agents.core.benchmark.folder import RunFolder, claimed, storing, write_atomically
from teach_agents.errors import InputError, TeachAgentsError


def test_text_that_utf8_cannot_hold_is_written_escaped(tmp_path: Path) -> None:
    write_atomically(tmp_path / "page.html", "half a character: \ud800; a whole one: \u00e9")
    assert (tmp_path / "page.html").read_bytes() == b"half a character: \\ud800; a whole one: \xc3\xa9"


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    with pytest.raises(TeachAgentsError, match="page.html.*cannot be written"), storing(tmp_path):
        write_atomically(tmp_path / "page.html", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_folder_is_held_by_one_run_and_free_afterwards(tmp_path: Path) -> None:
    with claimed(tmp_path), pytest.raises(InputError, match="another process"), claimed(tmp_path):
        pass
    with claimed(tmp_path):
        pass


def test_a_folder_with_results_takes_only_what_was_asked_for_before(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run", "episodes.jsonl", {"seed": 0, "agents": ("planner", "planner")})
    folder.keep({"id": "one"}, broke_down=False)
    again = RunFolder(folder.path, "episodes.jsonl", {"seed": 0, "agents": ("planner", "planner")})
    assert list(again.journal) == [{"id": "one"}]
    with pytest.raises(InputError, match="a run with other seed and agents; choose a new folder"):
        RunFolder(folder.path, "episodes.jsonl", {"seed": 1, "agents": ("random", "planner")})


def test_a_folder_without_results_takes_other_words(tmp_path: Path) -> None:
    RunFolder(tmp_path, "episodes.jsonl", {"seed": 0})
    RunFolder(tmp_path, "episodes.jsonl", {"seed": 1})
    assert json.loads((tmp_path / "settings.json").read_text()) == {"seed": 1}


def test_what_breaks_down_on_a_full_disk_is_left_to_be_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(tmp_path, "episodes.jsonl", {})
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1000))
    with pytest.raises(TeachAgentsError, match="the disk is full"):
        folder.keep({"id": "one"}, broke_down=True)
    folder.keep({"id": "two"}, broke_down=False)
    assert list(folder.journal) == [{"id": "two"}]
