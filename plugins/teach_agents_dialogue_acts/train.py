"""Learn the tagger from the labels of TEACh's games, and say how well it does on games it has not seen.

    python -m teach_agents_dialogue_acts.train --games GAMES/train --out weights.npz [--folds 5]

The same games give the same file. With `--folds` it first cross-validates: games are dealt to folds by the seed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from teach_agents import Game, Role, iter_games
from teach_agents.data.interactions import Keyboard
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents_dialogue_acts.classifier import ACTS, Classifier, Recipe, Tagger, learn
from teach_agents_dialogue_acts.features import Stretch
from teach_agents_dialogue_acts.measuring import Measured, majority, measured


@dataclass(frozen=True, slots=True)
class Labelled:
    """An utterance as people labelled it: stretches of it, and what each does; none where nobody labelled it."""

    speaker: Role
    text: str
    parts: tuple[tuple[str, str], ...]

    @property
    def acts(self) -> frozenset[str]:
        """What it does."""
        return frozenset(act for _, act in self.parts)


Utterances = tuple[Labelled, ...]
"""A session's."""


def labelled(game: Game) -> Utterances:
    """The utterances of a session, those with labels that TEACh does not have left unlabelled."""
    said = [one for one in game.episode.interactions if isinstance(one, Keyboard)]
    return tuple(
        Labelled(one.role, one.utterance, tuple(pair for pair in one.dialogue_acts if pair.act in ACTS)) for one in said
    )


def examples(sessions: Sequence[Utterances]) -> list[tuple[Stretch, str]]:
    """Every labelled stretch, behind what people did before it."""
    return [pair for session in sessions for pair in _examples(session)]


def _examples(session: Utterances) -> Iterator[tuple[Stretch, str]]:
    previous, speaker = "", None
    for said in session:
        for number, (text, act) in enumerate(said.parts):
            yield Stretch(text, said.speaker, previous, speaker, begins=number == 0), act
            previous, speaker = act, said.speaker


def tagged(classifier: Classifier, sessions: Sequence[Utterances]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """By session, then utterance: what people said that it does, and the tags; utterances without labels left out."""
    found = []
    for session in sessions:
        tagger = Tagger(classifier)
        for said in session:
            tags = frozenset(tagger.acts(said.speaker, said.text))
            if said.parts:
                found.append((said.acts, tags))
    return found


def _majority(sessions: Sequence[Utterances]) -> dict[str, str]:
    """The act that most utterances do: of either role, and of each."""
    said = [one for session in sessions for one in session]
    by_role = {role.value: majority(one.acts for one in said if one.speaker is role) for role in Role}
    return {"any": majority(one.acts for one in said), **by_role}


def _cross_validated(sessions: Sequence[Utterances], folds: int, recipe: Recipe) -> Measured:
    order = list(range(len(sessions)))
    random.Random(recipe.seed).shuffle(order)
    pairs = []
    for fold in range(folds):
        held_out = set(order[fold::folds])
        classifier = learn(examples([one for place, one in enumerate(sessions) if place not in held_out]), recipe)
        pairs += tagged(classifier, [sessions[place] for place in sorted(held_out)])
        _tell(f"fold {fold + 1} of {folds}: {measured(pairs)}")
    return measured(pairs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True, help="TEACh game files, or a folder of them")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument("--folds", type=int, default=0, help="cross-validate first, over this many parts of the games")
    parser.add_argument("--seed", type=int, default=0, help="seed of the order of examples and of the folds")
    asked = parser.parse_args(arguments)
    try:
        _train(asked.games, asked.out, asked.folds, Recipe(seed=asked.seed))
    except TeachAgentsError as error:
        _tell(str(error))
        return 2
    return 0


def _train(games: Path, out: Path, folds: int, recipe: Recipe) -> None:
    sessions = [labelled(game) for game in iter_games(games)]
    known = examples(sessions)
    if not known:
        raise InputError("--games", "holds no labelled utterance", value=str(games))
    if folds == 1 or folds < 0 or folds > len(sessions):
        raise InputError("--folds", f"must be 0, or from 2 to {len(sessions)}, the number of games", value=folds)
    _tell(f"{len(known)} labelled stretches of {len(sessions)} games")
    notes: dict[str, object] = {
        "data": "TEACh games, labels of utterances (CDLA-Sharing 1.0)",
        "games": len(sessions),
        "stretches": len(known),
        "majority": _majority(sessions),
        "recipe": asdict(recipe),
    }
    if folds:
        notes["cross_validation"] = {"folds": folds, **_cross_validated(sessions, folds, recipe).to_json()}
    classifier = learn(known, recipe, on_epoch=lambda epoch, loss: _tell(f"epoch {epoch + 1}: mean loss {loss:.4f}"))
    classifier.noted(notes).save(out)
    _tell(f"{out}: {out.stat().st_size} bytes")


def _tell(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
