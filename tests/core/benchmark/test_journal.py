"""What is in a journal stays there."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.core.benchmark.folder import Journal


def test_what_is_written_is_read_in_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    assert list(journal) == []
    for number in range(3):
        journal.append({"n": number, "text": "zwei\nZeilen"})
    assert [one["n"] for one in Journal(journal.path)] == [0, 1, 2]


@pytest.mark.parametrize("kept", range(1, 22))
def test_a_line_that_was_cut_short_is_passed_over_and_spoils_nothing(tmp_path: Path, kept: int) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    journal.append({"n": 0})
    whole = journal.path.read_bytes()
    journal.append({"n": 1, "more": "a b c"})
    journal.path.write_bytes(journal.path.read_bytes()[: len(whole) + kept])
    journal.append({"n": 2})
    assert [one["n"] for one in journal] == [0, 2]


def test_lines_that_are_no_objects_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'[1]\n"x"\n{"n": 1}\n\xff\n')
    assert list(Journal(path)) == [{"n": 1}]


def test_what_is_no_json_is_refused_and_not_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    with pytest.raises(ValueError, match="not JSON compliant"):
        journal.append({"n": float("nan")})
    assert list(journal) == []
