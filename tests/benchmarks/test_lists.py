"""The lists that the package ships."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from teach_agents.benchmarks.base import LISTS, is_shipped, names_of
from teach_agents.benchmarks.tatc.parameters import SESSION_TASKS
from teach_agents.core.benchmark.selection import read_names
from teach_agents.data import read_game
from teach_agents.errors import InputError

SCRIPT = Path(__file__).parents[2] / "scripts" / "draw_lists.py"


def test_shipped_lists_are_had_by_name() -> None:
    assert {name: len(names_of(name)) for name in LISTS} == {"valid_seen_60": 60, "edh_valid_seen_200": 200}
    assert all(".edh" in name for name in names_of("edh_valid_seen_200"))


def test_a_file_of_the_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_shipped("valid_seen_60")
    Path("valid_seen_60").write_text("mine.game.json\n")
    assert not is_shipped("valid_seen_60") and names_of("valid_seen_60") == ("mine",)


def test_another_name_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match="--names: is neither a file nor a list .* did you mean 'valid_seen_60'"):
        names_of("valid_seen_6")


@pytest.mark.data
def test_the_lists_are_what_the_script_draws(teach_data: Path, tmp_path: Path) -> None:
    words = [sys.executable, str(SCRIPT), str(teach_data), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    for name in LISTS:
        assert read_names(tmp_path / f"{name}.txt") == names_of(name)
    games = [teach_data / "games" / "valid_seen" / f"{name}.game.json" for name in names_of("valid_seen_60")]
    assert Counter(read_game(path).task.task_name for path in games) == dict.fromkeys(SESSION_TASKS, 5)
