"""Perception by a detector: labelled boxes and depth, put together over time into a map of things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import numpy as np

from teach_agents.actions import OBJECT_ACTIONS
from teach_agents.agents.acting.knowledge import Remembered
from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.coverage import absent, points_of
from teach_agents.agents.perceiving.detector_deeds import View, done_to, told_of
from teach_agents.agents.perceiving.detector_kinds import whole_of
from teach_agents.agents.perceiving.detector_sights import (
    TRUTHS,
    ByDetector,
    Sighting,
    Source,
    TrueBoxes,
    hand_of,
    painted,
    sightings,
)
from teach_agents.agents.perceiving.detector_tracks import Tracks
from teach_agents.agents.perceiving.ground import Ground
from teach_agents.agents.perceiving.known import Row
from teach_agents.agents.perceiving.oracle import RoomMap
from teach_agents.arrays import Float32Array
from teach_agents.core.registry import default_registry
from teach_agents.errors import SpecError
from teach_agents.models.vision import (
    DepthEstimator,
    Detector,
    LabelMap,
    Lens,
    load_depth_estimator,
    load_detector,
)
from teach_agents.observations import ObjectRows, Observation, Pose, Privilege
from teach_agents.tasks.classes import type_from_id

_CAMERA = 0.901 + EYE_HEIGHT
"""Height of the camera above the floor, metres: a body's position is 0.901 m high in every room."""
_VAGUE = 2
"""Squares of the ground under a body that may hold something all the same, where depth is estimated."""
_DOUBT = 0.1
"""Metres for each metre of distance by which things may be placed wrongly then."""
_MISSED = 2
"""How often a thing must be missed where nothing hides it, before it counts as gone."""
_IDLE = "Text", "NoOp"
"""Actions after which the room looks as before."""


