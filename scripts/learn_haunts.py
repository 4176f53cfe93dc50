"""Learn in and on which receptacles things are found, from the first states of TEACh's train sessions.

    python scripts/learn_haunts.py --games TEACH/games/train

What is printed is `held` of `teach_agents/agents/acting/receptacles.json`: by type of receptacle, how many things of
each type one of them holds on average, in hundredths, least LEAST: portable ones where it hides what is in it, else
also what stands there for good, as toasters do. Scenes that several sessions begin with count as often.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from teach_agents.agents.acting.receptacles import DEEP
from teach_agents.data import iter_games

LEAST = 0.002


def learnt(games: Path) -> dict[str, dict[str, float]]:
    """By type of receptacle: how many things of each type one of them holds."""
    holders: Counter[str] = Counter()
    held: dict[str, Counter[str]] = {}
    for game in iter_games(games):
        objects = {str(row["objectId"]): row for row in game.episode.initial_state.objects}
        for hides in (True, False):
            kinds = {name: str(row["objectType"]) for name, row in objects.items() if _holds(row, hides=hides)}
            holders.update(kinds.values())
            for row in objects.values():
                inside = next((kinds[name] for name in row.get("parentReceptacles") or () if name in kinds), None)
                if inside is not None and (row.get("pickupable") or not hides and row["objectType"] not in _PARTS):
                    held.setdefault(inside, Counter())[str(row["objectType"])] += 1
    return {kind: {what: n / holders[kind] for what, n in held[kind].most_common()} for kind in sorted(held)}


_PARTS = frozenset("StoveBurner StoveKnob Sink SinkBasin Faucet Drawer Cabinet Shelf".split())
"""What is built into other furniture."""


def _holds(row: Mapping[str, object], *, hides: bool) -> bool:
    """Whether this is a receptacle that stands where it is and hides what is in it, or does not."""
    if not row.get("receptacle"):
        return False
    shuts = bool(row.get("openable") or row["objectType"] in DEEP)
    return shuts if hides else not shuts and not row.get("pickupable")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True, help="folder of train games")
    for kind, found in learnt(parser.parse_args().games).items():
        often = {what: round(100 * share, 1) for what, share in found.items() if share >= LEAST}
        print(f"{json.dumps(kind)}: {json.dumps(often)},")


if __name__ == "__main__":
    main()
