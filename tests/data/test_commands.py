"""`teach-agents data get | stats | show | instances`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from teach_agents.actions import Action, Role
from teach_agents.cli.data import app
from teach_agents.data import keyboard, progress_check, write_game
from teach_agents.data.download import TEXT_ARCHIVES
from teach_agents.data.edh import read_edh
from teach_agents.data.tfd import read_tfd
from teach_agents.errors import DownloadError, GameFileError, InputError
from tests.benchmarks.edh.sessions import errand
from tests.benchmarks.fidelity.recording import on, record
from tests.data.samples import sample_game
from tests.data.shelf import Shelf, serving
from tests.data.test_extract import GAMES, archive_of


def _run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with one session in train and one in valid_seen."""
    for split in ("train", "valid_seen"):
        write_game(sample_game(), tmp_path / "games" / split / f"{split}.game.json")
    return tmp_path / "games"


def test_get_downloads_and_unpacks_without_the_held_out_splits(tmp_path: Path) -> None:
    content = archive_of(GAMES, tmp_path / "packed.tar.gz").read_bytes()
    target = tmp_path / "data"
    with serving(Shelf(content)) as url:
        result = _run("get", target, "--base-url", url)
    assert result.exit_code == 0
    assert sorted(path.name for path in target.glob("*.tar.gz")) == sorted(TEXT_ARCHIVES)
    assert sorted(path.name for path in (target / "games").iterdir()) == ["train", "valid_seen"]
    assert result.output.count("3 of held-out splits left packed") == 3
    assert result.output.count("SHA-256") == 3


def test_get_can_stop_after_the_download_and_go_on_later(tmp_path: Path) -> None:
    content = archive_of(GAMES, tmp_path / "packed.tar.gz").read_bytes()
    target, name = tmp_path / "data", "experiment_games.tar.gz"
    with serving(Shelf(content)) as url:
        _run("get", target, "--base-url", url, "--skip-extract", "-f", name)
    assert not (target / "games").exists()
    _run("get", target, "--skip-download", "-f", name, "--all-splits")
    assert len(list((target / "games").iterdir())) == 5


def test_get_refuses_before_anything_is_downloaded(tmp_path: Path) -> None:
    nowhere = ("--base-url", "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"did you mean 'edh_instances\.tar\.gz'"):
        _run("get", tmp_path / "x", *nowhere, "-f", "edh_instance.tar.gz")
    with pytest.raises(InputError, match="needs --all-splits"):
        _run("get", tmp_path / "x", *nowhere, "-f", "all_games.tar.gz")
    assert _run("get", tmp_path / "x", *nowhere, "--skip-extract", "--skip-download").exit_code == 2
    assert not (tmp_path / "x").exists()


def test_get_without_a_download_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="download it first"):
        _run("get", tmp_path / "x", "--skip-download")


def test_stats_prints_counts_beside_the_published_ones(games: Path) -> None:
    output = _run("stats", games).output
    coffee = next(line for line in output.splitlines() if "Coffee" in line)
    assert [cell.strip() for cell in re.split("[│|]", coffee)[2:6]] == ["1 (145)", "1 (18)", "0 (57)", "2"]
    assert "131.80" in output
    assert "Tokens per utterance, commander" in output
    assert "Actions: Coffee" in output


def test_stats_speaks_json(games: Path) -> None:
    found = json.loads(_run("stats", games / "train", games / "valid_seen", "--json").output)
    assert found["sessions"] == 2
    assert found["by_split"] == {"train": 1, "valid_seen": 1}
    assert found["by_task"]["Coffee"]["means"]["actions"] == {"commander": 4.0, "follower": 6.0}
    assert found["roles"]["commander"]["tokens_per_utterance"]["histogram"] == {"3": 2}
    assert found["published"]["sessions"]["train"] == 1482


def test_stats_of_a_folder_with_a_damaged_file_name_it(games: Path) -> None:
    bad = games / "train" / "bad.game.json"
    bad.write_text('{"version": "2.0"', encoding="utf-8")
    with pytest.raises(GameFileError, match=r"bad\.game\.json: is truncated"):
        _run("stats", games)


def test_show_prints_a_timeline(games: Path) -> None:
    lines = [line.rstrip() for line in _run("show", games / "train" / "train.game.json").output.splitlines()]
    text = "\n".join(lines)
    assert "Coffee: Make a cup of coffee." in text
    assert "FloorPlan5, Kitchen" in text
    assert "“coffee, please”" in text
    assert "opens the progress check: not complete" in text
    assert "Forward, Forward failed" in text
    assert "Pickup Mug|-01.00|+00.90|+02.00 at 0.500, 0.250" in text
    assert "Place at 1.000, -0.250 failed" in text
    assert "SearchObject 'mug'" in text


def test_show_can_print_every_step(games: Path) -> None:
    walks = _run("show", games / "train" / "train.game.json").output
    steps = _run("show", games / "train" / "train.game.json", "--every-step").output
    assert "Forward, Forward failed" not in steps
    assert steps.count("\n") == walks.count("\n") + 1


def test_show_prints_brackets_as_they_were_typed(tmp_path: Path) -> None:
    said = keyboard(Role.COMMANDER, "take the [red] mug [/]", time_start=1.0)
    asked = progress_check("SearchObject", time_start=2.0, success=False, query="[bold]mug")
    path = tmp_path / "x.game.json"
    write_game(sample_game(interactions=[said, asked]), path)
    output = _run("show", path).output
    assert "“take the [red] mug [/]”" in output
    assert "SearchObject '[bold]mug' failed" in output


def test_instances_writes_files_in_teachs_format(tmp_path: Path) -> None:
    write_game(errand(), tmp_path / "games" / "recorded.game.json")
    done = _run("instances", "edh", tmp_path / "games", tmp_path / "edh")
    assert "instances written: 2" in done.output
    written = [read_edh(path) for path in sorted((tmp_path / "edh").iterdir())]
    assert [one.instance_id for one in written] == ["recorded.edh0", "recorded.edh1"]
    assert all(one.state_changes and one.state_changes.objects for one in written)
    assert "instances written: 1" in _run("instances", "tfd", tmp_path / "games", tmp_path / "tfd").output
    assert read_tfd(tmp_path / "tfd" / "recorded.tfd.json").game_id == "recorded"


def test_instances_leaves_out_what_has_nothing_to_do_with_the_task(tmp_path: Path) -> None:
    write_game(record(Action.say("hi"), on("Pickup", "Apple")), tmp_path / "apple.game.json")
    done = _run("instances", "edh", tmp_path / "apple.game.json", tmp_path / "edh")
    assert "rejected, nothing that has to do with the task changes: 1" in done.output
    assert not (tmp_path / "edh").exists()
    _run("instances", "edh", tmp_path / "apple.game.json", tmp_path / "edh", "--every")
    assert [path.name for path in (tmp_path / "edh").iterdir()] == ["recorded.edh0.json"]
    with pytest.raises(InputError, match="no such benchmark; got 'edhh'; did you mean 'edh'"):
        _run("instances", "edhh", tmp_path, tmp_path)