class DetectorPerception(Perception):
    """Knows of the room what a detector and depth show, and of states what its own actions changed.

    `detector` is a SPEC (`teach-agents models list`), a `Detector`, or `auto`: `household`, our own eyes.
    `true-boxes` and `true-masks` are no detectors: they give the boxes, or the outlines, of what is in view from
    the privilege `segmentation`, for tests and to tell what the rest of this tier costs. `labels` is a JSON file from a
    detector's labels to object types, where ours do not do. `depth` is `true` (a privilege), a SPEC of an estimator
    (`household`, `floor`, `hf:FOLDER`...), or `auto`: what the detector's own network says (`household`), `true` with
    all others. It is stated in `provenance`.

    Rows have type, box, what can be done with things of the type, what holds what, and the states that one's own
    successful actions made; other states are absent. The ground is what depth and one's own moves have shown.
    """

    name = "detector"
    lasting_ids = False

    def __init__(
        self,
        detector: str | Detector = "auto",
        depth: str | bool | DepthEstimator = "auto",
        labels: str = "",
        *,
        allow_import: bool = False,
    ) -> None:
        self._labels = LabelMap.read(Path(labels).expanduser()) if labels else LabelMap()
        self._depth: DepthEstimator | None = None if depth == "auto" else _estimator(depth, allow_import)
        self._source: Source
        if detector == "auto":
            detector = "household"
        if isinstance(detector, str) and detector in TRUTHS:
            self._source = TrueBoxes(masks=TRUTHS[detector])
        else:
            loaded = load_detector(detector, allow_import=allow_import)
            self._source = ByDetector(loaded)
            if depth == "auto":
                self._depth = loaded.estimator
        self.privileges = self._source.privileges | ({Privilege.DEPTH} if self._depth is None else frozenset())
        self.begin(0)

    @cached_property
    def provenance(self) -> Mapping[str, str]:
        """The tier, who detects, and where depth comes from: `true`, or the estimator's name and hash."""
        told = {"perception": self.name, **self._source.provenance, "depth": "true"}
        if self._depth:
            told |= {"depth": self._depth.name, "depth_hash": self._depth.hash}
        return MappingProxyType(told)

    def begin(self, seed: int) -> None:
        """A session begins; forget the last one."""
        doubt, vague = (0.0, 0) if self._depth is None else (_DOUBT, _VAGUE)
        self.map = RoomMap(doubt)
        self._tracks = Tracks(doubt)
        self._ground = Ground(vague)
        self._missed: dict[str, int] = {}
        self._view: View | None = None
        self._last: tuple[Pose, Float32Array, list[Sighting], list[str]] | None = None

    def perceive(self, observation: Observation) -> Observation:
        """The observation with what was recognised, and what is remembered, in place of the truth."""
        pose = observation.pose
        self._note_deed(observation)
        action = observation.last_action
        if not self._last or self._last[0] != pose or not action or action.name not in _IDLE:
            self._look(observation, pose)
        assert self._last
        _, depth, seen, ids = self._last
        held = self._tracks.held
        rows = {str(row["objectId"]): row for row in self._tracks.rows()}
        sure = [place for place, name in enumerate(ids) if name in rows]
        visible = [ids[place] for place in sure]
        in_view = [*visible, *([held.object_id] if held else [])]
        known = self.map.known
        known.forget([str(row["objectId"]) for row in known.rows if row["objectId"] not in rows])
        changed = [name for name, row in rows.items() if name in known and known.row(name) is not row]
        known.note(rows[name] for name in dict.fromkeys([*in_view, *changed]) if name in rows)
        known.in_view = frozenset(in_view)
        self._view = View(painted(seen, ids, depth.shape), depth, pose)
        segmentation, self.map.covered = painted([seen[place] for place in sure], visible, depth.shape)
        self.map.hunches = self._tracks.hunches
        objects = _rows(known.rows, frozenset(visible), pose)
        ground = self._ground
        made = {
            Privilege.SEGMENTATION: lambda: segmentation,
            Privilege.DEPTH: lambda: depth,
            Privilege.OBJECTS: lambda: objects,
            Privilege.REACHABLE: lambda: ground.reachable,
        }
        return replace(observation, privileged=Remembered(made, self.map))

    def _note_deed(self, observation: Observation) -> None:
        """What the last action did, or what was said of why it failed, if it was an interaction."""
        action, result = observation.last_action, observation.last_result
        if not action or action.name not in OBJECT_ACTIONS or not result or not self._view:
            return
        if result.success:
            name = result.object_id
            done_to(self._tracks, action, self._view, name and whole_of(type_from_id(name)))
        else:
            told_of(self._tracks, action, self._view, result.message)

    def _look(self, observation: Observation, pose: Pose) -> None:
        depth = self._measured(observation, pose)
        seen = sightings(self._source.detections(observation), depth, pose, self._labels, self._source.plain)
        ids = self._tracks.take(seen, hand_of(pose))
        points = points_of(depth, pose)
        self.map.coverage.look(points, pose)
        self._ground.look(points, pose, observation.last_action, observation.last_result)
        self.map.ground = self._ground.reachable
        self._forget_missing(depth, pose, ids)
        self._last = pose, depth, seen, ids

    def _measured(self, observation: Observation, pose: Pose) -> Float32Array:
        """Depth of the view, metres; infinite where unknown."""
        if self._depth is None:
            return observation.privileged.depth
        return self._depth.estimate([observation.view.rgb], [Lens(_CAMERA, pose.horizon)])[0]

    def _forget_missing(self, depth: Float32Array, pose: Pose, ids: Sequence[str]) -> None:
        """Things that are plainly not where they were last seen are forgotten: loose ones, and where depth is estimated
        all that were not acted upon, since they may have been placed wrongly."""
        there = {*ids, *(track.object_id for track in self._tracks if track.unseen or track.held)}
        is_true = self._depth is None
        doubtful = [one for one in self._tracks if (one.can("pickupable") if is_true else not one.touched)]
        missing = absent([one.box for one in doubtful if one.object_id not in there], depth, pose)
        self._missed = {name: self._missed.get(name, 0) + 1 for name in missing}
        self._tracks.forget([name for name, count in self._missed.items() if count >= _MISSED])


def _estimator(depth: str | bool | DepthEstimator, allow_import: bool) -> DepthEstimator | None:
    """Who estimates depth; `None` where it is the true one. (A SPEC's `true` is no text.)"""
    if depth is True or depth == "true":
        return None
    if isinstance(depth, bool):
        valid = ("auto", "true", *default_registry().entries("depth_estimator"))
        raise SpecError("perception 'detector', option 'depth'", "names nobody", value="false", valid=valid)
    return load_depth_estimator(depth, allow_import=allow_import)


def _rows(rows: Sequence[Row], visible: frozenset[str], pose: Pose) -> ObjectRows:
    """Rows with what follows the body: whether each is in view, and how far away."""

    def from_here() -> list[dict[str, object]]:
        made = []
        for row in rows:
            seen, place = row["objectId"] in visible, row["position"]
            assert isinstance(place, Mapping)
            away = float(np.linalg.norm(np.array([place[axis] for axis in "xyz"]) - np.asarray(pose.position)))
            made.append({**row, "visible": seen, "isInteractable": seen, "obstructed": not seen, "distance": away})
        return made

    return ObjectRows(rows, from_here, lambda: visible)
