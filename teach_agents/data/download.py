"""Downloading TEACh's public archives: resumable, checked, recorded (specification 1.1).

An archive grows as `NAME.part` beside a note of the version it belongs to; a broken connection continues where it
stopped as long as the server still has that version (`If-Range`), and starts anew otherwise. Size and ETag are
checked, SHA-256 is recorded in `manifest.json`.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from teach_agents.data.games import read_json, write_json
from teach_agents.errors import DownloadError, GameFileError

BASE_URL = "https://teach-dataset.s3.us-east-1.amazonaws.com"
"""The public bucket `teach-dataset` in us-east-1; its objects are the archives."""

ARCHIVES: tuple[str, ...] = (
    "all_games.tar.gz",
    "edh_instances.tar.gz",
    "experiment_games.tar.gz",
    "images_and_states.tar.gz",
    "tfd_instances.tar.gz",
    "baseline_models.tar.gz",
    "et_pretrained_models.tar.gz",
)
"""Every public archive, in the order of the reference's download command."""

TEXT_ARCHIVES: tuple[str, ...] = ("experiment_games.tar.gz", "edh_instances.tar.gz", "tfd_instances.tar.gz")
"""Sessions and instances, without pictures and models: what this package reads."""

MANIFEST = "manifest.json"

Progress = Callable[[str, int, int], None]
"""Told of a stage ("download", "check", "extract"), the bytes done and the bytes in all."""

_CHUNK = 1 << 20
_PASSING = frozenset({408, 425, 429})


@dataclass(frozen=True, slots=True)
class Policy:
    """How patient a download is: `timeout` seconds without a byte break a connection; after `attempts` failures in a
    row without progress it gives up, waiting `wait`, 2 `wait`, 4 `wait` ... seconds (`longest` at most) in between.
    """

    timeout: float = 30.0
    attempts: int = 5
    wait: float = 1.0
    longest: float = 30.0
    sleep: Callable[[float], None] = time.sleep


class Fetched(NamedTuple):
    """A complete file: where it came from, its bytes, the server's ETag (`None` where it gave none), its SHA-256."""

    url: str
    size: int
    etag: str | None
    sha256: str


class _Response(Protocol):
    status: int
    headers: Any

    def read(self, amount: int, /) -> bytes: ...


class _PassingError(Exception):
    """What may go away by trying again."""


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


def fetch_archive(
    name: str,
    directory: Path,
    *,
    base_url: str = BASE_URL,
    policy: Policy | None = None,
    progress: Progress = _silent,
) -> Fetched:
    """Download one archive into `directory` and record it in the manifest there.

    A complete archive of the server's present version is left as it is. Raises `DownloadError`.
    """
    if name not in ARCHIVES:
        raise DownloadError(f"{name}: no such archive; valid: {', '.join(ARCHIVES)}")
    directory.mkdir(parents=True, exist_ok=True)
    entries, target = read_manifest(directory), directory / name
    url = f"{base_url.rstrip('/')}/{name}"
    entries[name] = fetch(url, target, known=entries.get(name), policy=policy, progress=progress)
    write_json({"archives": {key: value._asdict() for key, value in entries.items()}}, directory / MANIFEST)
    return entries[name]


def read_manifest(directory: Path) -> dict[str, Fetched]:
    """What `manifest.json` says was downloaded, by archive; empty where there is none. Raises `DownloadError`."""
    path = directory / MANIFEST
    if not path.exists():
        return {}
    try:
        return {name: Fetched(**entry) for name, entry in read_json(path)["archives"].items()}
    except (GameFileError, KeyError, TypeError, AttributeError) as error:
        raise DownloadError(f"{path} is damaged; remove it and download again: {error}") from error


def fetch(
    url: str,
    target: Path,
    *,
    known: Fetched | None = None,
    policy: Policy | None = None,
    progress: Progress = _silent,
) -> Fetched:
    """Download `url` to `target`; `known` is what is already at `target`, if anything.

    Raises `DownloadError` when the server refuses, stays out of reach, sends another size than it announced, or
    sends bytes that do not match an ETag that is an MD5.
    """
    if not re.match(r"https?://", url):
        raise DownloadError(f"{url}: only http and https addresses can be downloaded")
    there = known is not None and target.exists() and target.stat().st_size == known.size
    return _Transfer(url, target, known if there else None, policy or Policy(), progress).run()


