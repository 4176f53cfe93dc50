"""What a talk has in view: the things and places that were spoken of or handled, the latest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Test, Thing, are_twins
from teach_agents.agents.dialogue.dialogue_state import TOGETHER, Deed, DialogueState, Mention
from teach_agents.agents.dialogue.noun_types import calls
from teach_agents.agents.dialogue.spatial_order import faces
from teach_agents.core.dialogue import Phrase

_NTH = {"first": 0, "second": 1, "third": 2, "last": -1}
"""By words for it, a thing's number among those that were told."""
_AT = 1.5
"""Who is no further from a thing is at it, metres."""


class Salience:
    """What "it", "there" and "the other one" go by: what was mentioned, done and taken."""

    def __init__(self, body: Body, state: DialogueState) -> None:
        self._body, self._state = body, state

    def spoken_of(self, *, several: bool) -> Iterator[tuple[Mention, list[Thing]]]:
        """What was mentioned, the latest first, with the things that this is; things together where `several` are
        meant."""
        things = self._body.things
        for mention in self._state.mentions if several else self._state.single:
            known = things.known(mention.ids) if mention.ids else (one for one in things if calls(mention.noun, one))
            yield mention, [*known]

    def together(self, suits: Test | None) -> list[Thing]:
        """The things that the last words named together, of which any may be "it"; none where they named one."""
        latest = next(iter(self._state.mentions), None)
        if latest is None or latest.noun != TOGETHER:
            return []
        return [thing for thing in self._body.things.known(latest.ids) if suits is None or suits(thing)]

    def nth_told(self, phrase: Phrase) -> list[Thing]:
        """ "The first one" of things that were told, or named together, in a row; none where there are not so many."""
        rank = _NTH.get(next(iter(phrase.looks), "")) if phrase.noun == "one" and phrase.place is None else None
        return [] if rank is None else self.together(None)[rank:][:1]

    def done_in_turn(self, looks: Sequence[str]) -> list[Thing]:
        """ "The first one", after two orders about things of two kinds, or the same done to two of one kind: what the
        first of them was about."""
        last = self._state.deeds[-2:]
        kinds = [{thing.object_type for thing in self._body.things.known(deed.ids[:1])} for deed in last]
        if len(last) < 2 or not all(kinds) or not {*looks} & {"first", "second", "last"}:
            return []
        alike = last[0].ids[:1] != last[1].ids[:1] and last[0].act.partition("(")[0] == last[1].act.partition("(")[0]
        if kinds[0] == kinds[1] and not (alike and "first" in looks):  # "the second drawer" is one in a row
            return []
        return [*self._body.things.known(last[0 if "first" in looks else 1].ids[:1])]

    def yet_to_come(self, looks: Sequence[str], ranked: list[Thing]) -> list[Thing]:
        """ "The second one", where that is, in a row of them, the one to which something was done first: another."""
        asked, row = {*looks} & {"second", "third"}, self._in_a_row()
        done = {name for deed in row for name in deed.ids}
        told = any(word in re.split(r"\W+", deed.act) for deed in row for word in asked)
        if not asked or told or not ranked or ranked[0].object_id not in done:
            return ranked
        return [thing for thing in ranked if thing.object_id not in done] or ranked

    def there(self) -> list[Thing]:
        """What "there" is: the latest place that was spoken of; of what was shut away, where that is."""
        things = self._body.things
        for mention in self._state.single:
            holders = [thing for thing in things.known(mention.ids) if thing.has("receptacle")]
            if holders:
                return [one for thing in holders for one in (things.closed_around(thing)[-1:] or [thing])]
            named = [
                thing for thing in things if not mention.ids and calls(mention.noun, thing) and thing.has("receptacle")
            ]
            if named:
                return named
        return []

    def without_last(self, fitting: list[Thing], *, in_a_row: bool = False) -> list[Thing]:
        """All but those that were spoken of or handled last; `in_a_row`, all but those to which the same was done."""
        done = self._done_in_a_row() if in_a_row else set()
        fitting = [thing for thing in fitting if thing.object_id not in done] or fitting
        held = self._body.held
        came_from = self._body.memory.taken_from.get(held.object_id, "") if held is not None else ""
        if any(thing.object_id == came_from for thing in fitting):
            return [thing for thing in fitting if thing.object_id != came_from]
        for mention in self._state.single:
            ids = {thing.object_id for thing in fitting} & set(mention.ids)
            if ids:
                return [thing for thing in fitting if thing.object_id not in ids]
        return self._but_the_one_here(fitting)

    def _but_the_one_here(self, fitting: list[Thing]) -> list[Thing]:
        """With none spoken of, all but the one that the body is at: "not this armchair, the other one"."""
        here = self._body.pose.position
        near = sorted((thing for thing in fitting if thing.away(here) <= _AT), key=lambda one: one.away(here))
        if not near or len(fitting) < 2:
            return fitting
        faced = next((one for one in near if faces(self._body, one)), near[0])
        return [thing for thing in fitting if thing is not faced and not are_twins(thing, faced)]

    def _done_in_a_row(self) -> set[str]:
        """The ids of what the latest orders of one verb were about."""
        return {name for deed in self._in_a_row() for name in deed.ids}

    def _in_a_row(self) -> list[Deed]:
        """The latest deeds of one verb."""
        verbs = [deed.act.partition("(")[0] for deed in self._state.deeds]
        backwards = zip(reversed(verbs), reversed(self._state.deeds), strict=True)
        return [deed for _, deed in takewhile(lambda one: one[0] == verbs[-1], backwards)]

    def among(self, things: Sequence[Thing]) -> list[Thing]:
        ids = {name for mention in self._state.mentions[:2] for name in mention.ids}
        held = self._body.held
        return [thing for thing in things if thing.object_id in ids or thing is held]
