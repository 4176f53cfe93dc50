"""Short words for tests: a household on the fake, and one object or one interaction of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.household import Household, Scenario
from teach_agents.household.custom_properties import CustomProperties
from teach_agents.simulator.contract import Scene
from teach_agents.tasks import TaskLibrary
from tests.household.fake import BoxRoom, FakeSimulator, kitchen

LIBRARY = TaskLibrary.builtin()
SCENE = Scene("FloorPlan1")


def scenario(task: str = "Coffee", params: Sequence[str] = (), scene: Scene = SCENE) -> Scenario:
    """A task in the box room."""
    return Scenario("test", task, tuple(params), scene)


def ready(
    task: str = "Coffee",
    params: Sequence[str] = (),
    *,
    make: Callable[[], BoxRoom] = kitchen,
    view_size: int = 180,
    click_size: int | None = None,
) -> tuple[Household, FakeSimulator]:
    """A household on the fake, reset to a task."""
    fake = FakeSimulator(make)
    household = Household(fake, LIBRARY, view_size=view_size, click_size=click_size)
    household.reset(scenario(task, params, Scene(fake.world.room)))
    return household, fake


def the(fake: FakeSimulator, object_type: str) -> str:
    """The id of the first object of a type."""
    return next(obj.object_id for obj in fake.world.objects.values() if obj.object_type == object_type)


def do(household: Household, fake: FakeSimulator, name: str, object_type: str) -> ActionResult:
    """One interaction of the Follower, clicked where the object is seen; it must be in view and in reach."""
    click = household.click_for(the(fake, object_type), name)
    assert click is not None, f"{object_type} cannot be clicked for {name}"
    return household.act(Role.FOLLOWER, Action.click(name, *click))


def custom(fake: FakeSimulator) -> CustomProperties:
    """Custom properties of the fake's room, as at the start of an episode."""
    properties = CustomProperties(fake)
    properties.begin()
    return properties


def walk(household: Household, *names: str) -> list[ActionResult]:
    """Motions of the Follower, one after another."""
    return [household.act(Role.FOLLOWER, Action(name)) for name in names]
