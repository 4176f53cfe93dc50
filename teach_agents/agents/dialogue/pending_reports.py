"""What was done and answered and is not told yet: reports of several requests are one utterance where they can be."""

from __future__ import annotations

from teach_agents.agents.dialogue.dialogue_state import Deed, DialogueState
from teach_agents.agents.dialogue.orders.movement import MOTIONS
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.response_phrases import NOTED, acknowledged
from teach_agents.core.dialogue import Act, DialogueAct

_MOST = 3
"""So many of the latest reports are told together."""


class PendingReports:
    """Reports that wait to be told; true where there are any."""

    def __init__(self, resolver: Resolver, state: DialogueState) -> None:
        self._resolver = resolver
        self._state = state
        self._words: list[str] = []
        self._request = ""
        self._before = self._last_deed

    def __bool__(self) -> bool:
        return bool(self._words)

    def add(self, words: str, request: str) -> None:
        """A report on a request; nothing where it has no words, or acknowledges what was acknowledged already."""
        said = [acknowledged(one) for one in self._words] if request == self._request else []
        mine = acknowledged(words)
        if mine == NOTED and any(said):
            words = ""
        elif mine and {NOTED, mine} & {*said}:
            self._words = [one for one in self._words if acknowledged(one) not in (NOTED, mine)]
        self._words += [words] if words else []
        self._request = request

    def may_be_undone_by(self, act: DialogueAct, request: str) -> bool:
        """Whether an order of another request is about things that a report is about, or wants the hand that holds one:
        told behind it, the report might not be true any more."""
        if not self._words or request == self._request or act.act is not Act.ORDER:
            return False
        held = self._resolver.body.held
        if held is not None and held.object_id in self._done_to and act.about not in MOTIONS:
            return True
        meant = {thing.object_id for slot in act.slots for thing in self._resolver.find(slot.phrase).things}
        return not meant.isdisjoint(self._done_to)

    def take(self) -> str:
        """The reports in words, which are told with this."""
        words = " ".join(dict.fromkeys(self._words[-_MOST:]))
        self._words, self._before = [], self._last_deed
        return words

    @property
    def _last_deed(self) -> Deed | None:
        return next(reversed(self._state.deeds), None)

    @property
    def _done_to(self) -> set[str]:
        """The ids of what was acted upon since something was told."""
        found: set[str] = set()
        for deed in reversed(self._state.deeds):
            if deed is self._before:
                break
            found.update(deed.ids)
        return found
