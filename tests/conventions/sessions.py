"""One recorded session with its instances, as files in TEACh's layout."""

from __future__ import annotations

from pathlib import Path

from teach_agents.benchmarks.edh.generating import candidates
from teach_agents.data import write_game
from teach_agents.data.edh import write_edh
from teach_agents.data.tfd import tfd_from_game, write_tfd
from tests.benchmarks.edh.sessions import errand, household

__all__ = ["written"]


def written(data: Path) -> Path:
    """Write the errand of the EDH tests, its two EDH instances and its TfD instance below `data`."""
    write_game(errand(), data / "games" / "train" / "recorded.game.json")
    for one in candidates(errand(), household()):
        write_edh(one.instance, data / "edh_instances" / "train" / f"{one.instance.instance_id}.json")
    write_tfd(tfd_from_game(errand()), data / "tfd_instances" / "train" / "recorded.tfd.json")
    return data
