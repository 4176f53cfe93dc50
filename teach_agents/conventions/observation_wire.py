"""Observations over a wire: written by who has the household, read by who has the agent.

Both ends remember what was sent in a session, so that dialogue and objects travel once.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from pydantic import ValidationError

from teach_agents.actions import Role
from teach_agents.conventions.agent_wire import PICTURES, WireArray, WireObjects, WireObservation
from teach_agents.conventions.pictures import image_file, image_of, view_of_file
from teach_agents.core.json_types import JsonObject
from teach_agents.core.values import NOTHING
from teach_agents.core.wire import Seen, SeenReader, SeenWriter, Wire
from teach_agents.errors import InputError
from teach_agents.observations import (
    ObjectRows,
    Observation,
    Pose,
    Privilege,
    Privileged,
    Segmentation,
    Utterance,
    Vec3,
    View,
)
from teach_agents.session.codec import as_action

if TYPE_CHECKING:
    from numpy.typing import NDArray


_Row = Mapping[str, object]
_MISSING = object()
_OPTIONS = {"jpeg": {"quality": 90}, "png": {"compress_level": 1}}
"""How pictures are written, by their form."""
_PASSING = ("visible", "isInteractable", "obstructed", "distance")
"""What may be otherwise now than a lasting row says; see `ObjectRows`."""
_SHOWN_PROBLEMS = 3
_MOST_OBJECTS = 10_000
"""A room has about a hundred."""
_MOST_UTTERANCES = 100_000
_MAX_PIXELS = 2_000_000


class ObservationWriter:
    """Writes the observations of one session as JSON.

    `privileges` and `views` are what is sent, pictures as files of `pictures`, "png" (as they are) or "jpeg" (smaller).
    """

    def __init__(
        self, privileges: Collection[Privilege], views: Collection[str] = PICTURES, pictures: str = "png"
    ) -> None:
        self._privileges = privileges
        self._views = [name for name in PICTURES if name in views]
        self._pictures = pictures
        self._said = 0
        self._rows: dict[str, tuple[_Row, _Row]] = {}
        """By id the row, which lasts as long as its object is the same, and what was sent of it: parts may differ."""

    def write(self, seen: Observation) -> bytes:
        """An observation, to be sent after those written before. Raises what drawing its pictures raises."""
        pose = seen.pose
        body: JsonObject = {
            "turn": seen.turn,
            "pose": {
                "position": [float(one) for one in pose.position],
                "yaw": float(pose.yaw),
                "horizon": float(pose.horizon),
                "standing": pose.standing,
            },
            "dialogue": [
                {"speaker": str(one.speaker), "text": one.text, "time_ms": one.time_ms}
                for one in seen.dialogue[self._said :]
            ],
            "dialogue_from": self._said,
        }
        if len(seen.dialogue) < self._said:
            raise InputError("dialogue", "is shorter than it was; begin another session")
        if seen.last_action:
            body["last_action"] = seen.last_action.to_json()
        if seen.last_result:
            body["last_result"] = seen.last_result.to_json()
        for name in self._views:
            view: View | None = getattr(seen, name)
            if view:
                file = image_file(image_of(view), self._pictures.upper(), **_OPTIONS[self._pictures])
                body[name] = base64.b64encode(file).decode()
        for privilege in self._privileges:
            if privilege in _WRITERS:
                body[privilege.value] = _WRITERS[privilege](self, seen.privileged)
        written = json.dumps(body, separators=(",", ":"), default=_plain).encode()
        self._said = len(seen.dialogue)
        return written

    def _objects(self, privileged: Privileged) -> JsonObject:
        here = {str(row["objectId"]): row for row in privileged.objects}
        lasting = {str(row["objectId"]): row for row in privileged.lasting_objects}
        sent = {}
        changed = []
        now = {}
        for name, row in lasting.items():
            before = self._rows.get(name)
            if before is None or before[0] is not row:
                before = row, dict(row)
                changed.append(before[1])
            sent[name] = before
            seen, known = here[name], before[1]
            if other := {key: seen[key] for key in _PASSING if key in seen and seen[key] != known.get(key, _MISSING)}:
                now[name] = other
        found: JsonObject = {"rows": changed, "now": now}
        if list(sent) != list(self._rows):
            found["order"] = list(sent)
        self._rows = sent
        return found


def _segmentation(_: ObservationWriter, privileged: Privileged) -> JsonObject:
    segmentation = privileged.segmentation
    return {"ids": _array(segmentation.ids, "int32"), "object_ids": segmentation.object_ids}


_WRITERS: Mapping[Privilege, Callable[[ObservationWriter, Privileged], Any]] = {
    Privilege.SEGMENTATION: _segmentation,
    Privilege.DEPTH: lambda _, privileged: _array(privileged.depth, "float32"),
    Privilege.OBJECTS: ObservationWriter._objects,
    Privilege.REACHABLE: lambda _, privileged: [[float(x), float(z)] for x, z in privileged.reachable],
}


class ObservationReader:
    """Reads the observations of one session, as `ObservationWriter` or anybody else wrote them.

    What is kept between them is bounded; pictures and arrays may have `max_pixels`.
    """

    def __init__(self, role: Role, privileges: Collection[Privilege], max_pixels: int) -> None:
        self._role = role
        self._privileges = privileges
        self._max_pixels = max_pixels
        self.dialogue: tuple[Utterance, ...] = ()
        self._rows: dict[str, _Row] = {}

    def read(self, body: bytes | str, files: Mapping[str, bytes] | None = None) -> Observation:
        """The observation; pictures may come beside it in `files`.

        Raises `InputError` for what is none, or does not go with what was sent before.
        """
        try:
            told = WireObservation.model_validate_json(body)
        except ValidationError as error:
            raise InputError("observation", problems_of(error)) from None
        views: JsonObject = {name: self._view(name, told, files or {}) for name in PICTURES}
        views["view"] = views["view"] or View(_no_picture)
        dialogue = self._heard(told)
        makers, rows = self._made(told)
        self.dialogue, self._rows = dialogue, rows
        pose = told.pose
        return Observation(
            role=self._role,
            turn=told.turn,
            pose=Pose(Vec3(*pose.position), pose.yaw, pose.horizon, pose.standing),
            dialogue=dialogue,
            last_action=told.last_action,
            last_result=told.last_result,
            privileged=Privileged(makers),
            **views,
        )

    def _view(self, name: str, told: WireObservation, files: Mapping[str, bytes]) -> View | None:
        content = files.get(name)
        sent: str | None = getattr(told, name)
        if content is None and sent is not None:
            content = _decoded(name, sent.partition("base64,")[2] or sent)
        return None if content is None else view_of_file(content, self._max_pixels)

    def _heard(self, told: WireObservation) -> tuple[Utterance, ...]:
        known = len(self.dialogue)
        if told.dialogue_from > known:
            problem = f"may be at most {known}: so many utterances of this session are known here"
            raise InputError("dialogue_from", problem, value=told.dialogue_from)
        more = tuple(Utterance(one.speaker, one.text, one.time_ms) for one in told.dialogue)
        if told.dialogue_from + len(more) > _MOST_UTTERANCES:
            raise InputError("dialogue", f"may have at most {_MOST_UTTERANCES} utterances")
        return self.dialogue[: told.dialogue_from] + more

    def _made(self, told: WireObservation) -> tuple[dict[Privilege, Callable[[], object]], dict[str, _Row]]:
        """The privileged parts that the agent reads, checked, and the objects there are now."""
        rows = self._rows
        made: dict[Privilege, Callable[[], object]] = {}
        for privilege in self._privileges:
            if privilege == Privilege.GROUND_TRUTH:
                made[privilege] = _nothing
                continue
            if getattr(told, privilege.value) is None:
                raise InputError("observation", "lacks what this agent reads", value=privilege.value)
            if privilege == Privilege.OBJECTS and told.objects:
                rows = _present(told.objects, rows)
                found = ObjectRows([*rows.values()], partial(_now, rows, told.objects.now), _seen(rows, told.objects))
                made[privilege] = partial(_itself, found)
            elif privilege == Privilege.REACHABLE and told.reachable is not None:
                made[privilege] = partial(_Points, told.reachable)
            elif privilege == Privilege.DEPTH and told.depth:
                made[privilege] = partial(_itself, self._pixels("depth", told.depth, "float32"))
            elif told.segmentation:
                ids, names = told.segmentation.ids, told.segmentation.object_ids
                values, most = self._pixels("segmentation", ids, "int32"), len(names)
                if values.size and not (-1 <= int(values.min()) and int(values.max()) < most):
                    raise InputError("segmentation", f"ids must be -1, or index one of {most} object_ids")
                made[privilege] = partial(_itself, Segmentation(values, tuple(names)))
        return made, rows

    def _pixels(self, where: str, told: WireArray, dtype: str) -> NDArray[Any]:
        import numpy as np

        height, width = told.shape
        if told.dtype != dtype:
            raise InputError(where, f"must be of dtype {dtype}", value=told.dtype)
        if height * width > self._max_pixels:
            raise InputError(where, f"may have at most {self._max_pixels} pixels", value=f"{width} x {height}")
        size = 4 * height * width
        unpacking = zlib.decompressobj()
        try:
            content = unpacking.decompress(_decoded(where, told.zlib), size + 1)
        except zlib.error as error:
            raise InputError(where, "is not packed by zlib") from error
        if len(content) != size:
            raise InputError(where, f"must hold {size} bytes, as its shape says", value=list(told.shape))
        return np.frombuffer(content, np.dtype(dtype).newbyteorder("<")).astype(dtype).reshape(height, width)


def whole_to_json(seen: Observation) -> JsonObject:
    """An observation that stands alone: all of it, with its role and the privileges that it holds."""
    granted = sorted(map(Privilege, seen.privileged.granted))
    written: JsonObject = json.loads(ObservationWriter(granted).write(seen))
    return {"role": str(seen.role), "privileges": granted, **written}


def whole_from_json(data: Any) -> Observation:
    """Read `whole_to_json`'s form. Raises `InputError` for anything else."""
    try:
        told = dict(data)
        role, granted = Role(told.pop("role")), [*map(Privilege, told.pop("privileges"))]
    except (LookupError, TypeError, ValueError) as error:
        raise InputError("observation", f"is a JSON object with 'role' and 'privileges': {error}") from error
    return ObservationReader(role, granted, _MAX_PIXELS).read(json.dumps(told))


