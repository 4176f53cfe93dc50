"""Points and headings."""

from __future__ import annotations

import pytest

from teach_agents.household.geometry import cardinal_yaw, entry, heading, moved, nearest_corner, pitch_to, world_point
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, Camera


@pytest.mark.parametrize(
    ("yaw", "expected"), [(0, (0, 1)), (90, (1, 0)), (180, (0, -1)), (270, (-1, 0)), (-90, (-1, 0))]
)
def test_yaw_grows_clockwise_from_plus_z(yaw: float, expected: tuple[float, float]) -> None:
    assert heading(yaw) == expected


def test_a_heading_between_the_axes_has_length_one() -> None:
    x, z = heading(45.0)
    assert x == pytest.approx(z)
    assert x * x + z * z == pytest.approx(1.0)


def test_moving_ahead_and_right_follows_the_heading() -> None:
    start = Vec3(1.0, 2.0, 3.0)
    assert moved(start, 90.0, ahead=0.25, right=0.0) == Vec3(1.25, 2.0, 3.0)
    assert moved(start, 90.0, ahead=0.0, right=0.25) == Vec3(1.0, 2.0, 2.75)
    assert moved(start, 0.0, ahead=0.0, right=-0.25) == Vec3(0.75, 2.0, 3.0)


def test_the_centre_of_the_frame_is_straight_ahead() -> None:
    assert world_point(Camera(Vec3(0, 1, 0), yaw=90.0), 0.5, 0.5, 2.0) == pytest.approx((2.0, 1.0, 0.0))


def test_x_grows_to_the_right_and_y_downwards() -> None:
    camera = Camera(Vec3(0, 1, 0))
    assert world_point(camera, 1.0, 0.5, 2.0) == pytest.approx((2.0, 1.0, 2.0))
    assert world_point(camera, 0.5, 1.0, 2.0) == pytest.approx((0.0, -1.0, 2.0))


def test_a_camera_pitched_down_sees_the_floor() -> None:
    assert world_point(Camera(Vec3(0, 1, 0), pitch=90.0), 0.5, 0.5, 1.0) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert world_point(Camera(Vec3(0, 1, 0), pitch=90.0), 0.5, 0.0, 1.0) == pytest.approx((0.0, 0.0, 1.0), abs=1e-9)


@pytest.mark.parametrize(
    ("target", "yaw"),
    [((3, 0, 1), 90.0), ((-3, 0, 1), 270.0), ((1, 0, 3), 0.0), ((1, 0, -3), 180.0), ((0, 0, 0), 0.0)],
)
def test_facing_is_along_the_larger_difference(target: tuple[float, float, float], yaw: float) -> None:
    assert cardinal_yaw(Vec3(0, 0, 0), Vec3(*target)) == yaw


def test_pitch_looks_down_on_lower_things_and_is_level_without_distance() -> None:
    assert pitch_to(Vec3(0, 1.8, 0), Vec3(0, 0.8, 1)) == pytest.approx(45.0)
    assert pitch_to(Vec3(0, 1.8, 0), Vec3(1, 2.8, 0)) == pytest.approx(-45.0)
    assert pitch_to(Vec3(0, 1.8, 0), Vec3(0, 0, 0)) == 0.0


def test_the_nearest_corner_is_chosen_per_axis() -> None:
    assert nearest_corner(Box(Vec3(0, 0, 0), Vec3(2, 2, 2)), Vec3(5, -5, 0.5)) == Vec3(1, -1, 1)


def test_a_box_is_entered_at_its_face_unless_it_is_missed_or_one_is_inside() -> None:
    cupboard = Box(Vec3(0.0, 1.0, 2.0), Vec3(1.0, 1.0, 1.0))
    assert entry(Vec3(0.0, 1.0, 0.0), Vec3(0.0, 1.0, 2.4), cupboard) == Vec3(0.0, 1.0, 1.5)
    assert entry(Vec3(0.0, 1.0, 0.0), Vec3(0.0, 1.0, 1.4), cupboard) == Vec3(0.0, 1.0, 1.4)
    assert entry(Vec3(0.0, 3.0, 0.0), Vec3(0.0, 3.0, 2.4), cupboard) == Vec3(0.0, 3.0, 2.4)
    assert entry(Vec3(0.0, 1.0, 2.0), Vec3(0.0, 1.0, 2.4), cupboard) == Vec3(0.0, 1.0, 2.4)
