"""Train what reads people's requests, part by part, on the corpus without its held-out twentieth.

    python scripts/train_reader.py                     the heads: a quarter of an hour an epoch on one thread
    python scripts/train_reader.py --part words        the words that are known: a second
    python scripts/train_reader.py --part options      how likely each way to read is right: some minutes
    python scripts/train_reader.py --part adapter      SmolLM2's adapter: some hours on one thread

Needs the extra `models`, the encoder (`teach-agents models get minilm`), SmolLM2 (`teach-agents models get smollm2`).
Heads are kept in a file beside their weights, FILE.tried, every few hundred steps, and can be gone on with (`--start`).
Writes what `understanding=heads`, `hybrid` and `lm` read with; `benchmarks/reading.py` says how good they are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import torch

from teach_agents.core.dialogue import DialogueAct
from teach_agents.data.games import Game, read_game
from teach_agents.learning.lora import Adapter
from teach_agents.learning.reading.adapter import Settings as AdapterSettings
from teach_agents.learning.reading.adapter import train as train_adapter
from teach_agents.learning.reading.alignment import example
from teach_agents.learning.reading.option_weights import fit
from teach_agents.learning.reading.option_weights import write as write_options
from teach_agents.learning.reading.training import Settings, calibrated, held_out, kept_to_choose, mean_of, train
from teach_agents.learning.reading.weak_labels import Options, labelled
from teach_agents.learning.reading.words import word_counts
from teach_agents.learning.reading.words import write as write_words
from teach_agents.models.text.minilm import MINILM
from teach_agents.understanding.heads.network import Network
from teach_agents.understanding.heads.reader import WEIGHTS
from teach_agents.understanding.heads.weights import write_weights
from teach_agents.understanding.hybrid_reader import HybridReader
from teach_agents.understanding.reading_options import WEIGHTS as OPTIONS
from teach_agents.understanding.requests import Request, corpus, read_meanings, read_requests
from teach_agents.understanding.small_lm.reader import ADAPTER, SmallModelReader
from teach_agents.understanding.spelling import WORDS

LEAST = 2.3
"""How much less likely than the likeliest a reading may be that deeds are to bear out: a tenth, as a logarithm."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=tuple(PARTS), default="heads")
    parser.add_argument("--epochs", type=float, help="(heads, adapter) rounds through the corpus")
    parser.add_argument("--minutes", type=float, help="(heads, adapter) the longest; rates fall in time for it")
    parser.add_argument("--start", type=Path, help="(heads, adapter) weights, or a folder of an adapter, to go on from")
    parser.add_argument(
        "--mean", action="store_true", help="(heads, with --start) write the mean of what is trained and of the start"
    )
    parser.add_argument("--rate", type=float, default=Settings().rate, help="(heads) learning rate")
    parser.add_argument("--no-noise", action="store_true", help="(heads) no slips, nothing lost")
    parser.add_argument(
        "--with-model", action="store_true", help="(options) those that SmolLM2 weighs, too, alone: a second a request"
    )
    parser.add_argument("--most", type=int, help="(options) fit on so many requests, drawn at random")
    parser.add_argument(
        "--meanings",
        type=Path,
        nargs="*",
        default=[],
        help="utterances of cases in these folders: (heads) learnt from as well, (options) fitted on instead",
    )
    parser.add_argument("--no-context", action="store_true", help="nothing was said or done before any request")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--sessions", type=Path, help="(heads, adapter) recorded sessions: what people said there, by what was done"
    )
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="further files of requests (JSON lines)")
    parser.add_argument("--out", type=Path, help="where to write (default: where the package reads it)")
    given = parser.parse_args()
    if given.mean and given.start is None:
        parser.error("--mean needs --start: the weights that training goes on from")
    torch.set_num_threads(given.threads)
    requests = [*corpus(), *(one for path in given.more for one in read_requests(path))]
    if given.no_context:
        requests = [replace(one, before=()) for one in requests]
    PARTS[given.part](given, requests)


def heads(given: argparse.Namespace, requests: Sequence[Request]) -> None:
    """Train the heads, and fit how sure they are."""
    meant = [*learnt_from([*requests, *said_in(given.sessions)]), *said_in_cases(given.meanings)]
    learnt = [one for one in map(example, meant) if one is not None]
    say(f"{len(learnt)} requests, {sum(bool(one.spans) for one in learnt)} of them with words for all descriptions")
    encoder, out = MINILM.found(), given.out or WEIGHTS
    settings = Settings(
        epochs=given.epochs or Settings().epochs,
        minutes=Settings().minutes if given.minutes is None else given.minutes,
        rate=given.rate,
        start=given.start,
        noise=not given.no_noise,
    )
    tried = out.with_name(f"{out.name}.tried")

    def keep(network: Network, symbols: list[str]) -> None:
        write_weights(network, symbols, {}, encoder, tried)

    network, symbols = train(learnt, encoder, settings, say, keep)
    if given.mean:
        mean_of(network, symbols, encoder, given.start)
    keep(network, symbols)
    sure = calibrated(tried, chosen(requests))
    tried.unlink()
    write_weights(network, symbols, sure, encoder, out)
    say(f"written to {out}; confidence by {sure}")


def said_in_cases(folders: Sequence[Path]) -> Iterator[Request]:
    """The utterances of cases in folders, with their meanings; a folder that is named twice counts twice."""
    return (one for path in folders for one in read_meanings(path))


def said_in(sessions: Path | None) -> list[Request]:
    """What people said in the sessions of a folder, if one is given, with what their deeds bear out."""
    return [] if sessions is None else list(labelled(games_in(sessions), likely_readings()))


def games_in(folder: Path) -> Iterator[Game]:
    """The sessions of a folder."""
    return (read_game(path) for path in sorted(folder.glob("*.json")))


def likely_readings() -> Options:
    """The ways to read an utterance that are at least a tenth as likely as the likeliest."""
    reader = HybridReader()

    def options(text: str, recent: Sequence[str]) -> list[Sequence[DialogueAct]]:
        found = sorted(reader.options(text, recent, reader.quick.certain(text, recent)), key=lambda one: -one.written)
        return [one.acts for one in found if one.written > found[0].written - LEAST]

    return options


def adapter(given: argparse.Namespace, requests: Sequence[Request]) -> None:
    """Train SmolLM2's adapter."""
    out = given.out or ADAPTER
    out.mkdir(parents=True, exist_ok=True)
    usual = AdapterSettings()
    minutes = usual.minutes if given.minutes is None else given.minutes
    settings = AdapterSettings(minutes=minutes, epochs=given.epochs or usual.epochs, start=given.start)

    def keep(trained: Adapter) -> None:
        trained.write(out, "smollm2")

    keep(train_adapter(learnt_from([*requests, *said_in(given.sessions)]), settings, say, keep))
    say(f"written to {out}")


def options(given: argparse.Namespace, requests: Sequence[Request]) -> None:
    """Fit how likely each way to read is right, by the heads and the adapter that the package has now."""
    out = given.out or OPTIONS
    model = SmallModelReader() if given.with_model else None
    kept = list(said_in_cases(given.meanings)) or chosen(requests)
    few = Random(0).sample(kept, min(given.most or len(kept), len(kept)))
    write_options(fit(few, HybridReader(), model, say), out)
    say(f"written to {out}")


def words(given: argparse.Namespace, requests: Sequence[Request]) -> None:
    """Count the words of the corpus."""
    write_words(word_counts(), given.out or WORDS)


PARTS = {"words": words, "heads": heads, "adapter": adapter, "options": options}


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
