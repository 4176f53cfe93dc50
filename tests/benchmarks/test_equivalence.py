from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from teach_agents import Action, EmbeddedSimulator, Household, Scenario, Scene, ScriptedAgent, run_session
from tests.scripts import benchmark


@pytest.fixture
def differences(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("differences", monkeypatch)


def _episode(**other: Any) -> dict[str, Any]:
    return {
        "instance_id": "a",
        "success": True,
        "costs": {"follower": {"wall_s": 0.1, "tokens": 3}},
        "wall_s": 1.5,
        **other,
    }


def _run(folder: Path, *episodes: dict[str, Any], **summary: Any) -> Path:
    folder.mkdir(parents=True)
    (folder / "episodes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in episodes))
    (folder / "summary.json").write_text(json.dumps({"n": len(episodes), **summary}, indent=1) + "\n")
    return folder


def _session(folder: Path, *acts: Action) -> Path:
    """A run of one short session, with its record."""
    household = Household(EmbeddedSimulator())
    commander = ScriptedAgent([Action.say("turn, please")])
    scenario = Scenario("short", "Coffee", (), Scene("FloorPlan1"), seed=1)
    record = folder / "records" / "short.jsonl"
    run_session(household, commander, ScriptedAgent([*acts, Action.stop()]), scenario, record=record)
    return folder


def test_times_are_left_out_and_nothing_else_of_a_line(differences: ModuleType, tmp_path: Path) -> None:
    slow = _episode(wall_s=99.0, costs={"follower": {"wall_s": 7.0, "tokens": 3}})
    old = _run(tmp_path / "old", _episode(), _episode(instance_id="b"))
    new = _run(tmp_path / "new", slow, _episode(instance_id="b"))
    found = differences.compare_folders(old, new)
    assert found.equal and (found.files, found.lines, found.lines_equal_to_the_byte) == (2, 3, 2)
    talks = _run(tmp_path / "talks", slow, _episode(instance_id="b", costs={"follower": {"wall_s": 0.1, "tokens": 4}}))
    (one,) = differences.compare_folders(old, talks).differences
    assert str(one) == "episodes.jsonl:2: costs.follower.tokens: old 3, new 4"


def test_a_value_of_another_type_a_new_key_and_another_order_of_keys_are_differences(
    differences: ModuleType, tmp_path: Path
) -> None:
    old = _run(tmp_path / "old", _episode())
    changed = {
        "success": _episode(success=1),
        "world": _episode(world="teach"),
        "(the keys in another order)": dict(reversed(_episode(wall_s=2.0).items())),
    }
    for number, (told, episode) in enumerate(changed.items()):
        (one,) = differences.compare_folders(old, _run(tmp_path / str(number), episode)).differences
        assert told in (one.key, one.old)


def test_an_interval_of_a_summary_may_become_wider_and_not_narrower(differences: ModuleType, tmp_path: Path) -> None:
    old = _run(tmp_path / "old", success_rate_ci=[0.9, 1.0])
    assert differences.compare_folders(old, _run(tmp_path / "wider", success_rate_ci=[0.76, 1.0])).equal
    (one,) = differences.compare_folders(old, _run(tmp_path / "narrower", success_rate_ci=[0.95, 1.0])).differences
    assert (one.key, one.old, one.new) == ("success_rate_ci[0]", "0.9", "0.95")


def test_files_and_lines_that_are_missing_are_named_and_nothing_is_not_equal(
    differences: ModuleType, tmp_path: Path
) -> None:
    old, new = _run(tmp_path / "old", _episode(), _episode()), _run(tmp_path / "new", _episode(), n=2)
    (new / "summary.json").unlink()
    places = [(one.file, one.line) for one in differences.compare_folders(old, new).differences]
    assert places == [("episodes.jsonl", 2), ("summary.json", 0)]
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    assert not differences.compare_folders(tmp_path / "one", tmp_path / "other").equal


def test_sessions_are_equal_to_the_byte_and_a_changed_action_is_found_and_named(
    differences: ModuleType, tmp_path: Path
) -> None:
    left, right = Action("Turn Left"), Action("Turn Right")
    old = _session(tmp_path / "old", left, left)
    same = differences.compare_folders(old, _session(tmp_path / "same", left, left))
    assert same.equal and same.lines == same.lines_equal_to_the_byte and same.acts == 6
    other = differences.compare_folders(old, _session(tmp_path / "other", left, right))
    assert not other.equal
    places = [(one.line, one.key, one.old, one.new) for one in other.differences]
    assert (3, "follower.action.name", '"Turn Left"', '"Turn Right"') in places
    act = next(one for one in other.differences if one.key == "act 3")
    assert act.file == "records/short.jsonl" and "Turn Left" in act.old and "Turn Right" in act.new
    assert other.acts_digest != same.acts_digest
