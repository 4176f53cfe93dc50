"""What the planner Commander's utterances have in common with human Commanders', over the same sessions.

    python benchmarks/utterances.py --games DIR [--json FILE] [--commander SPEC] [--workers 2] [--limit N]

Human utterances are those of the games; the planner's are read from the records of `teach-agents tatc` over the same
games. Five measures, for both sides alike; each ratio, planner to human, should lie within 0.75 and 1.25.

- An utterance is a Commander's Text action with at least one token. A token is a run of letters and digits in lower
  case, with what follows an apostrophe ("it's" is one token, "counter-top" two).
- Tokens per utterance: their mean number.
- Distinct bigrams per utterance: different pairs of neighbouring tokens in a sample of utterances, over its size. As
  the figure falls with the size, both sides give a sample (without replacement, seed 0) of as many utterances as the
  smaller side has.
- Names an object: the share of utterances with at least one word of `OBJECTS` or `FIXTURES`, plurals included.
- Names a place: the share with a preposition of `PREPOSITIONS` and, among the four tokens after it, a word of
  `FIXTURES` or `ROOM_PARTS` ("on the counter", "to the left of the mug", "in there").
- Names a count: the share with a number in digits or words from one to twelve, or "both", "couple" or "pair".
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from teach_agents import Role
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances
from teach_agents.benchmarks.tatc.run import TatcRun, TatcSettings
from teach_agents.data import read_game
from teach_agents.data.interactions import Keyboard
from teach_agents.session.record import read_record

Tokens = tuple[str, ...]


def _with_plurals(words: str) -> frozenset[str]:
    return frozenset(form for word in words.split() for form in (word, word + "s", word + "es"))


OBJECTS = _with_plurals(
    """alarm apple bat basketball bear book boots bottle bowl box bread brush candle card cell cellphone clock cloth
    coffee cookware cup dish drinkware dumbbell egg equipment food fork fruit item kettle key keychain knife knives
    ladle laptop lettuce mug newspaper object pan paper pen pencil pepper phone pillow plant plate plunger pot
    potato racket racquet remote roll salad salt sandwich scrub shaker silverware slice soap spatula sponge spoon
    statue tableware tissue toast toilet tomato towel utensil vase vegetable watch water"""
)
"""Things that are carried, sliced or filled: words of AI2-THOR's types, of TEACh's classes and of everyday use."""

FIXTURES = _with_plurals(
    """armchair basin bathtub bed bench bin burner cabinet cart chair coffeemaker counter countertop couch cupboard
    desk drawer dresser faucet floor fridge furniture garbage hamper island knob lamp light machine maker microwave
    mirror ottoman oven rack refrigerator safe shelf shelves shower sink sofa stand stool stove stovetop table tap
    television toaster trash tub tv wall washer window"""
)
"""Furniture, appliances and parts of the house: what things are in, on or by."""

ROOM_PARTS = frozenset(
    """back behind bottom center corner door edge end front kitchen left lower middle right room side there top
    upper""".split()
)
PREPOSITIONS = frozenset(
    """above across against around at atop behind below beneath beside between by from in inside into near of off on
    onto over to under underneath""".split()
)
NUMBERS = frozenset("one two three four five six seven eight nine ten eleven twelve both couple pair".split())
_REACH = 4
_SEED = 0
LIMITS = (0.75, 1.25)


def tokens_of(utterance: str) -> Tokens:
    """The tokens of an utterance, as the module describes them."""
    return tuple(re.findall(r"[a-z0-9]+(?:'[a-z]+)?", utterance.lower().replace("\u2019", "'")))


def names_object(tokens: Tokens) -> bool:
    """Whether a thing is named."""
    return any(token in OBJECTS or token in FIXTURES for token in tokens)


def names_place(tokens: Tokens) -> bool:
    """Whether it is said where."""
    places = FIXTURES | ROOM_PARTS
    return any(
        token in PREPOSITIONS and any(near in places for near in tokens[index + 1 : index + 1 + _REACH])
        for index, token in enumerate(tokens)
    )


def names_count(tokens: Tokens) -> bool:
    """Whether it is said how many."""
    return any(token in NUMBERS or token.isdigit() for token in tokens)


def distinct_bigrams(utterances: Sequence[Tokens], size: int) -> float:
    """Distinct bigrams in a seeded sample of so many utterances, over its size."""
    sample = random.Random(_SEED).sample(list(utterances), size)
    return len({pair for tokens in sample for pair in zip(tokens, tokens[1:], strict=False)}) / size


def measures(utterances: Sequence[Tokens], size: int) -> dict[str, float]:
    """All five, over utterances that have tokens; bigrams over a sample of `size`."""
    count = len(utterances)

    def share(names: Callable[[Tokens], bool]) -> float:
        return sum(map(names, utterances)) / count

    return {
        "tokens_per_utterance": sum(map(len, utterances)) / count,
        "distinct_bigrams_per_utterance": distinct_bigrams(utterances, size),
        "names_an_object": share(names_object),
        "names_a_place": share(names_place),
        "names_a_count": share(names_count),
    }


def compare(human: Sequence[str], planner: Sequence[str]) -> dict[str, object]:
    """Both sides' measures, their ratios, and whether each is within the limits.

    Where the human figure is nothing, the ratio is 1 if the planner's is nothing as well, else 0.
    """
    sides = {"human": human, "planner": planner}
    said = {side: [tokens for text in found if (tokens := tokens_of(text))] for side, found in sides.items()}
    size = min(map(len, said.values()))
    found = {side: measures(utterances, size) for side, utterances in said.items()}
    rows = {}
    for name, value in found["human"].items():
        mine = found["planner"][name]
        ratio = mine / value if value else float(mine == value)
        rows[name] = {
            "human": round(value, 4),
            "planner": round(mine, 4),
            "ratio": round(ratio, 4),
            "passes": LIMITS[0] <= ratio <= LIMITS[1],
        }
    return {
        "utterances": {side: len(utterances) for side, utterances in said.items()},
        "bigram_sample": size,
        "measures": rows,
        "passes": all(row["passes"] for row in rows.values()),
    }


def human_utterances(instances: Sequence[TatcInstance]) -> Iterator[str]:
    """What the games' Commanders said."""
    for instance in instances:
        for action in read_game(Path(instance.game)).episode.interactions:
            if isinstance(action, Keyboard) and action.role is Role.COMMANDER:
                yield action.utterance


