"""What an order leaves on its way, and what is put right afterwards: doors, switches, things moved out of the way."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import TypeVar

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, Steps, attempted
from teach_agents.agents.acting.skills.approach import go_near
from teach_agents.agents.acting.skills.hands import bearer, close, free_hand, pick_up, put_held, room_on, switch
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.observations import Vec3

Result = TypeVar("Result")


class Traces:
    """Watches a body's steps; `meant` are the ids of what is to stay as it was made."""

    for_person = True
    """Whether a person asked, who wants a room as it was, or an agent, which is allowed so many failures and no more:
    for that things go back to where there is most room, rather than to their spots."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.meant: set[str] = set()
        self._opened: list[str] = []
        self._shut: set[str] = set()
        self._switched: list[str] = []
        self._moved: dict[str, str] = {}
        self._stood_at: dict[str, Vec3] = {}
        self._held_at_first = body.held.object_id if body.held is not None else ""
        self._held_from = body.memory.taken_from.get(self._held_at_first, "")

    def watched(self, steps: Generator[Action, None, Result]) -> Generator[Action, None, Result]:
        """Take steps; what they open and switch on is remembered."""
        while True:
            try:
                action = next(steps)
            except StopIteration as over:
                result: Result = over.value
                return result
            before = self.body.things
            was = {one.object_id: one for one in before} if action.name in ("Open", "Close", "ToggleOn") else {}
            yield action
            if action.name == "Close":
                self._shut |= {one.object_id for one in self.body.things if _is_shut_since(one, was)}
            elif was:
                self._note(was, "isOpen" if action.name == "Open" else "isToggled")
            elif action.name == "Pickup" and self.body.held is not None:
                self._note_place(self.body.held.object_id, before)

    def take_over(self, opened: Iterable[str]) -> None:
        """What another order opened on its way and left open is to be shut by this one."""
        self._opened += opened

    @property
    def opened(self) -> list[str]:
        """The ids of what was opened on the way."""
        return [name for name in self._opened if name not in self.meant]

    def opened_on_the_way(self, things: Sequence[Thing]) -> bool:
        """Whether these were opened for this order, to look for what is in them, and are open."""
        return all(one.object_id in self._opened and one.has("isOpen") for one in things)

    def _note(self, was: dict[str, Thing], flag: str) -> None:
        changed = self._opened if flag == "isOpen" else self._switched
        for name, before in was.items():
            now = self.body.things.get(name)
            again = flag == "isOpen" and name in self._shut - {*self._opened}  # shut only to be opened from elsewhere
            if now is not None and now.has(flag) and not before.has(flag) and name not in changed and not again:
                changed.append(name)

    def _note_place(self, taken: str, before: Things) -> None:
        was = before.get(taken)
        holder = bearer(before, was) if was is not None else None
        if was is not None and holder is not None and taken != self._held_at_first:
            self._moved.setdefault(taken, holder.object_id)
            self._stood_at.setdefault(taken, was.center)

    def remember_places(self) -> None:
        """What was taken, put down on the way and taken again, was taken from where it was first; a box or a dish is no
        such place."""
        held = {self._held_at_first: self._held_from} if self._held_from else {}
        fixed = {one.object_id for one in self.body.things.known(self._moved.values()) if not one.has("pickupable")}
        moved = {name: place for name, place in self._moved.items() if place in fixed}
        self.body.memory.taken_from.update(moved | held)
        self.body.memory.stood_at.update({name: self._stood_at[name] for name in moved})

    def displaced(self, kept: Iterable[str]) -> list[tuple[Thing, Thing]]:
        """What was moved out of the way, and where it was: all that was moved but what was to be."""
        things, found = self.body.things, []
        for name, place in self._moved.items():
            thing, holder = things.get(name), things.get(place)
            if thing is None or holder is None or name in {*kept} or self.body.holds(thing):
                continue
            if not things.is_inside(thing, holder) and holder.object_type != "Floor":
                found.append((thing, holder))
        return found

    def put_displaced_back(self, kept: Sequence[str], *, hopeful: bool = False) -> Generator[Action, None, list[Thing]]:
        """Put what was moved out of the way back where it was, as far as there seems to be room, or all `hopeful`; what
        is elsewhere all the same.
        """
        for thing, holder in self.displaced(kept):
            if not hopeful and room_on(self.body, holder, thing).is_full:
                continue
            yield from attempted(pick_up(self.body, thing))
            put = put_held(self.body, holder, hopeful=hopeful, near=self._spot(thing, holder))
            if self.body.holds(thing) and (yield from attempted(put)):
                yield from attempted(free_hand(self.body))
        return [thing for thing, _ in self.displaced(kept)]

    def hand_freed(self) -> Steps:
        """Put back what was taken up as a tool, also where something else was put down for it; what was held from the
        first stays in the hand."""
        held = self.body.held
        if held is None or held.object_id == self._held_at_first or held.object_id not in self._moved:
            return
        holder = self.body.things.get(self._moved[held.object_id])
        if holder is not None and holder.object_type != "Floor":
            spot = self._spot(held, holder)
            if spot is not None and not holder.is_shut:
                yield from attempted(go_near(self.body, spot))
            yield from attempted(put_held(self.body, holder, near=spot))
        if self.body.holds(held):
            yield from attempted(free_hand(self.body))

    def _spot(self, thing: Thing, holder: Thing) -> Vec3 | None:
        """Where a thing was on its holder, to a person; `None` where that may have been carried along."""
        spot = self._stood_at.get(thing.object_id) if self.for_person else None
        return spot if spot is not None and holder.covers(spot) and not holder.has("pickupable") else None

    def shut_behind(self) -> Steps:
        """Shut what was opened on the way and is not meant to stay open."""
        for door in self.body.things.known(name for name in self._opened if name not in self.meant):
            if door.has("isOpen") and not self.body.holds(door):
                yield from attempted(close(self.body, door))

    def put_right(self) -> Steps:
        """Shut what was opened on the way, turn off taps and burners that were used."""
        for one in self.body.things.known(name for name in self._switched if name not in self.meant):
            if one.has("isToggled"):
                yield from attempted(switch(self.body, one, on=False))
        yield from self.shut_behind()


def _is_shut_since(thing: Thing, was: Mapping[str, Thing]) -> bool:
    before = was.get(thing.object_id)
    return before is not None and before.has("isOpen") and not thing.has("isOpen")
