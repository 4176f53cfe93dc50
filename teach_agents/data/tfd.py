"""TfD instances: trajectory from dialogue, a whole session's actions from all that was said (specification 1.8).

The format is INFERRED from what the reference harness asks for and from loaders of others: no released file was at
hand. Keys that this reader does not know are kept as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields, FileValue, Key
from teach_agents.data.follower_actions import (
    INSTANCE_KEYS,
    Dialogue,
    FollowerAction,
    dialogue_of,
    follower_actions,
    image_names,
)
from teach_agents.data.games import Game, StrPath, read_json, write_json
from teach_agents.data.interactions import Interaction

_EMPTY = ("driver_action_history", "driver_image_history")
"""Keys that the harness asks for although there is no history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TfdInstance(FileValue):
    """A TfD instance: the session's whole dialogue, and all that its Follower did as the ground truth.

    `future` counts utterances, walks on the map and stray progress checks, which is the length that path weights use.
    It and its images are `None` where a file comes without the ground truth. There is no history. The id is the file's
    name, `<game_id>.tfd`; it is no key of the file.
    """

    instance_id: str
    dialogue: Dialogue
    future: tuple[FollowerAction, ...] | None = None
    future_images: tuple[str, ...] | None = None
    interactions: tuple[Interaction, ...] = ()
    game_id: str
    dialogue_cleaned: Dialogue | None = None
    extra: JsonMapping = field(default_factory=dict)
    keys = {**INSTANCE_KEYS, "instance_id": Key(None)}

    def to_json(self) -> JsonObject:
        """The instance as in a file; what is `None` is left out."""
        found = self.written()
        return {"dialog_history": None, **{key: [] for key in _EMPTY}, **found, **self.extra}


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
        dialogue_cleaned=dialogue_of(interactions, cleaned=True),
        future=future,
        future_images=image_names(future),
        interactions=interactions,
    )


def read_tfd(path: StrPath) -> TfdInstance:
    """Read one TfD file; raises `GameFileError` naming file, key and value."""
    return _read(Fields(read_json(path), str(path)), Path(path).name.removesuffix(".json"))


def write_tfd(instance: TfdInstance, path: StrPath) -> None:
    """Write a file that `read_tfd` reads back equal, whole or not at all. Raises `GameFileError`."""
    write_json(instance.to_json(), path, check=lambda data: _read(Fields(data, str(path)), instance.instance_id))


def _read(fields: Fields, instance_id: str) -> TfdInstance:
    found = TfdInstance.read(fields, instance_id=instance_id)
    return replace(found, extra={key: value for key, value in found.extra.items() if value or key not in _EMPTY})
