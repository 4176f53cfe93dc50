"""EDH instances: execution from dialogue history, the next stretch of a recorded session (specification 1.7).

How EDH instances are cut from recorded sessions (specification 1.7, rules 1 to 7). The rules give every released
instance at hand again, all but its state differences: those need the states in between, which a game file does not
hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from teach_agents.actions import ActionKind, Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields, FileValue, Key
from teach_agents.data.follower_actions import (
    INSTANCE_KEYS,
    Dialogue,
    FollowerAction,
    dialogue_of,
    follower_actions,
    image_names,
    subgoals,
)
from teach_agents.data.games import Game, StrPath, read_json, write_json
from teach_agents.data.interactions import Interaction, Keyboard
from teach_agents.errors import InputError


@dataclass(frozen=True, slots=True)
class StateDifference:
    """What of the objects' metadata differs between two states: objectId to property to value.

    Numbers are rounded to four places; slices that came into being are listed with every key in which they differ
    from their base. The files' `agents` part is empty everywhere (register entry Q19) and is left out.
    """

    objects: Mapping[str, JsonMapping]

    @classmethod
    def from_fields(cls, fields: Fields) -> StateDifference:
        """Read a state difference that lies inside a file."""
        objects = fields.object("objects")
        return cls({object_id: objects.mapping(object_id) for object_id in fields.mapping("objects")})

    def to_json(self) -> JsonObject:
        """The difference as in an instance file."""
        return {"agents": {}, "objects": {object_id: dict(changed) for object_id, changed in self.objects.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class EdhInstance(FileValue):
    """An EDH instance.

    `interactions` is the game's list up to the end of this stretch; the part to predict begins at index
    `pred_start_idx`. `future` and `future_images` are `None` in test splits, which come without the ground truth;
    so may be the differences. `goal_conditions_total` and `_satisfied` are the evaluation task's counts at the
    beginning of the part to predict, where the file states them. Unknown keys are in `extra`.
    """

    dialogue: Dialogue
    history: tuple[FollowerAction, ...]
    history_images: tuple[str, ...]
    future: tuple[FollowerAction, ...] | None = None
    future_images: tuple[str, ...] | None = None
    interactions: tuple[Interaction, ...]
    game_id: str
    instance_id: str
    pred_start_idx: int
    init_state_diff: StateDifference | None = None
    final_state_diff: StateDifference | None = None
    state_changes: StateDifference | None = None
    history_subgoals: tuple[str, ...] = ()
    future_subgoals: tuple[str, ...] | None = None
    goal_conditions_total: int | None = None
    goal_conditions_satisfied: int | None = None
    dialogue_cleaned: Dialogue | None = None
    extra: JsonMapping = field(default_factory=dict)
    keys = {
        **INSTANCE_KEYS,
        "history": Key("driver_action_history"),
        "history_images": Key("driver_image_history"),
        "goal_conditions_total": Key("expected_init_goal_conditions_total"),
        "goal_conditions_satisfied": Key("expected_init_goal_conditions_satisfied"),
    }


def read_edh(path: StrPath) -> EdhInstance:
    """Read one EDH file, of any release and split; raises `GameFileError` naming file, key and value."""
    return edh_from_fields(Fields(read_json(path), str(path)))


def edh_from_fields(fields: Fields) -> EdhInstance:
    """Read an EDH instance; raises `GameFileError`."""
    instance = EdhInstance.read(fields)
    start, end = instance.pred_start_idx, len(instance.interactions)
    if not 0 <= start <= end:
        raise fields.refuse("pred_start_idx", f"must lie in 0 ... {end}", start)
    return instance


def write_edh(instance: EdhInstance, path: StrPath) -> None:
    """Write a file that `read_edh` reads back equal, whole or not at all. Raises `GameFileError`."""
    write_json(instance.to_json(), path, check=lambda data: edh_from_fields(Fields(data, str(path))))


_ID = re.compile(r"(?P<game>.+)\.edh(?P<number>\d+)")


class Stretch(NamedTuple):
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
        dialogue_cleaned=dialogue_of(interactions, cleaned=True),
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
    bare = replace(one, da_metadata=None) if isinstance(one, Keyboard) else one
    return replace(bare, extra=extra)
