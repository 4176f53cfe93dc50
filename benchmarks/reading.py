"""How well people's requests are read, on the fifth of the corpus that nothing is trained or chosen on.

    python benchmarks/reading.py [--reader SPEC ...] [--more FILE ...] [--wrong N] [--json FILE]

By reader (`rules`, `heads`, `hybrid`), over all requests and by kind:

| figure | what it is |
|---|---|
| right | the acts and slots are those of the meaning, as `teach_agents.learning.reading.matching.same` compares them |
| exact | they are so to the letter: words of chat, free facts and deeds beyond the household, a language's name, too |
| acts | the acts are those of the meaning, whatever they are about |
| read | something was read that is not `unclear` |
| right_of_read | right among these |
| calibration_error | expected calibration error of the confidence, ten bins of equal size, against `right` |

Times are of one thread, an utterance at a time, after the first. The rules were written with the corpus at hand, some
dozens of the requests held out among it: figures that nothing has seen are those of files written later (`--more`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from figures import commit
from telling import tell

from teach_agents.core.dialogue import Act, Reading
from teach_agents.learning.reading.matching import calibration_error, same, same_acts
from teach_agents.learning.reading.training import held_out
from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.reader import Reader, load_reader
from teach_agents.understanding.requests import KINDS, Request, corpus, read_requests


class Judged(NamedTuple):
    """A request, how it was read, and the milliseconds that took."""

    request: Request
    reading: Reading
    ms: float

    @property
    def right(self) -> bool:
        return same(self.reading.acts, self.request.meaning)

    @property
    def read(self) -> bool:
        return any(act.act is not Act.UNCLEAR for act in self.reading.acts)


def judged(reader: Reader, requests: Sequence[Request]) -> list[Judged]:
    """Requests as a reader reads them."""
    reader.read("open the fridge")
    found = []
    for request in requests:
        began = time.perf_counter()
        reading = reader.read(request.text, request.before)
        found.append(Judged(request, reading, 1000 * (time.perf_counter() - began)))
    return found


def shares(found: Sequence[Judged]) -> dict[str, Any]:
    """The figures of some requests."""
    read = [one for one in found if one.read]
    return {
        "n": len(found),
        "right": _share([one.right for one in found]),
        "exact": _share([tuple(one.reading.acts) == one.request.meaning for one in found]),
        "acts": _share([same_acts(one.reading.acts, one.request.meaning) for one in found]),
        "read": _share([one.read for one in found]),
        "right_of_read": _share([one.right for one in read]),
    }


def figures(found: Sequence[Judged]) -> dict[str, Any]:
    """All figures of a reader."""
    times = [one.ms for one in found]
    parts = sorted({one.reading.by for one in found})
    return {
        **shares(found),
        "calibration_error": round(calibration_error([(one.reading.confidence, one.right) for one in found]), 4),
        "ms": {"median": round(median(times), 2), "p95": round(quantiles(times, n=20)[-1], 2)},
        "kinds": {kind: shares([one for one in found if one.request.kind == kind]) for kind in sorted(KINDS)},
        "by": {part: shares([one for one in found if one.reading.by == part]) for part in parts},
    }


def _share(flags: Sequence[bool]) -> float | None:
    return round(sum(flags) / len(flags), 4) if flags else None


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", nargs="*", default=["rules", "heads", "hybrid"])
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="files of requests in place of the corpus")
    parser.add_argument("--wrong", type=int, default=0, help="print as many of what is read wrongly")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    requests = [one for path in given.more for one in read_requests(path)]
    requests = requests or [one for one in corpus() if held_out(one.text)]
    made: dict[str, Any] = {"commit": commit(), "requests": len(requests), "readers": {}}
    for spec in given.reader:
        found = judged(load_reader(spec), requests)
        made["readers"][spec] = figures(found)
        for one in [one for one in found if not one.right][: given.wrong]:
            meant, read = write_meaning(one.request.meaning), write_meaning(one.reading.acts)
            sys.stderr.write(
                f"{one.request.kind}: {one.request.text}\n  {meant}\n  {read} ({one.reading.confidence:.2f})\n"
            )
    tell(made, given.json)


if __name__ == "__main__":
    main()
