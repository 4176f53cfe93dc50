"""A person's session as an Episodic Transformer learns from it, and the folder where such sessions are kept."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from teach_agents.actions import Role
from teach_agents.core.benchmark.folder import storing, write_atomically, write_json
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError

_ABOUT = "features.json"
_FORMAT = {"format": "teach_agents.episodic-features", "version": 1}


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """What the Follower of a session did at what it saw, and what was said.

    `actions` are its T successful actions by name (walks on the map left out: their steps follow one by one),
    `objects` the class of what each acted upon, "" where none; `places` are their indices among the session's
    interactions. `features` are of the T frames right before them and of the one after the last, (T + 1) x places x
    channels, float16. `said` are index, speaker and words; `stretches` first and last index + 1 of the parts without
    talk that EDH instances are cut from. `source` is the game file's SHA-256.
    """

    game_id: str
    room: str
    source: str
    said: tuple[tuple[int, Role, str], ...]
    stretches: tuple[tuple[int, int], ...]
    actions: tuple[str, ...]
    objects: tuple[str, ...]
    places: tuple[int, ...]
    features: NDArray[np.float16]

    def to_bytes(self) -> bytes:
        """The session as the content of a file."""
        about = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "features"}
        written = io.BytesIO()
        np.savez(written, about=np.frombuffer(json.dumps(about).encode(), np.uint8), features=self.features)
        return written.getvalue()

    @classmethod
    def read(cls, path: Path) -> Session:
        """The session of a file. Raises `InputError` for a damaged one."""
        with _reading(path), np.load(path, allow_pickle=False) as found:
            about, features = json.loads(found["about"].tobytes()), found["features"]
            about["said"] = ((index, Role(speaker), text) for index, speaker, text in about["said"])
            about["stretches"] = map(tuple, about["stretches"])
            told: JsonObject = {
                name: value if isinstance(value, str) else tuple(value) for name, value in about.items()
            }
            made = cls(**told, features=features)
        if len(features) != len(made.actions) + 1:
            raise InputError(path, "has not one frame more than actions; delete it", value=len(features))
        return made


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Whatever a damaged file makes of its readers is an `InputError`."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        problem = f"is no session's features, or damaged: {type(error).__name__}: {error}; delete it"
        raise InputError(path, problem) from error


class SessionFolder:
    """One file a session, whole or absent, all made in one way; `how` says in which.

    Raises `InputError` for a folder whose sessions were made in another.
    """

    def __init__(self, path: Path, how: JsonMapping) -> None:
        self.path = path
        asked = {**_FORMAT, **json.loads(json.dumps(dict(how)))}
        about = path / _ABOUT
        if about.exists():
            try:
                theirs = json.loads(about.read_bytes())
            except ValueError as error:
                raise InputError(about, f"is damaged: {error}; choose a new folder") from error
            odd = [name for name in sorted(asked | theirs) if asked.get(name) != theirs.get(name)]
            if odd:
                problem = f"holds features that were made in another way ({', '.join(odd)}); choose a new folder"
                raise InputError("--features", problem, value=str(path))
            return
        with storing(path):
            path.mkdir(parents=True, exist_ok=True)
            write_json(about, asked)

    def file(self, game_id: str) -> Path:
        """Where a session is, or would be."""
        return self.path / f"{game_id}.npz"

    def source(self, game_id: str) -> str | None:
        """The SHA-256 of the game file that a kept session comes from; `None` where it is not kept."""
        path = self.file(game_id)
        if not path.exists():
            return None
        with _reading(path), np.load(path, allow_pickle=False) as found:
            return str(json.loads(found["about"].tobytes())["source"])

    def keep(self, session: Session) -> None:
        """Put a session on the disk."""
        with storing(self.path):
            write_atomically(self.file(session.game_id), session.to_bytes())

    def sessions(self, game_ids: Sequence[str]) -> Iterator[Session]:
        """Sessions that are kept, in the order asked for; others are passed over."""
        for game_id in game_ids:
            path = self.file(game_id)
            if path.exists():
                yield Session.read(path)
