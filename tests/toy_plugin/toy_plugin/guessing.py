"""A benchmark whose actions are whole numbers: guess the number from answers `higher` and `lower`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from teach_agents import Benchmark
from teach_agents.errors import InputError

Guesser = Callable[[int, int], object]
"""Given the lowest and highest number still possible, the next guess."""

LARGEST = {"small": 10, "large": 1000}


@dataclass(frozen=True)
class Secret:
    """A number to guess."""

    split: str
    number: int

    @property
    def instance_id(self) -> str:
        """For example `small-7`."""
        return f"{self.split}-{self.number}"


@dataclass(frozen=True)
class Game:
    """What was guessed, and what went wrong if anything did."""

    secret: Secret
    guesses: tuple[int, ...]
    problem: str = ""


def bisect(low: int, high: int) -> int:
    """The middle."""
    return (low + high) // 2


class GuessingBenchmark(Benchmark[Secret, Game]):
    """Guess each number; `limit` guesses at most."""

    splits = tuple(LARGEST)

    def __init__(self, limit: int = 12, guesser: Guesser = bisect) -> None:
        self._limit = limit
        self._guesser = guesser

    def instances(self, split: str) -> Sequence[Secret]:
        """Every seventh number."""
        if split not in LARGEST:
            raise InputError("guessing", "unknown split", value=split, valid=self.splits)
        return [Secret(split, number) for number in range(3, LARGEST[split], 7)]

    def run(self, instance: Secret) -> Game:
        """Play one game; a guesser that raises or answers nonsense has lost it."""
        low, high = 0, LARGEST[instance.split]
        guesses: list[int] = []
        while len(guesses) < self._limit:
            try:
                guess = self._guesser(low, high)
            except Exception as error:  # noqa: BLE001  # whatever the guesser raises is the game's result
                return Game(instance, tuple(guesses), f"raised {error!r}")
            if not isinstance(guess, int):
                return Game(instance, tuple(guesses), f"guessed {guess!r}")
            guesses.append(guess)
            if guess == instance.number:
                break
            low, high = (guess + 1, high) if guess < instance.number else (low, guess - 1)
        return Game(instance, tuple(guesses))

    def score(self, record: Game) -> Mapping[str, float]:
        """Whether it was found, and in how many guesses."""
        found = not record.problem and record.secret.number in record.guesses
        return {"success": float(found), "guesses": float(len(record.guesses))}

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """Means over all instances."""
        if not scores:
            raise InputError("guessing", "there are no scores to aggregate")
        return {name: fmean(score[name] for score in scores) for name in ("success", "guesses")}
