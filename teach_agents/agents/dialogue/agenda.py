"""What a Follower still has to do, in order, and what it was told to stop, as the dialogue state has it too."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from teach_agents.agents.dialogue.dialogue_state import DialogueState, Rule, Task
from teach_agents.agents.dialogue.orders.movement import MOTIONS
from teach_agents.agents.dialogue.signals import is_done_every_time
from teach_agents.agents.dialogue.standpoints import BACK
from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.errors import InputError
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.reader import LONGEST

MOVING = MOTIONS | {"look_at", "come"}
"""Orders after which people have what they stopped gone on with: "stop! Step back. All right, go on"."""


class Due(NamedTuple):
    """An act that is to be done, and the utterance that it was in."""

    act: DialogueAct
    said: str


class Agenda:
    """The acts to be done next, the orders that were left, and the latest order, `last`.

    Where the state is that of a talk that was interrupted, the order that was under way comes first again, unless it
    was a motion, which would be made twice; an act that cannot be read any more is left out.
    """

    def __init__(self, state: DialogueState) -> None:
        self._state = state
        under_way = [Task(state.doing, state.doing_said)] if state.doing else []
        taken_up = [one for one in _due(under_way) if one.act.about not in MOTIONS]
        self._next = deque([*taken_up, *_due(state.queue)])
        self._left = _due(state.left)
        self._last = _read(state.last)
        self._begun, self._said = list[DialogueAct](), ""
        self._put_off: list[Due] = []
        state.doing = state.doing_said = ""
        self._write()

    def __bool__(self) -> bool:
        return bool(self._next)

    @property
    def waiting(self) -> Sequence[Due]:
        """What is to be done, in order."""
        return tuple(self._next)

    @property
    def left(self) -> Sequence[Due]:
        """What was left, to be done when somebody says to go on."""
        return tuple(self._left)

    @property
    def last(self) -> DialogueAct | None:
        """The latest order."""
        return self._last

    @last.setter
    def last(self, order: DialogueAct) -> None:
        self._last = order
        self._state.last = write_meaning([order])

    def first(self, acts: Iterable[DialogueAct], said: str) -> None:
        """Do these before all else; where they have an order done, what was put off until then comes last."""
        now = [Due(act, said) for act in acts]
        self._next.extendleft(reversed(now))
        self._next.extend(self._put_off if any(due.act.act is Act.ORDER for due in now) else ())
        self._put_off = []
        self._write()

    def put_off(self, due: Due) -> bool:
        """Whether an act is about what the Follower has just asked, in the same words, which one that is: it waits for
        the answer."""
        points = any(slot.phrase.noun in ("it", "them") for slot in due.act.slots)
        waits = points and self._state.question is not None and due.act.act in (Act.QUESTION, Act.ORDER)
        self._put_off += [due] if waits else []
        return waits

    def add(self, act: DialogueAct, said: str) -> None:
        """Do this after all else."""
        self._next.append(Due(act, said))
        self._write()

    def pop(self) -> Due:
        """What comes next, which waits no more."""
        due = self._next.popleft()
        self._write()
        return due

    def begin(self, order: DialogueAct, said: str) -> None:
        """An order is under way."""
        self.last = order
        self._begun = [*self._begun, order] if said == self._said else [order]
        self._said = said
        self._state.doing, self._state.doing_said = write_meaning([order]), said

    @property
    def asked(self) -> Sequence[DialogueAct]:
        """The orders of the utterance that is attended to: those begun, the latest one last, and those to come."""
        return [*self._begun, *(due.act for due in self._next if due.said == self._said and due.act.act is Act.ORDER)]

    def has_more_of(self, said: str) -> bool:
        """Whether more of the acts of these words are to come."""
        return any(due.said == said for due in self._next)

    def end(self) -> None:
        """Nothing is under way."""
        self._state.doing = self._state.doing_said = ""

    def finish(self, *, done: bool) -> None:
        """The order under way is over, and what was left before it is not gone on with any more, unless that order was
        a motion, or what was left has to wait for somebody to say so. What could not be done is not tried again where
        the same utterance has it once more right behind.
        """
        tried = None if self._last is None or done else Due(self._last, self._state.doing_said)
        while self._next and self._next[0] == tried:
            self._next.popleft()
        self.end()
        moved = self._last is not None and (self._last.about in MOVING or self._last == BACK)
        self._left = [due for due in self._left if moved or self._rules_on([due])]
        self._write()

    def cancel(self, acts: Sequence[DialogueAct]) -> None:
        """Do nothing of these, now or later, nor wait for somebody to say so."""
        called_off = [due for due in self._left if due.act in acts]
        waited = {(due.act.about, due.said[:LONGEST], slot.phrase.noun) for due in called_off for slot in due.act.slots}
        self._state.rules = [
            rule for rule in self._state.rules if not any((rule.verb, rule.said, noun) in waited for noun in rule.nouns)
        ]
        self._next = deque(one for one in self._next if one.act not in acts)
        self._left = [one for one in self._left if one.act not in acts]
        self._write()

    def leave(self, due: Iterable[Due]) -> None:
        """These wait until they may be done."""
        self._left = [*self._left, *due]
        self._write()

    def drop(self, under_way: Sequence[Due] = (), said: str = "") -> bool:
        """Do nothing of all this but what was `said` now; it may be gone on with, behind what was `under_way`. Whether
        there was anything."""
        gone = [*under_way, *(due for due in self._next if not said or due.said != said)]
        self._left = [*gone, *(due for due in self._left if self._rules_on([due]))]
        self._next = deque(due for due in self._next if due not in gone)
        self._write()
        return bool(gone)

    def go_on(self, signalled: Collection[str] = ()) -> bool:
        """Do what was left, or what was said in words whose signal has come; whether there is anything. Where it is
        what had to wait for that, it is not forbidden any more, unless it is to be done every time."""
        stopped = [due for due in self._left if not self._rules_on([due])]
        found = [due for due in self._left if due.said in signalled] or stopped or self._left
        once = [due for due in found if due.said not in signalled or not is_done_every_time(due.said)]
        self._left = [due for due in self._left if due not in once]
        awaited = self._rules_on(once)
        self._state.rules = [rule for rule in self._state.rules if rule not in awaited]
        self._next.extend(found)
        self._write()
        return bool(found)

    def forget_passing(self) -> None:
        """Rules that held for orders of one utterance hold no more once none of these is to be done."""
        due = {one.said[:LONGEST] for one in (*self._next, *self._left)}
        self._state.rules = [rule for rule in self._state.rules if not rule.passing or rule.said in due]

    def _rules_on(self, due: Iterable[Due]) -> list[Rule]:
        """The rules that forbid these until somebody says so: they were said in the same words."""
        told = {(one.act.about, one.said[:LONGEST]) for one in due}
        return [rule for rule in self._state.rules if (rule.verb, rule.said) in told and not rule.passing]

    def _write(self) -> None:
        self._state.queue, self._state.left = _tasks(self._next), _tasks(self._left)


def _tasks(due: Iterable[Due]) -> list[Task]:
    return [Task(write_meaning([one.act]), one.said[:LONGEST]) for one in due]


def _due(tasks: Iterable[Task]) -> list[Due]:
    read = ((_read(one.act), one.said) for one in tasks)
    return [Due(act, said) for act, said in read if act is not None]


def _read(written: str) -> DialogueAct | None:
    try:
        return read_meaning(written)[0] if written else None
    except InputError:
        return None
