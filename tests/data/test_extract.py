"""Archives are unpacked safely, without half-written files and without held-out splits."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
from pathlib import Path

import pytest

from teach_agents.data.extract import Extracted, extract, held_out
from teach_agents.errors import DownloadError


def archive_of(members: dict[str, bytes | tarfile.TarInfo], path: Path) -> Path:
    """A .tar.gz of files and of special members."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                tar.addfile(content)
                continue
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


GAMES: dict[str, bytes | tarfile.TarInfo] = {
    f"games/{split}/{split}.game.json": split.encode()
    for split in ("train", "valid_seen", "valid_unseen", "test_seen", "test_unseen")
}


def _found(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_held_out_splits_stay_packed(tmp_path: Path) -> None:
    archive = archive_of(GAMES, tmp_path / "experiment_games.tar.gz")
    target = tmp_path / "out"
    assert extract(archive, target) == Extracted(written=2, left_out=3)
    assert _found(target) == ["games/train/train.game.json", "games/valid_seen/valid_seen.game.json"]
    assert (target / "games/train/train.game.json").read_bytes() == b"train"


def test_all_splits_are_unpacked_when_asked_for(tmp_path: Path) -> None:
    archive = archive_of(GAMES, tmp_path / "experiment_games.tar.gz")
    assert extract(archive, tmp_path / "out", all_splits=True) == Extracted(written=5, left_out=0)
    assert extract(archive, tmp_path / "out", all_splits=True) == Extracted(written=5, left_out=0)
    assert len(_found(tmp_path / "out")) == 5


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("games/valid_unseen/x.game.json", True),
        ("images/divided_test_seen/x/driver.frame.1.0.jpeg", True),
        ("games/valid_seen/valid_unseen.game.json", False),
        ("games/train/x.game.json", False),
    ],
)
def test_the_split_is_a_folder_s_name(name: str, held: bool) -> None:
    assert held_out(name) is held


def test_the_archive_that_mixes_the_splits_needs_consent(tmp_path: Path) -> None:
    archive = archive_of({"all_game_files/x.game.json": b"{}"}, tmp_path / "all_games.tar.gz")
    with pytest.raises(DownloadError, match="--all-splits"):
        extract(archive, tmp_path / "out")
    assert extract(archive, tmp_path / "out", all_splits=True).written == 1


def _link(name: str, to: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info


@pytest.mark.parametrize(
    "members",
    [
        {"../evil.txt": b"x"},
        {"games/../../evil.txt": b"x"},
        {"link": _link("link", "/")},
        {"link": _link("link", "games")},
        {"link": _link("link", "games/x", tarfile.LNKTYPE)},
        {"pipe": _link("pipe", "", tarfile.FIFOTYPE)},
    ],
)
def test_members_that_leave_the_folder_or_are_no_files_are_refused(
    tmp_path: Path, members: dict[str, bytes | tarfile.TarInfo]
) -> None:
    archive = archive_of(members, tmp_path / "edh_instances.tar.gz")
    with pytest.raises(DownloadError, match="refused"):
        extract(archive, tmp_path / "in" / "out", all_splits=True)
    assert not list(tmp_path.rglob("evil.txt"))
    assert _found(tmp_path / "in") == []


def test_an_absolute_name_lands_inside_the_folder(tmp_path: Path) -> None:
    archive = archive_of({"/games/train/x": b"x"}, tmp_path / "edh_instances.tar.gz")
    extract(archive, tmp_path / "out")
    assert _found(tmp_path / "out") == ["games/train/x"]


@pytest.mark.parametrize("keep", [0, 10, 2000, -40])
def test_a_damaged_archive_is_named_and_leaves_whole_files_only(tmp_path: Path, keep: int) -> None:
    noise = random.Random(0).randbytes(4000)
    archive = archive_of({"games/train/a": noise, "games/train/b": noise[::-1]}, tmp_path / "edh_instances.tar.gz")
    archive.write_bytes(archive.read_bytes()[:keep])
    with pytest.raises(DownloadError, match=r"edh_instances\.tar\.gz is damaged"):
        extract(archive, tmp_path / "out")
    assert all((tmp_path / "out" / name).stat().st_size == 4000 for name in _found(tmp_path / "out"))


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "edh_instances.tar.gz"
    path.write_bytes(gzip.compress(b"not a tar" * 200))
    with pytest.raises(DownloadError, match="is damaged"):
        extract(path, tmp_path / "out")
    with pytest.raises(DownloadError, match="download it first"):
        extract(tmp_path / "tfd_instances.tar.gz", tmp_path / "out")


def test_progress_is_told_in_bytes_of_the_archive(tmp_path: Path) -> None:
    archive = archive_of(GAMES, tmp_path / "experiment_games.tar.gz")
    told: list[tuple[str, int, int]] = []
    extract(archive, tmp_path / "out", progress=lambda *step: told.append(step))
    assert told[-1] == ("extract", archive.stat().st_size, archive.stat().st_size)
