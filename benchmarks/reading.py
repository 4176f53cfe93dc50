"""How well people's requests are read, on the twentieth of the corpus that nothing is trained or chosen on.

    python benchmarks/reading.py [--reader SPEC ...] [--more FILE ...] [--wrong N] [--json FILE]
    python benchmarks/reading.py --meanings FILE_OR_FOLDER [--reader SPEC ...]
    python benchmarks/reading.py --ablations [--lm SPEC] [--sample 60] [--weights FILE ...]

By reader (`rules`, `heads`, `hybrid`), over all requests and by kind:

| figure | what it is |
|---|---|
| right | the acts and slots are those of the meaning, as `teach_agents.understanding.matching.same` compares them |
| exact | they are so to the letter: words of chat, free facts and deeds beyond the household, a language's name, too |
| acts | the acts are those of the meaning, whatever they are about |
| read | something was read that is not `unclear` |
| right_of_read | right among these |
| calibration_error | expected calibration error of the confidence, ten bins of equal size, against `right` |
| calibration_error_of_widths | the same over ten bins of equal width |

Times are of one thread, an utterance at a time, after the first. The rules were written with the corpus at hand, some
dozens of the requests held out among it: figures that nothing has seen are those of files written later (`--more`, and
`--meanings`: lines with `case`, `turn`, `text`, `before` and `meaning`, as for the cases of the benchmark `requests`).

`--ablations` measures each reader with what was said before, and without (`without context`); the language model, which
is slow, on a sample. `--weights` adds heads of other weights, such as `scripts/train_reader.py --no-noise` writes.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from figures import commit
from telling import tell

from teach_agents.core.dialogue import Act, Reading
from teach_agents.learning.reading.training import held_out
from teach_agents.understanding.heads.reader import HeadsReader
from teach_agents.understanding.matching import calibration_error, calibration_error_of_widths, same, same_acts
from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.reader import Reader, load_reader
from teach_agents.understanding.requests import Request, corpus, read_meanings, read_requests

ALONE = "without context"


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


def overall(found: Sequence[Judged]) -> dict[str, Any]:
    """The figures of all requests: how often they are right, how well confidence tells it, and times."""
    sure = [(one.reading.confidence, one.right) for one in found]
    times = [one.ms for one in found]
    return {
        **shares(found),
        "calibration_error": round(calibration_error(sure), 4),
        "calibration_error_of_widths": round(calibration_error_of_widths(sure), 4),
        "ms": {"median": round(median(times), 2), "p95": round(quantiles([*times, times[-1]], n=20)[-1], 2)},
    }


def figures(found: Sequence[Judged]) -> dict[str, Any]:
    """All figures of a reader."""
    kinds, parts = sorted({one.request.kind for one in found}), sorted({one.reading.by for one in found})
    return {
        **overall(found),
        "kinds": {kind: shares([one for one in found if one.request.kind == kind]) for kind in kinds},
        "by": {part: shares([one for one in found if one.reading.by == part]) for part in parts},
    }


def ablations(readers: Mapping[str, tuple[Reader, Sequence[Request]]]) -> dict[str, Any]:
    """Figures of readers on the requests given with each; then without what was said and done before."""
    made = {}
    for name, (reader, requests) in readers.items():
        made[name] = overall(judged(reader, requests))
        made[f"{name}, {ALONE}"] = overall(judged(reader, [replace(one, before=()) for one in requests]))
    return made


def _share(flags: Sequence[bool]) -> float | None:
    return round(sum(flags) / len(flags), 4) if flags else None


def _ablated(given: argparse.Namespace, requests: Sequence[Request]) -> dict[str, Any]:
    few = random.Random(0).sample(list(requests), min(given.sample, len(requests)))
    specs = [*given.reader, *([f"lm:model={given.lm}"] if given.lm else [])]
    readers = {spec: (load_reader(spec), few if spec.startswith("lm") else requests) for spec in specs}
    readers |= {f"heads, weights {path.stem}": (HeadsReader(path), requests) for path in given.weights}
    return ablations(readers)


def _told_wrong(found: Sequence[Judged], count: int) -> None:
    for one in [one for one in found if not one.right][:count]:
        meant, read = write_meaning(one.request.meaning), write_meaning(one.reading.acts)
        sys.stderr.write(
            f"{one.request.kind}: {one.request.text}\n  {meant}\n  {read} ({one.reading.confidence:.2f})\n"
        )


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", nargs="*", help="default: rules heads hybrid; hybrid for --meanings")
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="files of requests in place of the corpus")
    parser.add_argument("--meanings", type=Path, help="utterances of cases with their meanings, in place of the corpus")
    parser.add_argument("--wrong", type=int, default=0, help="print as many of what is read wrongly")
    parser.add_argument("--ablations", action="store_true", help="each reader with and without context, and a model")
    parser.add_argument("--lm", default="smollm2", help="SPEC of the language model that --ablations asks; '' for none")
    parser.add_argument("--sample", type=int, default=60, help="how many requests that is asked")
    parser.add_argument("--weights", type=Path, nargs="*", default=[], help="further weights of heads for --ablations")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(words)
    given.reader = given.reader or (["hybrid"] if given.meanings else ["rules", "heads", "hybrid"])
    requests = list(read_meanings(given.meanings)) if given.meanings else []
    requests += [one for path in given.more for one in read_requests(path)]
    requests = requests or [one for one in corpus() if held_out(one.text)]
    made: dict[str, Any] = {"commit": commit(), "requests": len(requests), "readers": {}}
    if given.ablations:
        made["readers"] = _ablated(given, requests)
    else:
        for spec in given.reader:
            found = judged(load_reader(spec), requests)
            made["readers"][spec] = figures(found)
            _told_wrong(found, given.wrong)
    tell(made, given.json)


if __name__ == "__main__":
    main()
