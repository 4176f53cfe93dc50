"""What a report is made of: headlines, facts, plots, tables, and a card for each instance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from teach_agents.core.agents.thoughts import read_as, shown
from teach_agents.core.benchmark.outcomes import Status
from teach_agents.core.json_types import JsonMapping


class Headline(NamedTuple):
    """One large figure with what it is."""

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one column of words, then columns of figures; `total` is a last row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its length, the interval around its end and what is published beside it, all in 0 ... 1."""

    name: str
    length: float
    text: str
    low: float | None = None
    high: float | None = None
    published: float | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars below each other; `in_percent` draws a scale below them. `beside` says what is published beside them."""

    title: str
    bars: tuple[Bar, ...]
    in_percent: bool = False
    note: str = ""
    beside: str = ""

    @property
    def published(self) -> bool:
        """Whether anything published stands beside the bars."""
        return any(bar.published is not None for bar in self.bars)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Columns of instances: a label below each, how many succeeded and how many did not."""

    title: str
    columns: tuple[tuple[str, int, int], ...]
    note: str = ""

    @property
    def highest(self) -> int:
        """The largest column."""
        return max((good + bad for _, good, bad in self.columns), default=0) or 1


class Picture(NamedTuple):
    """A picture as a data URL."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Deed:
    """Actions of one kind and outcome, one after the other; `message` says why they failed."""

    action: str
    count: int
    success: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What one seat did without a pause for words, or, where `text` is not `None`, said; and what it thought then.

    `read` is how words were read by who heard them, `acts` are the labels that they were given.
    """

    seat: str
    text: str | None = None
    read: str = ""
    acts: tuple[str, ...] = ()
    deeds: tuple[Deed, ...] = ()
    thoughts: tuple[Thought, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One instance in a report.

    `title` is what it is of and what it can be filtered by, `state` is `success`, `failure`, or the status of what
    broke down or nobody judges, `about` is told beside its title. `thoughtless` says that thoughts are left out here.
    """

    instance_id: str
    title: str
    state: str
    end: str = ""
    params: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    reason: str = ""
    scenes: tuple[Scene, ...] = ()
    unmet: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    problem: str = ""
    thoughtless: bool = False

    @property
    def thoughts_size(self) -> int:
        """Characters of all its thoughts."""
        return sum(thought.size for scene in self.scenes for thought in scene.thoughts)

    def without_thoughts(self) -> Card:
        """The card with nothing of what was thought."""
        return replace(self, scenes=tuple(replace(one, thoughts=()) for one in self.scenes), thoughtless=True)


@dataclass(frozen=True, slots=True)
class Report:
    """All of a report. `group` is what the cards' titles are; what others than the `first_seat` do stands apart."""

    title: str
    headlines: Sequence[Headline]
    facts: Sequence[tuple[str, str]]
    cards: Sequence[Card]
    plots: Sequence[Bars] = ()
    histograms: Sequence[Histogram] = ()
    tables: Sequence[Table] = ()
    reasons: Sequence[Table] = ()
    group: str = "group"
    first_seat: str = ""


def state_of(outcome: Any) -> str:
    """How an instance went, in one word."""
    if outcome.status is not Status.DONE or outcome.success is None:
        return str(outcome.status.value)
    return "success" if outcome.success else "failure"


def percent(value: float | None) -> str:
    """A fraction in percent."""
    return "–" if value is None else f"{100 * value:.1f} %"


def interval(bounds: Sequence[float]) -> str:
    """An interval of fractions in percent, or nothing."""
    return f"{100 * bounds[0]:.1f} – {100 * bounds[1]:.1f}" if bounds else ""


def listed(found: object) -> str:
    """A JSON value in words."""
    if isinstance(found, Mapping):
        said = ((str(key).replace("_", " "), listed(value)) for key, value in found.items())
        return ", ".join(f"{name}: {value}" for name, value in said if value)
    if isinstance(found, Iterable) and not isinstance(found, str):
        return ", ".join(map(listed, found))
    return str(found)


def talk_fact(costs: JsonMapping) -> tuple[str, str]:
    """How often was asked what was meant, and how often it was corrected: of costs by seat, or of all together."""
    by_seat = {seat: found for seat, found in costs.items() if isinstance(found, Mapping) and "repairs" in found}

    def words(found: JsonMapping) -> str:
        return f"{found.get('clarifications', 0)} clarifications, {found.get('repairs', 0)} repairs"

    told = "; ".join(f"{seat}: {words(found)}" for seat, found in by_seat.items()) if by_seat else words(costs)
    return "Clarifications and repairs", told


def wall_time(times: Sequence[float]) -> str:
    """How long finished instances took, in seconds."""
    return f"{sum(times):.0f} s in all, {sum(times) / len(times):.1f} s an instance" if times else "none"


def environment_facts(environments: Iterable[JsonMapping]) -> list[tuple[str, str]]:
    """With which versions a run was carried out."""
    made = []
    for one in environments:
        packages = {**one.get("packages", {}), **one.get("plugins", {})}
        said = [f"Python {one.get('python')}", *(f"{name} {number}" for name, number in packages.items())]
        made.append(("Versions", ", ".join(said)))
    return made


def ends_plot(cards: Iterable[Card]) -> Bars:
    """How instances ended."""
    ends = Counter(card.end for card in cards)
    most = max(ends.values(), default=1)
    return Bars("How instances ended", tuple(Bar(name, count / most, str(count)) for name, count in ends.most_common()))


def rates_plot(
    title: str,
    rows: Mapping[str, JsonMapping],
    published: Callable[[JsonMapping], float | None] = lambda row: None,
    beside: str = "",
) -> Bars:
    """Success of parts with its interval, and what `published` says of each."""
    bars = []
    for name, row in rows.items():
        low, high = row["success_rate_ci"] or (None, None)
        rate = row["success_rate"] or 0.0
        bars.append(Bar(f"{name} ({row['n']})", rate, f"{100 * rate:.0f} %", low, high, published(row)))
    return Bars(title, tuple(bars), in_percent=True, beside=beside)


def broken_down(counts: JsonMapping) -> Headline:
    """How many instances came to no end of their own, by status."""
    return Headline(
        " / ".join(str(counts[name]) for name in ("crashed", "timed_out", "missing")), "crashed / timed out / missing"
    )


class Deeds(Protocol):
    """A step of any benchmark, as far as reports need it."""

    @property
    def number(self) -> int:
        """Its turn."""

    @property
    def thought(self) -> JsonMapping | None:
        """What was thought."""

    @property
    def utterance(self) -> int | None:
        """The number of what was said."""

    @property
    def dialogue_acts(self) -> tuple[str, ...]:
        """What labels that has."""


_Step = TypeVar("_Step", bound=Deeds)


def scenes(
    steps: Iterable[_Step],
    said: Callable[[_Step], tuple[str, str | None]],
    likeness: Callable[[_Step], tuple[str, bool, str]],
    read: Mapping[int, JsonMapping],
) -> Iterator[Scene]:
    """Words and deeds in the order in which they came about.

    `said` is the seat and its words, `likeness` action, success and message: like actions with like outcomes are told
    once, with their number. `read` is how utterances were read, by their numbers.
    """
    for (seat, words), some in groupby(steps, said):
        group = list(some)
        if words is None:
            alike = ((what, len(list(same))) for what, same in groupby(group, likeness))
            deeds = tuple(Deed(action, count, success, message) for (action, success, message), count in alike)
            yield Scene(seat, deeds=deeds, thoughts=told(group))
        else:
            for step in group:
                reading = words_of_reading(None if step.utterance is None else read.get(step.utterance))
                yield Scene(seat, words, reading, step.dialogue_acts, thoughts=told([step]))


def words_of_reading(reading: JsonMapping | None) -> str:
    """How an utterance was read, in a line: its acts, and by which part how surely."""
    if reading is None:
        return ""
    found = read_as(reading)
    sure = ", ".join(str(one) for one in (found["by"], found["confidence"]) if one not in ("", None))
    return f"{found['acts'] or 'nothing'} ({sure})" if sure else found["acts"] or "nothing"


def pictures_of(found: Iterable[tuple[str, Path]]) -> tuple[Picture, ...]:
    """Titled picture files, taken into the page."""
    import base64

    return tuple(
        Picture(title, "data:image/jpeg;base64," + base64.b64encode(path.read_bytes()).decode("ascii"))
        for title, path in found
    )


_TITLE = 120


@dataclass(frozen=True, slots=True)
class Thought:
    """The thinking behind one step: a line that says what came of it, and its parts as names and texts."""

    title: str
    parts: tuple[tuple[str, str], ...]
    failed: bool = False

    @property
    def size(self) -> int:
        """Characters."""
        return len(self.title) + sum(len(name) + len(text) for name, text in self.parts)


def told(steps: Iterable[Any]) -> tuple[Thought, ...]:
    """The thoughts behind steps, of those that have one."""
    found = ((step.number, shown(step.thought)) for step in steps)
    return tuple(_thought(number, thought) for number, thought in found if thought is not None)


def _thought(step: int, thought: JsonMapping) -> Thought:
    heard = "; ".join(read_as(one)["acts"] for one in thought.get("heard") or () if isinstance(one, Mapping))
    said = thought.get("error") or thought.get("choice") or (f"heard {heard}" if heard else "a thought")
    said = " ".join(str(said).split())
    title = f"step {step}: {said if len(said) <= _TITLE else said[:_TITLE] + '...'}"
    return Thought(title, tuple(_parts(thought)), failed="error" in thought)


def _parts(thought: JsonMapping, prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in thought.items():
        if name == "prompt" and isinstance(value, Mapping):
            yield from _parts(value, "prompt, ")
        else:
            yield prefix + name.replace("_", " "), _text(value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False)
