"""Sessions as examples, one a stretch between utterances: which are learnt from, which judged by, in which words."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from teach_agents.actions import OBJECT_ACTIONS
from teach_agents.errors import InputError
from teach_agents.learning.episodic.recording import Source
from teach_agents.learning.episodic.sessions import Session, SessionFolder
from teach_agents.learning.episodic.settings import EpisodicSettings
from teach_agents.models.batches import in_batches
from teach_agents.models.episodic.network import Episodes
from teach_agents.models.episodic.vocabulary import ACTION_NUMBER, STOP, Vocabulary, padded

NOTHING = -100
"""A target that is not learnt."""
_POOL = 32
"""Batches whose examples are sorted by length before they are cut, so that little is filled up."""
_JUDGED = ("valid_", "test_", "divided_")
"""How folders of sessions begin that results are told on."""


def is_held_out(room: str, share: float) -> bool:
    """Whether a room is among the share that is kept to judge by: its name decides, for every seed and data set."""
    return int(hashlib.sha256(room.encode()).hexdigest()[:8], 16) < share * 2**32


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """An EDH stretch: steps `begin` to `end` of a session, of which those from `future` on are to be predicted.

    At step `end` the right thing is to stop. `words` is what was said before the stretch.
    """

    session: Session
    words: tuple[int, ...]
    begin: int
    future: int
    end: int

    @property
    def steps(self) -> int:
        """How many there are, the one at which to stop included."""
        return self.end + 1 - self.begin


def examples_of(session: Session, vocabulary: Vocabulary, context: int) -> list[Example]:
    """A session's stretches, each with at most `context` steps of what was done before it."""
    made = []
    for first, after in session.stretches:
        future, end = bisect_left(session.places, first), bisect_left(session.places, after)
        words = vocabulary.read((speaker, text) for index, speaker, text in session.said if index < first)
        made.append(Example(session, tuple(words), max(0, future - context), future, end))
    return made


class Batch(NamedTuple):
    """Episodes with what was right at each step: actions and classes by number, B x T, `NOTHING` where not learnt."""

    episodes: Episodes
    actions: Tensor
    objects: Tensor


def ordered(examples: Sequence[Example], size: int, dice: np.random.Generator | None) -> list[list[Example]]:
    """Examples in batches of `size` and of like length, drawn by `dice`; without them by length alone."""
    places = np.arange(len(examples)) if dice is None else dice.permutation(len(examples))
    pool = size * _POOL if dice is not None else len(examples)
    batches: list[list[Example]] = []
    for some in in_batches(places.tolist(), max(pool, 1)):
        some.sort(key=lambda place: (examples[place].steps, place))
        batches += in_batches([examples[place] for place in some], size)
    return batches if dice is None else [batches[number] for number in dice.permutation(len(batches)).tolist()]


def batched(examples: Sequence[Example], vocabulary: Vocabulary, *, history_loss: bool = False) -> Batch:
    """Examples side by side; with `history_loss` what was done before the stretch is learnt too."""
    steps = [one.steps for one in examples]
    shape = (len(examples), max(steps))
    frames = np.zeros((*shape, *examples[0].session.features.shape[1:]), np.float16)
    done, actions, objects = np.zeros(shape, np.int64), np.full(shape, NOTHING), np.full(shape, NOTHING)
    for row, one in enumerate(examples):
        frames[row, : one.steps] = one.session.features[one.begin : one.end + 1]
        steps_done = zip(
            one.session.actions[one.begin : one.end], one.session.objects[one.begin : one.end], strict=True
        )
        for column, (action, object_class) in enumerate(steps_done):
            done[row, column] = ACTION_NUMBER[action]
            if (history_loss or column >= one.future - one.begin) and action != "Text":
                actions[row, column] = ACTION_NUMBER[action]
                if action in OBJECT_ACTIONS:
                    objects[row, column] = vocabulary.object_number.get(object_class, NOTHING)
        actions[row, one.steps - 1] = STOP
    words = torch.tensor(padded([one.words for one in examples]))
    episodes = Episodes(words, torch.from_numpy(frames), torch.from_numpy(done), torch.tensor(steps))
    return Batch(episodes, torch.from_numpy(actions), torch.from_numpy(objects))


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
    sessions = {one.game_id: one for one in folder.sessions([one.game_id for one in wanted])}
    kept: dict[bool, list[Session]] = {False: [], True: []}
    for one in sessions.values():
        kept[is_held_out(one.room, settings.held_out)].append(one)
    vocabulary = _vocabulary(kept[False], settings)
    learnt, judged = (
        tuple(each for one in some for each in examples_of(one, vocabulary, settings.context)) for some in kept.values()
    )
    if not learnt:
        raise InputError("--data", "holds no session to learn from, besides those of held-out rooms")
    return Data(vocabulary, learnt, judged, tuple(one for one in wanted if one.game_id in sessions))


def _vocabulary(sessions: Sequence[Session], settings: EpisodicSettings) -> Vocabulary:
    texts = (text for one in sessions for _, _, text in one.said)
    classes = (name for one in sessions for name in one.objects if name)
    try:
        return Vocabulary.of(texts, classes, fewest=settings.fewest, kept=settings.words)
    except InputError as error:
        raise InputError("--data", f"holds no session to learn from ({error})") from error
