"""What happens in a live session, in words for whoever does not see it.

A walk of many steps is told in one line as soon as something else happens; what failed is told with the hint that
people are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from teach_agents.actions import MOTIONS, Action, ActionResult, Role
from teach_agents.core.dialogue import Act
from teach_agents.live import EventKind, LiveEvent
from teach_agents.live.action_words import deed_or_motion, walk
from teach_agents.session.codec import TEACH


class Kind(StrEnum):
    """What a line is about."""

    SAID = "said"
    DID = "did"
    FAILED = "failed"
    NOTE = "note"
    """What neither of the two did: the session paused, the task is complete."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to be told; `role` is whose it is, `None` for the session's own."""

    kind: Kind
    role: Role | None
    text: str


class Teller:
    """Tells one session's events as lines, in order; `about` are the roles whose actions are told."""

    def __init__(self, about: Sequence[Role] = tuple(Role)) -> None:
        self._about = frozenset(about)
        self._walks: dict[Role, list[str]] = {role: [] for role in Role}
        self._held = ""

    def event(self, event: LiveEvent) -> Iterator[Line]:
        """Lines about an event, after what was kept back before it."""
        role, data = event.role, event.data
        if event.kind is EventKind.UTTERANCE and role:
            yield from self.rest(role)
            yield Line(Kind.SAID, role, data["text"])
        elif event.kind is EventKind.ACTION and role and data.get("action") is not None:
            result = TEACH.result_from_json(data["result"])
            yield from self._action(role, Action.from_json(data["action"]), result, data.get("held"))
        elif event.kind in _NOTES and "agent" not in data:
            yield from self.rest()
            yield Line(Kind.NOTE, role, _note(event))

    def _action(self, role: Role, action: Action, result: ActionResult, held: str | None) -> Iterator[Line]:
        """Lines about an action; `held` is what is in the Follower's hand after it."""
        before, self._held = self._held, held or "" if role is Role.FOLLOWER else self._held
        if role not in self._about or action.name in _SILENT:
            return
        if action.name in MOTIONS and result.success:
            self._walks[role].append(action.name)
            return
        yield from self.rest(role)
        yield Line(Kind.DID if result.success else Kind.FAILED, role, deed_or_motion(action, result, before))

    def rest(self, *roles: Role) -> Iterator[Line]:
        """What was kept back so far: walks that may have gone on."""
        for role in roles or tuple(Role):
            way, self._walks[role] = self._walks[role], []
            if way:
                yield Line(Kind.DID, role, walk(way))


_SILENT = frozenset({"NoOp", "Finish"})
_HAPPENED = {
    EventKind.JOINED: "is there",
    EventKind.LEFT: "has left",
    EventKind.PAUSED: "rests",
    EventKind.RESUMED: "goes on",
}
_HELD = {
    Act.STOP: "stops",
    Act.WAIT: 'waits; say "go on" when it may',
    Act.RESUME: "may act again",
}
"""What a person's words do to who acts."""
_NOTES = frozenset({*_HAPPENED, EventKind.CONTROL, EventKind.FAILED, EventKind.ENDED})


def busy(event: LiveEvent) -> Line | None:
    """That somebody thinks, or gets ready to; `None` for an event that tells of nothing like it."""
    if event.role is None or event.kind not in (EventKind.THINKING, EventKind.GETTING_READY):
        return None
    begins = event.kind is EventKind.GETTING_READY or event.data.get("first")
    words = "is getting ready (its model is loaded) ..." if begins else "is thinking ..."
    return Line(Kind.NOTE, event.role, f"the {event.role.value.capitalize()} {words}")


def _note(event: LiveEvent) -> str:
    who = f"the {event.role.value.capitalize()}" if event.role else "the session"
    if event.kind is EventKind.CONTROL:
        return f"{who} {_HELD[Act(event.data['act'])]}"
    if event.kind is EventKind.FAILED:
        return f"{who} failed: {event.data.get('problem', 'no reason was given')}"
    if event.kind is EventKind.ENDED:
        asked = (event.data.get("progress") or {}).get("goal_conditions_total") != 0
        verdict = f": the task is {'complete' if event.data.get('success') else 'not complete'}" if asked else ""
        return f"the session has ended ({event.data.get('text') or event.data.get('reason')}){verdict}"
    return f"{who} {_HAPPENED[event.kind]}"
