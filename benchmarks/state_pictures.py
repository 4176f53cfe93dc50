"""How much every state of every object type shows.

    python benchmarks/state_pictures.py [--json FILE] [--models 5] [--size 160] [--types Mug,Lamp]

Each model is drawn alone in its plain state and in every other state it can be in, by one camera. A state's figure is
the share of the object's pixels (of either picture) that differ by more than 24 grey levels; a state passes when its
worst model has at least 8 %. What falls to shards (a broken mug) leaves nothing to draw and is not measured. Up to
`--models` models of a type are drawn, from its smallest to its largest. The exit status is 1 when a state fails.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path

from teach_agents.simulator.embedded.showcase import GREY_STEP, changed_share, draw_variants, exhibits

LEAST = 0.08


def measured(models: int, size: int, types: list[str] | None = None) -> dict[str, dict[str, dict[str, float]]]:
    """By type and state: the worst and the middle model's share, and how many models were drawn."""
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for object_type, shown in exhibits(models, types).items():
        shares: dict[str, list[float]] = {}
        for exhibit in shown:
            for state, (before, after) in draw_variants(exhibit, size)[1].items():
                if after.mask.any():
                    shares.setdefault(state, []).append(changed_share(before, after))
        if shares:
            figures[object_type] = {
                state: {"worst": min(all_), "median": statistics.median(all_), "n": len(all_)}
                for state, all_ in shares.items()
            }
    return figures


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and say whether all pass."""
    options = argparse.ArgumentParser(description="How much every state of every object type shows.")
    options.add_argument("--json", type=Path, help="write the figures here")
    options.add_argument("--models", type=int, default=5, help="models drawn of each type")
    options.add_argument("--size", type=int, default=160, help="width and height of a picture, pixels")
    options.add_argument("--types", type=lambda text: text.split(","), help="only these types, separated by commas")
    chosen = options.parse_args(argv)
    figures = measured(chosen.models, chosen.size, chosen.types)
    rows = [(f["worst"], kind, state, f) for kind, states in figures.items() for state, f in states.items()]
    failures = [f"{kind} {state}" for worst, kind, state, _ in sorted(rows, key=lambda row: row[:3]) if worst < LEAST]
    for worst, kind, state, f in sorted(rows, key=lambda row: row[:3]):
        mark = "" if worst >= LEAST else "  FAILS"
        print(f"{kind:16s} {state:8s} worst {worst:6.1%}  median {f['median']:6.1%}  of {f['n']} models{mark}")
    print(
        f"{len(rows) - len(failures)} of {len(rows)} type x state pass ({LEAST:.0%} by > {GREY_STEP:.0f} grey levels)"
    )
    if chosen.json:
        report = {"least": LEAST, "passed": len(rows) - len(failures), "n": len(rows), "failures": failures}
        chosen.json.write_text(json.dumps({**report, "states": figures}, indent=2) + "\n", encoding="utf8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
