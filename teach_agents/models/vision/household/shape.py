"""How large a network is, and of what size the pictures are that it looks at."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError

SIZE = 300
"""Pixels across and down at which every picture is looked at: TEACh's views, a third as wide."""
STRIDE = 4
"""Pixels between cells of what the network says."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Channels and blocks. The default: 4.4 million parameters, 2.0 billion products a picture.

    `types` is how many types of objects it tells apart; `sizes` says for each of them which of the boxes that a cell
    tells is its, 0 and up (empty: there is one for all of them); `widths` and `blocks` are of the stages, each half as
    wide and high as the last. Raises `InputError` for what makes no network.
    """

    types: int
    sizes: tuple[int, ...] = ()
    stem: int = 16
    widths: tuple[int, ...] = (48, 96, 160, 256)
    blocks: tuple[int, ...] = (1, 2, 2, 2)
    neck: int = 64
    head: int = 64

    def __post_init__(self) -> None:
        numbers = (self.types, self.stem, *self.widths, self.neck, self.head)
        if len(self.widths) != len(self.blocks) or not self.widths or min(numbers) < 1 or min(self.blocks) < 0:
            raise InputError("network", "needs as many widths as blocks, and channels throughout", value=self)
        if len(self.sizes) not in (0, self.types) or not {*self.sizes} <= {*range(len(self.sizes))}:
            raise InputError("network", "sizes are a number for each type, from 0 up", value=self.sizes)

    @property
    def boxes(self) -> int:
        """How many boxes a cell tells."""
        return 1 + max(self.sizes, default=0)

    @classmethod
    def from_json(cls, told: JsonMapping) -> Shape:
        """The shape that a JSON object tells. Raises `InputError`."""
        known = {one.name for one in fields(cls)}
        if set(told) != known:
            raise InputError("network", "lacks keys or has unknown ones", value=sorted(set(told) ^ known))
        made: JsonObject = {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}
        listed = (value if isinstance(value, tuple) else (value,) for value in made.values())
        if not all(isinstance(one, int) for value in listed for one in value):
            raise InputError("network", "every size is a whole number", value=dict(told))
        return cls(**made)

    def to_json(self) -> JsonObject:
        """The same as JSON."""
        return asdict(self)
