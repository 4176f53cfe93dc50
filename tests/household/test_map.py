"""The top-down map (specification 5.6)."""

from __future__ import annotations

import numpy as np
import pytest

from teach_agents.actions import Action, Role
from teach_agents.errors import SimulatorError
from teach_agents.household.map import COMMANDER_COLOUR, FOLLOWER_COLOUR, SEARCH_COLOUR, Mark, RoomMap
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Outcome, SimulatorAction
from tests.household.fake import FakeSimulator
from tests.household.helpers import ready

MAP = RoomMap(x=1.0, y=3.0, z=-1.0, half=4.0)


def test_map_coordinates_run_right_and_down_from_the_corner() -> None:
    assert MAP.place(1.0, -1.0) == (0.5, 0.5)
    assert MAP.place(-3.0, 3.0) == (0.0, 0.0)
    assert MAP.place(5.0, -5.0) == (1.0, 1.0)


def test_the_map_camera_looks_straight_down_and_sees_the_square() -> None:
    camera = MAP.camera
    assert (camera.position, camera.pitch, camera.yaw, camera.orthographic) == (Vec3(1.0, 3.0, -1.0), 90.0, 0.0, 4.0)


def test_a_mark_is_drawn_where_its_bearer_stands_with_its_cone_ahead() -> None:
    rgb = np.full((80, 80, 3), 100, dtype=np.uint8)
    picture = MAP.drawn(rgb, [Mark(Vec3(1.0, 0.0, -1.0), 90.0, FOLLOWER_COLOUR, cone=True)])
    assert tuple(picture[40, 40]) == FOLLOWER_COLOUR
    ahead, behind = picture[40, 48], picture[40, 32]
    assert tuple(behind) == (100, 100, 100)
    assert ahead[2] > 100
    assert (rgb == 100).all()


def test_a_camera_without_a_cone_points_ahead() -> None:
    rgb = np.full((160, 160, 3), 100, dtype=np.uint8)
    picture = MAP.drawn(rgb, [Mark(Vec3(1.0, 0.0, -1.0), 0.0, COMMANDER_COLOUR)])
    assert tuple(picture[80 - 6, 80]) == COMMANDER_COLOUR
    assert tuple(picture[80 + 6, 80]) == (100, 100, 100)
    assert tuple(picture[80, 80 + 6]) == (100, 100, 100)


def test_a_mark_off_the_map_is_not_drawn() -> None:
    rgb = np.full((80, 80, 3), 100, dtype=np.uint8)
    assert (MAP.drawn(rgb, [Mark(Vec3(50.0, 0.0, 0.0), 0.0, COMMANDER_COLOUR)]) == rgb).all()


def colours(picture: np.typing.NDArray[np.uint8]) -> set[tuple[int, ...]]:
    return {tuple(map(int, pixel)) for pixel in picture.reshape(-1, 3)}


def test_the_commander_sees_everybody_on_the_map_and_the_follower_only_itself() -> None:
    household, _ = ready()
    for name in ("Turn Left", "Forward", "Forward", "Forward", "Forward"):
        household.act(Role.COMMANDER, Action(name))
    household.act(Role.COMMANDER, Action.search("CoffeeMachine"))
    mine = household.observe(Role.COMMANDER).overhead
    its = household.observe(Role.FOLLOWER).overhead
    assert mine is not None
    assert its is not None
    assert {FOLLOWER_COLOUR, COMMANDER_COLOUR, SEARCH_COLOUR} <= colours(mine.rgb)
    assert FOLLOWER_COLOUR in colours(its.rgb)
    assert not {COMMANDER_COLOUR, SEARCH_COLOUR} & colours(its.rgb)


class Odd(FakeSimulator):
    """Answers the map query with something else."""

    def __init__(self, answer: Outcome) -> None:
        super().__init__()
        self.answer = answer

    def step(self, action: SimulatorAction) -> Outcome:
        return self.answer


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Outcome(False, "no map"), "fake gave no map view: no map"),
        (Outcome(True, value=7), "fake gave no map view: 7"),
        (Outcome(True, value={"position": {"x": 1}}), "cannot be read"),
    ],
)
def test_a_simulator_without_a_readable_map_is_named(answer: Outcome, said: str) -> None:
    with pytest.raises(SimulatorError, match=said):
        RoomMap.of(Odd(answer))
