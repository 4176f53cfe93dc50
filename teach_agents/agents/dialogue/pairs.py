"""The other of two things that somebody named together: "the safe or the laundry basket ... now the other one"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot

_BETWEEN = r"s?,? (?:or|and)(?: (?:maybe|perhaps|possibly|it was|in|on|by|at))*(?: (?:the|my|our|a|that|this|your))? "


def with_others_of_pairs(
    acts: Sequence[DialogueAct], resolver: Resolver, state: DialogueState
) -> Sequence[DialogueAct]:
    """Acts with "the other one" as the other of two things of different kinds, where one of them was the last that
    was spoken of or done something with and there is no other of its kind."""
    if not any(_is_other(slot) for act in acts for slot in act.slots):
        return acts
    other = _other(resolver, state)
    if not other:
        return acts
    named = Phrase(other)
    return [
        act._replace(slots=tuple(slot._replace(phrase=named) if _is_other(slot) else slot for slot in act.slots))
        for act in acts
    ]


def _is_other(slot: Slot) -> bool:
    phrase = slot.phrase
    plain = phrase.place is None and phrase.holds is None
    other = phrase.count == "other" or phrase.looks == ("other",) or phrase.noun == "other"
    return plain and other and phrase.noun in ("one", "other", "it") and phrase.count in ("", "other")


def _other(resolver: Resolver, state: DialogueState) -> str:
    latest = next(({*one.ids} for one in state.single if one.ids), set())
    for line in reversed([one for one in state.recent if one.startswith("person:")][:-1]):
        for pair in _pairs(line):
            known = [{thing.object_id for thing in resolver.find(Phrase(name)).things} for name in pair]
            if latest in known and all(known) and not known[0] & known[1]:
                return pair[1 - known.index(latest)]
    return ""


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """Two things that a line names together."""
    names = [*dict.fromkeys(mentions_in(line.removeprefix("person:")))]
    for pair in pairwise(names):
        words = (re.escape(name.replace("_", " ")) for name in pair)
        if re.search(_BETWEEN.join(words), line.lower()) is not None:
            yield pair
