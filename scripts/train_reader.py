"""Train the heads that read people's requests: the corpus without its held-out fifth, in some minutes on one thread.

Needs the extra `models` and the encoder (`teach-agents models get minilm`). Writes the weights that
`understanding=heads` reads with; `benchmarks/reading.py` says how good they are.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import torch

from teach_agents.learning.reading.alignment import tagged
from teach_agents.learning.reading.training import Settings, calibrated, held_out, kept_to_choose, train, write
from teach_agents.models.text.minilm import MINILM
from teach_agents.understanding.heads.reader import WEIGHTS
from teach_agents.understanding.requests import corpus, read_requests


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=Settings().epochs)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="further files of requests (JSON lines)")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--rate", type=float, default=Settings().rate)
    parser.add_argument("--no-noise", action="store_true", help="nothing is mistyped, no signs and words are lost")
    parser.add_argument("--no-context", action="store_true", help="nothing was said or done before any request")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    requests = [*corpus(), *(one for path in given.more for one in read_requests(path))]
    if given.no_context:
        requests = [replace(one, before=()) for one in requests]
    learnt_from = [one for one in requests if not held_out(one.text) and not kept_to_choose(one.text)]
    known = [one for one in map(tagged, learnt_from) if one is not None and one.words]
    say(f"{len(known)} of {len(learnt_from)} requests can be tagged")
    encoder = MINILM.found()
    settings = Settings(epochs=given.epochs, rate=given.rate, start=given.start, noise=not given.no_noise)
    network, labels = train(known, encoder, settings, say)
    sure = calibrated(network, labels, [one for one in requests if kept_to_choose(one.text)], encoder)
    write(network, labels, sure, given.out)
    say(f"written to {given.out}; confidence by {sure}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