class TeachWire(Wire):
    """Sessions of the household, as they travelled before there were other worlds: nobody states a world."""

    stated = NOTHING

    def privileges(self, names: Collection[str]) -> frozenset[Privilege]:
        """The household's own. Raises `InputError` for others."""
        try:
            return frozenset(map(Privilege, names))
        except ValueError as error:
            raise InputError("privileges", str(error), valid=list(Privilege)) from None

    def writer(self, privileges: Collection[Any], views: Collection[str], pictures: str) -> SeenWriter:
        """An `ObservationWriter`; observations hold all the news."""
        known = ObservationWriter(privileges, views, pictures)
        return lambda seen: known.write(seen.observation)

    def reader(self, seat: str, privileges: Collection[Any], max_pixels: int) -> SeenReader:
        """An `ObservationReader`; the news are taken from the observation."""
        role = Role(seat)
        known = ObservationReader(role, privileges, max_pixels)

        def read(body: bytes | str, files: Mapping[str, bytes]) -> Seen:
            before = len(known.dialogue)
            found = known.read(body, files)
            heard = [one for one in found.dialogue[before:] if one.speaker is not role]
            return Seen(found, (*([found.last_result] if found.last_result else ()), *heard))

        return read

    def action_to_json(self, seat: str, action: Any) -> JsonObject:
        """An action of the role, also for one of the core's."""
        return self.codec.action_to_json(as_action(Role(seat), action))


