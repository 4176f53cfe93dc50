"""A Follower's talk: hears, does, answers, stops, remembers. What is said at work comes before the next action."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from dataclasses import replace

from teach_agents.actions import OBJECT_ACTIONS, Action
from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.dialogue.agenda import Agenda, Due
from teach_agents.agents.dialogue.antecedents import of_either
from teach_agents.agents.dialogue.barred_actions import barred
from teach_agents.agents.dialogue.branches import Branches, question_of
from teach_agents.agents.dialogue.choices import of_choices
from teach_agents.agents.dialogue.clarification import answered, doubted, unclear
from teach_agents.agents.dialogue.consent import consented, permit, to_be_asked
from teach_agents.agents.dialogue.deeds import record, record_report
from teach_agents.agents.dialogue.dialogue_state import Asked, Changes, DialogueState
from teach_agents.agents.dialogue.earlier_mentions import put_there, wherever_it_is
from teach_agents.agents.dialogue.exclusions import Exclusions
from teach_agents.agents.dialogue.fragments import completed, of_fragment
from teach_agents.agents.dialogue.interpretation import as_said, carried, in_full
from teach_agents.agents.dialogue.interruptions import CalledOff, Interruptions
from teach_agents.agents.dialogue.left_there import with_left_there
from teach_agents.agents.dialogue.listener import Heard, Listener, corrected, to_be_answered
from teach_agents.agents.dialogue.noun_types import noun_of
from teach_agents.agents.dialogue.order_execution import LONG, OrderExecutor, Outcome, announced
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.orders.movement import MOTIONS, faced_back, gone_back
from teach_agents.agents.dialogue.pairs import with_others_of_pairs
from teach_agents.agents.dialogue.pending_reports import PendingReports
from teach_agents.agents.dialogue.plausibility import SensibleReader, of_next_step
from teach_agents.agents.dialogue.prohibitions import breaks, grants, rule_of, told_not_to
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.repair import (
    about_that,
    as_before,
    back_again,
    goes_further,
    instead_do,
    opposite,
    other_way,
    otherwise,
)
from teach_agents.agents.dialogue.responses import Replies
from teach_agents.agents.dialogue.resumption import with_exceptions
from teach_agents.agents.dialogue.reversals import done_as_asked, put_right, turned_round
from teach_agents.agents.dialogue.signals import is_standing, signalled_by, wants_asking
from teach_agents.agents.dialogue.standpoints import BACK, FACED, WALKS, Standpoints, faces_back
from teach_agents.core.agents.contract import Briefing
from teach_agents.core.control import NOT_DONE
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.core.json_types import JsonObject
from teach_agents.understanding.notation import read_meaning, write_meaning
from teach_agents.understanding.reader import UNREACHED, Reader

_Own = Callable[[str], bool]
_Saying = Generator[Action, None, str]
"""Actions, and what is to be said of them."""


class Conversation:
    """One session's talk. `own` tells whether an utterance is an order that the agent's own way carries out.

    Each turn: `hear` the observation, which gives what the agent's own way may hear of it; then `turn`, an action, or
    `None` where the talk has nothing to do and the agent goes its own way. `state` is all that the talk goes by. One
    that was interrupted goes on from the state that its `briefing` tells; where that tells none, and the session is
    resumed, what was said before is remembered, and not carried out again. Raises `InputError` for what is no state.
    """

    def __init__(
        self, body: Body, reader: Reader, rng: random.Random, own: _Own = lambda text: False, *, briefing: Briefing
    ) -> None:
        told = briefing.state
        self.state = DialogueState() if told is None else DialogueState.taken_up(told)
        self._changes = Changes(self.state)
        self._agenda = Agenda(self.state)
        self._body = body
        self._resolver = Resolver(body, self.state)
        sensible = SensibleReader(reader, self._resolver)
        begins_late = briefing.resumed and told is None
        self._listener = Listener(self.state, sensible, own, resumed=begins_late, person=briefing.person)
        self._replies = Replies(body, self.state, self._resolver, rng, self._drop)
        self._branches = Branches(self._resolver)
        self._orders = OrderExecutor(body, self.state, self._resolver, rng, person=briefing.person)
        self._steps: Steps | None = None if told is None else self._taken_up()
        self._takes_over, self._handled, self._touched = False, 0, False
        self._permitted: Asked | None = None
        self._interruptions = Interruptions(self._resolver, self._listener, self._agenda, self._replies, self._drop)
        self._standpoints = Standpoints(body)
        self.hear = self._listener.hear

    def thought(self) -> JsonObject | None:
        """How what was heard in this turn was read, and what changed of the state, if anything; asked once a turn."""
        self._listener.write()
        changed = self._changes.take(anyway=self._listener.thought is not None)
        return {**(self._listener.thought or {}), "state": changed} if changed else self._listener.thought

    def turn(self) -> Action | None:
        """The talk's next action, if it has one."""
        self._watch()
        while self._listener.noticed:
            self._notice(self._listener.noticed.popleft())
        if self._steps is None and self._listener.waiting:
            self._steps = self._respond()
        if self._steps is not None:
            if (action := next(self._steps, None)) is not None:
                return action
            self._steps = None
        return None

    def took_over(self) -> bool:
        """Whether what the agent's own way was doing is over since this was last asked."""
        was, self._takes_over = self._takes_over, False
        return was

    def guarded(self, action: Action) -> Action:
        """An action of the agent's own way; in place of one that is forbidden, words that say so."""
        rule = self._listener.agent_withheld() or barred(action, self._body, self.state.in_force)
        self._listener.agent_busy = action.name not in ("Text", "NoOp") and rule is None
        if action.name == "Text":
            order, self._listener.agent_order = self._listener.agent_order, None
            if order is not None:
                record_report(order, action.utterance or "", self._body, self.state)
        self._takes_over = self._takes_over or rule is not None
        return action if rule is None else Action.say(told_not_to(rule.said))

    def _notice(self, heard: Heard) -> None:
        """Remember what holds on of an utterance that the agent itself attends to, or attended to before."""
        for act in heard.acts:
            if act.act is Act.ORDER:
                self._agenda.last = act
                self._replies.mention(act)
            elif act.act in (Act.FACT, Act.NEVER, Act.NOT_UNTIL, Act.ALLOW):
                self._replies.to(act, heard.text)

    def _watch(self) -> None:
        """What is handled is what is spoken of."""
        handled = self._body.memory.handled
        for name in handled[self._handled :]:
            thing = self._body.things.get(name)
            if thing is not None:
                self.state.mention(noun_of(thing.object_type), [name])
        self._handled = len(handled)

    def _taken_up(self) -> Steps:
        """Go on with a talk that was interrupted."""
        self._replies.facts.recall()
        if self.state.paused:
            yield from self._interruptions.wait()
        under_way = next((due.act for due in self._agenda.waiting if due.act.act is Act.ORDER), None)
        if under_way is not None and under_way.about not in LONG and not self._listener.waiting:
            yield Action.say(f"I am going on: I will {act_words(under_way)}.")
        yield from self._respond()
        if self.state.question is not None:
            yield self._say(self.state.question.said)

    def _respond(self) -> Steps:
        """Everything that waits to be answered and done, until nothing does."""
        while self._listener.waiting or self._agenda:
            pending, acted = PendingReports(self._resolver, self.state), False
            if self._listener.waiting:
                heard = self._listener.waiting.popleft()
                self._branches.begin(heard.text)
                self._standpoints.spoken_to()
                meant = self._replies.beforehand(heard.acts, heard.text, heard.said) or self._meant(heard)
                if isinstance(meant, str):
                    pending.add(meant, heard.text)
                else:
                    self._agenda.first(meant, heard.text)
            while self._agenda and not self._listener.waiting:
                following = self._agenda.waiting[0]
                if self._agenda.put_off(following) or (following.act.act is Act.WAIT and self._is_stuck(acted)):
                    self._agenda.pop()
                    continue
                if pending.may_be_undone_by(*following) or (pending and following.act.act is Act.WAIT):
                    yield self._say(pending.take())
                    continue
                act, text = self._agenda.pop()
                try:
                    words = yield from self._do(act, text)
                except CalledOff as off:
                    self._agenda.end()
                    pending.add(off.words, text)
                    if off.then is not None:
                        self._listener.waiting.appendleft(off.then)
                    break
                acted = acted or act.act is Act.ORDER
                pending.add(words, text)
            self._agenda.forget_passing()
            if pending:
                yield self._say(pending.take(), asks=acted and not self._listener.waiting)
        self._agenda.end()

    def _is_stuck(self, acted: bool) -> bool:
        """Whether what came before a wait was not done, or asks something: "wait by the couch", where there is none."""
        return self.state.question is not None or (acted and bool(self.state.deeds) and not self.state.deeds[-1].done)

    def _say(self, words: str, *, asks: bool = False) -> Action:
        """Words, with a question for more where what was asked for is over and nothing was asked."""
        if self.state.question is not None and self.state.question.said in words:
            self._listener.thought = {**(self._listener.thought or {}), "clarifies": True}
        if asks and self.state.question is None and not words.endswith("?"):
            words = f"{words} {self._replies.voice.say('next')}"
        return Action.say(words)

    def _meant(self, heard: Heard) -> list[DialogueAct] | str:
        """The acts of an utterance as they are meant here, an answer where one is waited for; or what is said to it."""
        if heard.reading.by == UNREACHED:
            return self._replies.voice.say("unread")
        asked = self.state.question
        if asked is not None:
            self.state.question = None
            answer = answered(asked, heard.acts, heard.text, self._resolver, self.state)
            if answer is not None:
                self._permitted = asked if asked.about == "permit" and answer else None
                return answer or self._replies.voice.say("declined")
            self.state.question = asked if [act.about for act in heard.acts] == ["why"] else None
            self._speak_of(asked)
        meant = of_fragment(heard.acts, heard.text, self._replies.asked, self._agenda.last)
        if meant is not None:
            return [meant]
        acts = completed(corrected(heard.acts, heard.text), heard.text, self._agenda.last)
        acts = with_left_there(acts, heard.text, self._resolver)
        acts = of_choices(of_either(acts, heard.text, self._resolver), heard.text, self._resolver)
        turned = turned_round(acts, heard.text, self._replies.asked, self._agenda.last, self._resolver)
        turned = turned or done_as_asked(acts, heard.text, self._replies.asked, self._resolver)
        if turned is not None:
            return [turned]
        if not acts:
            return [DialogueAct(Act.UNCLEAR)]
        doubt = doubted(carried(acts), heard.reading.confidence, heard.text, self._resolver)
        if doubt is not None:
            self.state.question = doubt
            return doubt.said
        acts = to_be_answered(acts, heard.text)
        acts = with_exceptions(with_others_of_pairs(acts, self._resolver, self.state), self._agenda, self._resolver)
        acts = in_full(Exclusions(acts, heard.text, self._resolver, self.state).applied(), heard.text, self._resolver)
        return [as_said(act, heard.text, self._resolver) for act in acts]

    def _speak_of(self, asked: Asked) -> None:
        """What the Follower asked about is spoken of, though it was not answered: "put the soap in there"."""
        for act in read_meaning(asked.order)[:1]:
            self._replies.mention(act)
            if asked.options:
                self.state.mention(act.slots[asked.slot].phrase.noun, asked.options)

    def _do(self, act: DialogueAct, text: str) -> _Saying:
        """Carry out one act; what is to be said of it."""
        closed = yield from self._closed(Due(act, text))
        if closed is not None:
            return closed
        if act.act is Act.ORDER:
            return (yield from self._order(act, text))
        if act.act is Act.HELLO and self._agenda.has_more_of(text):
            return self._replies.voice.say("greeting")
        if act.act is Act.WAIT:
            yield Action.say(self._replies.voice.say("waiting"))
            yield from self._interruptions.wait()
            return ""
        if act.act is Act.NOT and act.of:
            self.state.forbid(replace(rule_of(one, self._resolver, text), passing=True) for one in act.of)
            return ""
        if act.act in (Act.RESUME, Act.REPEAT, Act.UNDO, Act.INSTEAD, Act.INSTEAD_DO, Act.NOT):
            return (yield from self._again(act, text))
        return (yield from self._looked_up(act, text)) or self._interruptions.answer(act, text)

    def _looked_up(self, act: DialogueAct, text: str) -> _Saying:
        """The answer to a question after a look, where that may tell more; "" where it would not."""
        if act.act is not Act.QUESTION or not self._orders.is_worth_a_look(act) or self._replies.is_known(act, text):
            return ""
        yield Action.say(self._replies.voice.say("looking"))
        outcome = yield from self._attended(self._orders.carry_out(act), act)
        return f"{self._replies.to(act, text)} {outcome.said}".strip()

    def _closed(self, due: Due) -> Generator[Action, None, str | None]:
        """What is said where an act's condition is not met, which is looked at where that may tell."""
        asked = question_of(due.act) if self._branches.is_open(due) else None
        if asked is not None and self._orders.is_worth_a_look(asked):
            yield Action.say(self._replies.voice.say("looking"))
            yield from self._attended(self._orders.carry_out(asked), asked)
        closed = self._branches.closed(due, self._agenda.waiting)
        if closed:  # it is spoken of all the same
            self._replies.mention(due.act)
        return closed

    def _drop(self, said: str = "") -> bool:
        """Nothing more of what was asked for is done, but for what is `said` now; it may be gone on with later. Whether
        there was anything."""
        was_busy = self._listener.agent_busy
        was_busy |= self._agenda.drop([Due(act, text) for act, text in self._listener.leave_off()], said)
        self.state.question = None
        self._takes_over = True
        return was_busy

    def _order(self, order: DialogueAct, text: str) -> _Saying:
        last, permitted = self._agenda.last, self._permitted
        order = back_again(other_way(as_before(order, last, text), last, text), last, text)
        self._permitted = None
        broken = [*breaks(order, self.state.in_force, self._resolver), *consented(self.state.in_force, permitted)]
        if broken and not permitted and grants(text):
            self.state.rules, broken = [rule for rule in self.state.rules if rule not in broken], []
        words = ""
        if not permitted and not all(is_standing(rule.said) for rule in broken):
            words = permit(order, broken[0].said)
        elif not permitted and wants_asking(text):
            words = f"Shall I {act_words(order)}?"
        if words:
            self.state.question = Asked("permit", write_meaning([order]), said=words)
            self._replies.mention(order)
            return words
        faced = self._standpoints.faced(order, text)
        order, asked = (order, unclear(order, text, self._resolver, self.state)) if faced is None else (FACED, None)
        if asked is not None:
            self.state.question = asked
            self._agenda.last = order
            self._replies.mention(order)
            return asked.said
        self._takes_over, self._touched = True, False
        back = self._standpoints.meant(order, text, self._standpoints.leaving(order))
        self._agenda.begin(order, text)
        steps = self._orders.carry_out(order) if back is None else gone_back(self._body, back)
        steps = steps if faced is None else faced_back(self._body, faced)
        steps = announced(steps, ahead) if (ahead := self._orders.acknowledged(order)) else steps
        self.state.rules, self.state.suspended = [rule for rule in self.state.rules if rule not in broken], broken
        try:
            outcome = yield from self._attended(steps, order)
        finally:
            self.state.rules, self.state.suspended = [*broken, *self.state.rules], []
        self._agenda.finish(done=outcome.done)
        self._watch()  # what was moved out of the way is not what is spoken of next
        record(order, outcome, self._body, self.state, changed=self._touched)
        self._replies.done()
        asked = None if outcome.done else to_be_asked(order, outcome.said, self.state.in_force)
        self.state.question = asked or self.state.question
        return outcome.said if asked is None else asked.said

    def _attended(
        self, steps: Generator[Action, None, Outcome], order: DialogueAct
    ) -> Generator[Action, None, Outcome]:
        """Take steps, each one checked; what is said meanwhile is attended to before the next."""
        try:
            while True:
                try:
                    action = next(steps)
                except StopIteration as over:
                    outcome: Outcome = over.value
                    return outcome
                rule = barred(action, self._body, self.state.in_force)
                if rule is not None:
                    return self._orders.broken_off(order, rule.said)
                self._listener.agent_busy, self._touched = True, self._touched or action.name in OBJECT_ACTIONS
                dropped = True
                while dropped:
                    yield action
                    dropped = self._body.message == NOT_DONE  # the session held it back, as somebody spoke
                    self._watch()
                    while self._listener.waiting:
                        yield from self._interruptions.attend(self._listener.waiting.popleft(), order)
        finally:
            steps.close()
            self._listener.agent_busy = False

    def _again(self, act: DialogueAct, text: str) -> _Saying:
        """Orders that follow from an earlier one."""
        last, asked = self._agenda.last, self._replies.asked
        if asked is not None and act.slots and act.act in (Act.REPEAT, Act.INSTEAD):
            of_that = about_that(asked, act.slots[0].phrase)
            return (yield from self._looked_up(of_that, text)) or self._replies.to(of_that, text)
        if act.act is Act.RESUME:
            if not self._agenda.go_on(signalled_by(text, [due.said for due in self._agenda.left])):
                if last is not None and last.about in MOTIONS and self.state.deeds and goes_further(text):
                    return (yield from self._order(last, text))
                return "" if self._agenda.has_more_of(text) else self._replies.voice.say("nothing to resume")
            yield Action.say(self._replies.voice.say("resumed"))
            return ""
        if act.act is Act.UNDO:
            if last is None or not self.state.deeds:
                return self._replies.voice.say("nothing to undo")
            back = BACK if last.about in WALKS else FACED if faces_back(text) else opposite(last)
            return self._replies.voice.say("lasting") if back is None else (yield from self._order(back, text))
        if act.act is Act.INSTEAD_DO:
            return (yield from self._order(instead_do(last, act.of[0]) if act.of else act, text))
        if last is None:
            return (yield from self._of_none(act, text))
        righted = put_right(last, self.state.deeds, text) if act.act is Act.INSTEAD else None
        first = "" if righted is None else (yield from self._order(righted, text))
        order = put_there(wherever_it_is(otherwise(last, act, text), self._resolver), self._resolver)
        then = yield from self._order(of_next_step(order, act, self._resolver), text)
        return f"{first} {then}".strip()

    def _of_none(self, act: DialogueAct, text: str) -> _Saying:
        """What would follow from an earlier order where there was none: where something goes that was only named."""
        if act.slots and act.slots[0].role in ("in", "on", "near", "at") and self.state.single:
            return (yield from self._order(DialogueAct(Act.ORDER, "put", (Slot("", Phrase("it")), *act.slots)), text))
        if act.slots:
            return self._replies.unclear(DialogueAct(Act.UNCLEAR, slots=act.slots))
        return self._replies.voice.say("nothing to repeat")