def recorded_utterances(folder: Path) -> Iterator[str]:
    """What the Commander of every record in a run's folder said."""
    for path in sorted((folder / "records").glob("*.jsonl")):
        for turn in read_record(path).turns:
            action = turn.done[Role.COMMANDER].action
            if action is not None and action.name == "Text" and action.utterance:
                yield action.utterance


def main() -> None:
    """Play, compare, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--commander", default="planner")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    instances = game_instances([arguments.games])[: arguments.limit]
    with tempfile.TemporaryDirectory() as folder:
        run = TatcRun(Path(folder), TatcSettings(commander=arguments.commander, pictures=0), instances)
        run.play(workers=arguments.workers)
        result = compare(list(human_utterances(instances)), list(recorded_utterances(Path(folder))))
        result |= {"sessions": len(instances), "success_rate": run.summary()["success_rate"]}
    print(f"{len(instances)} sessions, success rate {result['success_rate']:.3f}, utterances {result['utterances']}")
    rows = result["measures"]
    assert isinstance(rows, dict)
    for name, row in rows.items():
        verdict = "pass" if row["passes"] else "FAIL"
        print(
            f"{name:32s} human {row['human']:7.3f}  planner {row['planner']:7.3f}  ratio {row['ratio']:.2f}  {verdict}"
        )
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
