"""The state of a room and of both roles at one moment, as game files hold it (specification 1.5)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from teach_agents.core.json_types import JsonMapping
from teach_agents.data.fields import Fields, FileValue, Key
from teach_agents.observations import Pose, Vec3


def _agents(fields: Fields, key: str) -> tuple[JsonMapping, ...]:
    agents = fields.objects(key)
    if len(agents) != 2:
        raise fields.refuse(key, "must hold the Commander and the Driver", fields.items(key))
    for agent in agents:
        for name in ("position", "rotation"):
            agent.vector(name)
        agent.optional("isStanding", Fields.flag)
        agent.optional("cameraHorizon", Fields.number)
    agents[1].number("cameraHorizon")
    return fields.sequence(key)


def _objects(fields: Fields, key: str) -> tuple[JsonMapping, ...]:
    for index, found in enumerate(fields.items(key)):
        if not _plain(found):
            _check_object(Fields(found, fields.where, f"{fields.at(key)}[{index}]"))
    return fields.sequence(key)


@dataclass(frozen=True, slots=True)
class StateRecord(FileValue):
    """`initial_state` or `final_state` of an episode.

    `time_start` is Unix time in an initial state and seconds since the beginning in a final one. `agents` are the
    file's two dictionaries, Commander first. `objects` are AI2-THOR's object metadata merged with TEACh's custom
    properties, dictionaries as in the file. `custom_object_metadata` describes the END of the session in both states
    (a defect of the recorder, register entry Q1): never lay it over the objects of an initial state.

    The dictionaries are shared, not copied: treat them as read-only.
    """

    time_start: float
    agents: tuple[JsonMapping, ...]
    objects: tuple[JsonMapping, ...]
    custom_object_metadata: JsonMapping = field(default_factory=dict)
    extra: JsonMapping = field(default_factory=dict)
    keys = {"agents": Key(read=_agents), "objects": Key(read=_objects)}

    @property
    def commander(self) -> Pose:
        """The Commander's free camera."""
        return _pose(self.agents[0])

    @property
    def follower(self) -> Pose:
        """The Follower's body."""
        return _pose(self.agents[1])

    @classmethod
    def create(
        cls,
        time_start: float,
        commander: Pose,
        follower: Pose,
        objects: Iterable[JsonMapping],
        custom_object_metadata: JsonMapping | None = None,
    ) -> StateRecord:
        """A new state with the two agents' keys as TEACh writes them."""
        camera = {
            "thirdPartyCameraId": 0,
            "position": commander.position._asdict(),
            "rotation": {"x": commander.horizon, "y": commander.yaw, "z": 0.0},
            "fieldOfView": 90.0,
        }
        body = {
            "name": "agent",
            "position": follower.position._asdict(),
            "rotation": {"x": 0.0, "y": follower.yaw, "z": 0.0},
            "cameraHorizon": follower.horizon,
            "isStanding": follower.standing,
            "inHighFrictionArea": False,
        }
        return cls(time_start, (camera, body), tuple(objects), custom_object_metadata or {})

    @classmethod
    def from_json(cls, data: object, where: str = "state") -> StateRecord:
        """Read one state object; raises `GameFileError` naming `where` and the key."""
        return cls.from_fields(Fields(data, where))


def _plain(found: object) -> bool:
    """Whether an object is sound at first sight; any other is for `_check_object`, which says what is wrong, if so."""
    return (
        isinstance(found, dict)
        and type(found.get("objectId")) is type(found.get("objectType")) is str
        and _plain_vector(found.get("position"))
        and ("rotation" not in found or _plain_vector(found["rotation"]))
        and _plain_texts(found.get("parentReceptacles"))
        and _plain_texts(found.get("receptacleObjectIds"))
    )


def _plain_vector(value: object) -> bool:
    return isinstance(value, dict) and all(
        [type(at := value.get(axis)) is float and math.isfinite(at) for axis in "xyz"]
    )


def _plain_texts(value: object) -> bool:
    return value is None or (isinstance(value, list) and set(map(type, value)) <= {str})


def _check_object(found: Fields) -> None:
    for key in ("objectId", "objectType"):
        found.text(key)
    found.vector("position")
    found.optional("rotation", Fields.vector)
    for key in ("parentReceptacles", "receptacleObjectIds"):
        found.optional(key, Fields.texts)


def _pose(agent: JsonMapping) -> Pose:
    position, rotation = agent["position"], agent["rotation"]
    horizon = agent.get("cameraHorizon", rotation["x"])
    where = Vec3(position["x"], position["y"], position["z"])
    return Pose(where, yaw=rotation["y"] % 360.0, horizon=horizon, standing=bool(agent.get("isStanding", True)))
