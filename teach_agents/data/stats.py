"""Counting recorded sessions: tasks and splits, utterances and tokens, actions; what TEACh's paper published beside it.

A token is a word (with an inner apostrophe: `don't`) or a single punctuation mark. The paper does not name its
tokenizer; this one gives slightly more tokens an utterance than the paper states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from teach_agents.actions import Role
from teach_agents.core.benchmark.costs import tokens
from teach_agents.core.json_types import JsonObject
from teach_agents.data.games import Game
from teach_agents.data.interactions import Keyboard

SPLITS: tuple[str, ...] = ("train", "valid_seen", "valid_unseen", "test_seen", "test_unseen")

PUBLISHED_SESSIONS: Mapping[str, int] = dict(zip(SPLITS, (1482, 181, 614, 181, 589), strict=True))
"""Sessions a split, as the paper states them; two of valid_unseen were withdrawn later."""

PUBLISHED_TASKS: Mapping[str, tuple[int, int, int]] = {
    "Coffee": (145, 18, 57),
    "Plate Of Toast": (80, 10, 51),
    "N Cooked Slices Of X In Y": (89, 10, 49),
    "N Slices Of X In Y": (144, 18, 54),
    "Put All X On Y": (182, 22, 50),
    "Put All X In One Y": (162, 20, 48),
    "Boil X": (80, 10, 44),
    "Water Plant": (91, 11, 63),
    "Clean All X": (169, 21, 58),
    "Breakfast": (113, 13, 44),
    "Sandwich": (89, 11, 47),
    "Salad": (138, 17, 47),
}
"""Released sessions of each task in train, valid_seen and valid_unseen (specification 1.3)."""

PUBLISHED_MEANS: Mapping[tuple[str, Role], float] = {
    ("utterances", Role.COMMANDER): 8.40,
    ("utterances", Role.FOLLOWER): 5.25,
    ("tokens", Role.COMMANDER): 5.70,
    ("tokens", Role.FOLLOWER): 3.80,
    ("actions", Role.FOLLOWER): 131.8,
}
"""The paper's averages: utterances a session, tokens an utterance, Follower actions a session (all splits)."""


class SessionStats(NamedTuple):
    """One session's counts. `tokens` holds one number an utterance; `actions` includes utterances, by role."""

    game_id: str
    split: str
    task: str
    room_kind: str
    utterances: Mapping[Role, int]
    tokens: Mapping[Role, tuple[int, ...]]
    actions: Mapping[Role, int]
    action_names: Mapping[Role, Mapping[str, int]]
    dialogue_acts: Mapping[str, int]


def split_of(path: Path) -> str:
    """The split a game file lies in: the name of its folder."""
    return path.resolve().parent.name


def session_stats(game: Game, split: str) -> SessionStats:
    """Count one session."""
    interactions = game.episode.interactions
    said = {role: [i for i in interactions if i.role is role and isinstance(i, Keyboard)] for role in Role}
    names = {role: Counter(i.action for i in interactions if i.role is role) for role in Role}
    return SessionStats(
        game.game_id,
        split,
        game.task.task_name,
        str(game.episode.room_kind or "other"),
        utterances={role: len(spoken) for role, spoken in said.items()},
        tokens={role: tuple(tokens(one.utterance) for one in spoken) for role, spoken in said.items()},
        actions={role: counted.total() for role, counted in names.items()},
        action_names=names,
        dialogue_acts=Counter(act.act for spoken in said.values() for one in spoken for act in one.dialogue_acts),
    )


