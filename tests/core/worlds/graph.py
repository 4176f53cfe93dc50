"""A graph whose episodes begin with a forced walk; then one choice is read, with and without a sentence more."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Forced, Prefixed, Status, Valid
from teach_agents.core.values import Event, Result, Say, Stop, Wait

SIDE, MOST = 4, 20


@dataclass(frozen=True)
class Probing:
    """A walk and what is said of it; with `more` besides, it is the other of a pair of the same id."""

    instance_id: str
    walk: tuple[int, ...]
    text: str
    more: str = ""

    @property
    def cluster(self) -> str:
        return f"row {self.walk[0] // SIDE}"


@dataclass(frozen=True)
class Move:
    to: int


@dataclass(frozen=True)
class Here:
    node: int
    text: str
    valid_actions: tuple[Move | Stop, ...]


class Grid(Environment[Probing, Move, Here], Valid, Prefixed):
    """One walker on a grid of nodes: the walk is forced, then it may go on until it stops."""

    codec = Codec("grid", instance=Probing, actions=(Move,), observation=Here)
    seats = ("walker",)

    def reset(self, instance: Probing, seed: int) -> Sequence[Event]:
        self.probe, self.node, self.left, self.over = instance, instance.walk[0], MOST, ""
        return ()

    def prefix(self) -> Sequence[Forced]:
        return [Forced("walker", Move(node)) for node in self.probe.walk[1:]]

    def status(self) -> Status:
        return Status(self.over, "stopped" if self.left else "spent")

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Here:
        return Here(self.node, f"{self.probe.text} {self.probe.more}".strip(), tuple(self.valid_actions(seat)))

    def valid_actions(self, seat: str) -> Sequence[Move | Stop]:
        row, column = divmod(self.node, SIDE)
        near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        moves = [Move(r * SIDE + c) for r, c in near if 0 <= r < SIDE and 0 <= c < SIDE]
        return () if self.over else [*moves, Stop()]

    def act(self, seat: str, action: Any) -> Result:
        if self.over or not (isinstance(action, Say | Wait) or action in self.valid_actions(seat)):
            return Result(False, "there is no way")
        self.left -= 1
        self.node = action.to if isinstance(action, Move) else self.node
        self.over = "it stopped" if isinstance(action, Stop) else "" if self.left else "that is far enough"
        return Result(True, trace={"node": self.node})
