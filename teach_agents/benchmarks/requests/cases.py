"""Cases: a room, what is changed in it, what a person says and when, and what must be true afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.core.values import NOTHING
from teach_agents.errors import InputError

KINDS = (*("plain", "polite", "typos", "steps", "places", "references", "questions", "motion", "impossible", "facts"),)
"""What kinds of requests there are."""
WHEN = ("start", "idle", "asked")
"""When a person says something, besides `{"after": n}`: n actions after what was said last."""
_CASE = frozenset({"id", "kind", "pair", "room", "setup", "talk", "check"})
_TURN = frozenset({"say", "when", "reply"})
_CHECK = frozenset({"true", "reply", "may", "since"})
_REPLY = frozenset({"says", "never", "number", "asks"})


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer must be like: any words will do where nothing is said here, else it has to have content.

    `says` are groups of phrases, of each of which one must be there; `never` are phrases that must not be; `number` is
    the first number in it; `asks` are groups of phrases that a question at its end must name.
    """

    says: tuple[tuple[str, ...], ...] = ()
    never: tuple[str, ...] = ()
    number: int | None = None
    asks: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that the person says: at the `start`, when the Follower is `idle`, when it has `asked`, or `after` so
    many actions of the Follower. `reply` is what the answer to it must be like, where the check is not the place."""

    text: str
    when: str = "idle"
    after: int = 0
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """What must hold when the case is over.

    `true` are conditions (see `conditions`), `reply` what must have been answered to what was said last, `may` what
    else may have changed. All of it looks at what happened `since` this turn of the talk.
    """

    true: tuple[str, ...] = ()
    reply: Reply | None = None
    may: tuple[str, ...] = ()
    since: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """One request or short talk; `setup` is what is done to the room first (see `setups`)."""

    instance_id: str
    kind: str
    pair: str
    room: str
    talk: tuple[Said, ...]
    check: Check
    setup: tuple[str, ...] = ()
    groups: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    @property
    def cluster(self) -> str:
        """Cases of a pair are alike."""
        return self.pair

    @property
    def wants_reply(self) -> bool:
        """Whether anything that is said has to be answered in words."""
        return self.check.reply is not None or any(turn.reply for turn in self.talk)


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a file of JSON lines, or of all in a folder, by id.

    Raises `InputError` for a line that is no case, for two of one id and for pairs that are not of two cases.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise InputError(path, "holds no .jsonl files")
    cases: dict[str, Case] = {}
    for one in (case for file in files for case in _lines(file)):
        if cases.setdefault(one.instance_id, one) is not one:
            raise InputError(path, "two cases go by one id", value=one.instance_id)
    pairs: dict[str, list[Case]] = {}
    for one in cases.values():
        pairs.setdefault(one.pair, []).append(one)
    for pair, both in pairs.items():
        if len(both) != 2 or both[0].kind != both[1].kind:
            raise InputError(path, "a pair is of two cases of one kind", value=pair)
    return tuple(cases[name] for name in sorted(cases))


def _lines(path: Path) -> Iterator[Case]:
    try:
        lines = path.read_text(encoding="utf8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(path, f"cannot be read as cases: {error}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                data = json.loads(line)
            except ValueError as error:
                raise InputError(where, f"is no JSON: {error}") from error
            yield case_of(where, data)


def case_of(where: str, data: Any) -> Case:
    """A case of its JSON form. Raises `InputError` naming `where` for anything else."""
    _known(where, data, _CASE, needed=_CASE - {"setup"})
    where = f"{where}, case {data['id']!r}"
    if data["kind"] not in KINDS:
        raise InputError(where, "unknown kind", value=data["kind"], valid=KINDS)
    for key in ("id", "pair", "room"):
        if not isinstance(data[key], str) or not data[key]:
            raise InputError(where, f"{key!r} is a text", value=data[key])
    if not isinstance(data["talk"], list) or not data["talk"]:
        raise InputError(where, "'talk' is a list of what the person says", value=data["talk"])
    talk = tuple(_said(where, number, one) for number, one in enumerate(data["talk"]))
    check = _check(where, data["check"], talk)
    asks = any(reply is not None and reply.asks is not None for reply in (check.reply, *(one.reply for one in talk)))
    groups = {"kind": data["kind"], "room": room_kind(data["room"]), "words": "ambiguous" if asks else "clear"}
    setup = _texts(where, data.get("setup", ()))
    return Case(data["id"], data["kind"], data["pair"], data["room"], talk, check, setup, groups)


def room_kind(room: str) -> str:
    """Which kind of room it is, by AI2-THOR's numbers: kitchen, living room, bedroom or bathroom; else empty."""
    number = room.removeprefix("FloorPlan")
    names = {"": "kitchen", "2": "living room", "3": "bedroom", "4": "bathroom"}
    return names.get(number[:-2], "") if number.isdigit() else ""


def _said(where: str, number: int, data: Any) -> Said:
    if isinstance(data, str):
        data = {"say": data}
    _known(where, data, _TURN, needed={"say"})
    when = data.get("when", "idle" if number else "start")
    reply = _reply(where, data["reply"]) if "reply" in data else None
    if isinstance(when, Mapping) and isinstance(when.get("after"), int) and len(when) == 1:
        return Said(data["say"], "after", when["after"], reply)
    if when not in WHEN:
        raise InputError(where, "unknown 'when'", value=when, valid=(*WHEN, '{"after": n}'))
    return Said(data["say"], when, 0, reply)


def _check(where: str, data: Any, talk: Sequence[Said]) -> Check:
    _known(where, data, _CHECK, needed=set())
    last = len(talk) - 1
    usual = next((number for number in range(last, -1, -1) if talk[number].when != "asked"), 0)
    since = data.get("since", usual)
    if not isinstance(since, int) or not 0 <= since <= last:
        raise InputError(where, "'since' is the number of a turn of the talk", value=since)
    reply = _reply(where, data["reply"]) if "reply" in data else None
    found = Check(_texts(where, data.get("true", ())), reply, _texts(where, data.get("may", ())), since)
    if not found.true and reply is None:
        raise InputError(where, "its check asks for nothing", value=data)
    return found


def _reply(where: str, data: Any) -> Reply:
    _known(where, data, _REPLY, needed=set())
    asks = data.get("asks")
    return Reply(
        _groups(where, data.get("says", ())),
        _texts(where, data.get("never", ())),
        data.get("number"),
        None if asks is None else _groups(where, asks),
    )


def _groups(where: str, data: Any) -> tuple[tuple[str, ...], ...]:
    """Groups of phrases; a text stands for a group of one, or of several between bars."""
    return tuple(tuple(one.split("|")) if isinstance(one, str) else _texts(where, one) for one in data)


def _texts(where: str, data: Any) -> tuple[str, ...]:
    if not isinstance(data, list | tuple) or not all(isinstance(one, str) and one for one in data):
        raise InputError(where, "must be a list of texts", value=data)
    return tuple(data)


def _known(where: str, data: Any, keys: frozenset[str], *, needed: set[str] | frozenset[str]) -> JsonMapping:
    if not isinstance(data, Mapping):
        raise InputError(where, "must be a JSON object", value=data)
    if wrong := [*(data.keys() - keys), *(needed - data.keys())]:
        raise InputError(where, "unknown or missing keys", value=", ".join(sorted(wrong)), valid=sorted(keys))
    return data
