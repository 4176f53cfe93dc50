"""Unpacking TEACh's archives: safely, whole files only, and without the held-out splits unless asked for them."""

from __future__ import annotations

import shutil
import tarfile
import zlib
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from teach_agents.data.download import Progress
from teach_agents.data.games import replacing
from teach_agents.errors import DownloadError

HELD_OUT: tuple[str, ...] = ("valid_unseen", "test_seen", "test_unseen", "divided_val_unseen", "divided_test")
"""Beginnings of the names of split folders that are kept for judging and left packed by default."""

MIXED_ARCHIVES: frozenset[str] = frozenset({"all_games.tar.gz"})
"""Archives that mix the sessions of every split in one folder (register entry Q28)."""


class Extracted(NamedTuple):
    """How many files were written, and how many were left out because they belong to held-out splits."""

    written: int
    left_out: int


def held_out(name: str) -> bool:
    """Whether a member of an archive lies in a held-out split."""
    return any(part.startswith(HELD_OUT) for part in PurePosixPath(name).parts[:-1])


def extract(archive: Path, target: Path, *, all_splits: bool = False, progress: Progress | None = None) -> Extracted:
    """Unpack a .tar.gz into `target`.

    Members of held-out splits are left out unless `all_splits`. Only plain files inside `target` are written, each
    under a temporary name first. Raises `DownloadError` for a damaged archive, for a member that would land outside
    `target` or is no plain file, and for an archive that mixes the splits when not `all_splits`.
    """
    if archive.name in MIXED_ARCHIVES and not all_splits:
        raise DownloadError(f"{archive.name} mixes the sessions of all splits; unpack it with --all-splits only")
    target.mkdir(parents=True, exist_ok=True)
    size = archive.stat().st_size if archive.exists() else 0
    written = left_out = 0
    try:
        with archive.open("rb") as packed, tarfile.open(fileobj=packed, mode="r|gz") as tar:
            for member in tar:
                if not all_splits and held_out(member.name):
                    left_out += not member.isdir()
                    continue
                written += _extract_member(tar, member, target)
                if progress is not None:
                    progress("extract", packed.tell(), size)
    except FileNotFoundError as error:
        raise DownloadError(f"{archive}: no such archive; download it first") from error
    except (tarfile.ReadError, tarfile.HeaderError, EOFError, zlib.error) as error:
        raise DownloadError(f"{archive} is damaged ({error}); remove it and download it again") from error
    except tarfile.FilterError as error:
        raise DownloadError(f"{archive}: refused: {error}") from error
    except OSError as error:
        raise DownloadError(f"{archive} cannot be unpacked: {error}") from error
    return Extracted(written, left_out)


def _extract_member(tar: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> int:
    safe = tarfile.data_filter(member, str(target))
    place = target / safe.name
    if safe.isdir():
        place.mkdir(parents=True, exist_ok=True)
        return 0
    source = tar.extractfile(member) if safe.isreg() else None
    if source is None:
        raise DownloadError(f"{member.name} is no plain file; refused to unpack it into {target}")
    place.parent.mkdir(parents=True, exist_ok=True)
    with replacing(place) as file:
        shutil.copyfileobj(source, file)
    return 1
