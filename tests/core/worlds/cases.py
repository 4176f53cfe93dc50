"""Who plays in which of the worlds: an episode of each, as a test begins it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from teach_agents.core.agents.contract import AgentLike
from teach_agents.core.environment import Environment
from teach_agents.core.values import Say
from tests.core.worlds import phases, questions
from tests.core.worlds.example import two_rooms


@dataclass(frozen=True)
class Case:
    """An episode: the world, an instance, who plays; and how it ends."""

    world: Callable[[], Environment[Any, Any, Any]]
    instance: Any
    agents: Callable[[], Mapping[str, AgentLike]]
    end: str
    success: bool = False


def caller(seen: phases.Seen) -> Say:
    return Say(str(seen.goal))


def builder(seen: phases.Seen) -> phases.Go | phases.End:
    left = int(seen.told) - seen.at
    return phases.Go(max(-1, min(1, left))) if left else phases.End()


def robot(room: questions.Room) -> questions.Ask | questions.Bring:
    for about in ("colour", "size")[len(room.answers) :]:
        return questions.Ask(about)
    told = tuple(one.rstrip(".").rpartition(" ")[2] for one in room.answers)
    return questions.Bring(room.things.index((told[0], told[1])))


CASES: Mapping[str, Case] = {
    "two_rooms": Case(
        two_rooms.TwoRooms,
        two_rooms.House("a", ("amber", "birch"), "birch", {"level": "2 words"}),
        lambda: {"guide": two_rooms.Guide(), "walker": two_rooms.Walker()},
        "escaped",
        True,
    ),
    "building": Case(phases.Building, phases.Job("a", (2, 6)), lambda: {"caller": caller, "builder": builder}, "built"),
    "errand": Case(questions.Errand, questions.Wish("a", 3), lambda: {"robot": robot}, "brought"),
}
