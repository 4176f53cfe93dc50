"""What is said while something is being done: what it ends, puts off, adds or asks, before the next action."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.dialogue.agenda import Agenda, Due
from teach_agents.agents.dialogue.cancellations import called_off, taken_back
from teach_agents.agents.dialogue.interpretation import as_said, comes_to_the_same, in_full, is_hint
from teach_agents.agents.dialogue.listener import (
    SILENT,
    Heard,
    Listener,
    calls_out,
    corrected,
    without_exclamation,
)
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.repair import otherwise
from teach_agents.agents.dialogue.responses import Replies
from teach_agents.agents.dialogue.resumption import gone_on
from teach_agents.agents.dialogue.standpoints import BACK
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

_BEFORE = re.compile(
    r"\b(?:first|before (?:that|this|you)|beforehand|quickly|quick|right (?:now|away)|straight ?away|immediately)\b"
)
"""What tells that something is to be done before what is being done."""
_AFTERWARDS = re.compile(r"\b(?:then|after(?:wards?)?|later|once|when)\b")
"""What tells that something is to be done behind it."""


class CalledOff(Exception):  # no error: somebody said so
    """What was being done is left; `then` is what made it so, where that remains to be answered."""

    def __init__(self, words: str = "", then: Heard | None = None) -> None:
        super().__init__(words)
        self.words, self.then = words, then


_ANYBODY = re.compile(r"\b(?:nobody|no one|no-one|none of (?:you|us)|anybody|anyone)\b")
"""Words of what all are forbidden, which nobody wants done later."""


class Interruptions:
    """What is said at work to a Follower, which attends to it before it goes on. `drop` leaves off whatever is due."""

    def __init__(
        self, resolver: Resolver, listener: Listener, agenda: Agenda, replies: Replies, drop: Callable[[], bool]
    ) -> None:
        self._resolver, self._listener, self._agenda, self._replies = resolver, listener, agenda, replies
        self._state, self._drop = replies.state, drop

    def attend(self, heard: Heard, order: DialogueAct) -> Steps:
        """Something was said while an order is carried out. Raises `CalledOff` where that ends it."""
        due = [order, *(one.act for one in self._agenda.waiting)]
        meant = taken_back(corrected(heard.acts, heard.text), heard.text, due, self._agenda.asked, self._resolver)
        heard = Heard(heard.text, heard.reading._replace(acts=meant))
        kinds = {act.act for act in heard.acts}
        self._replies.mention(order)  # "it" is what this is about, "the other one" another
        partly = Act.CANCEL in kinds and any(act.of for act in heard.acts)
        turns_back = BACK in heard.acts and not _AFTERWARDS.search(heard.text.lower())
        if Act.STOP in kinds or turns_back or (kinds & {Act.CANCEL, Act.NO} and not partly):
            more = [act for act in heard.acts if act.act not in (Act.STOP, Act.NO, Act.CANCEL)]
            occasion = "cancelled" if Act.CANCEL in kinds else "stopped"
            self._listener.agent_order = None
            self._agenda.first([order], self._state.doing_said)
            self._drop()
            if Act.CANCEL in kinds and self._is_left_over(more, order):
                more = put_back_first(more, self._resolver.body)
            again = Heard(heard.text, heard.reading._replace(acts=tuple(more))) if more else None
            raise CalledOff(self._replies.voice.say(occasion), again)
        if kinds & {Act.INSTEAD, Act.INSTEAD_DO, Act.NOT, Act.WRONG, Act.UNDO}:
            self._agenda.last = order
            raise CalledOff("", heard)
        acts = in_full(heard.acts, heard.text, self._resolver) or [DialogueAct(Act.UNCLEAR)]
        gone, acts = called_off(acts, [order, *(due.act for due in self._agenda.waiting)], self._resolver)
        self._agenda.cancel(gone)
        if order in gone:
            more = [as_said(act, heard.text, self._resolver) for act in acts]
            self._agenda.first(put_back_first(more, self._resolver.body), heard.text)
            raise CalledOff(self._replies.voice.say("cancelled"))
        if before := done_before(acts, heard.text):
            self._agenda.first([order], self._state.doing_said)
            self._agenda.first([as_said(act, heard.text, self._resolver) for act in before], heard.text)
            raise CalledOff()
        if partly:
            yield Action.say(self._replies.voice.say("cancelled" if gone else "nothing of that"))
        wanted = without_exclamation(acts, heard.text)
        if calls_out(heard.text) and self._is_instead(wanted, order):  # "wait, just leave it on the sofa"
            self._agenda.last = order
            meant = [DialogueAct(Act.INSTEAD_DO, of=(act,)) if act.act is Act.ORDER else act for act in wanted]
            raise CalledOff("", Heard(heard.text, heard.reading._replace(acts=tuple(meant))))
        for act in wanted:
            yield from self._in_passing(act, heard.text, order)

    def _is_instead(self, acts: Sequence[DialogueAct], order: DialogueAct) -> bool:
        """Whether the one order among acts puts elsewhere what the order under way is to bring or to put."""
        orders = [act for act in acts if act.act is Act.ORDER]
        if len(orders) != 1 or not (orders[0].about == "put" and order.about in ("put", "get", "pick_up")):
            return False
        mine, others = (
            {thing.object_id for slot in act.slots[:1] for thing in self._resolver.find(slot.phrase).chosen}
            for act in (orders[0], order)
        )
        return bool(mine) and mine == others

    def _is_left_over(self, acts: Sequence[DialogueAct], order: DialogueAct) -> bool:
        """Whether what was taken for an order that is called off is in the way of another, which is not about it."""
        held, orders = self._resolver.body.held, [act for act in acts if act.act is Act.ORDER]
        if held is None or not orders or held.object_id not in self._resolver.body.memory.taken_from:
            return False
        taken = {thing.object_id for slot in order.slots[:1] for thing in self._resolver.find(slot.phrase).things}
        spoken = [slot.phrase for act in orders for slot in act.slots]
        meant = {thing.object_id for phrase in spoken for thing in self._resolver.find(phrase).things}
        return held.object_id in taken - meant and all(act.about not in ("drop", "put_back") for act in orders)

    def _in_passing(self, act: DialogueAct, text: str, order: DialogueAct) -> Steps:
        """What was said while an order is carried out, and does not end it."""
        due = [order, *(one.act for one in self._agenda.waiting)]
        act = once_more(act, text, due)
        if is_hint(act) and not is_hint(order):
            for thing, place in product(order.slots[:1], act.slots):  # there is what the order takes
                self._replies.hint(thing.phrase.noun, place.phrase.noun)
        elif act.act is Act.ORDER:
            meant = as_said(act, text, self._resolver)
            if not any(comes_to_the_same(meant, one, self._resolver) for one in due):
                self._agenda.add(meant, text)
                yield Action.say(f"I will {act_words(meant)} after this.")
        elif act.act is Act.WAIT:
            yield Action.say(self._replies.voice.say("waiting"))
            yield from self.wait()
        elif act.act not in SILENT and act.act not in (Act.RESUME, Act.YES, Act.THANKS):
            if words := self.answer(act, text):
                yield Action.say(words)

    def wait(self) -> Steps:
        """Do nothing until somebody says to go on, or says something else that is to be done."""
        self._state.paused = True
        while True:
            yield Action.wait()
            if not self._listener.waiting:
                continue
            if {act.act for act in self._listener.waiting[0].acts} == {Act.BYE}:  # who leaves is not back yet
                heard = self._listener.waiting.popleft()
                yield Action.say(self.answer(heard.acts[0], heard.text))
                continue
            self._state.paused = False
            acts = [act.act for act in self._listener.waiting[0].acts]
            if Act.RESUME in acts or acts[:1] in ([Act.OK], [Act.YES]):
                heard = self._listener.waiting.popleft()
                gone_on(heard.acts, heard.text, self._agenda, self._resolver)
                yield Action.say(self._replies.voice.say("resumed"))
            return

    def answer(self, act: DialogueAct, text: str) -> str:
        """What is said to an act that calls for no action; what is to wait is left until somebody says to go on."""
        if act.act is Act.NOT_UNTIL and not _ANYBODY.search(text.lower()):
            self._agenda.leave(Due(one, text) for one in act.of)
        return self._replies.to(act, text)


def once_more(act: DialogueAct, text: str, due: Sequence[DialogueAct]) -> DialogueAct:
    """ "The same with the remote" said at work: the last of the orders that are due with that instead; else the act."""
    orders = [order for order in due if order.act is Act.ORDER]
    return otherwise(orders[-1], act, text) if act.act is Act.REPEAT and act.slots and orders else act


def done_before(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """The orders that are to be done before what is being done, which goes on then: "hang on, the lamp first"."""
    orders = [act for act in acts if act.act is Act.ORDER]
    kinds = [act.act for act in acts]
    holds_on = kinds[:1] == [Act.WAIT] and {*kinds} <= {Act.WAIT, Act.ORDER, Act.RESUME, Act.REPEAT}
    goes_on = Act.RESUME in kinds or _BEFORE.search(text.lower()) is not None
    return orders if holds_on and goes_on else ()


def put_back_first(acts: Sequence[DialogueAct], body: Body) -> list[DialogueAct]:
    """Acts, behind putting back what was taken for an order that was called off."""
    back = DialogueAct(Act.ORDER, "put_back", (Slot("", Phrase("it")),))
    return [back, *acts] if body.held is not None else [*acts]
