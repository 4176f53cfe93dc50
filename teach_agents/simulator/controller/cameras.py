"""Third-party cameras and the map view (AI2-THOR specification 2.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera
from teach_agents.simulator.controller.requests import Parameters, Refusal


@dataclass(frozen=True, slots=True)
class ThirdPartyCamera:
    """A camera that stands where it was put."""

    camera: Camera

    def metadata(self, number: int) -> dict[str, Any]:
        """As in `metadata["thirdPartyCameras"]`."""
        seen = self.camera
        return {
            "thirdPartyCameraId": number,
            "position": seen.position._asdict(),
            "rotation": {"x": seen.pitch % 360.0, "y": seen.yaw % 360.0, "z": seen.roll % 360.0},
            "fieldOfView": seen.field_of_view,
        }


def camera_from(given: Parameters) -> ThirdPartyCamera:
    """The camera that AddThirdPartyCamera asks for."""
    return changed_camera(ThirdPartyCamera(Camera(Vec3(0.0, 0.0, 0.0))), given)


def changed_camera(known: ThirdPartyCamera, given: Parameters) -> ThirdPartyCamera:
    """What UpdateThirdPartyCamera makes of a camera; coordinates left out stay."""
    camera = known.camera
    angles = given.point("rotation", Vec3(camera.pitch, camera.yaw, camera.roll))
    return ThirdPartyCamera(
        replace(
            camera,
            position=given.point("position", camera.position),
            pitch=angles.x,
            yaw=angles.y,
            roll=angles.z,
            field_of_view=_field_of_view(given, camera.field_of_view),
            orthographic=_orthographic(given, camera.orthographic),
        )
    )


def _field_of_view(given: Parameters, known: float) -> float:
    degrees = given.number("fieldOfView", known)
    if not 0.0 < degrees < 180.0:
        raise Refusal("ArgumentOutOfRangeException: fov must be set to (0, 180) noninclusive.")
    return degrees


def _orthographic(given: Parameters, known: float | None) -> float | None:
    """Half the height of the seen area, metres, or `None` for a perspective; Unity's own default is 5."""
    wanted = given.flag("orthographic", known is not None)
    if "orthographicSize" in given and not wanted:
        message = "orthographicSize(: {:g}) can only be set when orthographic=True."
        raise Refusal("InvalidOperationException: " + message.format(given.number("orthographicSize", 0.0)))
    return given.number("orthographicSize", 5.0 if known is None else known) if wanted else None
