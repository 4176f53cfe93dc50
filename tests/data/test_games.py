"""Game files are read, written and refused as specification 1.4-1.6 and 8.8 ask."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from teach_agents.data import (
    Game,
    Keyboard,
    Motion,
    RoomKind,
    game_files,
    iter_games,
    read_game,
    room_kind,
    write_game,
)
from teach_agents.data.games import read_json, write_json
from teach_agents.errors import GameFileError
from tests.data.samples import games, json_values, sample_game

SAMPLE: dict[str, Any] = json.loads(json.dumps(sample_game().to_json()))
TEXT = json.dumps(SAMPLE)


def _changed(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    data = copy.deepcopy(SAMPLE)
    inner: Any = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return data


def _episode(key: str, value: object) -> dict[str, Any]:
    return _changed(("tasks", 0, "episodes", 0, key), value)


def _paths(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from _paths(inner, (*path, step))


PATHS = [path for path in _paths(SAMPLE) if path[0] != "definitions"]


def _use(game: Game) -> None:
    """Everything a reader promises to work on a game that was read."""
    for episode in game.episodes:
        assert episode.initial_state.follower and episode.final_state.commander
        assert episode.room_kind is None or episode.room
        for interaction in episode.interactions:
            assert interaction.type.name == interaction.action
            if isinstance(interaction, Motion):
                assert interaction.pose is None or 0 <= interaction.pose.yaw <= 360
            if isinstance(interaction, Keyboard):
                assert interaction.dialogue_acts == () or interaction.da_metadata


def test_a_written_game_is_read_back_equal(tmp_path: Path) -> None:
    game = sample_game()
    path = tmp_path / "new folder" / "x.game.json"
    write_game(game, path)
    assert read_game(path) == game
    assert [file.name for file in path.parent.iterdir()] == ["x.game.json"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=games())
def test_any_recordable_game_is_read_back_equal(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "x.game.json"
    write_game(game, path)
    again = read_game(path)
    assert again == game
    assert json.dumps(again.to_json()) == json.dumps(game.to_json())
    _use(again)


def test_unknown_keys_survive_everywhere() -> None:
    data = copy.deepcopy(SAMPLE)
    episode = data["tasks"][0]["episodes"][0]
    places = (data, data["tasks"][0], episode, episode["initial_state"], episode["final_state"])
    for place in (*places, *episode["interactions"], *episode["initial_state"]["agents"]):
        place["from a later release"] = {"nested": [1, 2.0, None]}
    assert Game.from_json(data).to_json() == data


def test_the_driver_is_the_follower_and_the_room_has_no_suffix() -> None:
    episode = sample_game().episode
    assert episode.world == "FloorPlan5_physics"
    assert episode.room == "FloorPlan5"
    assert episode.room_kind is RoomKind.KITCHEN
    assert [str(one.role) for one in episode.interactions[:4]] == ["commander"] * 3 + ["follower"]


@pytest.mark.parametrize(
    ("room", "kind"),
    [
        ("FloorPlan30", RoomKind.KITCHEN),
        ("FloorPlan201", RoomKind.LIVING_ROOM),
        ("FloorPlan330", RoomKind.BEDROOM),
        ("FloorPlan401", RoomKind.BATHROOM),
        ("FloorPlan31", None),
        ("FloorPlan_Train1_2", None),
    ],
)
def test_the_kind_of_room_follows_from_the_plan_number(room: str, kind: RoomKind | None) -> None:
    assert room_kind(room) is kind


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        (_episode("commander_embodied", "True"), True),
        (_episode("commander_embodied", "False"), False),
        (_episode("commander_embodied", "true"), False),
    ],
)
def test_only_the_text_true_embodies_the_commander(data: dict[str, Any], holds: bool) -> None:
    assert Game.from_json(data).episode.commander_embodied is holds


def test_what_released_files_hold_is_tolerated() -> None:
    data = _episode("world_type", "Kitchen")
    task = data["tasks"][0]
    task["episodes"].append(copy.deepcopy(task["episodes"][0]))
    first = task["episodes"][0]
    first["episode_id"] = task["episodes"][1]["episode_id"] = "0123456789abcdef"
    first["interactions"][0]["success"] = None
    first["interactions"][5].update(x=-2, y=1)
    first["initial_state"]["objects"][0]["receptacleObjectIds"] = None
    first["initial_state"]["objects"][1]["temperature"] = "Hot"
    first["interactions"][1]["da_metadata"] = {"das": ["confirm", "", ""], "text_segments": ["yes", "", ""]}
    game = Game.from_json(data)
    assert game.game_id == "0123456789abcdef"
    assert len(game.episodes) == 2
    assert game.episode.interactions[0].success is None
    spoken = game.episode.interactions[1]
    assert isinstance(spoken, Keyboard)
    assert [act.act for act in spoken.dialogue_acts] == ["Confirm"]
    assert spoken.corrected == "coffee, please"
    assert json.dumps(game.to_json()) == json.dumps(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "the root must be an object"),
        ({}, "missing key 'tasks'"),
        (_changed(("version",), 2.0), "'version' must be text"),
        (_changed(("tasks",), []), "exactly one task"),
        (_changed(("tasks", 0, "episodes"), []), "must hold an episode"),
        (_changed(("tasks", 0, "task_params"), [1]), "'tasks[0].task_params' must be a list of texts"),
        (_changed(("tasks", 0, "components"), None), "'tasks[0].components' must be an object, got null"),
        (_episode("world", ""), "'FloorPlan209_physics'"),
        (_episode("final_state", None), "final_state must be an object"),
        (_episode("interactions", {}), "'tasks[0].episodes[0].interactions' must be a list"),
        (_episode("interactions", [7]), "interactions[0] must be an object; got 7"),
    ],
)
def test_a_file_of_another_shape_is_refused_by_key_and_value(data: object, said: str) -> None:
    with pytest.raises(GameFileError) as caught:
        Game.from_json(data, "some.game.json")
    assert caught.value.where == "some.game.json"
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("index", "change", "said"),
    [
        (0, {"agent_id": 2}, "valid: 0 (Commander), 1 (Driver)"),
        (0, {"action_id": 999}, "names no action"),
        (0, {"success": 2}, "'tasks[0].episodes[0].interactions[0].success' must be 0 or 1"),
        (0, {"query": None}, "must be text, got null"),
        (3, {"pose": [1, 2]}, "must hold six numbers"),
        (3, {"pose": [0, 0, 0, 0, 0, "north"]}, "finite numbers"),
        (5, {"x": "left"}, "must be a finite number; got 'left'"),
        (5, {"x": True}, "must be a finite number"),
        (5, {"time_start": float("inf")}, "must be a finite number"),
        (5, {"time_start": 10**400}, "must be a finite number"),
    ],
)
def test_a_bad_interaction_is_refused_by_its_index(index: int, change: dict[str, Any], said: str) -> None:
    data = copy.deepcopy(SAMPLE)
    data["tasks"][0]["episodes"][0]["interactions"][index].update(change)
    with pytest.raises(GameFileError) as caught:
        Game.from_json(data)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is truncated"),
        (TEXT[: len(TEXT) // 2].encode(), "is truncated"),
        (TEXT.replace(":", ";", 1).encode(), "is garbled"),
        (b"\xff\xfe" + TEXT.encode(), "is not UTF-8 text"),
        (TEXT.replace("1.5", "NaN", 1).encode(), "NaN is no JSON number"),
        (b"[" * 100_000, "is no valid JSON"),
    ],
)
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "damaged.game.json"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match="damaged.game.json") as caught:
        read_game(path)
    assert said in str(caught.value)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(end=st.integers(0, len(TEXT) - 1))
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, end: int) -> None:
    path = tmp_path / "cut.game.json"
    path.write_text(TEXT[:end], encoding="utf-8")
    with pytest.raises(GameFileError):
        read_game(path)


@settings(max_examples=300, deadline=None)
@given(path=st.sampled_from(PATHS), value=json_values)
@example(path=("tasks", 0, "episodes", 0, "initial_state", "agents", 0, "cameraHorizon"), value="down")
@example(path=("tasks", 0, "episodes", 0, "interactions", 1, "da_metadata"), value={"das": None})
def test_a_value_changed_anywhere_is_read_or_refused_and_never_crashes(
    path: tuple[str | int, ...], value: object
) -> None:
    data = _changed(path, value)
    try:
        game = Game.from_json(data)
    except GameFileError:
        return
    _use(game)
    assert Game.from_json(game.to_json()) == game


@settings(max_examples=100, deadline=None)
@given(path=st.sampled_from([path for path in PATHS if isinstance(path[-1], str)]))
def test_a_key_missing_anywhere_is_tolerated_or_refused_and_never_crashes(path: tuple[str | int, ...]) -> None:
    data = copy.deepcopy(SAMPLE)
    inner: Any = data
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    try:
        _use(Game.from_json(data))
    except GameFileError as error:
        assert "missing key" in str(error)
        assert f"{path[-1]}'" in str(error)


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(GameFileError, match="no such file"):
        read_game("nowhere.game.json")


def test_a_game_that_is_no_json_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.game.json"
    write_game(sample_game(), path)
    before = path.read_bytes()
    for definitions in ({"tasks": {1, 2}}, {"tasks": float("nan")}):
        with pytest.raises(GameFileError, match="cannot be written as JSON"):
            write_game(replace(sample_game(), definitions=definitions), path)
    with pytest.raises(GameFileError, match="'version' must be text"):
        write_game(replace(sample_game(), version=2), path)  # type: ignore[arg-type]  # what the check is for
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("value", [[1e-7, 1e22, -0.0, 2**70, True], {"é": "ü"}, {"a": (1, 2)}, {1: None}], ids=repr)
def test_json_is_written_in_ascii_and_says_what_it_was_given(value: object, tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    write_json(value, path)
    assert path.read_bytes().isascii()
    assert repr(read_json(path)) == repr(json.loads(json.dumps(value)))


def test_folders_are_searched_and_sorted_by_file_name(tmp_path: Path) -> None:
    for name in ("b/2.game.json", "a/3.game.json", "b/1.game.json", "a/other.json"):
        write_game(sample_game(), tmp_path / name)
    assert [path.name for path in game_files(tmp_path)] == ["1.game.json", "2.game.json", "3.game.json"]
    one = tmp_path / "b" / "2.game.json"
    assert game_files([tmp_path / "b", one]) == game_files(tmp_path / "b")
    assert sum(1 for _ in iter_games(tmp_path)) == 3


def test_folders_without_games_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="holds no file named"):
        iter_games(tmp_path)
    with pytest.raises(GameFileError, match="no such file or folder"):
        iter_games([tmp_path / "missing"])


def test_games_are_read_one_at_a_time(tmp_path: Path) -> None:
    write_game(sample_game(), tmp_path / "1.game.json")
    (tmp_path / "2.game.json").write_text("{", encoding="utf-8")
    games_ = iter_games(tmp_path)
    assert next(games_) == sample_game()
    with pytest.raises(GameFileError, match=r"2\.game\.json"):
        next(games_)


@pytest.mark.data
def test_the_last_motion_of_a_session_ends_where_its_final_state_stands(teach_data: Path) -> None:
    agreed, total = 0, 0
    for path in game_files(teach_data / "games" / "valid_seen")[:40]:
        episode = read_game(path).episode
        motions = [one for one in episode.interactions if isinstance(one, Motion) and one.pose is not None]
        last, body = motions[-1].pose, episode.final_state.follower
        assert last is not None
        gap = max(abs(a - b) for a, b in zip(last.position, body.position, strict=True))
        agreed += gap < 1e-3 and abs(last.yaw - body.yaw) < 1 and abs(last.horizon - body.horizon) < 1
        total += 1
    assert (agreed, total) == (40, 40)


def test_a_text_that_only_the_slow_reader_takes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "half_a_pair.json"
    path.write_text('{"utterance": "\\ud83d"}', encoding="utf-8")
    assert read_json(path) == {"utterance": "\ud83d"}
