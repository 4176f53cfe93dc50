"""How EDH instances are cut from recorded sessions (specification 1.7, rules 1 to 7).

The rules give every released instance at hand again, all but its state differences: those need the states in between,
which a game file does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from teach_agents.actions import ActionKind, Role
from teach_agents.data.edh import EdhInstance
from teach_agents.data.follower_actions import (
    cleaned_dialogue_of,
    dialogue_of,
    follower_actions,
    image_names,
    subgoals,
)
from teach_agents.data.games import Game
from teach_agents.data.interactions import Interaction, Keyboard
from teach_agents.errors import InputError

_ID = re.compile(r"(?P<game>.+)\.edh(?P<number>\d+)")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a session without talk, from index `start` up to, not including, `end` of its interactions.

    `number` is the N of `<game_id>.edh<N>`.
    """

    number: int
    start: int
    end: int


def stretches(interactions: Sequence[Interaction]) -> tuple[Stretch, ...]:
    """The candidates of a session: what lies between two utterances and has a successful interaction with an object.

    Numbers count every part of the session between utterances in which the Follower so much as tried to interact with
    an object, the part before the first utterance included. (Rule 3 of the specification counts successful ones only;
    by that 19 of the 608 names released for valid_seen name nothing. By this all do.) A part that nothing was said
    before has a number, but there is no history in which to find what is wanted: it is no candidate.
    """
    said = [index for index, one in enumerate(interactions) if isinstance(one, Keyboard)]
    parts = [(before + 1, after) for before, after in pairwise((-1, *said, len(interactions)))]
    tried = [(start, end) for start, end in parts if any(map(_is_try, interactions[start:end]))]
    return tuple(
        Stretch(number, start, end)
        for number, (start, end) in enumerate(tried)
        if start > 0 and any(_is_try(one) and one.success for one in interactions[start:end])
    )


def _is_try(one: Interaction) -> bool:
    return one.role is Role.FOLLOWER and one.type.kind is ActionKind.OBJECT


def edh_id(game_id: str, number: int) -> str:
    """The name of an instance: `<game_id>.edh<N>`."""
    return f"{game_id}.edh{number}"


def parse_edh_id(instance_id: str) -> tuple[str, int]:
    """Game id and number of an instance's name. Raises `InputError` for a name of another form."""
    match = _ID.fullmatch(instance_id)
    if match is None:
        raise InputError("EDH instance", "must be named '<game_id>.edh<N>'", value=instance_id)
    return match["game"], int(match["number"])


def edh_from_game(game: Game, stretch: Stretch) -> EdhInstance:
    """The instance that begins where `stretch` does, without state differences.

    As in the released files, utterances keep their corrections and lose the annotation of dialogue acts (the game has
    it), and the cleaned dialogue is the corrected one.
    """
    interactions = game.episode.interactions[: stretch.end]
    history = follower_actions(interactions[: stretch.start])
    future = follower_actions(interactions[stretch.start :])
    return EdhInstance(
        instance_id=edh_id(game.game_id, stretch.number),
        game_id=game.game_id,
        dialogue=dialogue_of(interactions),
        dialogue_cleaned=cleaned_dialogue_of(interactions),
        history=history,
        history_images=image_names(history),
        future=future,
        future_images=image_names(future),
        interactions=tuple(map(_annotated, interactions)),
        pred_start_idx=stretch.start,
        history_subgoals=subgoals(history),
        future_subgoals=subgoals(future),
    )


def _annotated(one: Interaction) -> Interaction:
    """An interaction as instance files have it: with its dense index, without its dialogue acts."""
    row = one.type
    extra = {**one.extra, "obj_interaction_action": int(row.kind is ActionKind.OBJECT), "action_idx": row.index}
    if isinstance(one, Keyboard):
        return replace(one, da_metadata=None, extra=extra)
    return replace(one, extra=extra)
