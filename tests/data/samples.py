"""A small game to test with, and hypothesis strategies for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Role
from teach_agents.data import (
    Episode,
    Game,
    GameTask,
    Interaction,
    StateRecord,
    keyboard,
    map_goal,
    motion_interaction,
    new_game,
    object_interaction,
    progress_check,
)
from teach_agents.observations import Pose, Vec3

CAMERA = Pose(Vec3(1.0, 1.9, -2.0), yaw=90.0, horizon=0.0)
BODY = Pose(Vec3(1.0, 0.9, -2.0), yaw=270.0, horizon=30.0)
MUG = "Mug|-01.00|+00.90|+02.00"


def thor_object(object_id: str, **changes: object) -> dict[str, Any]:
    """A few of the metadata keys of an object."""
    return {
        "name": "Mug_1",
        "position": {"x": -1.0, "y": 0.9, "z": 2},
        "rotation": {"x": 0.0, "y": 0.0, "z": 0.0},
        "ObjectTemperature": "RoomTemp",
        "objectType": object_id.split("|")[0],
        "objectId": object_id,
        "parentReceptacles": None,
        "receptacleObjectIds": [],
        "objectOrientedBoundingBox": None,
        **changes,
    }


def sample_task() -> GameTask:
    """Coffee."""
    components = {"coffee": {"determiner": "a", "conditions": {"objectType": "Mug", "isDirty": 0}}}
    return GameTask(102, "Coffee", (), 0, "coffee", "Make a cup of coffee.", components, ())


def sample_interactions() -> tuple[Interaction, ...]:
    """One of each kind."""
    commander, follower = Role.COMMANDER, Role.FOLLOWER
    return (
        progress_check("OpenProgressCheck", time_start=1.5, success=False),
        keyboard(commander, "coffee, please", time_start=3.25),
        motion_interaction(commander, "Turn Left", time_start=4.0, success=True, pose=None),
        motion_interaction(follower, "Forward", time_start=5.0, success=True, pose=BODY),
        motion_interaction(follower, "Forward", time_start=5.5, success=False, pose=BODY),
        object_interaction("Pickup", time_start=6.0, success=True, x=0.5, y=0.25, object_id=MUG),
        object_interaction("Place", time_start=7.0, success=False, x=1, y=-0.25, object_id=MUG),
        progress_check("SearchObject", time_start=8.0, success=None, query="mug"),
        map_goal(follower, time_start=9.0, success=True, start=(0.25, 0.5), end=(0.75, 0.5)),
        keyboard(follower, "done", time_start=10.0),
    )


def sample_game(**changes: Any) -> Game:
    """A whole game; `changes` go to the episode."""
    start = StateRecord.create(1.6e9, CAMERA, BODY, [thor_object(MUG), thor_object("Sink|+00.00|+00.00|+00.00")])
    end = StateRecord.create(12.5, CAMERA, BODY, [thor_object(MUG, simbotIsFilledWithCoffee=True)], {MUG: {"a": 1}})
    parts = {
        "episode_id": "0123456789abcdef_01ab",
        "room": "FloorPlan5",
        "initial_state": start,
        "interactions": sample_interactions(),
        "final_state": end,
    }
    return new_game(sample_task(), Episode.create(**{**parts, **changes}), comments="June 08, 2021: 17:25:52")


numbers = st.floats(allow_nan=False, allow_infinity=False, width=64) | st.integers(-(10**9), 10**9)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
poses = st.builds(
    Pose,
    position=st.builds(Vec3, *[st.floats(-50, 50)] * 3),
    yaw=st.sampled_from([0.0, 90.0, 180.0, 270.0]),
    horizon=st.sampled_from([-30.0, 0.0, 30.0, 60.0]),
    standing=st.booleans(),
)
_success = st.booleans()
_times = st.just(0.0)
_roles = st.sampled_from(Role)


def _timed(interactions: Sequence[Interaction], gaps: list[float]) -> tuple[Interaction, ...]:
    now, timed = 0.0, []
    for interaction, gap in zip(interactions, gaps, strict=True):
        now += gap
        timed.append(replace(interaction, time_start=now))
    return tuple(timed)


@st.composite
def interactions(draw: st.DrawFn) -> tuple[Interaction, ...]:
    """Some interactions of every kind, strictly later and later."""
    one = st.one_of(
        st.builds(
            motion_interaction,
            _roles,
            st.sampled_from(MOTIONS),
            time_start=_times,
            success=_success,
            pose=poses | st.none(),
        ),
        st.builds(
            object_interaction,
            st.sampled_from(OBJECT_ACTIONS),
            time_start=_times,
            success=_success,
            x=numbers,
            y=numbers,
            object_id=st.text(max_size=9) | st.none(),
        ),
        st.builds(
            progress_check,
            st.sampled_from(["OpenProgressCheck", "SelectOid", "SearchObject"]),
            time_start=_times,
            success=_success | st.none(),
            query=st.text(),
        ),
        st.builds(keyboard, _roles, st.text(), time_start=_times),
    )
    drawn = draw(st.lists(one, max_size=8))
    gaps = draw(st.lists(st.floats(0.01, 100), min_size=len(drawn), max_size=len(drawn)))
    return _timed(drawn, gaps)


@st.composite
def states(draw: st.DrawFn) -> StateRecord:
    """Some state with a few objects that carry unknown keys too."""
    keys = st.text(max_size=6).filter(lambda key: key not in thor_object(MUG))
    extras = draw(st.lists(st.dictionaries(keys, json_values, max_size=3), max_size=3))
    objects = [thor_object(MUG, **extra) for extra in extras]
    custom = draw(st.dictionaries(st.text(max_size=6), json_values, max_size=2))
    return StateRecord.create(draw(st.floats(0, 2e9)), draw(poses), draw(poses), objects, custom)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game that a recorder could write."""
    task = GameTask(
        draw(st.integers(0, 999)),
        draw(st.text(max_size=12)),
        tuple(draw(st.lists(st.text(max_size=5), max_size=3))),
        draw(st.integers(0, 4)),
        draw(st.none() | st.text(max_size=5)),
        draw(st.text()),
        draw(st.dictionaries(st.text(max_size=5), json_values, max_size=2)),
        tuple(draw(st.lists(json_values, max_size=2))),
    )
    room = draw(st.sampled_from(["FloorPlan1", "FloorPlan430_physics", "somewhere else"]))
    episode = Episode.create(draw(st.text(min_size=1)), room, draw(states()), draw(interactions()), draw(states()))
    return new_game(task, episode, comments=draw(st.text(max_size=9)))
