"""Train what reads people's requests, part by part, on the corpus without its held-out fifth.

    python scripts/train_reader.py                     the heads: about an hour on one thread
    python scripts/train_reader.py --part adapter      SmolLM2's adapter: some hours on one thread
    python scripts/train_reader.py --part options      how likely each way to read is right, by both: half an hour

Needs the extra `models`, the encoder (`teach-agents models get minilm`), SmolLM2 (`teach-agents models get smollm2`).
Writes what `understanding=heads`, `lm` and `ensemble` read with; `benchmarks/reading.py` says how good they are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from teach_agents.learning.reading.adapter import Settings as AdapterSettings
from teach_agents.learning.reading.adapter import train as train_adapter
from teach_agents.learning.reading.alignment import tagged
from teach_agents.learning.reading.option_weights import fit
from teach_agents.learning.reading.option_weights import write as write_options
from teach_agents.learning.reading.training import Settings, calibrated, held_out, kept_to_choose, train, write
from teach_agents.models.text.minilm import MINILM
from teach_agents.understanding.ensemble_reader import EnsembleReader
from teach_agents.understanding.heads.reader import WEIGHTS
from teach_agents.understanding.reading_options import WEIGHTS as OPTIONS
from teach_agents.understanding.requests import Request, corpus, read_requests
from teach_agents.understanding.small_lm.reader import ADAPTER, SmallModelReader


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=tuple(PARTS), default="heads")
    parser.add_argument("--epochs", type=int, help="(heads, adapter) rounds through the corpus")
    parser.add_argument("--minutes", type=float, default=AdapterSettings().minutes, help="(adapter) the longest")
    parser.add_argument("--start", type=Path, help="(heads) weights to go on from")
    parser.add_argument("--rate", type=float, default=Settings().rate, help="(heads) learning rate")
    parser.add_argument("--no-noise", action="store_true", help="(heads) no slips, nothing lost")
    parser.add_argument("--no-context", action="store_true", help="nothing was said or done before any request")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="further files of requests (JSON lines)")
    parser.add_argument("--out", type=Path, help="where to write (default: where the package reads it)")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    requests = [*corpus(), *(one for path in given.more for one in read_requests(path))]
    if given.no_context:
        requests = [replace(one, before=()) for one in requests]
    PARTS[given.part](given, requests)


def heads(given: argparse.Namespace, requests: Sequence[Request]) -> None:
    """Train the heads, and fit how sure they are."""
    learnt = learnt_from(requests)
    known = [one for one in map(tagged, learnt) if one is not None and one.words]
    say(f"{len(known)} of {len(learnt)} requests can be tagged")
    encoder, epochs = MINILM.found(), given.epochs or Settings().epochs
    settings = Settings(epochs=epochs, rate=given.rate, start=given.start, noise=not given.no_noise)
    network, labels = train(known, encoder, settings, say)
    sure = calibrated(network, labels, chosen(requests), encoder)
    out = given.out or WEIGHTS
    write(network, labels, sure, out)
    say(f"written to {out}; confidence by {sure}")


def adapter(given: argparse.Namespace, requests: Sequence[Request]) -> None:
    """Train SmolLM2's adapter."""
    out = given.out or ADAPTER
    out.mkdir(parents=True, exist_ok=True)
    settings = AdapterSettings(minutes=given.minutes, epochs=given.epochs or AdapterSettings().epochs)
    train_adapter(learnt_from(requests), settings, say).write(out, "smollm2")
    say(f"written to {out}")


def options(given: argparse.Namespace, requests: Sequence[Request]) -> None:
    """Fit how likely each way to read is right, by the heads and the adapter that the package has now."""
    out = given.out or OPTIONS
    write_options(fit(chosen(requests), EnsembleReader(), SmallModelReader(), say), out)
    say(f"written to {out}")


PARTS = {"heads": heads, "adapter": adapter, "options": options}


def learnt_from(requests: Sequence[Request]) -> list[Request]:
    """Those that are neither held out nor kept to fit confidence on."""
    return [one for one in requests if not held_out(one.text) and not kept_to_choose(one.text)]


def chosen(requests: Sequence[Request]) -> list[Request]:
    """Those that confidence is fitted on."""
    return [one for one in requests if kept_to_choose(one.text)]


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
