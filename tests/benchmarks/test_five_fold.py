"""The folds of the five-fold benchmark: every room once, kinds spread evenly, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from tests.scripts import benchmark


@pytest.fixture
def five_fold(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("five_fold", monkeypatch)


def test_every_room_is_in_one_fold_with_its_share_of_each_kind(five_fold: ModuleType) -> None:
    folds = five_fold.folds_of(ROOM_NAMES, 5, 1)
    assert sorted(name for fold in folds for name in fold) == sorted(ROOM_NAMES)
    for fold in folds:
        assert Counter(map(kind_of, fold)) == {"kitchen": 6, "living room": 6, "bedroom": 6, "bathroom": 6}


def test_folds_follow_from_the_seed(five_fold: ModuleType) -> None:
    assert five_fold.folds_of(ROOM_NAMES, 5, 1) == five_fold.folds_of(reversed(ROOM_NAMES), 5, 1)
    assert five_fold.folds_of(ROOM_NAMES, 5, 1) != five_fold.folds_of(ROOM_NAMES, 5, 2)


def test_tables_of_a_fold_know_no_session_of_its_rooms(
    five_fold: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from teach_agents.simulator.embedded import tables

    known = {"FloorPlan1": five_fold.RoomFacts(sessions=9), "FloorPlan2": five_fold.RoomFacts(sessions=9)}
    known["FloorPlan2"].supported["Fridge|b"] += [0.2, 0.2, 0.2]
    known["FloorPlan2"].heights["Fridge|b"] = 2.0
    known["FloorPlan1"].slices["Bread_of_room_1"][6] += 1
    five_fold.build(known, ["FloorPlan1"], tmp_path / "fold")
    monkeypatch.setenv(five_fold.TABLES, str(tmp_path / "fold"))
    assert tables._read("tables.json")["slices"] == {}
    assert set(tables._read("tables_rooms.json")["FloorPlan1"]) == {"interior", "counters"}
