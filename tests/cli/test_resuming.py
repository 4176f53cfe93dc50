"""`--resume`: a run goes on by what its folder says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.cli.run import command_of
from teach_agents.data import write_game
from teach_agents.errors import InputError
from tests.benchmarks.edh.sessions import errand

pytestmark = pytest.mark.usefixtures("warm_workers")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has ended, over the games in the folder beside it."""
    folder = tmp_path_factory.mktemp("teach")
    write_game(errand(), folder / "games" / "recorded.game.json")
    words = ("tfd", "--games", str(folder / "games"), "--follower", "idle", "--seed", "7", "--out", str(folder / "run"))
    assert _call(*words) is None
    return folder / "run"


def _call(*words: str) -> BaseException | None:
    """What a command raises."""
    return CliRunner().invoke(app, words).exception


def test_no_word_has_to_be_repeated(run: Path) -> None:
    files = ("summary.json", "settings.json", "command.json", "records.jsonl")
    before = [(run / name).read_bytes() for name in files]
    (run / "summary.json").unlink()
    assert _call("tfd", "--out", str(run), "--resume") is None
    assert [(run / name).read_bytes() for name in files] == before


def test_a_record_that_is_lost_is_made_again(run: Path) -> None:
    summary = (run / "summary.json").read_bytes()
    (run / "records.jsonl").write_bytes((run / "records.jsonl").read_bytes()[:100])
    assert _call("tfd", "--resume", "--out", str(run), "--workers", "2", "--time-limit", "100") is None
    assert (run / "summary.json").read_bytes() == summary


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("tfd", "--seed", "8"), r"a run with other settings \(seed\)"),
        (("tfd", "--follower", "random", "--max-steps", "9"), r"other settings \(follower, max_steps\)"),
        (("tfd", "--id", "other.tfd"), "there is none of this id"),
        (("edh",), "the run in this folder is one of tfd"),
    ],
)
def test_what_is_said_again_has_to_agree(run: Path, words: tuple[str, ...], problem: str) -> None:
    error = _call(*words, "--out", str(run), "--resume")
    assert isinstance(error, InputError)
    with pytest.raises(InputError, match=problem):
        raise error


def test_what_is_said_again_has_to_agree_before_there_are_results_too(run: Path, tmp_path: Path) -> None:
    for name in ("settings.json", "command.json"):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    error = _call("tfd", "--seed", "8", "--out", str(tmp_path), "--resume")
    assert isinstance(error, InputError) and "seed" in str(error)


def test_sessions_that_were_moved_are_asked_for(run: Path, tmp_path: Path) -> None:
    there = run.parent / "games"
    moved = there.rename(run.parent / "moved")
    error = _call("tfd", "--out", str(run), "--resume")
    assert isinstance(error, InputError) and "say with --games" in str(error) and "recorded.game.json" in str(error)
    assert _call("tfd", "--out", str(run), "--resume", "--games", str(moved)) is None
    assert _call("tfd", "--out", str(run), "--resume") is None
    moved.rename(there)
    assert _call("tfd", "--out", str(run), "--resume", "--games", str(there)) is None


@pytest.mark.parametrize("command", ["edh", "tfd", "tatc"])
def test_without_a_run_or_instances_there_is_nothing_to_go_on_with(command: str, tmp_path: Path) -> None:
    error = _call(command, "--out", str(tmp_path / "none"), "--resume")
    assert isinstance(error, InputError) and "there is no run to go on with" in str(error)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "command.json in this folder cannot be read (is no JSON:"),
        ("[]", "command.json in this folder is damaged"),
        ('{"command": "tfd"}', "it has no command, options and instances"),
    ],
)
def test_damaged_words_are_told_and_can_be_said_again(run: Path, tmp_path: Path, content: str, problem: str) -> None:
    folder = Path(shutil.copytree(run, tmp_path / "run"))
    whole = json.loads((folder / "command.json").read_text())
    (folder / "command.json").write_text(content)
    error = _call("tfd", "--out", str(folder), "--resume")
    assert isinstance(error, InputError) and problem in str(error) and "say again what asked for it" in str(error)
    words = ("tfd", "--games", str(run.parent / "games"), "--follower", "idle", "--seed", "7", "--out", str(folder))
    assert _call(*words, "--resume") is None
    now = json.loads((folder / "command.json").read_text())
    assert now["instances"] == whole["instances"] and now["options"]["seed"] == 7


def test_a_shipped_list_is_remembered_by_its_name(run: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("recorded.tfd.json\n")
    out = tmp_path / "run"
    words = (
        "tfd",
        "--games",
        str(run.parent / "games"),
        "--names",
        str(names),
        "--follower",
        "idle",
        "--out",
        str(out),
    )
    assert _call(*words) is None
    assert json.loads((out / "command.json").read_text())["options"]["names"] == [str(names)]
    plain = command_of("tfd").kinds.plain
    assert plain("names", ["valid_seen_60", "x.txt"]) == ["valid_seen_60", str(Path("x.txt").resolve())]


def test_a_whole_command_begins_where_nothing_was_begun(run: Path, tmp_path: Path) -> None:
    words = ("tfd", "--games", str(run.parent / "games"), "--follower", "idle", "--out", str(tmp_path / "new"))
    assert _call(*words, "--resume") is None
    assert (tmp_path / "new" / "summary.json").exists()
