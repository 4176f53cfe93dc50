"""EDH: a Follower goes on where people left off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from teach_agents.benchmarks.edh.finding import edh_references
from teach_agents.benchmarks.solo.benchmark import FollowerBenchmark
from teach_agents.data.edh import write_edh
from teach_agents.data.games import read_game


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
    player = "teach_agents.benchmarks.edh.player:EdhPlayer"
    find = staticmethod(edh_references)

    @staticmethod
    def cut(path: Path, out: Path, *, every: bool) -> Iterator[str]:
        """Write one session's instances, those that the filter rejects only with `every`; tells what became of each."""
        from teach_agents.benchmarks.edh.generating import candidates
        from teach_agents.benchmarks.solo.player import household_for

        for one in candidates(read_game(path), household_for("embedded")):
            if every or not one.rejected:
                write_edh(one.instance, out / f"{one.instance.instance_id}.json")
                yield "instances written"
            if one.rejected:
                yield f"rejected, {one.rejected}"
