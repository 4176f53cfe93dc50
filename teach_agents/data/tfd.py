"""TfD instances: trajectory from dialogue, a whole session's actions from all that was said (specification 1.8).

The format is INFERRED from what the reference harness asks for and from loaders of others: no released file was at
hand. Keys that this reader does not know are kept as they are.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields
from teach_agents.data.follower_actions import (
    Dialogue,
    FollowerAction,
    cleaned_dialogue_of,
    dialogue_of,
    dialogue_to_json,
    follower_actions,
    image_names,
    read_actions,
    read_dialogue,
)
from teach_agents.data.games import Game, read_json, write_json
from teach_agents.data.interactions import Interaction, interaction_from_json

_EMPTY = ("driver_action_history", "driver_image_history")
"""Keys that the harness asks for although there is no history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TfdInstance:
    """A TfD instance: the session's whole dialogue, and all that its Follower did as the ground truth.

    `future` counts utterances, walks on the map and stray progress checks, which is the length that path weights use.
    It and its images are `None` where a file comes without the ground truth. There is no history. The id is the file's
    name, `<game_id>.tfd`; it is no key of the file.
    """

    instance_id: str
    game_id: str
    dialogue: Dialogue
    dialogue_cleaned: Dialogue | None
    future: tuple[FollowerAction, ...] | None
    future_images: tuple[str, ...] | None
    interactions: tuple[Interaction, ...] = ()
    extra: JsonMapping = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """The instance as in a file; what is `None` is left out."""
        cleaned = None if self.dialogue_cleaned is None else dialogue_to_json(self.dialogue_cleaned)
        full = {
            "dialog_history": dialogue_to_json(self.dialogue),
            **{key: [] for key in _EMPTY},
            "driver_actions_future": None if self.future is None else [one.to_json() for one in self.future],
            "driver_images_future": None if self.future_images is None else list(self.future_images),
            "interactions": [one.to_json() for one in self.interactions],
            "game_id": self.game_id,
            "dialog_history_cleaned": cleaned,
        }
        return {**{key: value for key, value in full.items() if value is not None}, **self.extra}


def tfd_id(game_id: str) -> str:
    """The name of a session's instance: `<game_id>.tfd`."""
    return f"{game_id}.tfd"


def tfd_from_game(game: Game) -> TfdInstance:
    """A session's instance, in the inferred format."""
    interactions = game.episode.interactions
    future = follower_actions(interactions)
    return TfdInstance(
        instance_id=tfd_id(game.game_id),
        game_id=game.game_id,
        dialogue=dialogue_of(interactions),
        dialogue_cleaned=cleaned_dialogue_of(interactions),
        future=future,
        future_images=image_names(future),
        interactions=interactions,
    )


def read_tfd(path: str | os.PathLike[str]) -> TfdInstance:
    """Read one TfD file; raises `GameFileError` naming file, key and value."""
    return _read(Fields(read_json(path), str(path)), Path(path).name.removesuffix(".json"))


def write_tfd(instance: TfdInstance, path: str | os.PathLike[str]) -> None:
    """Write a file that `read_tfd` reads back equal, whole or not at all. Raises `GameFileError`."""
    write_json(instance.to_json(), path, check=lambda data: _read(Fields(data, str(path)), instance.instance_id))


def _read(fields: Fields, instance_id: str) -> TfdInstance:
    return TfdInstance(
        instance_id=instance_id,
        game_id=fields.text("game_id"),
        dialogue=read_dialogue(fields, "dialog_history"),
        dialogue_cleaned=fields.optional("dialog_history_cleaned", read_dialogue),
        future=fields.optional("driver_actions_future", read_actions),
        future_images=fields.optional("driver_images_future", Fields.texts),
        interactions=fields.optional("interactions", _interactions) or (),
        extra={key: value for key, value in fields.rest().items() if value or key not in _EMPTY},
    )


def _interactions(fields: Fields, key: str) -> tuple[Interaction, ...]:
    return tuple(interaction_from_json(found) for found in fields.objects(key))
