"""The solvability filter: every reason it gives has its state, and generated states pass it."""

from __future__ import annotations

import pytest

from teach_agents.benchmarks.tatc.parameters import ROOM_PLANS, TASK_DRAWS, Draw
from teach_agents.errors import InputError, SceneError
from teach_agents.observations import Vec3
from teach_agents.simulator import EmbeddedSimulator, Scene
from teach_agents.simulator.contract import Camera, SimulatorState
from teach_agents.simulator.embedded import access
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.senses import GeometricSenses, Hit
from teach_agents.simulator.embedded.solvability import generate, hopeless, solvability
from teach_agents.simulator.embedded.spawn import randomized_room
from teach_agents.simulator.embedded.world import World
from teach_agents.tasks import Task, TaskLibrary

_LIBRARY = TaskLibrary.builtin()


def _task(name: str, *params: str) -> Task:
    return _LIBRARY.task(name, list(params))


def _without(room: str, *types: str) -> World:
    world = load_room(room)
    for object_type in types:
        for object_id in world.of_type(object_type):
            world.discard(object_id)
    return world


@pytest.mark.parametrize(
    "task",
    [
        _task("Coffee"),
        _task("Boil X", "Potato"),
        _task("Plate Of Toast"),
        _task("Salad", "1", "2", "1"),
        _task("Clean All X", "Mug"),
        _task("N Cooked Slices Of X In Y", "3", "Potato", "on", "Plate"),
    ],
    ids=repr,
)
def test_a_kitchen_as_it_ships_can_be_worked_in(task: Task) -> None:
    assert solvability(load_room("FloorPlan1"), task) == []


@pytest.mark.parametrize(
    "task, missing, reason",
    [
        (_task("Coffee"), ("CoffeeMachine",), "no coffee machine within reach"),
        (_task("Coffee"), ("Mug",), "too few Mug within reach"),
        (_task("Sliced X", "Tomato"), ("Knife", "ButterKnife"), "no knife within reach"),
        (_task("Boil X", "Potato"), ("Faucet",), "no running water within reach"),
        (_task("Boil X", "Potato"), ("Microwave", "StoveKnob"), "nothing to cook with within reach"),
        (_task("Toast"), ("Toaster", "StoveKnob"), "nothing to cook with within reach"),
        (_task("Omelette"), ("Microwave", "Pan", "Pot"), "nothing to cook with within reach"),
    ],
    ids=str,
)
def test_what_is_missing_is_named(task: Task, missing: tuple[str, ...], reason: str) -> None:
    assert reason in solvability(_without("FloorPlan1", *missing), task)


@pytest.mark.parametrize(
    "task, problem, value, valid",
    [
        (_task("Boil X", "Mug"), "no such object can be boiled", "Mug", ("Potato", "PotatoSliced", "EggCracked")),
        (_task("N Cooked Slices Of X In Y", "1", "Tomato", "on", "Plate"), "can be cooked", "Tomato", ("Potato",)),
        (_task("Toggle X All Y", "On", "1", "Mug"), "no such object can be switched on", "Mug", ("StoveKnob",)),
        (_task("Boil X", "Sofa"), "the room has no such object", "Sofa", ()),
    ],
    ids=repr,
)
def test_what_can_never_be_so_is_refused(task: Task, problem: str, value: str, valid: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=problem) as refused:
        generate("FloorPlan1", task, 0)
    assert refused.value.value == value
    assert {*valid} <= {*refused.value.valid} and value not in refused.value.valid


@pytest.mark.parametrize(("name", "draw"), [(name, draw) for name in TASK_DRAWS for draw in TASK_DRAWS[name]])
def test_what_people_were_given_is_not_hopeless(name: str, draw: Draw) -> None:
    rooms = [f"FloorPlan{plan}" for kind in draw.rooms for plan in ROOM_PLANS[kind]]
    assert any(hopeless(room, _task(name, *draw.params)) is None for room in rooms)


def test_what_has_to_be_dealt_with_and_cannot_be_reached_is_named() -> None:
    world, task = load_room("FloorPlan1"), _task("Clean All X", "Mug")
    assert "a Mug is out of reach" not in solvability(world, task)
    mug = world.objects[next(iter(world.of_type("Mug")))]
    world.update(mug.object_id, box=mug.box.moved(Vec3(0.0, 5.0, 0.0)), parents=())
    assert "a Mug is out of reach" in solvability(world, task)


