"""The folder of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.benchmarks.tatc.folder import claimed, storing, write_atomically
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
