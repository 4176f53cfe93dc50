"""Train what reads people's requests, part by part, on the corpus without its held-out fifth.

    python scripts/train_reader.py                     the heads: about an hour on one thread
    python scripts/train_reader.py --part adapter      SmolLM2's adapter: some hours on one thread
    python scripts/train_reader.py --part weighing     how likely each is right, once both are there: some minutes

Needs the extra `models`, the encoder (`teach-agents models get minilm`), SmolLM2 (`teach-agents models get smollm2`).
Writes the weights that `understanding=heads`, `lm`, `hybrid` read with; `benchmarks/reading.py` says how good they are.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import torch

from teach_agents.learning.reading.adapter_training import Settings as AdapterSettings
from teach_agents.learning.reading.adapter_training import train as train_adapter
from teach_agents.learning.reading.alignment import tagged
from teach_agents.learning.reading.training import Settings, calibrated, held_out, kept_to_choose, train, write
from teach_agents.learning.reading.weighing import fit
from teach_agents.learning.reading.weighing import write as write_weighing
from teach_agents.models.text.minilm import MINILM
from teach_agents.understanding.heads.reader import WEIGHTS
from teach_agents.understanding.requests import corpus, read_requests
from teach_agents.understanding.small_lm.reader import ADAPTER, SmallModelReader
from teach_agents.understanding.weighed_reader import WeighedReader
from teach_agents.understanding.weighing import WEIGHTS as WEIGHING


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("heads", "adapter", "weighing"), default="heads")
    parser.add_argument("--minutes", type=float, default=120.0, help="the longest that the adapter is trained")
    parser.add_argument("--epochs", type=int, default=Settings().epochs)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="further files of requests (JSON lines)")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--rate", type=float, default=Settings().rate)
    parser.add_argument("--no-noise", action="store_true", help="nothing is mistyped, no signs and words are lost")
    parser.add_argument("--no-context", action="store_true", help="nothing was said or done before any request")
    parser.add_argument("--out", type=Path, help="where to write (default: where the package reads it)")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    requests = [*corpus(), *(one for path in given.more for one in read_requests(path))]
    if given.no_context:
        requests = [replace(one, before=()) for one in requests]
    chosen = [one for one in requests if kept_to_choose(one.text)]
    if given.part == "weighing":
        write_weighing(fit(chosen, WeighedReader(), SmallModelReader(), say), given.out or WEIGHING)
        return
    learnt_from = [one for one in requests if not held_out(one.text) and not kept_to_choose(one.text)]
    if given.part == "adapter":
        taught = train_adapter(learnt_from, AdapterSettings(given.minutes, given.epochs), say)
        taught.write(given.out or ADAPTER, "smollm2")
        return
    known = [one for one in map(tagged, learnt_from) if one is not None and one.words]
    say(f"{len(known)} of {len(learnt_from)} requests can be tagged")
    encoder = MINILM.found()
    settings = Settings(epochs=given.epochs, rate=given.rate, start=given.start, noise=not given.no_noise)
    network, labels = train(known, encoder, settings, say)
    sure = calibrated(network, labels, chosen, encoder)
    out = given.out or WEIGHTS
    write(network, labels, sure, out)
    say(f"written to {out}; confidence by {sure}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
