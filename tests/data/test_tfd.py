"""TfD instances, in the inferred format."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from teach_agents.actions import Role
from teach_agents.data import Game, read_game
from teach_agents.data.tfd import TfdInstance, read_tfd, tfd_from_game, write_tfd
from teach_agents.errors import GameFileError
from tests.data.samples import games, sample_game


def _write(tmp_path: Path, data: dict[str, Any]) -> Path:
    path = tmp_path / "0123456789abcdef_01ab.tfd.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_an_instance_holds_the_whole_session() -> None:
    instance = tfd_from_game(sample_game())
    assert instance.instance_id == "0123456789abcdef_01ab.tfd"
    assert instance.dialogue == ((Role.COMMANDER, "coffee, please"), (Role.FOLLOWER, "done"))
    assert instance.future is not None
    assert [one.action for one in instance.future] == ["Forward", "Pickup", "Navigation", "Text"]
    data = instance.to_json()
    assert data["driver_action_history"] == data["driver_image_history"] == []
    assert "instance_id" not in data


@settings(max_examples=25, deadline=None)
@given(game=games())
def test_every_instance_is_written_and_read_back_equal(game: Game, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("tfd") / "one.tfd.json"
    instance = tfd_from_game(game)
    write_tfd(instance, path)
    assert read_tfd(path).to_json() == instance.to_json()


def test_a_file_of_a_test_split_has_no_future_and_unknown_keys_stay(tmp_path: Path) -> None:
    data: dict[str, Any] = {"game_id": "g", "dialog_history": [["Driver", "hi"]], "final_state_changes": {"a": 1}}
    instance = read_tfd(_write(tmp_path, {**data, "driver_image_history": []}))
    assert instance == TfdInstance(
        instance_id="0123456789abcdef_01ab.tfd",
        game_id="g",
        dialogue=((Role.FOLLOWER, "hi"),),
        dialogue_cleaned=None,
        future=None,
        future_images=None,
        extra={"final_state_changes": {"a": 1}},
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game_id": 3}, "'game_id' must be text"),
        ({"dialog_history": [["Robot", "hi"]]}, "must hold [speaker, text] pairs"),
        (
            {"driver_actions_future": [{"action_name": "Jump"}]},
            "'driver_actions_future[0].action_name' names no action",
        ),
        ({"interactions": [{"agent_id": 7}]}, "interactions[0]"),
    ],
)
def test_a_bad_instance_is_refused_by_file_and_field(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    path = _write(tmp_path, {**tfd_from_game(sample_game()).to_json(), **changes})
    with pytest.raises(GameFileError) as caught:
        read_tfd(path)
    assert said in str(caught.value) and str(path) in str(caught.value)


@pytest.mark.data
def test_the_length_is_the_number_of_the_followers_successes(teach_data: Path) -> None:
    with (teach_data / "golden" / "game_progress.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))[::150]
    for row in rows:
        game = read_game(teach_data / "games" / row["split"] / f"{row['game_id']}.game.json")
        assert len(tfd_from_game(game).future or ()) == int(row["n_driver_success"])
