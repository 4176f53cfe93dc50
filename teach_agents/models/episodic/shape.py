"""How large an Episodic Transformer is, and what it is shown."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError

HEAD = 64
"""Width of an attention head: 768 make the 12 heads of the paper."""
INPUTS = ("language+vision", "language", "vision")
"""What a network is shown; the last two are the paper's ablations."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a network. The default is ours for a processor; the paper's has a width of 768.

    `words` and `objects` are how many it knows; a frame's features are `cells` places of `channels` numbers. `layers`
    are those of the language transformer and of the multimodal one each; the feed-forward part is as wide as the rest.
    `dropout` and `visual_dropout` are shares left out while training. Raises `InputError` for what makes no network.
    """

    words: int
    objects: int
    cells: int = 49
    channels: int = 64
    width: int = 256
    layers: int = 2
    dropout: float = 0.1
    visual_dropout: float = 0.3
    inputs: str = INPUTS[0]

    def __post_init__(self) -> None:
        if self.width < HEAD or self.width % HEAD:
            raise InputError("width", f"must be a multiple of {HEAD}, the width of a head", value=self.width)
        if self.inputs not in INPUTS:
            raise InputError("inputs", "there is no such choice", value=self.inputs, valid=INPUTS)
        if min(self.words, self.objects, self.cells, self.channels, self.layers) < 1:
            raise InputError("network", "every size must be at least 1", value=self)
        if not all(0 <= share < 1 for share in (self.dropout, self.visual_dropout)):
            raise InputError("network", "dropout is a share from 0 to below 1", value=self)

    @property
    def hears(self) -> bool:
        """Whether it is shown the dialogue."""
        return self.inputs != "vision"

    @property
    def sees(self) -> bool:
        """Whether it is shown frames."""
        return self.inputs != "language"

    @classmethod
    def from_json(cls, told: JsonMapping) -> Shape:
        """The shape that a JSON object tells. Raises `InputError`."""
        known = {one.name for one in fields(cls)}
        if set(told) != known:
            raise InputError("network", "lacks keys or has unknown ones", value=sorted(set(told) ^ known))
        try:
            return cls(**told)
        except TypeError as error:
            raise InputError("network", f"a size is no number: {error}") from error

    def to_json(self) -> JsonObject:
        """The same as JSON."""
        return asdict(self)
