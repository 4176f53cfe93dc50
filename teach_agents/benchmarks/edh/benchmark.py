"""EDH: a Follower goes on where people left off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from teach_agents.benchmarks.solo.benchmark import FollowerBenchmark
from teach_agents.benchmarks.solo.references import THOROUGH, Reference, Search

if TYPE_CHECKING:
    from teach_agents.benchmarks.edh.player import EdhPlayer

__all__ = ["EdhBenchmark"]


class EdhBenchmark(FollowerBenchmark):
    """Execution from dialogue history: restore a session's beginning, and let a Follower go on.

    Success is judged by the changes that the people made next (specification 3.9). Instances of files say what changed
    in AI2-THOR and how much of it was so at the start, those cut from sessions what changes when the session is carried
    out here.

    [bold]Examples[/bold]

      teach-agents edh --instances teach/edh_instances/valid_seen --follower random --out runs/random

      teach-agents edh --games teach/games/valid_seen --names edh_valid_seen_200 --out runs/edh_200

      teach-agents edh --games teach/games/valid_seen --names divided_val_seen.txt --shard 1/2 --out runs/first_half

      teach-agents edh --out runs/first_half --resume

    Exits with status 3 where no instance came to an end of its own: each crashed, timed out or could not be restored.
    """

    name = "edh"
    title = "EDH"

    @staticmethod
    def player_class() -> type[EdhPlayer]:
        """What carries instances through."""
        from teach_agents.benchmarks.edh.player import EdhPlayer

        return EdhPlayer

    @staticmethod
    def find(
        *,
        instances: str = "",
        games: str = "",
        names: Sequence[str] = (),
        simulator: str = "embedded",
        search: Search = THOROUGH,
    ) -> list[Reference]:
        """See `finding.edh_references`."""
        from teach_agents.benchmarks.edh.finding import edh_references

        return edh_references(instances=instances, games=games, names=names, simulator=simulator, search=search)


def __getattr__(name: str) -> Any:
    """What stood here."""
    if name == "EdhPlayer":
        return EdhBenchmark.player_class()
    if name == "edh_references":
        return EdhBenchmark.find
    raise AttributeError(name)
