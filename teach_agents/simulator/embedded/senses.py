"""What handlers ask of space: what blocks, what is seen, where a thing can stand.

`GeometricSenses` is the seam between the rules of actions and geometry. It answers by the navigation map, the placement
search and ray casts, each loaded when first asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, SimulatorState
from teach_agents.simulator.embedded.facts import GAZE

if TYPE_CHECKING:
    from teach_agents.simulator.embedded.navigation import NavigationMap


class Landing(NamedTuple):
    """Where a placed object comes to stand: its pivot and Euler angles; or `refusal` says why nowhere."""

    position: Vec3 = Vec3(0.0, 0.0, 0.0)
    rotation: Vec3 = Vec3(0.0, 0.0, 0.0)
    refusal: str = ""


class Hit(NamedTuple):
    """What a ray meets: the object (`None` for the room's structure), the world point, the distance in metres."""

    object_id: str | None
    point: Vec3
    distance: float = 0.0


class GeometricSenses:
    """Space, as handlers need it; nothing here changes the state. One navigation map is kept for the current room.

    `gaze` is what `visible` and `all_visible` go by.
    """

    def __init__(self) -> None:
        self.gaze = GAZE
        self._map: NavigationMap | None = None

    def forget(self) -> None:
        """Drop what belongs to the last world; called on every reset."""
        self._map = None

    def _navigation(self, state: SimulatorState) -> NavigationMap:
        if self._map is None:
            from teach_agents.simulator.embedded.navigation import NavigationMap

            self._map = NavigationMap(state)
        return self._map

    def blocker(self, state: SimulatorState, start: Vec3, dx: float, dz: float) -> str | None:
        """Name of what blocks the body's way from `start` by (dx, dz), `None` when free."""
        return self._navigation(state).blocker(state, start, dx, dz)

    def occupant(self, state: SimulatorState, point: Vec3) -> str | None:
        """Name of what the body would overlap at a point, `None` for nothing."""
        return self._navigation(state).occupant(state, point)

    def reachable(self, state: SimulatorState) -> frozenset[tuple[float, float]]:
        """Grid positions (x, z) that the body can walk to from where it is."""
        return self._navigation(state).reachable(state)

    def visible(self, state: SimulatorState, object_id: str) -> bool:
        """AI2-THOR's `visible`: within 1.5 m, in view, not hidden."""
        from teach_agents.simulator.embedded.visibility import is_visible

        return is_visible(state, object_id, self.gaze)

    def all_visible(self, state: SimulatorState) -> frozenset[str]:
        """The ids of all objects for which `visible` holds."""
        from teach_agents.simulator.embedded.visibility import visible_objects

        return visible_objects(state, self.gaze)

    def ray(self, state: SimulatorState, camera: Camera, x: float, y: float) -> Hit | None:
        """What the viewport point (x, y in [0, 1], origin top left) shows; `None` for nothing."""
        from teach_agents.simulator.embedded.visibility import raycast

        return raycast(state, camera, x, y)

    def landing(self, state: SimulatorState, held: str, receptacle: str, near: Vec3 | None, force: bool) -> Landing:
        """Where `held` lands on or in `receptacle`, close to `near` if given."""
        from teach_agents.simulator.embedded.placement import find_spot

        return find_spot(state, held, receptacle, near, force)

    def crowded(self, state: SimulatorState, held: str, receptacle: str, click: Vec3) -> bool:
        """Whether there is no room for `held` around a clicked point of `receptacle`."""
        from teach_agents.simulator.embedded.placement import is_crowded

        return is_crowded(state, held, receptacle, click)
