"""Figures of a run that are shares of some of its cases: how often it asks where it should, reports what is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from teach_agents.core.benchmark.outcomes import Outcome
from teach_agents.core.benchmark.results import Metric
from teach_agents.core.benchmark.statistics import bootstrap_ratio
from teach_agents.core.json_types import JsonObject


class Share(NamedTuple):
    """The share of cases with the score `of` among those with the score `among` ("": any) whose `words` are such
    ("": any)."""

    title: str
    definition: str
    of: str
    among: str = ""
    words: str = ""

    def counts(self, one: Outcome) -> bool:
        """Whether a case is one of those among which the share is."""
        return (not self.among or one.scores.get(self.among, 0.0) > 0) and self.words in ("", one.groups.get("words"))


SHARES: Mapping[str, Share] = {
    "asked_ambiguous": Share(
        "asks where words are ambiguous",
        "cases with ambiguous words in which it asked something before it did anything",
        of="asked",
        words="ambiguous",
    ),
    "asked_clear": Share(
        "asks where words are clear",
        "cases with clear words in which it asked something before it did anything",
        of="asked",
        words="clear",
    ),
    "right_after_answer": Share(
        "right after one answer",
        "of the cases in which its question was answered, those in which all was done behind that answer",
        of="right_then",
        among="answered",
        words="ambiguous",
    ),
    "finished_reported": Share(
        "finished orders reported",
        "of the cases in which what was to be done was done, those in which it said something of it and denied nothing",
        of="reported",
        among="finished",
    ),
    "finished_denied": Share(
        "true successes denied",
        "of the cases in which what was to be done was done, those in which it said that it could not",
        of="denied",
        among="finished",
    ),
    "wanted_unanswered": Share(
        "wanted answers that did not come",
        "of the cases in which something wanted an answer, those in which one with content did not come",
        of="unanswered",
        among="wanted",
    ),
}
"""Such figures by name."""


def shares_of(outcomes: Sequence[Outcome]) -> JsonObject:
    """By name: `mean` (0 to 1, null where there are no such cases), its 95 % interval `ci`, and `n`, the cases."""
    found: JsonObject = {}
    for name, share in SHARES.items():
        among = [share.counts(one) for one in outcomes]
        values = [one.scores.get(share.of, 0.0) * counts for one, counts in zip(outcomes, among, strict=True)]
        units = [one.unit for one in outcomes]
        mean, interval = bootstrap_ratio(values, [float(one) for one in among], clusters=units, counted=True)
        found[name] = {"mean": mean, "ci": interval, "n": sum(among)}
    return found


def share_rows(outcomes: Sequence[Outcome]) -> Iterator[JsonObject]:
    """The same as rows of results; none where there are no such cases."""
    for name, found in shares_of(outcomes).items():
        if found["mean"] is not None:
            interval = tuple(found["ci"]) or None
            yield {"metric": name, "task": "", "value": found["mean"], "n": found["n"], "interval": interval}


def share_metrics() -> Mapping[str, Metric]:
    """What these rows are."""
    return {
        name: Metric(
            title=share.title, unit="fraction", average="instances", weighting="none", definition=share.definition
        )
        for name, share in SHARES.items()
    }
