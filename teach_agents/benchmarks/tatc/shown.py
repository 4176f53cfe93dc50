"""A TATC instance as a pair written to the challenge's calling convention is shown it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from teach_agents.actions import Role
from teach_agents.core.handles import Handle
from teach_agents.household import Household
from teach_agents.observations import Observation

_SHOWN = ("episode_id", "world", "world_type", "commander_embodied")


@dataclass(frozen=True, slots=True)
class ShownGame:
    """Any agent's factory that has a parameter `instance` gets it in TATC.

    `file` is the name of the game's file, empty for a generated instance. `follower` is what the Follower sees now:
    the challenge tells the Commander where the other stands, and whether its last action succeeded.
    """

    open_context: ClassVar[bool] = True

    file: str = ""
    to_json: Callable[[], dict[str, Any]] = lambda: {"tasks": [{"episodes": []}]}
    """The game with neither task nor recording, new at each call."""
    follower: Callable[[], Observation] | None = None

    @classmethod
    def of(cls, game: str | None, household: Household | None) -> ShownGame:
        """What is shown of a game's file and of the household in which it is played."""
        follower = None if household is None else Handle(lambda: household.observe(Role.FOLLOWER))
        return cls(Path(game).name, Handle(lambda: _shown(game)), follower) if game else cls(follower=follower)


def _shown(file: str) -> dict[str, Any]:
    game: dict[str, Any] = json.loads(Path(file).read_bytes())
    episodes = game["tasks"][0]["episodes"]
    shown = [{key: one[key] for key in _SHOWN if key in one} | {"interactions": []} for one in episodes]
    return {key: game[key] for key in ("version", "task_type") if key in game} | {"tasks": [{"episodes": shown}]}
