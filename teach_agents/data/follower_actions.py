"""What EDH and TfD instances hold of a session: what was said and what the Follower did (specification 1.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from teach_agents.actions import ACTION_TYPES, ActionKind, Role
from teach_agents.core.json_types import JsonObject
from teach_agents.data.fields import Fields, Key
from teach_agents.data.interactions import Interaction, Keyboard, ObjectInteraction

Dialogue = tuple[tuple[Role, str], ...]
"""Who said what, in order."""

_SPEAKERS = {"Commander": Role.COMMANDER, "Driver": Role.FOLLOWER}
_NAMES = {role: name for name, role in _SPEAKERS.items()}


@dataclass(frozen=True, slots=True)
class FollowerAction:
    """One successful action of the Follower; `x`, `y` and `object_id` belong to object interactions only."""

    action: str
    time_start: float
    object_id: str | None = None
    x: float | None = None
    y: float | None = None

    @property
    def is_interaction(self) -> bool:
        """Whether it acted upon an object."""
        return ACTION_TYPES[self.action].kind is ActionKind.OBJECT

    @classmethod
    def from_fields(cls, fields: Fields) -> FollowerAction:
        """Read an entry of `driver_action_history` or `driver_actions_future`."""
        name = fields.text("action_name")
        if name not in ACTION_TYPES:
            raise fields.refuse("action_name", "names no action", name, tuple(ACTION_TYPES))
        x, y = (None if fields.value(key) is None else fields.number(key) for key in "xy")
        return cls(name, fields.number("time_start"), fields.text_or_none("oid"), x, y)

    def to_json(self) -> JsonObject:
        """The entry as in an instance file."""
        row = ACTION_TYPES[self.action]
        return {
            "action_id": row.action_id,
            "action_idx": row.index,
            "obj_interaction_action": int(self.is_interaction),
            "action_name": self.action,
            "time_start": self.time_start,
            "oid": self.object_id,
            "x": self.x,
            "y": self.y,
        }


def follower_actions(interactions: Iterable[Interaction]) -> tuple[FollowerAction, ...]:
    """The Follower's successful actions, utterances and walks on the map included; failed ones are left out."""
    return tuple(_action(one) for one in interactions if one.role is Role.FOLLOWER and one.success)


def _action(one: Interaction) -> FollowerAction:
    if isinstance(one, ObjectInteraction):
        return FollowerAction(one.action, one.time_start, one.object_id, one.x, one.y)
    return FollowerAction(one.action, one.time_start)


def image_names(actions: Iterable[FollowerAction]) -> tuple[str, ...]:
    """The names of the pictures that the Follower saw right before each action."""
    return tuple(f"driver.frame.{one.time_start}.jpeg" for one in actions)


def subgoals(actions: Iterable[FollowerAction]) -> tuple[str, ...]:
    """A stretch of actions as words: `Navigate`, type after any other action, then name and type of an interaction.

    Talking counts as moving; moves that nothing follows say nothing.
    """
    words: list[str] = []
    moved = False
    for one in actions:
        if one.is_interaction:
            object_type = (one.object_id or "").partition("|")[0]
            words += [*(("Navigate", object_type) if moved else ()), one.action, object_type]
        moved = not one.is_interaction
    return tuple(words)


def dialogue_of(interactions: Iterable[Interaction], *, cleaned: bool = False) -> Dialogue:
    """What was said, as typed, or `cleaned`: with its spelling put right where annotators did so."""
    said = (one for one in interactions if isinstance(one, Keyboard))
    return tuple((one.role, one.corrected if cleaned else one.utterance) for one in said)


def dialogue_to_json(dialogue: Dialogue) -> list[list[str]]:
    """[speaker, text] pairs as in an instance file."""
    return [[_NAMES[role], text] for role, text in dialogue]


def read_dialogue(fields: Fields, key: str) -> Dialogue:
    """Read [speaker, text] pairs; raises `GameFileError`."""
    turns = fields.items(key)
    for turn in turns:
        pair = isinstance(turn, list) and len(turn) == 2 and all(isinstance(part, str) for part in turn)
        if not pair or turn[0] not in _SPEAKERS:
            raise fields.refuse(key, "must hold [speaker, text] pairs", turn, tuple(_SPEAKERS))
    return tuple((_SPEAKERS[speaker], text) for speaker, text in turns)


INSTANCE_KEYS: Mapping[str, Key] = {
    "dialogue": Key("dialog_history", read_dialogue, dialogue_to_json),
    "dialogue_cleaned": Key("dialog_history_cleaned", read_dialogue, dialogue_to_json),
    "future": Key("driver_actions_future"),
    "future_images": Key("driver_images_future"),
}
"""How what both kinds of instances hold stands in their files."""


def read_actions(fields: Fields, key: str) -> tuple[FollowerAction, ...]:
    """Read a list of the Follower's actions; raises `GameFileError`."""
    return tuple(FollowerAction.from_fields(found) for found in fields.objects(key))
