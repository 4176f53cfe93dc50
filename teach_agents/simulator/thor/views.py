"""Pictures from AI2-THOR: the agent's own, or those of one third-party camera that goes where it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.simulator.contract import Camera, Channel, Frame

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray, Int32Array


Step = Callable[[JsonMapping], Any]
_NOTHING = {"action": "GetMapViewCameraProperties"}
"""A question; with `fastActionEmit` off its answer comes with new pictures, and nothing moves."""


class Views:
    """Draws views of one scene; `step` carries out requests, `name` gives our id of one of AI2-THOR's."""

    def __init__(self, step: Step, name: Callable[[str], str], size: int) -> None:
        self._step = step
        self._name = name
        self._size = size
        self._has_camera = False

    def draw(
        self, camera: Camera, channels: frozenset[Channel], size: int, object_ids: Sequence[str], *, own: bool
    ) -> Frame:
        """What `camera` sees; `own` if it is the agent's. Ids index `object_ids`."""
        if size != self._size:
            self._step({"action": "ChangeResolution", "x": size, "y": size, "renderImage": False})
            self._size = size
        request = dict(_NOTHING) if own else self._aimed(camera)
        event = self._step({**request, "renderImage": True, "renderInstanceSegmentation": Channel.IDS in channels})
        if own:
            rgb, depth, colours = event.frame, event.depth_frame, event.instance_segmentation_frame
        else:
            rgb, depth = _first(event.third_party_camera_frames), _first(event.third_party_depth_frames)
            colours = _first(event.third_party_instance_segmentation_frames)
        return Frame(
            object_ids,
            rgb=_contiguous(rgb[..., :3]) if Channel.RGB in channels else None,
            ids=self._indices(colours, event, object_ids) if Channel.IDS in channels else None,
            depth=_contiguous(depth) if Channel.DEPTH in channels else None,
        )

    def _aimed(self, camera: Camera) -> JsonObject:
        """The request that brings the third-party camera there."""
        place = {
            "position": camera.position._asdict(),
            "rotation": {"x": camera.pitch, "y": camera.yaw, "z": camera.roll},
            "fieldOfView": camera.field_of_view,
            "orthographic": camera.orthographic is not None,
        }
        if camera.orthographic is not None:
            place["orthographicSize"] = camera.orthographic
        if self._has_camera:
            return {"action": "UpdateThirdPartyCamera", "thirdPartyCameraId": 0, **place}
        self._has_camera = True
        return {"action": "AddThirdPartyCamera", **place}

    def _indices(self, colours: ByteArray, event: Any, object_ids: Sequence[str]) -> Int32Array:
        """Colours as indices; structure and what is not listed as -1."""
        import numpy as np

        numbers = {object_id: number for number, object_id in enumerate(object_ids)}
        packed = colours.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
        found, where = np.unique(packed, return_inverse=True)
        names = {_packed(colour): name for colour, name in event.color_to_object_id.items() if "|" in name}
        indices = [numbers.get(self._name(names[value]), -1) if value in names else -1 for value in found.tolist()]
        return np.array(indices, np.int32)[where].reshape(packed.shape)


def _packed(colour: Sequence[int]) -> int:
    red, green, blue = (int(part) for part in colour)
    return (red << 16) + (green << 8) + blue


def _first(pictures: Sequence[Any]) -> Any:
    return pictures[0] if pictures else None


def _contiguous(picture: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(picture)
