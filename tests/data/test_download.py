"""Downloads resume, are checked, are recorded, and fail with one clear error."""

from __future__ import annotations

import hashlib
import json
import random
import socket
from pathlib import Path

import pytest

from teach_agents.data.download import MANIFEST, Policy, fetch, fetch_archive, read_manifest
from teach_agents.errors import DownloadError
from tests.data.shelf import Fault, Shelf, serving

CONTENT = random.Random(0).randbytes(3_000_000)
NAME = "edh_instances.tar.gz"


def _policy(waits: list[float] | None = None, attempts: int = 3) -> Policy:
    return Policy(timeout=5.0, attempts=attempts, wait=1.0, sleep=([] if waits is None else waits).append)


def test_an_archive_arrives_and_is_recorded(tmp_path: Path) -> None:
    shelf, told = Shelf(CONTENT), set[str]()
    with serving(shelf) as url:
        fetched = fetch_archive(NAME, tmp_path, base_url=url, progress=lambda stage, done, total: told.add(stage))
    assert (tmp_path / NAME).read_bytes() == CONTENT
    assert fetched.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert fetched.etag == shelf.tag
    assert read_manifest(tmp_path) == {NAME: fetched}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([NAME, MANIFEST])
    assert told == {"download", "check"}


def test_what_is_there_already_is_not_sent_again(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT)
    with serving(shelf) as url:
        first = fetch_archive(NAME, tmp_path, base_url=url)
        second = fetch_archive(NAME, tmp_path, base_url=url)
    assert second == first
    assert shelf.requests[1]["if-none-match"] == shelf.tag


def test_a_new_version_replaces_the_old_one(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT)
    with serving(shelf) as url:
        fetch_archive(NAME, tmp_path, base_url=url)
        shelf.content = CONTENT[:1000]
        fetch_archive(NAME, tmp_path, base_url=url)
    assert (tmp_path / NAME).read_bytes() == CONTENT[:1000]
    assert read_manifest(tmp_path)[NAME].size == 1000


def test_a_broken_connection_goes_on_where_it_stopped(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, faults=[Fault(cut=1_000_000), Fault(cut=500_000)])
    waits: list[float] = []
    with serving(shelf) as url:
        fetch(f"{url}/x", tmp_path / "x", policy=_policy(waits))
    assert (tmp_path / "x").read_bytes() == CONTENT
    assert [asked.get("range") for asked in shelf.requests] == [None, "bytes=1000000-", "bytes=1500000-"]
    assert waits == [1.0, 1.0]


def test_an_interrupted_run_is_taken_up_by_the_next(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, etag='"0123456789abcdef0123456789abcdef-7"', faults=[Fault(cut=2_000_000), Fault(503)])
    with serving(shelf) as url:
        with pytest.raises(DownloadError, match="What has arrived is kept"):
            fetch(f"{url}/x", tmp_path / "x", policy=_policy(attempts=1))
        assert not (tmp_path / "x").exists()
        shelf.faults.clear()
        fetched = fetch(f"{url}/x", tmp_path / "x", policy=_policy())
    assert (tmp_path / "x").read_bytes() == CONTENT
    assert shelf.requests[-1]["range"] == "bytes=2000000-"
    assert fetched.etag == shelf.etag


def test_a_file_that_changed_meanwhile_starts_anew(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, faults=[Fault(cut=2_000_000)])
    with serving(shelf) as url:
        with pytest.raises(DownloadError):
            fetch(f"{url}/x", tmp_path / "x", policy=_policy(attempts=1))
        shelf.content = CONTENT[::-1]
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())
    assert (tmp_path / "x").read_bytes() == CONTENT[::-1]


@pytest.mark.parametrize("shelf", [Shelf(CONTENT, ranges=False), Shelf(CONTENT, etag=None)])
def test_servers_without_ranges_or_etags_start_anew(tmp_path: Path, shelf: Shelf) -> None:
    shelf.faults.append(Fault(cut=1_000_000))
    with serving(shelf) as url:
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())
    assert (tmp_path / "x").read_bytes() == CONTENT


def test_a_continuation_of_something_else_is_not_appended(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, faults=[Fault(cut=1_000_000), Fault(wrong_range=True)])
    with serving(shelf) as url:
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())
    assert (tmp_path / "x").read_bytes() == CONTENT
    assert "range" not in shelf.requests[2]


