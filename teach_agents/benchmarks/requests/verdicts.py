"""The verdict on a case: what its check asks for, against what was done and said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from teach_agents.benchmarks.requests.cases import Case, Reply
from teach_agents.benchmarks.requests.changes import unneeded
from teach_agents.benchmarks.requests.claims import false_claims
from teach_agents.benchmarks.requests.conditions import Course, holds, subjects
from teach_agents.benchmarks.requests.moments import Moment, meant
from teach_agents.benchmarks.requests.talk import Part, Watch
from teach_agents.benchmarks.requests.words import NO_REPLY, denies, has_content, lacks
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with how a case ended, in words; nothing where it is right. The rest is counted besides."""

    missed: tuple[str, ...]
    false_claims: tuple[str, ...] = ()
    """What it said to be done of what the check asks for, and is not."""
    wanted: bool = False
    """Whether anything that was said wanted an answer with content."""
    unanswered: bool = False
    asked: bool = False
    """Whether it asked something before it did anything: where words are ambiguous, behind these."""
    answered: bool = False
    """Whether its question was answered."""
    right_then: bool = False
    """Whether all that was wanted was done behind that answer, and nothing else."""
    finished: bool = False
    """Whether what was to be done, and not only to be said, was done in the end."""
    denied: bool = False
    """Whether it says of that that it could not do it."""
    reported: bool = False
    """Whether it says of that anything else."""
    stop_actions: int | None = None
    """Actions after it was to stand still; `None` where it was not to."""
    latencies_s: tuple[float, ...] = ()
    """Seconds to the first reply with content or action behind each thing that was said, where there was any."""

    @property
    def false_claim(self) -> bool:
        """Whether it said anything to be done that is not."""
        return bool(self.false_claims)

    def to_json(self) -> JsonObject:
        """As JSON, without the latencies."""
        return {
            "missed": list(self.missed),
            "false_claims": list(self.false_claims),
            **{name: getattr(self, name) for name in COUNTED},
            "stop_actions": self.stop_actions,
        }


COUNTED = (
    *("false_claim", "wanted", "unanswered", "asked", "answered", "right_then", "finished", "reported"),
    "denied",
)
"""What is counted of a verdict besides what was missed, as yes or no."""


def check_before(case: Case, first: Moment) -> None:
    """Refuse a case whose check holds before anything was said, or cannot be read. Raises `InputError`.

    What looks at no more than a later turn of the talk may hold now: it is asked again when that turn is said.
    """
    where, course = f"case {case.instance_id!r}", Course(first, first, first, [first.pose] * len(case.talk))
    for noun in case.check.may:
        if not meant(noun, first):
            raise InputError(where, "'may' names nothing in the room", value=noun)
    found = [holds(one, course) for one in case.check.true]
    subjects(case.check.true, course)
    if found and all(found) and not case.check.since and not case.wants_reply:
        raise InputError(where, "its check holds before the request", value=list(case.check.true))


def judged(case: Case, watch: Watch) -> Verdict:
    """The verdict on a session that is over."""
    check, parts = case.check, watch.parts
    if len(parts) < len(case.talk):
        missing = case.talk[len(parts)]
        return replace(_heard(case, parts), missed=(f"{missing.text!r} was never said: its time did not come",))
    asked = parts[check.since]
    poses, since = [one.moment.pose for one in parts], parts[check.since :]
    acted, touched = sum(one.acted for one in since), frozenset[str]().union(*(one.touched for one in since))
    course = Course(watch.first, asked.moment, watch.now(), poses, acted, touched)
    unmet = [one for one in check.true if not holds(one, course)]
    missed = [f"not: {one}" for one in unmet]
    if held := _held_before(case, course):
        missed.append("what was asked for held when it was asked for")
    allowed = {one for noun in check.may for one in meant(noun, watch.first)} | subjects(check.true, course)
    missed += unneeded(course.asked, course.now, allowed)
    right = not missed and not (check.reply and lacks(check.reply, parts[-1].replies))
    missed[len(unmet) + held : len(unmet) + held] = _replies(case, parts)
    stops = "still" in check.true
    replies = [reply for part in since for reply in part.replies]
    heard = _heard(case, parts)
    finished = not unmet and not held and bool(check.true) and check.reply is None
    denied = finished and denies(parts[-1].replies)
    return replace(
        heard,
        missed=tuple(missed),
        false_claims=() if stops else false_claims(replies, unmet, course),
        right_then=heard.answered and right,
        finished=finished,
        denied=denied,
        reported=finished and not denied and any(map(has_content, parts[-1].replies)),
        stop_actions=parts[-1].acted if stops else None,
    )


def _held_before(case: Case, course: Course) -> bool:
    """Whether a check of states alone held when it was asked for: then nothing that followed can have brought it."""
    before = Course(course.first, course.asked, course.asked, course.poses)
    return bool(not case.wants_reply and case.check.true and all(holds(one, before) for one in case.check.true))


def _wanted(case: Case, parts: Sequence[Part]) -> list[tuple[Reply, Part]]:
    """What answers must be like, as far as what wants them was said, with what followed that."""
    wanted = [(turn.reply, part) for turn, part in zip(case.talk, parts, strict=False)]
    if len(parts) == len(case.talk):
        wanted.insert(0, (case.check.reply, parts[-1]))
    return [(reply, part) for reply, part in wanted if reply is not None]


def _replies(case: Case, parts: Sequence[Part]) -> list[str]:
    return [lack for reply, part in _wanted(case, parts) for lack in lacks(reply, part.replies)]


def _heard(case: Case, parts: Sequence[Part]) -> Verdict:
    """What of a verdict is about what was said, whatever was done."""
    wanted = _wanted(case, parts)
    doubtful = [part for reply, part in wanted if reply.asks is not None]
    return Verdict(
        (),
        wanted=bool(wanted),
        unanswered=any(lacks(reply, part.replies) == [NO_REPLY] for reply, part in wanted),
        asked=any(part.asked_first for part in doubtful or parts),
        answered=any(turn.when == "asked" for turn in case.talk[: len(parts)]),
        latencies_s=tuple(part.latency_s for part in parts if part.latency_s is not None),
    )
