"""Taps, their basins, and the water that stands in these while the tap runs."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, Channel
from teach_agents.simulator.embedded.facts import basins_by_tap
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.world import World


def _seen_in_the_sink(world: World, aside: float = 0.0) -> str | None:
    """What a camera looking straight down into the sink of FloorPlan1 sees `aside` metres from its middle."""
    (sink,) = world.of_type("SinkBasin")
    x, _, z = world.objects[sink].box.center
    camera = Camera(Vec3(x, 1.6, z + aside), yaw=0.0, pitch=90.0)
    frame = Renderer().view(world, camera, frozenset({Channel.IDS}), 101)
    assert frame.ids is not None
    index = int(frame.ids[50, 50])
    return frame.object_ids[index] if index >= 0 else None


def test_every_basin_belongs_to_its_nearest_tap() -> None:
    world = load_room("FloorPlan1")
    (tap,) = world.of_type("Faucet")
    assert basins_by_tap(world.objects.values()) == {tap: world.of_type("Sink") + world.of_type("SinkBasin")}
    assert basins_by_tap(obj for obj in world.objects.values() if obj.object_type != "Faucet") == {}


def test_running_water_hides_the_bottom_of_the_basin_and_is_nobodys() -> None:
    world = load_room("FloorPlan1")
    (tap,), (basin,) = world.of_type("Faucet"), world.of_type("SinkBasin")
    assert _seen_in_the_sink(world, aside=0.2) == basin
    world.update(tap, is_toggled=True)
    assert _seen_in_the_sink(world, aside=0.2) is None
    world.update(tap, is_toggled=False)
    assert _seen_in_the_sink(world, aside=0.2) == basin


def test_what_lies_in_the_basin_stands_out_of_the_running_water() -> None:
    world = load_room("FloorPlan1")
    (tap,), (basin,), (apple,) = world.of_type("Faucet"), world.of_type("SinkBasin"), world.of_type("Apple")
    obj, sink = world.objects[apple], world.objects[basin].box
    rise = obj.position.y - obj.box.low.y
    world.pose(apple, Vec3(sink.center.x, sink.low.y + rise, sink.center.z), obj.rotation)
    world.update(tap, is_toggled=True)
    assert _seen_in_the_sink(world) == apple
