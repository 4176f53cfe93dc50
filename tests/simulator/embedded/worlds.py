"""Help for tests of rules: a body that sees everything, and shorthands for actions by id."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, ObjectState, Outcome, SimulatorAction, SimulatorState
from teach_agents.simulator.embedded.handlers import Setting, carry_out
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.rules import Rules
from teach_agents.simulator.embedded.senses import GeometricSenses, Hit, Landing
from teach_agents.simulator.embedded.world import World

__all__ = ["FreeSenses", "Kitchen"]


class FreeSenses(GeometricSenses):
    """Nothing blocks, everything is seen, everything fits on top of everything."""

    def __init__(self, blocked_by: str | None = None, unseen: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.blocked_by = blocked_by
        self.unseen = unseen

    def blocker(self, state: SimulatorState, start: Vec3, dx: float, dz: float) -> str | None:
        """Always the same answer."""
        return self.blocked_by

    def occupant(self, state: SimulatorState, point: Vec3) -> str | None:
        """Always the same answer."""
        return self.blocked_by

    def reachable(self, state: SimulatorState) -> frozenset[tuple[float, float]]:
        """Where the body is, and one step to +x."""
        x, _, z = state.agent.position
        return frozenset({(x, z), (x + 0.25, z)})

    def visible(self, state: SimulatorState, object_id: str) -> bool:
        """All but the unseen."""
        return object_id not in self.unseen

    def all_visible(self, state: SimulatorState) -> frozenset[str]:
        """All but the unseen."""
        return frozenset(state.objects) - self.unseen

    def ray(self, state: SimulatorState, camera: Camera, x: float, y: float) -> Hit | None:
        """The left half of the view is empty, the right half shows the first object, 10 m away."""
        return None if x < 0.5 else Hit(next(iter(state.objects)), Vec3(camera.position.x + 10.0, 0.0, 0.0))

    def landing(self, state: SimulatorState, held: str, receptacle: str, near: Vec3 | None, force: bool) -> Landing:
        """In the middle of the receptacle's top."""
        box = state.objects[receptacle].box
        return Landing(Vec3(box.center.x, box.high.y, box.center.z), Vec3(0.0, 0.0, 0.0))

    def crowded(self, state: SimulatorState, held: str, receptacle: str, click: Vec3) -> bool:
        """Never."""
        return False


class Kitchen:
    """A world with its rules, driven by object types instead of ids."""

    def __init__(self, room: str = "FloorPlan1", senses: FreeSenses | None = None, world: World | None = None) -> None:
        self.world = world if world is not None else load_room(room)
        self.setting = Setting(self.world, senses if senses is not None else FreeSenses())
        self.rules = Rules(self.world)

    def id(self, object_type: str) -> str:
        """The first object of a type that still has geometry."""
        return next(i for i in self.world.of_type(object_type) if self.world.objects[i].exists)

    def get(self, object_type: str) -> ObjectState:
        """That object."""
        return self.world.objects[self.id(object_type)]

    def do(self, name: str, target: str = "", **parameters: object) -> Outcome:
        """An action on a type or an id, then the rules."""
        object_id = target if not target or target in self.world.objects else self.id(target)
        outcome = carry_out(self.setting, SimulatorAction(name, object_id, **parameters))  # type: ignore[arg-type]  # the tests' own keywords
        self.rules.settle()
        return outcome

    def put(self, thing: str, receptacle: str) -> None:
        """Pick a thing up and put it somewhere, by force; the receptacle is opened if it is shut."""
        assert self.do("PickupObject", thing, force=True).success
        holder = self.world.objects[receptacle if receptacle in self.world.objects else self.id(receptacle)]
        if holder.kind.openable and not holder.is_open:
            assert self.do("OpenObject", holder.object_id, force=True).success
        outcome = self.do("PutObject", receptacle, force=True)
        assert outcome.success, outcome.error
