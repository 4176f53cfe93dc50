"""How well the plugin `dialogue_acts` tags people's utterances, beside saying the commonest act every time.

    python benchmarks/dialogue_acts.py --games DIR [--json FILE]

The tagger is the one that comes with the plugin; it was learnt from TEACh's training games, and so were the commonest
acts: of all utterances, and of each role's. Every utterance that annotators labelled counts.

- An utterance has one label or more, and gets one tag or more. The tagger cuts it into stretches by itself and knows of
  what came before only its own tags.
- macro-F1: by act, the F1 of having the act among the tags; the mean over the acts that occur on either side.
- accuracy: the share of utterances whose tags are exactly the labels.
- stretches: the same where the annotators' own stretches are given, one label each, with their labels before.

Intervals: 95 %, sessions resampled by whole rooms.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teach_agents_dialogue_acts.classifier import ACTS, shipped
from teach_agents_dialogue_acts.measuring import measured
from teach_agents_dialogue_acts.train import Utterances, examples, labelled, tagged

from teach_agents import iter_games
from teach_agents.core.benchmark.statistics import bootstrap_mean_of_ratios, bootstrap_ratio

Pairs = list[tuple[frozenset[str], frozenset[str]]]


@dataclass(frozen=True)
class Session:
    """A session's utterances, and the room that it was in."""

    room: str
    said: Utterances


def figures(sessions: Sequence[Session], tags: Callable[[Utterances], Pairs]) -> dict[str, Any]:
    """Macro-F1 and accuracy of what `tags` answers, each with its interval."""
    found = [tags(session.said) for session in sessions]
    rooms = [session.room for session in sessions]
    ratios = [
        (
            [2.0 * sum(act in labels and act in given for labels, given in pairs) for pairs in found],
            [float(sum((act in labels) + (act in given) for labels, given in pairs)) for pairs in found],
        )
        for act in ACTS
    ]
    macro, macro_interval = bootstrap_mean_of_ratios(ratios, clusters=rooms)
    same = [float(sum(labels == given for labels, given in pairs)) for pairs in found]
    accuracy, interval = bootstrap_ratio(same, [float(len(pairs)) for pairs in found], clusters=rooms)
    everything = measured([pair for pairs in found for pair in pairs])
    return {
        "n": everything.n,
        "macro_f1": macro,
        "macro_f1_ci": macro_interval,
        "accuracy": accuracy,
        "accuracy_ci": interval,
        "f1": everything.to_json()["f1"],
    }


def _always(acts: dict[str, str]) -> Callable[[Utterances], Pairs]:
    """Tags every utterance with its role's act, or with that of `any`."""
    return lambda said: [
        (one.acts, frozenset({acts.get(one.speaker.value, acts.get("any", ""))})) for one in said if one.parts
    ]


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    sessions = [Session(game.episode.room, labelled(game)) for game in iter_games(arguments.games)]
    classifier = shipped()
    commonest: dict[str, str] = classifier.notes["majority"]
    by_role = {role: act for role, act in commonest.items() if role != "any"}
    made = {
        "sessions": len(sessions),
        "weights": classifier.fingerprint,
        "tagger": figures(sessions, lambda said: tagged(classifier, [said])),
        "majority": {"act": commonest["any"], **figures(sessions, _always({"any": commonest["any"]}))},
        "majority_by_role": {"acts": by_role, **figures(sessions, _always(by_role))},
        "stretches": figures(
            sessions,
            lambda said: [(frozenset({act}), frozenset({classifier.act(one)})) for one, act in examples([said])],
        ),
        "cross_validation_in_train": classifier.notes.get("cross_validation"),
    }
    print(json.dumps({name: _short(found) for name, found in made.items()}, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(made, indent=1) + "\n")


def _short(found: Any) -> Any:
    return {key: value for key, value in found.items() if key != "f1"} if isinstance(found, dict) else found


if __name__ == "__main__":
    main()