@dataclass
class _Transfer:
    """One file on its way; what is on the disk is the only memory, so an interrupted run can be taken up."""

    _url: str
    _target: Path
    _known: Fetched | None
    _policy: Policy
    _progress: Progress

    def __post_init__(self) -> None:
        self._part = self._target.with_name(f"{self._target.name}.part")
        self._note = self._part.with_name(f"{self._part.name}.json")

    def run(self) -> Fetched:
        """Try until complete or out of patience."""
        failures, policy = 0, self._policy
        while True:
            before = self._have()
            try:
                arrived = self._attempt()
                return self._finish() if arrived or self._known is None else self._known
            except _PassingError as error:
                failures = 1 if self._have() > before else failures + 1
                if failures >= policy.attempts:
                    raise DownloadError(
                        f"{self._url}: {error}; gave up after {policy.attempts} attempts without progress. What has "
                        "arrived is kept: run the same command again to go on, or put the archive into the folder by "
                        "hand"
                    ) from error
                policy.sleep(min(policy.wait * 2 ** (failures - 1), policy.longest))

    def _have(self) -> int:
        return self._part.stat().st_size if self._part.exists() else 0

    def _version(self) -> tuple[str | None, int]:
        """The ETag and size of the version that the partial file belongs to."""
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            return note["etag"], note["size"]
        except (OSError, ValueError, KeyError, TypeError):
            return None, -1

    def _discard(self) -> None:
        self._part.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)

    def _attempt(self) -> bool:
        """Ask once and store what comes; false when the file at the target is the server's present version."""
        etag, size = self._version()
        if etag is None:
            self._discard()
        have = self._have()
        if have and have == size:
            return True
        with _opened(self._url, self._headers(have, etag), self._policy.timeout) as response:
            if response.status == HTTPStatus.NOT_MODIFIED:
                return False
            if response.status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                self._discard()
                raise _PassingError("the server has fewer bytes than have arrived; starting anew")
            if response.status == HTTPStatus.PARTIAL_CONTENT:
                self._check_continuation(response, have, etag, size)
            else:
                have, size = 0, self._start(response)
            self._copy(response, have, size)
        return True

    def _headers(self, have: int, etag: str | None) -> dict[str, str]:
        headers = {"Accept-Encoding": "identity", "User-Agent": "teach-agents"}
        if have and etag:
            headers |= {"Range": f"bytes={have}-", "If-Range": etag}
        elif self._known is not None and self._known.etag:
            headers["If-None-Match"] = self._known.etag
        return headers

    def _start(self, response: _Response) -> int:
        """A whole file begins: note its version, forget what was there."""
        stated = response.headers.get("Content-Length", "")
        if not stated.isdigit():
            raise DownloadError(f"{self._url}: the server does not say how large it is, so it cannot be checked")
        size = int(stated)
        self._discard()
        free = shutil.disk_usage(self._target.parent).free
        if size > free:
            raise DownloadError(f"{self._target.name}: needs {size:,} bytes, {self._target.parent} has {free:,} free")
        write_json({"etag": response.headers.get("ETag"), "size": size, "plain": _is_plain(response)}, self._note)
        self._part.touch()
        return size

    def _check_continuation(self, response: _Response, have: int, etag: str | None, size: int) -> None:
        stated = response.headers.get("Content-Range", "")
        same = response.headers.get("ETag", etag) == etag
        if not same or re.fullmatch(rf"bytes 0*{have}-\d+/0*{size}", stated) is None:
            self._discard()
            raise _PassingError(f"the server continued another file (Content-Range {stated!r}); starting anew")

    def _copy(self, response: _Response, have: int, size: int) -> None:
        self._progress("download", have, size)
        with self._part.open("ab") as file:
            while chunk := self._read(response, have, size):
                have += len(chunk)
                if have > size:
                    break
                file.write(chunk)
                self._progress("download", have, size)
        if have > size:
            self._discard()
            raise DownloadError(f"{self._url}: sent more than the {size:,} bytes it had announced")
        if have < size:
            raise _PassingError(f"the connection ended after {have:,} of {size:,} bytes")

    @staticmethod
    def _read(response: _Response, have: int, size: int) -> bytes:
        try:
            return response.read(_CHUNK)
        except http.client.IncompleteRead as error:
            return error.partial
        except (OSError, http.client.HTTPException) as error:
            raise _PassingError(f"the connection broke after {have:,} of {size:,} bytes ({error})") from error

    def _finish(self) -> Fetched:
        """Check what has arrived and give it its name."""
        etag, size = self._version()
        sha256, md5 = self._digests(size)
        plain = json.loads(self._note.read_text(encoding="utf-8")).get("plain", False)
        if plain and etag is not None and etag.strip('"') != md5:
            self._discard()
            raise DownloadError(
                f"{self._url}: damaged on its way: its ETag is {etag}, its MD5 {md5}; download it again"
            )
        os.replace(self._part, self._target)
        self._note.unlink(missing_ok=True)
        return Fetched(self._url, size, etag, sha256)

    def _digests(self, size: int) -> tuple[str, str]:
        sha256, md5, done = hashlib.sha256(), hashlib.md5(usedforsecurity=False), 0
        with self._part.open("rb") as file:
            while chunk := file.read(_CHUNK):
                sha256.update(chunk)
                md5.update(chunk)
                done += len(chunk)
                self._progress("check", done, size)
        return sha256.hexdigest(), md5.hexdigest()


def _is_plain(response: _Response) -> bool:
    """Whether the ETag is the content's MD5: not for uploads in parts (`...-12`), nor under a key service."""
    etag = response.headers.get("ETag", "")
    keyed = "kms" in response.headers.get("x-amz-server-side-encryption", "")
    return re.fullmatch(r'"[0-9a-f]{32}"', etag) is not None and not keyed


@contextmanager
def _opened(url: str, headers: Mapping[str, str], timeout: float) -> Iterator[_Response]:
    """The server's answer; network failures become `_PassingError` or, where trying again is vain, `DownloadError`."""
    request = urllib.request.Request(url, headers=dict(headers))
    try:
        response = urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        response = error
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if reason is not error and isinstance(reason, ssl.SSLCertVerificationError):
            raise DownloadError(f"{url}: the server's certificate is not trusted: {reason}") from error
        raise _PassingError(f"cannot be reached ({reason}); is this machine online?") from error
    with response:
        status = response.status
        if status >= 500 or status in _PASSING:
            raise _PassingError(f"the server is busy (status {status})")
        if status >= 300 and status not in (HTTPStatus.NOT_MODIFIED, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE):
            raise DownloadError(f"{url}: the server refuses (status {status} {response.reason})")
        yield response
