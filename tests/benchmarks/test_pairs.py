from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.scripts import benchmark


def test_the_interval_of_nine_ratios_is_the_second_to_the_eighth(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = benchmark("pairs", monkeypatch)
    assert pairs.interval([5, 1, 9, 3, 7, 2, 8, 4, 6]) == (2, 8)
    assert pairs.interval([1.0, 1.2, 1.1]) == (1.0, 1.2)


def test_what_is_asked_of_a_ratio_differs_by_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = benchmark("pairs", monkeypatch)
    assert pairs.verdict("simulator_speed.reset", [0.94, 0.96, 0.98])["met"]
    assert not pairs.verdict("simulator_speed.reset", [0.955, 0.96, 0.965])["met"]
    assert not pairs.verdict("runner_overhead.turn_cpu_ms", [1.8, 1.9, 2.2])["met"]
    assert pairs.verdict("runner_overhead.turn_cpu_ms", [1.8, 2.1, 2.2])["met"]
    assert pairs.verdict("start_up.import", [0.90, 0.92, 0.93])["met"]


def test_a_program_in_a_tree_finds_the_entry_points_of_that_tree(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trees = benchmark("trees", monkeypatch)
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "teach-agents"\nversion = "7.7"\n[project.entry-points.teach_agents]\nhere = "some.module"\n'
    )
    asked = (
        "from importlib.metadata import entry_points, version;"
        "print(version('teach-agents'), *(one.name for one in entry_points(group='teach_agents')))"
    )
    spent = trees.Tree.of(folder, tmp_path).run([sys.executable, "-c", asked], tmp_path)
    assert (spent.code, spent.output.split()) == (0, ["7.7", "here"])
    assert 0 < spent.cpu_s < 60


_MARKING = """
import os, sys, time
begun, marks = time.process_time(), [time.monotonic()]
while time.process_time() - begun < 0.5:
    marks.append(time.monotonic())
print(max(later - earlier for earlier, later in zip(marks, marks[1:])), marks[0], marks[-1])
sys.exit(int(sys.argv[1]))
"""


def test_programs_that_run_by_turns_are_stopped_while_it_is_anothers_turn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trees = benchmark("trees", monkeypatch)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "teach-agents"\nversion = "7.7"\n')
    tree = trees.Tree.of(tmp_path, tmp_path)
    ended = trees.run_by_turns([(tree, [sys.executable, "-c", _MARKING, str(code)]) for code in (0, 3)], tmp_path)
    assert [code for code, _ in ended] == [0, 3]
    (stood, begun, over), (other_stood, other_begun, other_over) = [map(float, said.split()) for _, said in ended]
    assert max(begun, other_begun) < min(over, other_over), "one waited for the other's end"
    assert min(stood, other_stood) > 0.05
