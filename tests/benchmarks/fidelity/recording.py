"""Sessions recorded in the embedded simulator itself, so that a faithful replay agrees with them in everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from teach_agents.actions import MOTIONS, Action, Role
from teach_agents.data import Episode, Game, Interaction, StateRecord, new_game, recorded_action
from teach_agents.household import Household, Scenario
from teach_agents.observations import Pose, Vec3
from teach_agents.session.game import game_task
from teach_agents.simulator.contract import Scene, SimulatorAction
from teach_agents.simulator.embedded import EmbeddedSimulator

ROOM = "FloorPlan1"
YAWS = (0.0, 90.0, 180.0, 270.0)
Does = Action | Callable[[Household], Action]

CHECK = Action.progress_check()
LEFT, RIGHT = Action("Turn Left"), Action("Turn Right")
AHEAD, BACK = Action("Forward"), Action("Backward")


def household() -> Household:
    """The room with a task that nothing here completes."""
    made = Household(EmbeddedSimulator())
    made.reset(Scenario("recorded", "Coffee", (), Scene(ROOM)))
    return made


def first(world: Household, object_type: str) -> str:
    """The id of the first object of a type."""
    return next(i for i, obj in world.simulator.state.objects.items() if obj.object_type == object_type)


def on(name: str, object_type: str) -> Callable[[Household], Action]:
    """A click of that action on the first object of the type that can be clicked on now."""

    def click(world: Household) -> Action:
        for object_id, obj in world.simulator.state.objects.items():
            if obj.object_type == object_type and obj.exists:
                point = world.click_for(object_id, name)
                if point is not None and world.aimed_at(Action.click(name, *point)) == object_id:
                    return Action.click(name, *point)
        raise AssertionError(f"no {object_type} to click on")

    return click


def stand_before(world: Household, object_type: str, name: str = "Pickup") -> None:
    """Put the body where the object of that type can be clicked on."""
    target = world.simulator.state.objects[first(world, object_type)]
    cells = world.simulator.step(SimulatorAction("GetReachablePositions")).value
    assert isinstance(cells, tuple)

    def near(cell: Vec3) -> float:
        return (cell.x - target.position.x) ** 2 + (cell.z - target.position.z) ** 2

    for cell in sorted(cells, key=near)[:12]:
        for yaw in YAWS:
            world.simulator.step(SimulatorAction("TeleportFull", pose=Pose(cell, yaw, 30.0), force=True))
            point = world.click_for(target.object_id, name)
            if point is not None and world.aimed_at(Action.click(name, *point)) == target.object_id:
                return
    raise AssertionError(f"no place to reach {object_type} from")


def record(*actions: Does, before: str = "Apple", aim: str = "Pickup") -> Game:
    """A game of the Follower's (and, for progress checks, the Commander's) actions, from before an object on."""
    world = household()
    stand_before(world, before, aim)
    initial = StateRecord.from_json(world.snapshot(0.0))
    interactions = [_carry_out(world, number, does) for number, does in enumerate(actions)]
    final = StateRecord.from_json(world.snapshot(len(actions) + 1.0))
    episode = Episode.create("recorded", ROOM, initial, interactions, final)
    return new_game(game_task(world.task), episode, comments="")


def _carry_out(world: Household, number: int, does: Does) -> Interaction:
    action = does if isinstance(does, Action) else does(world)
    role = Role.COMMANDER if action == CHECK else Role.FOLLOWER
    result = world.act(role, action)
    success = world.progress().success if action == CHECK else result.success
    pose = world.simulator.state.agent if action.name in MOTIONS else None
    return recorded_action(
        role, action, time_start=number + 1.0, success=success, pose=pose, object_id=result.object_id
    )


def changed(game: Game, index: int, change: Callable[[Interaction], Interaction]) -> Game:
    """The game with one record rewritten."""
    interactions = list(game.episode.interactions)
    interactions[index] = change(interactions[index])
    return with_interactions(game, interactions)


def with_interactions(game: Game, interactions: Iterable[Interaction]) -> Game:
    """The game with other records."""
    return replace(game, episodes=(replace(game.episode, interactions=tuple(interactions)),))
