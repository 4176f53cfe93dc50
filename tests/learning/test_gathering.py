from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.core.benchmark.engines import Job
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration, read_demonstrations
from teach_agents.learning.gathering import DEMONSTRATIONS, Gathering, gathered, stored

WORKER = f"{__name__}:work"
SOURCES = [Job("a", {"size": 2}), Job("broken", {"size": -1}), Job("b", {"size": 3})]


def work(payload: Mapping[str, Any]) -> dict[str, Any]:
    size = payload["source"]["size"]
    if size < 0:
        raise ValueError("no such size")
    choices = tuple(map(str, range(size)))
    one = Demonstration(f"s{size}", "human", Role.FOLLOWER, "system", "user", choices, "1")
    return stored(payload, lambda: ([one] * size, {"dropped": {"odd": size}, "labels": {"1": size}}))


def test_a_folder_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    told: list[str] = []
    summary = Gathering(folder, WORKER, {}, SOURCES).gather(on_session=lambda one: told.append(one.job_id))
    assert sorted(told) == ["a", "b", "broken"]
    assert summary["sessions"] == 2
    assert summary["broken"] == {"broken": ["ValueError: no such size"]}
    assert summary["demonstrations"] == {"human follower": 5}
    assert summary["dropped"] == {"odd": 5}
    assert summary["median_candidates"] == {"human follower": 3.0}
    made = list(gathered(folder))
    assert [one.session for one in made] == ["s2"] * 2 + ["s3"] * 3
    assert made == list(read_demonstrations(folder / DEMONSTRATIONS))
    told.clear()
    Gathering(folder, WORKER, {}, SOURCES).gather(on_session=lambda one: told.append(one.job_id))
    assert told == ["broken"]
    assert list(gathered(folder)) == made
    assert json.loads((folder / "summary.json").read_bytes())["sessions"] == 2
    with pytest.raises(InputError, match="other how"):
        Gathering(folder, WORKER, {"more": 1}, SOURCES)


def test_a_folder_without_demonstrations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no demonstrations"):
        list(gathered(tmp_path))