class Distribution(NamedTuple):
    """How often each count occurred."""

    counts: Mapping[int, int]

    @classmethod
    def of(cls, values: Iterable[int]) -> Distribution:
        """The distribution of some counts."""
        return cls(dict(sorted(Counter(values).items())))

    @property
    def n(self) -> int:
        """How many values there are."""
        return sum(self.counts.values())

    @property
    def total(self) -> int:
        """Their sum."""
        return sum(value * count for value, count in self.counts.items())

    @property
    def mean(self) -> float:
        """Their mean; 0 of none."""
        return self.total / self.n if self.n else 0.0

    @property
    def median(self) -> float:
        """Their median; 0 of none."""
        return float(median(Counter(self.counts).elements())) if self.n else 0.0

    def bins(self, width: int, most: int) -> tuple[tuple[str, int], ...]:
        """Counts in `most` bins of `width`, labelled `0-4`; the last takes everything beyond."""
        filled = [0] * most
        for value, count in self.counts.items():
            filled[min(value // width, most - 1)] += count
        starts = range(0, width * most, width)
        labels = [str(start) if width == 1 else f"{start}-{start + width - 1}" for start in starts[:-1]]
        return tuple(zip([*labels, f"{starts[-1]}+"], filled, strict=True))

    def to_json(self) -> JsonObject:
        """Mean, median, extremes and the counts themselves."""
        low, high = (min(self.counts), max(self.counts)) if self.counts else (None, None)
        histogram = {str(value): count for value, count in self.counts.items()}
        summary = {"n": self.n, "total": self.total, "mean": round(self.mean, 4), "median": self.median}
        return {**summary, "min": low, "max": high, "histogram": histogram}


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything counted over many sessions; distributions are of one role, and of one task or of all."""

    sessions: tuple[SessionStats, ...]

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that occur, TEACh's in TEACh's order first."""
        return _in_order(SPLITS, (session.split for session in self.sessions))

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that occur, those of the released sessions in the published order first."""
        return _in_order(PUBLISHED_TASKS, (session.task for session in self.sessions))

    def count(self, task: str | None = None, split: str | None = None) -> int:
        """How many sessions there are of a task and of a split (`None`: of any)."""
        return sum(task in (None, one.task) and split in (None, one.split) for one in self.sessions)

    def utterances(self, role: Role, task: str | None = None) -> Distribution:
        """Utterances a session."""
        return self._distribution(lambda one: (one.utterances[role],), task)

    def tokens(self, role: Role, task: str | None = None) -> Distribution:
        """Tokens an utterance."""
        return self._distribution(lambda one: one.tokens[role], task)

    def actions(self, role: Role, task: str | None = None) -> Distribution:
        """Actions a session, utterances included."""
        return self._distribution(lambda one: (one.actions[role],), task)

    def both(self, of: Callable[[SessionStats], Mapping[Role, int]], task: str | None = None) -> Distribution:
        """Something of both roles together, a session."""
        return self._distribution(lambda one: (sum(of(one).values()),), task)

    def action_names(self, role: Role) -> Counter[str]:
        """How often each action was taken."""
        return _added(one.action_names[role] for one in self.sessions)

    def dialogue_acts(self) -> Counter[str]:
        """How often each dialogue act was labelled."""
        return _added(one.dialogue_acts for one in self.sessions)

    def _distribution(self, of: Callable[[SessionStats], Iterable[int]], task: str | None) -> Distribution:
        return Distribution.of(value for one in self.sessions if task in (None, one.task) for value in of(one))

    def to_json(self) -> JsonObject:
        """Everything, for machines: keys `sessions`, `by_split`, `by_task`, `roles`, `dialogue_acts`, `published`."""
        return {
            "sessions": len(self.sessions),
            "by_split": {split: self.count(split=split) for split in self.splits},
            "by_task": {task: self._task_json(task) for task in self.tasks},
            "room_kinds": dict(Counter(one.room_kind for one in self.sessions).most_common()),
            "roles": {str(role): self._role_json(role) for role in Role},
            "dialogue_acts": dict(self.dialogue_acts().most_common()),
            "published": {
                "sessions": dict(PUBLISHED_SESSIONS),
                "released_tasks": {
                    task: dict(zip(SPLITS, counts, strict=False)) for task, counts in PUBLISHED_TASKS.items()
                },
                "means": {f"{role} {name}": value for (name, role), value in PUBLISHED_MEANS.items()},
            },
        }

    def _task_json(self, task: str) -> JsonObject:
        means = {
            name: {str(role): round(getattr(self, name)(role, task).mean, 4) for role in Role}
            for name in ("utterances", "tokens", "actions")
        }
        splits = {split: self.count(task, split) for split in self.splits}
        return {"sessions": self.count(task), "by_split": splits, "means": means}

    def _role_json(self, role: Role) -> JsonObject:
        return {
            "utterances_per_session": self.utterances(role).to_json(),
            "tokens_per_utterance": self.tokens(role).to_json(),
            "actions_per_session": self.actions(role).to_json(),
            "actions": dict(self.action_names(role).most_common()),
        }


def summarise(sessions: Iterable[SessionStats]) -> Summary:
    """Put sessions' counts together."""
    return Summary(tuple(sessions))


def _added(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    return sum(map(Counter, counts), Counter())


def _in_order(known: Iterable[str], found: Iterable[str]) -> tuple[str, ...]:
    present = set(found)
    return (*(name for name in known if name in present), *sorted(present.difference(known)))