def test_a_server_that_shrank_the_file_starts_anew(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, etag='"same-2"', faults=[Fault(cut=2_000_000)])
    with serving(shelf) as url:
        with pytest.raises(DownloadError):
            fetch(f"{url}/x", tmp_path / "x", policy=_policy(attempts=1))
        shelf.content = CONTENT[:1000]
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())
    assert (tmp_path / "x").read_bytes() == CONTENT[:1000]


def test_a_size_that_is_never_reached_is_an_error(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, faults=[Fault(longer_by=7)])
    with serving(shelf) as url, pytest.raises(DownloadError, match="3,000,000 of 3,000,007 bytes"):
        fetch(f"{url}/x", tmp_path / "x", policy=_policy(attempts=1))
    assert not (tmp_path / "x").exists()


def test_a_server_that_states_no_size_is_refused(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, faults=[Fault(no_length=True)])
    with serving(shelf) as url, pytest.raises(DownloadError, match="does not say how large"):
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())


def test_bytes_that_do_not_match_an_md5_etag_are_thrown_away(tmp_path: Path) -> None:
    shelf = Shelf(CONTENT, etag=f'"{"0" * 32}"')
    with serving(shelf) as url, pytest.raises(DownloadError, match="damaged on its way"):
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "shelf",
    [
        Shelf(CONTENT, etag=f'"{"0" * 32}-3"'),
        Shelf(CONTENT, etag=f'"{"0" * 32}"', headers={"x-amz-server-side-encryption": "aws:kms"}),
    ],
)
def test_etags_that_are_no_md5_are_only_compared(tmp_path: Path, shelf: Shelf) -> None:
    with serving(shelf) as url:
        assert fetch(f"{url}/x", tmp_path / "x", policy=_policy()).etag == shelf.etag


def test_a_busy_server_is_asked_again_with_longer_waits(tmp_path: Path) -> None:
    shelf, waits = Shelf(CONTENT, faults=[Fault(503), Fault(429), Fault(500)]), list[float]()
    with serving(shelf) as url:
        fetch(f"{url}/x", tmp_path / "x", policy=_policy(waits, attempts=4))
    assert waits == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("status", [403, 404])
def test_a_refusal_is_final(tmp_path: Path, status: int) -> None:
    shelf = Shelf(CONTENT, faults=[Fault(status)])
    with serving(shelf) as url, pytest.raises(DownloadError, match=f"refuses \\(status {status}"):
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())
    assert len(shelf.requests) == 1


def test_offline_gives_one_clear_error(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(DownloadError, match="is this machine online.*gave up after 2 attempts"):
            fetch_archive(NAME, tmp_path, base_url=f"http://127.0.0.1:{port}", policy=_policy(attempts=2))
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_falls_silent_is_left(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/x"
        with pytest.raises(DownloadError, match="timed out"):
            fetch(url, tmp_path / "x", policy=Policy(timeout=0.2, attempts=1))


def test_only_known_archives_over_http_are_downloaded(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="no such archive; valid: all_games"):
        fetch_archive("games.zip", tmp_path)
    with pytest.raises(DownloadError, match="only http and https"):
        fetch("file:///etc/hostname", tmp_path / "x")


def test_a_file_too_large_for_the_disk_is_refused_before_it_arrives(tmp_path: Path) -> None:
    shelf = Shelf(b"", faults=[Fault(longer_by=10**18)])
    with serving(shelf) as url, pytest.raises(DownloadError, match="needs 1,000,000,000,000,000,000 bytes"):
        fetch(f"{url}/x", tmp_path / "x", policy=_policy())


@pytest.mark.parametrize("content", ["{", "[]", '{"archives": {"x": {"size": 1}}}'])
def test_a_damaged_manifest_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content, encoding="utf-8")
    with pytest.raises(DownloadError, match=r"manifest\.json is damaged"):
        read_manifest(tmp_path)


def test_the_manifest_is_plain_json(tmp_path: Path) -> None:
    with serving(Shelf(CONTENT)) as url:
        fetch_archive(NAME, tmp_path, base_url=url)
    entry = json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8"))["archives"][NAME]
    assert sorted(entry) == ["etag", "sha256", "size", "url"]
