"""Live sessions on the disk: what each is made of, every line of its journal, and digests of who may sit where.

Everything is in one SQLite file, which one thread owns. What waits for it is done in one transaction, so that a hundred
sessions cost one sync to the disk, and nobody is told that something is written before it is (journal mode WAL,
synchronous FULL). Where lines come one upon the other from several, they wait some milliseconds for each other.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import queue
import secrets
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic_core import to_json

from teach_agents.core.benchmark.folder import claimed, storing
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, TeachAgentsError, explained
from teach_agents_serve.live_wire import LiveKeys

WATCH = "watch"
"""The place of those who look on; the other places are the chairs."""
_BYTES = 18
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_T = TypeVar("_T")
_NAME = "live.sqlite"
_VERSION = 1
_AT_ONCE = 500
_PAUSE_S = 0.01
"""So long after a transaction of several, the next begins that only adds lines."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, card TEXT NOT NULL, keys TEXT NOT NULL, created REAL NOT NULL,
    turns INTEGER NOT NULL DEFAULT 0, said INTEGER NOT NULL DEFAULT 0, paused INTEGER NOT NULL DEFAULT 0,
    ended REAL, ending TEXT, filed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_owner ON sessions (owner, ended, created);
CREATE INDEX IF NOT EXISTS by_time ON sessions (created);
CREATE TABLE IF NOT EXISTS settings (session TEXT PRIMARY KEY, setting TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lines (
    session TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (session, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    owner TEXT NOT NULL, asked TEXT NOT NULL, session TEXT NOT NULL, salt BLOB NOT NULL, PRIMARY KEY (owner, asked)
) WITHOUT ROWID;
"""
_SELECT = "SELECT id, owner, card, keys, created, turns, said, paused, ending FROM sessions"


def new_keys() -> LiveKeys:
    """Three keys of 144 random bits: too many to guess, so that a plain digest of one keeps it secret."""
    return LiveKeys(**{place: secrets.token_urlsafe(_BYTES) for place in LiveKeys.model_fields})


def repeatable_keys(asked: str, salt: bytes) -> LiveKeys:
    """The keys of a session that was asked for under an idempotency key: the same for the same request.

    The salt is kept, the idempotency key is not, so that the keys cannot be read off what is kept.
    """
    secret = asked.encode("utf8", "surrogatepass")

    def key(place: str) -> str:
        made = hmac.digest(salt, place.encode() + b"\0" + secret, "sha256")[:_BYTES]
        return base64.urlsafe_b64encode(made).decode()

    return LiveKeys(**{place: key(place) for place in LiveKeys.model_fields})


def new_salt() -> bytes:
    """A salt that no other session has."""
    return secrets.token_bytes(_BYTES)


def digest(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode("utf8", "surrogatepass")).hexdigest()


def hashed(keys: LiveKeys) -> dict[str, str]:
    """What is kept of keys."""
    return {place: digest(key) for place, key in keys}


def place_of(key: str, digests: Mapping[str, str]) -> str | None:
    """The place that a key opens, `None` for a key of another session; every digest is compared, in constant time."""
    given = digest(key)
    fits = [place for place, kept in digests.items() if hmac.compare_digest(given, kept)]
    return fits[0] if fits else None


def json_text(value: object) -> str:
    """A value as JSON without spaces. Raises `TypeError` for what JSON does not know."""
    try:
        return to_json(value).decode()
    except ValueError:  # half of a character, for example, which `json` writes as an escape
        return _ENCODER.encode(value)


class StoreError(TeachAgentsError):
    """The store cannot be read or written: the disk is full, or the file is damaged."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ended: when (seconds since 1970), in a word, whether its task was done, and the number and the
    time (milliseconds of the session) of its last event."""

    time: float
    reason: str
    success: bool
    last: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A session as it is kept, without its journal.

    `card` says in a few words what it is (JSON values), `keys` are digests by place; `created` is in seconds since
    1970. `ending` is `None` while the session can go on.
    """

    id: str
    owner: str
    card: JsonMapping
    keys: Mapping[str, str]
    created: float = field(default_factory=time.time)
    turns: int = 0
    utterances: int = 0
    paused: bool = False
    ending: Ending | None = None


class LiveStore:
    """The sessions below a folder, for one process at a time; without a folder in memory, and nothing is written.

    Methods may be called from any event loop. They raise `StoreError` where the disk does not do its part. The
    constructor raises `InputError` while another process has the folder, and for a store of another version.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        with ExitStack() as opening:
            if folder is not None:
                _claim(folder, opening)
            self._connection = _opened(":memory:" if folder is None else folder / _NAME, opening)
            self._open = opening.pop_all()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="live store", daemon=True)
        self._thread.start()

    async def add(self, kept: Kept, setting: JsonMapping, request: tuple[str, bytes] | None = None) -> None:
        """Keep a new session, and the request it was made for: its digest, and the salt of the session's keys."""
        card, keys, made_of = (json_text(dict(one)) for one in (kept.card, kept.keys, setting))
        row = (kept.id, kept.owner, card, keys, kept.created)

        def add(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO sessions (id, owner, card, keys, created) VALUES (?, ?, ?, ?, ?)", row)
            db.execute("INSERT INTO settings VALUES (?, ?)", (kept.id, made_of))
            if request:
                db.execute("INSERT INTO requests VALUES (?, ?, ?, ?)", (kept.owner, request[0], kept.id, request[1]))

        await self._asked(add)

    async def made_for(self, owner: str, asked: str) -> tuple[str, bytes] | None:
        """The session that an owner's request made, by its digest, and the salt of its keys."""
        words = "SELECT session, salt FROM requests WHERE owner = ? AND asked = ?"
        return next(iter(await self._rows(words, owner, asked)), None)

    async def refused(self, owner: str, asked: str) -> None:
        """Nothing came of a request: it may be made again."""
        await self._rows("DELETE FROM requests WHERE owner = ? AND asked = ?", owner, asked)

    async def append(self, session: str, number: int, line: JsonMapping) -> None:
        """Keep line `number` of a journal."""
        written = json_text(line)
        turns, said = "turn" in line, sum(event["kind"] == "utterance" for event in line["events"])

        def append(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO lines VALUES (?, ?, ?)", (session, number, written))
            if turns or said:
                db.execute(
                    "UPDATE sessions SET turns = turns + ?, said = said + ? WHERE id = ?", (turns, said, session)
                )

        await self._asked(append, patient=True)

    async def end(self, session: str, ending: Ending) -> None:
        """A session is over; what ended it first stays."""
        words = "UPDATE sessions SET ended = ?, ending = ? WHERE id = ? AND ended IS NULL"
        await self._rows(words, ending.time, json_text(asdict(ending)), session)

    async def pause(self, session: str, *, paused: bool) -> None:
        """A session waits, or goes on."""
        await self._rows("UPDATE sessions SET paused = ? WHERE id = ?", paused, session)

    async def filed(self, session: str) -> None:
        """The game of an ended session is written."""
        await self._rows("UPDATE sessions SET filed = 1 WHERE id = ?", session)

    async def unfiled(self) -> list[str]:
        """Ended sessions whose games are not written yet."""
        words = "SELECT id FROM sessions WHERE ended IS NOT NULL AND filed = 0 ORDER BY ended"
        return [row[0] for row in await self._rows(words)]

    async def one(self, session: str) -> Kept | None:
        """A session, `None` where there is none."""
        return next(map(_kept, await self._rows(f"{_SELECT} WHERE id = ?", session)), None)

    async def setting(self, session: str) -> JsonObject:
        """What a session is made of."""
        rows = await self._rows("SELECT setting FROM settings WHERE session = ?", session)
        found: JsonObject = json.loads(rows[0][0])
        return found

    async def lines(self, session: str) -> list[JsonObject]:
        """A whole journal, oldest line first; read in parts, so that nobody waits long for the database meanwhile."""
        words = "SELECT line FROM lines WHERE session = ? AND number >= ? ORDER BY number LIMIT ?"
        found: list[JsonObject] = []
        while True:
            rows = await self._rows(words, session, len(found), _AT_ONCE)
            found += [json.loads(row[0]) for row in rows]
            if len(rows) < _AT_ONCE:
                return found

    async def latest(self, most: int) -> list[Kept]:
        """The sessions that were created last, newest first."""
        return [*map(_kept, await self._rows(f"{_SELECT} ORDER BY created DESC LIMIT ?", most))]

    async def surplus(self, owner: str, most: int) -> list[str]:
        """An owner's unfinished sessions beyond the `most` that were created last."""
        words = "SELECT id FROM sessions WHERE owner = ? AND ended IS NULL ORDER BY created DESC LIMIT -1 OFFSET ?"
        return [row[0] for row in await self._rows(words, owner, most)]

    async def close(self) -> None:
        """Finish what waits, and let go of the folder."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._open.close()

    async def _rows(self, words: str, *values: object) -> list[Any]:
        """Carry a statement out; the rows that it finds."""
        return await self._asked(lambda db: db.execute(words, values).fetchall())

    async def _asked(self, work: Callable[[sqlite3.Connection], _T], *, patient: bool = False) -> _T:
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[_T] = loop.create_future()
        self._jobs.put(_Job(work, loop, answered, patient))
        return await asyncio.shield(answered)

    def _work(self) -> None:
        going, next_s = True, 0.0
        while going:
            waiting = [self._jobs.get()]
            pause = next_s - time.monotonic()
            if pause > 0 and waiting[0] and waiting[0].patient:
                time.sleep(pause)
            while not self._jobs.empty():
                waiting.append(self._jobs.get())
            jobs = [job for job in waiting if job]
            going = len(jobs) == len(waiting)
            _tell(_carried_out(self._connection, jobs))
            next_s = time.monotonic() + _PAUSE_S if len(jobs) > 1 else 0.0


@dataclass(frozen=True, slots=True)
class _Job:
    """Something to do with the database, and who waits for it; `patient` is who can wait for others."""

    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    answered: asyncio.Future[Any]
    patient: bool


def _tell(outcomes: list[tuple[_Job, object]]) -> None:
    """Tell everybody what came of their jobs, each event loop at one time."""
    loops = defaultdict[asyncio.AbstractEventLoop, list[tuple[_Job, object]]](list)
    for job, outcome in outcomes:
        loops[job.loop].append((job, outcome))
    for loop, told in loops.items():
        try:
            loop.call_soon_threadsafe(_tell_here, told)
        except RuntimeError:
            pass  # the loop is closed: nobody waits


def _tell_here(outcomes: list[tuple[_Job, object]]) -> None:
    for job, outcome in outcomes:
        if job.answered.done():
            continue
        if isinstance(outcome, StoreError):
            job.answered.set_exception(outcome)
        else:
            job.answered.set_result(outcome)


def _carried_out(database: sqlite3.Connection, jobs: list[_Job]) -> list[tuple[_Job, object]]:
    """Everything in one transaction; where that fails, one after another, so that each fails for itself.

    What came of each job: a value, or a `StoreError`.
    """
    try:
        with database:
            database.execute("BEGIN")
            return [(job, job.work(database)) for job in jobs]
    except Exception as error:  # noqa: BLE001  # the thread outlives whatever one of its jobs raises
        if len(jobs) == 1:
            return [(jobs[0], StoreError(f"the store of live sessions: {explained(error)}"))]
    return [outcome for job in jobs for outcome in _carried_out(database, [job])]


def _claim(folder: Path, opening: ExitStack) -> None:
    """Take a folder for this process, until what is opening is closed. Raises `InputError` where another has it."""
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        opening.enter_context(claimed(folder))
    except InputError as error:
        problem = "another server keeps its sessions here; choose another"
        raise InputError("--store", problem, value=str(folder)) from error


def _opened(path: Path | str, opening: ExitStack) -> sqlite3.Connection:
    database = opening.enter_context(closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)))
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA temp_store = MEMORY")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise InputError("--store", "was written by another version", value=version, valid=[_VERSION])
        database.executescript(_SCHEMA)
        database.execute(f"PRAGMA user_version = {_VERSION}")
    except sqlite3.Error as error:
        raise InputError("--store", f"cannot be opened: {error}", value=str(path)) from error
    return database


def _kept(row: tuple[Any, ...]) -> Kept:
    session, owner, card, keys, created, turns, said, paused, told = row
    ending = Ending(**json.loads(told)) if told else None
    return Kept(session, owner, json.loads(card), json.loads(keys), created, turns, said, bool(paused), ending)
