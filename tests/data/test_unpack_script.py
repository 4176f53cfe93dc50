"""`scripts/unpack_data.sh` unpacks shared archives once and says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "unpack_data.sh"


def _run(*arguments: Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({} if path is None else {"PATH": path})}
    command = [shutil.which("sh") or "/bin/sh", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A shared folder with one split; skips (fails in CI) where tar cannot write zstd."""
    if shutil.which("zstd") is None:
        if os.environ.get("TEACH_AGENTS_CI"):
            pytest.fail("zstd is not installed")
        pytest.skip("zstd is not installed")
    folder = tmp_path / "src"
    games = tmp_path / "games" / "train"
    games.mkdir(parents=True)
    (games / "x.game.json").write_text("{}", encoding="utf-8")
    (folder / "golden").mkdir(parents=True)
    (folder / "golden" / "game_progress.tsv").write_text("split\n", encoding="utf-8")
    (folder / "classes.json").write_text("{}", encoding="utf-8")
    _pack(tmp_path, folder)
    return folder


def _pack(tmp_path: Path, folder: Path) -> None:
    packed = folder / "games-train.tar"
    subprocess.run(["tar", "-cf", packed, "-C", tmp_path, "games/train"], check=True)
    subprocess.run(["zstd", "-qf", "--rm", packed], check=True)


def test_archives_and_folders_are_unpacked(source: Path, tmp_path: Path) -> None:
    result = _run(source, tmp_path / "dest")
    assert result.returncode == 0, result.stderr
    found = sorted(path.relative_to(tmp_path / "dest").as_posix() for path in (tmp_path / "dest").rglob("*.*n"))
    assert found == ["classes.json", "games/train/x.game.json"]
    assert (tmp_path / "dest" / "golden" / "game_progress.tsv").exists()
    assert "1 sessions" in result.stdout


def test_a_second_run_leaves_what_is_there(source: Path, tmp_path: Path) -> None:
    _run(source, tmp_path / "dest")
    mine = tmp_path / "dest" / "games" / "train" / "mine.txt"
    mine.touch()
    assert "unpacking" not in _run(source, tmp_path / "dest").stdout
    assert mine.exists()
    (tmp_path / "games" / "train" / "y.game.json").write_text("{}", encoding="utf-8")
    _pack(tmp_path, source)
    assert "unpacking train" in _run(source, tmp_path / "dest").stdout
    assert not mine.exists()
    assert (tmp_path / "dest" / "games" / "train" / "y.game.json").exists()


def test_a_damaged_archive_leaves_the_old_split(source: Path, tmp_path: Path) -> None:
    _run(source, tmp_path / "dest")
    archive = source / "games-train.tar.zst"
    archive.write_bytes(archive.read_bytes()[:20])
    result = _run(source, tmp_path / "dest")
    assert result.returncode == 1
    assert "is damaged" in result.stderr
    assert (tmp_path / "dest" / "games" / "train" / "x.game.json").exists()
    assert not list((tmp_path / "dest").glob(".unpacking*"))


def test_without_zstd_it_says_what_to_install(source: Path, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("mkdir", "mktemp", "cksum", "cat", "rm"):
        found = shutil.which(tool)
        assert found is not None
        (tools / tool).symlink_to(found)
    result = _run(source, tmp_path / "dest", path=str(tools))
    assert result.returncode == 1
    assert "install zstd" in result.stderr


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    assert _run(tmp_path).returncode == 2
    missing = _run(tmp_path / "missing", tmp_path / "dest")
    assert "no such folder" in missing.stderr
    empty = _run(tmp_path, tmp_path / "dest")
    assert "holds no games-" in empty.stderr
