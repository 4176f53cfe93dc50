"""What a training of the Episodic Transformer is asked to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.learning.episodic.recording import Source
from teach_agents.learning.loop import key_of
from teach_agents.learning.settings import refuse, refuse_below
from teach_agents.models.episodic.shape import INPUTS

DTYPES = ("float32", "bfloat16")


@dataclass(frozen=True, slots=True)
class EpisodicSettings:
    """What decides what a network learns, besides the data. Raises `InputError` for what cannot be meant.

    `inputs` is what it is shown, `history_loss` whether what was done before the stretch to predict is learnt as well.
    `context` is how many steps of that it is shown, `words` how many words of the dialogue; a word that is used less
    than `fewest` times is unknown. The paper's sizes: width 768, 2 layers, weight decay 0.33, learning rate 1e-4.
    `held_out` is the share of rooms whose sessions are judged by and not learnt from. `dtype` is what products are
    computed in.
    """

    inputs: str = INPUTS[0]
    history_loss: bool = False
    width: int = 256
    layers: int = 2
    context: int = 64
    words: int = 320
    fewest: int = 2
    epochs: int = 20
    batch: int = 8
    learning_rate: float = 3e-4
    decay: float = 0.33
    dropout: float = 0.1
    visual_dropout: float = 0.3
    held_out: float = 0.03
    seed: int = 0
    dtype: str = DTYPES[0]
    device: str = "auto"

    def __post_init__(self) -> None:
        """Refuse what cannot be meant; sizes are refused by `Shape`."""
        refuse_below(1, self, "words", "fewest", "epochs", "batch")
        refuse_below(0, self, "context", "decay", "seed")
        refuse(not 0 < self.learning_rate < float("inf"), "learning_rate", "must be above 0", self.learning_rate)
        refuse(not 0 <= self.held_out < 1, "held_out", "must be a share from 0 to below 1", self.held_out)
        refuse(self.inputs not in INPUTS, "inputs", "there is no such choice", self.inputs, INPUTS)
        refuse(self.dtype not in DTYPES, "dtype", "there is no such choice", self.dtype, DTYPES)

    def to_json(self) -> JsonObject:
        """As JSON."""
        return asdict(self)

    def key(self, sight: JsonMapping, data: Sequence[Source]) -> str:
        """What tells this training from others: its settings, what frames are features of, and the sessions."""
        return key_of([self.to_json(), dict(sight), [(one.game_id, one.sha256) for one in data]])
