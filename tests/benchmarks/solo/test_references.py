"""Where instances lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.benchmarks.solo.references import game_paths, instance_files
from teach_agents.errors import InputError


def _touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_instance_files_find_their_sessions_in_teachs_layout(tmp_path: Path) -> None:
    file = tmp_path / "edh_instances" / "train" / "a_1.edh3.json"
    game = tmp_path / "games" / "train" / "a_1.game.json"
    _touch(file, game, file.with_name("a_1.tfd.json"))
    (found,) = instance_files(tmp_path / "edh_instances", "edh")
    assert (found.instance_id, found.split) == ("a_1.edh3", "train")
    assert (Path(found.game), Path(found.file)) == (game.resolve(), file.resolve())


def test_instance_files_find_their_sessions_in_a_named_folder(tmp_path: Path) -> None:
    file, game = tmp_path / "some" / "b.tfd.json", tmp_path / "mine" / "deep" / "b.game.json"
    _touch(file, game)
    (found,) = instance_files(file, "tfd", tmp_path / "mine")
    assert (found.instance_id, Path(found.game)) == ("b.tfd", game.resolve())


def test_an_instance_without_its_session_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "edh_instances" / "train" / "a.edh0.json"
    _touch(file)
    with pytest.raises(InputError, match=r"no session of instance 'a\.edh0'"):
        instance_files(file, "edh")
    with pytest.raises(InputError, match=r"no files named \*\.tfd\*\.json"):
        instance_files(tmp_path, "tfd")


def test_held_out_splits_are_passed_over_unless_named(tmp_path: Path) -> None:
    seen, unseen = tmp_path / "games/valid_seen/a.game.json", tmp_path / "games/valid_unseen/b.game.json"
    _touch(seen, unseen)
    assert game_paths(tmp_path / "games") == [seen]
    assert game_paths(unseen.parent) == [unseen]


def test_what_is_not_there_and_what_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        game_paths(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"no \*\.game\.json files found"):
        game_paths(tmp_path)
    _touch(tmp_path / "x/a.game.json", tmp_path / "y/a.game.json")
    with pytest.raises(InputError, match=r"two files go by the name a\.game\.json"):
        game_paths(tmp_path)
