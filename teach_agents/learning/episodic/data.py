"""Which sessions are learnt from and which judged by, and the words that the first ones use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from teach_agents.errors import InputError
from teach_agents.learning.episodic.examples import Example, examples_of, is_held_out
from teach_agents.learning.episodic.recording import Source
from teach_agents.learning.episodic.sessions import Session, SessionFolder
from teach_agents.learning.episodic.settings import EpisodicSettings
from teach_agents.models.episodic.vocabulary import Vocabulary

_JUDGED = ("valid_", "test_", "divided_")
"""How folders of sessions begin that results are told on."""


@dataclass(frozen=True, slots=True)
class Data:
    """Examples of sessions, in the order of their ids; `sources` are the game files that they come from."""

    vocabulary: Vocabulary
    learnt: tuple[Example, ...]
    held_out: tuple[Example, ...]
    sources: tuple[Source, ...]


def games_in(paths: Sequence[Path]) -> list[Path]:
    """The game files among files and in folders.

    Raises `InputError` where there is none, and for what lies in a folder of a split that results are told on.
    """
    found: list[Path] = []
    for path in paths:
        here = sorted(path.glob("*.game.json")) if path.is_dir() else [path] if path.is_file() else []
        if not here:
            raise InputError("--data", "is no game file, nor a folder with *.game.json", value=str(path))
        found += here
    judged = [one for one in found if one.resolve().parent.name.startswith(_JUDGED)]
    if judged:
        raise InputError("--data", "is of a split that results are told on; learn from train", value=str(judged[0]))
    if len({one.name for one in found}) != len(found):
        raise InputError("--data", "names a session twice")
    return found


def read_data(folder: SessionFolder, wanted: Sequence[Source], settings: EpisodicSettings) -> Data:
    """The sessions that a folder holds of those wanted. Raises `InputError` where nothing is left to learn from."""
    sessions = list(folder.sessions([one.game_id for one in wanted]))
    learnt = [one for one in sessions if not is_held_out(one.room, settings.held_out)]
    vocabulary = _vocabulary(learnt, settings)
    examples = {one.game_id: examples_of(one, vocabulary, settings.context) for one in sessions}
    chosen = {one.game_id for one in learnt}
    parts = [
        [each for one in sessions if (one.game_id in chosen) is kept for each in examples[one.game_id]]
        for kept in (True, False)
    ]
    if not parts[0]:
        raise InputError("--data", "holds no session to learn from, besides those of held-out rooms")
    there = {one.game_id for one in sessions}
    return Data(vocabulary, tuple(parts[0]), tuple(parts[1]), tuple(one for one in wanted if one.game_id in there))


def _vocabulary(sessions: Sequence[Session], settings: EpisodicSettings) -> Vocabulary:
    texts = (text for one in sessions for _, _, text in one.said)
    classes = (name for one in sessions for name in one.objects if name)
    try:
        return Vocabulary.of(texts, classes, fewest=settings.fewest, kept=settings.words)
    except InputError as error:
        raise InputError("--data", f"holds no session to learn from ({error})") from error
