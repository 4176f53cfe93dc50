"""What is said while something is being done: what it ends, puts off, adds or asks, before the next action."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from itertools import product

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.dialogue.agenda import MOVING, Agenda, Due
from teach_agents.agents.dialogue.called_out import calls_out, without_exclamation
from teach_agents.agents.dialogue.cancellations import called_off, taken_back
from teach_agents.agents.dialogue.interpretation import as_said, comes_to_the_same, in_full, is_hint
from teach_agents.agents.dialogue.listener import SILENT, Heard, Listener, corrected
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.repair import otherwise
from teach_agents.agents.dialogue.responses import Replies
from teach_agents.agents.dialogue.resumption import gone_on
from teach_agents.agents.dialogue.standpoints import BACK, WALKS, led_back
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

_BEFORE = re.compile(
    r"\b(?:first|before (?:that|this|you)|beforehand|quickly|quick|right (?:now|away)|straight ?away|immediately)\b"
)
"""What tells that something is to be done before what is being done."""
_AFTERWARDS = re.compile(r"\b(?:then|after(?:wards?)?|later|once|when)\b")
"""What tells that something is to be done behind it."""
_ELSEWHERE = re.compile(
    r"\binstead\b(?! of\b)|^\W*(?:(?:no|oh|wait|sorry|hang on|hold on|um|er)\W+)*(?:actually|no|on second thoughts?"
    r"|changed my mind|i changed my mind|scratch that|rather)\b"
)
"""What tells that a place is said in place of another."""
_RETURNED = re.compile(r"\b(?:i'?m|i am|we'?re|we are) back\b")
_ENDING = frozenset({Act.STOP, Act.NO, Act.CANCEL, Act.WAIT})


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
        self._held = False  # whether somebody had it wait, and said something else than to go on

    def attend(self, heard: Heard, order: DialogueAct) -> Steps:
        """Something was said while an order is carried out. Raises `CalledOff` where that ends it."""
        heard = self._at_work(heard, order)
        kinds = {act.act for act in heard.acts}
        self._replies.mention(order)  # "it" is what this is about, "the other one" another
        partly = Act.CANCEL in kinds and any(act.of for act in heard.acts)
        occasion = self._occasion(heard, kinds, partly=partly)
        if occasion is not None:
            more = [act for act in heard.acts if act.act not in _ENDING]
            self._listener.agent_order = None
            self._agenda.first([order], self._state.doing_said)
            self._drop()
            if Act.CANCEL in kinds and self._is_left_over(more, order):
                more = put_back_first(more, self._resolver.body)
            again = Heard(heard.text, heard.reading._replace(acts=tuple(more))) if more else None
            raise CalledOff(self._replies.voice.say(occasion) if occasion else "", again)
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
        for act in sorted(wanted, key=lambda one: one.act is Act.WAIT and _asks_behind(one, wanted)):
            yield from self._in_passing(act, heard.text, order)

    def _at_work(self, heard: Heard, order: DialogueAct) -> Heard:
        """What was said, with its acts as they are meant while an order is carried out."""
        due = [order, *(one.act for one in self._agenda.waiting)]
        acts = taken_back(corrected(heard.acts, heard.text), heard.text, due, self._agenda.asked, self._resolver)
        if _is_other_walk(acts, heard.text, order):
            acts = [DialogueAct(Act.INSTEAD_DO, of=(acts[0],))]
        return Heard(heard.text, heard.reading._replace(acts=acts))

    def _occasion(self, heard: Heard, kinds: Set[Act], *, partly: bool) -> str | None:
        """As what it is told that the order under way is left off, in words of the voice, "" for without any; `None`
        where it goes on. Who had it wait, and tells it to turn or to look, has it wait on; who calls out "wait, two
        steps back" has it stop for that."""
        held, self._held = self._held, False
        if kinds & {Act.CANCEL, Act.NO} and not partly:
            return "cancelled" if Act.CANCEL in kinds else "stopped"
        turns_back = BACK in heard.acts and not _AFTERWARDS.search(heard.text.lower())
        if Act.STOP in kinds or turns_back:
            return "stopped"
        orders = [act for act in heard.acts if act.act is Act.ORDER]
        waits = held or Act.WAIT in kinds or calls_out(heard.text)
        moves = waits and bool(orders) and all(act.about in MOVING for act in orders)
        return "" if moves and not done_before(heard.acts, heard.text) else None

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
                self._replies.facts.hint(thing.phrase.noun, place.phrase.noun)
        elif act.act is Act.ORDER:
            meant = as_said(act, text, self._resolver)
            if not any(comes_to_the_same(meant, one, self._resolver) for one in due):
                self._agenda.add(meant, text)
                yield Action.say(f"I will {act_words(meant)} after this.")
        elif act.act is Act.WAIT:
            yield Action.say(self._replies.voice.say("waiting"))
            yield from self.wait(at_work=True)
        elif act.act not in SILENT and act.act not in (Act.RESUME, Act.YES, Act.THANKS):
            if words := self.answer(act, text):
                yield Action.say(words)

    def wait(self, *, at_work: bool = False) -> Steps:
        """Do nothing until somebody says to go on, or says something else that is to be done; `at_work` questions are
        answered meanwhile."""
        self._state.paused = True
        meanwhile = {Act.BYE, Act.QUESTION} if at_work else {Act.BYE}  # who leaves is not back yet
        while True:
            yield Action.wait()
            if not self._listener.waiting:
                continue
            heard = self._listener.waiting[0]
            acts = [act.act for act in led_back(heard.acts, heard.text)]
            returns = _RETURNED.search(heard.text.lower()) is not None
            if {*acts} <= meanwhile and not returns:
                self._listener.waiting.popleft()
                yield Action.say(" ".join(self.answer(act, heard.text) for act in heard.acts))
                continue
            self._state.paused = False
            goes_on = Act.RESUME in acts or acts[:1] in ([Act.OK], [Act.YES]) or (returns and Act.ORDER not in acts)
            if goes_on:
                self._listener.waiting.popleft()
                gone_on(heard.acts, heard.text, self._agenda, self._resolver)
                yield Action.say(self._replies.voice.say("resumed"))
            self._held = at_work and not goes_on
            return

    def answer(self, act: DialogueAct, text: str) -> str:
        """What is said to an act that calls for no action; what is to wait is left until somebody says to go on."""
        if act.act is Act.NOT_UNTIL and not _ANYBODY.search(text.lower()):
            self._agenda.leave(Due(one, text) for one in act.of)
        return self._replies.to(act, text)


