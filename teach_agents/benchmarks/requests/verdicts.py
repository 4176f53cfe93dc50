"""The verdict on a case: what its check asks for, against what was done and said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from teach_agents.benchmarks.requests.cases import Case, Reply
from teach_agents.benchmarks.requests.changes import unneeded
from teach_agents.benchmarks.requests.conditions import Course, holds, subjects
from teach_agents.benchmarks.requests.moments import Moment, meant
from teach_agents.benchmarks.requests.talk import Part, Watch
from teach_agents.benchmarks.requests.words import NO_REPLY, claims_success, denies, has_content, lacks
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with how a case ended, in words; nothing where it is right. The rest is counted besides."""

    missed: tuple[str, ...]
    false_claim: bool = False
    unanswered: bool = False
    asked: bool = False
    """Whether it asked something before it did anything."""
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

    def to_json(self) -> JsonObject:
        """As JSON, without the latencies."""
        return {
            "missed": list(self.missed),
            "false_claim": self.false_claim,
            "unanswered": self.unanswered,
            **{name: getattr(self, name) for name in ("asked", "finished", "denied", "reported")},
            "stop_actions": self.stop_actions,
        }


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
        return _counted(case, watch, [f"{missing.text!r} was never said: its time did not come"], wrong=False)
    asked = parts[check.since]
    poses, since = [one.moment.pose for one in parts], parts[check.since :]
    acted, touched = sum(one.acted for one in since), frozenset[str]().union(*(one.touched for one in since))
    course = Course(watch.first, asked.moment, watch.now(), poses, acted, touched)
    unmet = [one for one in check.true if not holds(one, course)]
    missed = [f"not: {one}" for one in unmet]
    if held := _held_before(case, course):
        missed.append("what was asked for held when it was asked for")
    missed += _replies(case, parts)
    allowed = {one for noun in check.may for one in meant(noun, watch.first)} | subjects(check.true, course)
    missed += unneeded(course.asked, course.now, allowed)
    return _counted(case, watch, missed, wrong=bool(unmet), met=not unmet and not held)


def _held_before(case: Case, course: Course) -> bool:
    """Whether a check of states alone held when it was asked for: then nothing that followed can have brought it."""
    before = Course(course.first, course.asked, course.asked, course.poses)
    return bool(not case.wants_reply and case.check.true and all(holds(one, before) for one in case.check.true))


def _replies(case: Case, parts: Sequence[Part]) -> list[str]:
    wanted: list[tuple[Reply | None, Part]] = [(case.check.reply, parts[-1])]
    wanted += [(turn.reply, part) for turn, part in zip(case.talk, parts, strict=False)]
    return [lack for reply, part in wanted if reply is not None for lack in lacks(reply, part.replies)]


def _counted(case: Case, watch: Watch, missed: Sequence[str], *, wrong: bool, met: bool = False) -> Verdict:
    last = watch.parts[-1] if watch.parts else None
    replies = last.replies if last else []
    stops = "still" in case.check.true
    finished = met and bool(case.check.true) and case.check.reply is None
    denied = finished and denies(replies)
    return Verdict(
        tuple(missed),
        false_claim=wrong and not stops and claims_success(replies),
        unanswered=case.check.reply is not None and lacks(case.check.reply, replies) == [NO_REPLY],
        asked=any(part.asked_first for part in watch.parts),
        finished=finished,
        denied=denied,
        reported=finished and not denied and any(map(has_content, replies)),
        stop_actions=last.acted if stops and last is not None and len(watch.parts) == len(case.talk) else None,
        latencies_s=tuple(part.latency_s for part in watch.parts if part.latency_s is not None),
    )