class _Points(frozenset[tuple[float, float]]):
    """Positions that come in the order in which they were sent: agents whose choice depends on it choose the same."""

    def __new__(cls, points: Sequence[tuple[float, float]]) -> Self:
        made = super().__new__(cls, points)
        made._points = points
        return made

    _points: Sequence[tuple[float, float]]

    def __iter__(self) -> Iterator[tuple[float, float]]:
        return iter(self._points)


def problems_of(error: ValidationError) -> str:
    """What is wrong with JSON, in one line."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}".lstrip(": ") for one in found]
    more = f" ({len(lines)} in all)" if len(lines) > _SHOWN_PROBLEMS else ""
    return "; ".join(line[:200] for line in lines[:_SHOWN_PROBLEMS]) + more


def _present(told: WireObjects, before: Mapping[str, _Row]) -> dict[str, _Row]:
    """The lasting rows there are now, in their order; one that was not sent again is the same value as before."""
    sent: dict[str, _Row] = {}
    for row in told.rows:
        name = row.get("objectId")
        if not isinstance(name, str):
            raise InputError("objects", "every row needs a text 'objectId'", value=str(name)[:80])
        sent[name] = row
    order = told.order if told.order is not None else list(before) or list(sent)
    if len(order) > _MOST_OBJECTS:
        raise InputError("objects", f"may be at most {_MOST_OBJECTS}", value=len(order))
    known = {**before, **sent}
    for name in (*order, *told.now):
        if name not in known:
            raise InputError("objects", "names an object whose row was not sent", value=name[:80])
    return {name: known[name] for name in order}


def _now(rows: Mapping[str, _Row], now: Mapping[str, Mapping[str, object]]) -> list[_Row]:
    return [{**row, **now[name]} if name in now else row for name, row in rows.items()]


def _seen(rows: Mapping[str, _Row], told: WireObjects) -> Callable[[], frozenset[str]]:
    now = told.now
    nothing: dict[str, object] = {}
    return lambda: frozenset(
        name for name, row in rows.items() if now.get(name, nothing).get("visible", row.get("visible"))
    )


def _array(values: NDArray[Any], dtype: str) -> JsonObject:
    import numpy as np

    content = np.ascontiguousarray(values, np.dtype(dtype).newbyteorder("<")).tobytes()
    packed = base64.b64encode(zlib.compress(content, 1)).decode()
    return {"dtype": dtype, "shape": values.shape, "zlib": packed}


def _decoded(where: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise InputError(where, "must be base64") from error


def _plain(value: object) -> object:
    """What numpy and others put where JSON has numbers and lists."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | frozenset | set):
        return list(value)
    item = getattr(value, "tolist", None)
    if callable(item):
        return item()
    raise TypeError(f"a {type(value).__name__} is no JSON value")


def _no_picture() -> Any:
    raise InputError("view", "the client sent no picture of the view")


def _nothing() -> None:
    """What an observation holds of the ground truth."""


def _itself(value: object) -> object:
    return value