def _asks_behind(wait: DialogueAct, acts: Sequence[DialogueAct]) -> bool:
    """Whether no more than questions follow a wait, which are answered first: "hold it. Is the lamp on?"."""
    return all(act.act is Act.QUESTION for act in acts[acts.index(wait) + 1 :])


def once_more(act: DialogueAct, text: str, due: Sequence[DialogueAct]) -> DialogueAct:
    """ "The same with the remote" said at work: the last of the orders that are due with that instead; else the act."""
    orders = [order for order in due if order.act is Act.ORDER]
    return otherwise(orders[-1], act, text) if act.act is Act.REPEAT and act.slots and orders else act


def _is_other_walk(acts: Sequence[DialogueAct], text: str, order: DialogueAct) -> bool:
    """Whether what is said during a walk has it lead elsewhere: "actually, go to the sink instead"."""
    walks = [act.act is Act.ORDER and act.about in WALKS for act in acts]
    return walks == [True] and order.about in WALKS and _ELSEWHERE.search(text.lower()) is not None


def done_before(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """The orders that are to be done before what is being done, which goes on then: "hang on, the lamp first"."""
    orders = [act for act in acts if act.act is Act.ORDER]
    kinds = [act.act for act in acts]
    called = kinds[:1] == [Act.WAIT] or calls_out(text) or (orders and all(act.about in MOVING for act in orders))
    holds_on = called and {*kinds} <= {Act.WAIT, Act.ORDER, Act.RESUME, Act.REPEAT}
    goes_on = Act.RESUME in kinds or _BEFORE.search(text.lower()) is not None
    return orders if holds_on and goes_on else ()


def put_back_first(acts: Sequence[DialogueAct], body: Body) -> list[DialogueAct]:
    """Acts, behind putting back what was taken for an order that was called off."""
    back = DialogueAct(Act.ORDER, "put_back", (Slot("", Phrase("it")),))
    return [back, *acts] if body.held is not None else [*acts]
