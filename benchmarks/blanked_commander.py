"""The planner pair when the Follower hears only that something was said: the Commander's utterances are blanked.

    python benchmarks/blanked_commander.py --games DIR [--json FILE] [--workers 2] [--limit N]

Shows that the Follower acts on the utterances alone: success must fall to next to nothing.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from telling import tell

from teach_agents import Action, Agent, Briefing, Observation, Role, build
from teach_agents.benchmarks.tatc.instances import game_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings


class BlankedCommander(Agent):
    """The planner Commander, all of whose utterances reach the Follower without words."""

    def __init__(self) -> None:
        self._planner = planner = build("agent", "planner", role=Role.COMMANDER)
        self.privileges = planner.privileges

    def begin(self, briefing: Briefing) -> None:
        """Pass the beginning on."""
        self._planner.begin(briefing)

    def act(self, observation: Observation) -> Action:
        """The planner's action; of an utterance only the fact remains."""
        action = self._planner.act(observation)
        assert isinstance(action, Action)
        return Action("Text") if action.name == "Text" else action


def main() -> None:
    """Play, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    instances = game_instances([arguments.games])[: arguments.limit]
    settings = TatcSettings(commander="blanked_commander:BlankedCommander", pictures=0)
    with tempfile.TemporaryDirectory() as folder:
        run = TatcRun(Path(folder), settings, instances)
        run.play(workers=arguments.workers)
        tell(run.summary(), arguments.json)


if __name__ == "__main__":
    main()