@pytest.mark.parametrize("openness", [0.0, 1.0])
def test_what_lies_in_a_shut_receptacle_counts_only_if_that_can_be_reached(openness: float) -> None:
    world, task = load_room("FloorPlan1"), _task("Clean All X", "Mug")
    mug = next(iter(world.of_type("Mug")))
    cabinet = world.objects[next(iter(world.of_type("Cabinet")))]
    world.update(cabinet.object_id, box=cabinet.box.moved(Vec3(0.0, 5.0, 0.0)), openness=openness)
    world.update(mug, parents=(cabinet.object_id,))
    assert ("a Mug is out of reach" in solvability(world, task)) is (openness == 0.0)


def test_what_nobody_can_see_from_anywhere_is_out_of_reach() -> None:
    world, task = load_room("FloorPlan1"), _task("Clean All X", "Mug")
    before = world.agent, dict(world.objects)
    assert "a Mug is out of reach" in solvability(world, task, _Blind())
    assert (world.agent, dict(world.objects)) == before


@pytest.mark.parametrize("refusal", ["clips", "stopped_by_body"])
def test_what_is_always_refused_is_out_of_reach(refusal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = randomized_room("FloorPlan7", 0)
    near = access.Access(world, GeometricSenses()).near
    fridge = world.objects[next(iter(world.of_type("Fridge")))]
    food = next(obj for i in fridge.contents if (obj := world.objects[i]).kind.pickupable and near(obj))
    assert not fridge.is_open
    monkeypatch.setattr(access, refusal, lambda *_: True)
    assert not access.Access(world, GeometricSenses()).near(food)


def test_a_click_must_land_within_reach() -> None:
    world = load_room("FloorPlan1")
    mug = world.objects[next(iter(world.of_type("Mug")))]
    assert access.Access(world, GeometricSenses()).near(mug)
    assert not access.Access(world, _LongSighted()).near(mug)


class _LongSighted(GeometricSenses):
    """Whatever a ray meets is too far away to be clicked on."""

    def ray(self, state: SimulatorState, camera: Camera, x: float, y: float) -> Hit | None:
        seen = super().ray(state, camera, x, y)
        return seen if seen is None else seen._replace(point=Vec3(0.0, 50.0, 0.0))


class _Blind(GeometricSenses):
    def visible(self, state: SimulatorState, object_id: str) -> bool:
        return False


def test_what_is_cooked_already_can_not_be_boiled() -> None:
    world, task = load_room("FloorPlan1"), _task("Boil X", "Potato")
    for potato in world.of_type("Potato"):
        world.update(potato, is_cooked=True)
    assert solvability(world, task) == ["too few Potato within reach"]


def test_a_dirty_mug_needs_water() -> None:
    world = _without("FloorPlan1", "Faucet")
    task = _task("Clean All X", "Mug")
    assert "no running water within reach" not in solvability(world, task)
    for mug in world.of_type("Mug"):
        world.update(mug, is_dirty=True)
    assert "no running water within reach" in solvability(world, task)


def test_a_generated_state_is_solvable_and_reproduced_by_its_seed() -> None:
    task = _task("Plate Of Toast")
    made = generate("FloorPlan9", task, 11)
    assert generate("FloorPlan9", task, 11) == made
    simulator = EmbeddedSimulator()
    simulator.reset(Scene(made.room, randomize=True), seed=made.seed)
    state = simulator.state
    assert isinstance(state, World)
    assert solvability(state, task) == []


def test_solved_states_are_rejected_and_counted() -> None:
    made = [generate("FloorPlan8", _task("Water Plant"), seed) for seed in range(12)]
    assert sum(m.rejections.get("the task is solved already", 0) for m in made) > 0


def test_a_hopeless_room_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="the room has no such object; got 'Mug'"):
        generate("FloorPlan401", _task("Coffee"), 0)
    with pytest.raises(SceneError, match="no such room"):
        generate("FloorPlan99", _task("Coffee"), 0)
