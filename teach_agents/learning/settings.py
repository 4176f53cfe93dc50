"""What a training is asked to do, and what of it decides what is learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError
from teach_agents.learning.loop import key_of
from teach_agents.learning.samples import OBJECTIVES


@dataclass(frozen=True, slots=True)
class Origin:
    """The weights that a training begins with: the base's fingerprint; the SHA-256 of the adapter that is trained
    further, empty for a new one, and what that one's account says, `None` where it has none."""

    base: str
    start: str = ""
    account: JsonMapping | None = None


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """What decides what an adapter learns, besides the data. Raises `InputError` for what cannot be meant.

    `base` is the SPEC of a transformers model; `start` the folder of an adapter to train further, or `default:ROLE`,
    empty for a new one. `objective` one of `samples.OBJECTIVES`. `rank` and `alpha` are LoRA's:
    what is added is scaled by `alpha / rank`. `tokens` ends the plan early; `row` and `batch` are tokens in a row and,
    at least, in a step. `held_out` is the share of sessions not learnt from; `check` how many of their decisions are
    judged, at `checks` times besides the beginning.
    """

    role: Role
    base: str = "smollm2"
    start: str = ""
    objective: str = OBJECTIVES[0]
    rank: int = 16
    alpha: float = 32.0
    learning_rate: float = 5e-4
    epochs: int = 1
    tokens: int | None = None
    row: int = 1024
    batch: int = 4096
    seed: int = 0
    most: float = 0.25
    held_out: float = 0.05
    check: int = 128
    checks: int = 4
    dtype: str = "auto"
    device: str = "auto"

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        refuse(self.objective not in OBJECTIVES, "objective", "there is no such one", self.objective, OBJECTIVES)
        refuse_below(1, self, "rank", "epochs", "row", "batch")
        refuse_below(0, self, "check", "checks", "seed")
        for name in ("alpha", "learning_rate"):
            refuse(not 0 < getattr(self, name) < float("inf"), name, "must be above 0", getattr(self, name))
        refuse(self.tokens is not None and self.tokens < 1, "tokens", "must be at least 1", self.tokens)
        refuse(not 0 < self.most <= 1, "most", "must be a share above 0, to 1", self.most)
        refuse(not 0 <= self.held_out < 1, "held_out", "must be a share from 0 to below 1", self.held_out)

    def to_json(self) -> JsonObject:
        """As JSON."""
        return {**asdict(self), "role": str(self.role)}

    def key(self, origin: Origin, files: tuple[JsonObject, ...]) -> str:
        """What tells this training from others: its settings, the weights it begins with and the files' content."""
        return key_of([self.to_json(), origin.base, origin.start, [one["sha256"] for one in files]])


@dataclass(frozen=True, slots=True)
class Limits:
    """What a training may take, which changes nothing about what it learns until then.

    `minutes` ends it, all kept; a checkpoint is written every `every_s` seconds; `games` are generated instances that
    are played at the end. Raises `InputError` for what cannot be meant.
    """

    minutes: float | None = None
    every_s: float = 240.0
    games: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        refuse(self.minutes is not None and not self.minutes > 0, "minutes", "must be above 0", self.minutes)
        refuse(self.games < 0, "check_games", "must be 0 or more", self.games)


def refuse(wrong: bool, name: str, problem: str, value: object, valid: Sequence[str] = ()) -> None:
    """Raise `InputError` for the value of an option that is wrong."""
    if wrong:
        raise InputError(f"--{name.replace('_', '-')}", problem, value=value, valid=valid)


def refuse_below(least: int, settings: object, *names: str) -> None:
    """Raise `InputError` for the first of some options that is below the `least`, or endless."""
    for name in names:
        value = getattr(settings, name)
        refuse(
            not least <= value < float("inf"), name, "must be 0 or more" if not least else "must be at least 1", value
        )
