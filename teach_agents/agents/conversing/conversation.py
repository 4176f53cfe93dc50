"""A Follower's talk with whoever asks: hears, takes what is for it, carries it out, answers, stops, remembers.

It stands beside an agent's own way of doing things: what that way handles is left to it, everything else is taken.
While orders are carried out everything that is said is listened to before the next action.
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, Steps, attempted
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.acting.skills.going import go_back
from teach_agents.agents.conversing.act_wording import act_words
from teach_agents.agents.conversing.answering import Answers
from teach_agents.agents.conversing.asking import answered, unclear
from teach_agents.agents.conversing.conditions import is_so
from teach_agents.agents.conversing.facts import told_about, touched_by, words_in
from teach_agents.agents.conversing.kinds import PRONOUNS, kinds_of
from teach_agents.agents.conversing.meaning import as_said, carried
from teach_agents.agents.conversing.prohibitions import barred, breaks, lifted, rule_of
from teach_agents.agents.conversing.repairing import instead, instead_do, opposite
from teach_agents.agents.conversing.replies import Voice, in_language
from teach_agents.agents.conversing.resolving import LIQUIDS, Resolver
from teach_agents.agents.conversing.state import Asked, Deed, DialogueState, Told
from teach_agents.agents.conversing.wishes import Outcome, Wishes
from teach_agents.agents.conversing.wording import sentence, words_of
from teach_agents.core.dialogue import Act, Condition, DialogueAct, Phrase, Reading
from teach_agents.core.json_types import JsonObject
from teach_agents.observations import Observation, Utterance
from teach_agents.understanding.english.understanding import leaves_open, understand_instructions, understand_reports
from teach_agents.understanding.english.values import Reference, ReportKind, Verb
from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.reader import Reader
from teach_agents.understanding.rules_reader import RulesReader

_SURE, _DOUBTFUL = 0.25, 0.5
"""Readings of orders that are less sure than this are confirmed before anything is done: of those that make sense here,
and of those that speak of what is not there."""
_LONG = frozenset("wash slice cook boil toast make fill water clear serve find throw_away".split())
"""Orders that take long: they are acknowledged first."""
_HINTS = frozenset({"look_in", "look_at"})
"""Said while something is being done, they tell where what it takes is to be found."""
_SILENT = frozenset({Act.PRAISE, Act.OK, Act.CHAT, Act.SORRY})
"""What an agent of the planner's kind says in passing, and expects no answer to."""
_MINE = frozenset({*Act} - {Act.ORDER, Act.FACT, Act.UNCLEAR, *_SILENT})
"""What an agent's own way has no answer to."""
_SEEN = frozenset(
    "see where where_are_you state what_state count there in on near held have did doing next can".split()
)
"""What is rather seen than told."""
_IGNORANT = ("I do not know", "That I do not know", "I cannot tell", "I know of no", "There is no", "I have not seen")
"""How answers begin that say no more than that."""
_TOLD_BEFORE = re.compile(r"\b(?:said|told|mentioned|asked)\b")
_OTHER_WAY = re.compile(r"\b(?:other way|opposite|other direction)\b")
_PROMPT = re.compile(r"(?<=[.!:]) [^.!?]+\?$")
"""A question that waits for an order and for no answer, at the end of what the Follower said: "What next?"."""
_BACK = re.compile(
    r"\b(?:where you (?:were|came from|stood|started)|your (?:old|previous|last) (?:place|spot|position))\b"
)
_REPAIRS = frozenset({Act.INSTEAD, Act.INSTEAD_DO, Act.NOT, Act.WRONG, Act.UNDO, Act.SAY_AGAIN})
"""What corrects, or takes back, what was understood."""
_KEPT_DEEDS = 30


class Heard(NamedTuple):
    """An utterance with its reading."""

    text: str
    reading: Reading

    @property
    def acts(self) -> Sequence[DialogueAct]:
        """What it does, in order."""
        return self.reading.acts


class _CalledOff(Exception):  # no error: somebody said so
    """What was being done is left; `then` is what made it so, where that remains to be answered."""

    def __init__(self, words: str = "", then: Heard | None = None) -> None:
        super().__init__(words)
        self.words = words
        self.then = then


_Saying = Generator[Action, None, str]
"""Actions, and what is to be said of them."""


class Conversation:
    """One session's talk. `own` tells whether an utterance is an order that the agent's own way carries out.

    Each turn: `hear` the observation, which gives what the agent's own way may hear of it; then `turn`, an action, or
    `None` where the talk has nothing to do and the agent goes its own way. `state` is all that the talk goes by;
    `thought` tells how what was heard in this turn was read. In a session that is `resumed` what was said before is
    remembered, and not carried out again.
    """

    def __init__(
        self, body: Body, reader: Reader, rng: random.Random, own: Callable[[str], bool], *, resumed: bool = False
    ) -> None:
        self.state = DialogueState()
        self.thought: JsonObject | None = None
        self._takes_over = False
        self._body = body
        self._reader = reader
        self._rules = RulesReader()
        self._own = own
        self._voice = Voice(rng)
        self._resolver = Resolver(body, self.state)
        self._answers = Answers(body, self.state, self._resolver, rng)
        self._wishes = Wishes(body, self.state, self._resolver, rng)
        self._waiting: deque[Heard] = deque()
        self._noticed: deque[Heard] = deque()
        self._queue: deque[tuple[DialogueAct, str]] = deque()
        self._taken: set[int] = set()
        self._seen = 0
        self._handled = 0
        self._steps: Steps | None = None
        self._left: list[tuple[DialogueAct, str]] = []
        self._last: DialogueAct | None = None
        self._agent_order = ""
        self._agent_acts: list[tuple[DialogueAct, str]] = []
        self._agent_busy = False
        self._forced = False
        self._stood: Stand | None = None
        self._past = resumed

    # Hearing

    def hear(self, observation: Observation) -> Observation:
        """Take in what was said since; what is left of the dialogue for the agent's own way."""
        news = observation.dialogue[self._seen :]
        self.thought = None
        if self._past and observation.dialogue:
            self._past = False
            self._recall(news)
            news = ()
            self._seen = len(observation.dialogue)
        for number, said in enumerate(news, self._seen):
            if said.speaker is Role.FOLLOWER:
                self._note_reply(said.text)
            elif self._take(self._read(said.text)):
                self._taken.add(number)
        self._seen += len(news)
        if not self._taken:
            return observation
        left = tuple(one for number, one in enumerate(observation.dialogue) if number not in self._taken)
        return replace(observation, dialogue=left)

    def _recall(self, past: Sequence[Utterance]) -> None:
        """Facts, prohibitions and what was spoken of, of a talk that was begun before."""
        for said in past:
            if said.speaker is Role.FOLLOWER:
                self.state.note(f"robot: {said.text}")
                continue
            self._noticed.append(self._read(said.text))

    def _read(self, text: str) -> Heard:
        recent = self.state.recent
        if self.state.question is None:
            recent = [line for one in recent if (line := _PROMPT.sub("", one)) != "robot:"]
        reader = self._rules if self._own(text) else self._reader  # which is quick, and need not be sure
        heard = Heard(text, reader.read(text, recent))
        self.state.note(f"person: {text}")
        reading = heard.reading
        told = {"acts": write_meaning(reading.acts), "confidence": round(reading.confidence, 3), "by": reading.by}
        self.thought = self.thought or {"heard": []}
        self.thought["heard"].append(told)
        if any(act.act in _REPAIRS for act in reading.acts):
            self.thought["repairs"] = True
        return heard

    def _take(self, heard: Heard) -> bool:
        """Whether an utterance is for the talk; what is not is noticed nevertheless."""
        kinds = {act.act for act in heard.acts}
        is_told = kinds == {Act.FACT} and not self._agent_busy and not self._looks_for_something
        if self.state.question is None and not kinds & _MINE and not is_told and self._own(heard.text):
            self._noticed.append(heard)
            self._agent_order = write_meaning(heard.acts) or heard.text
            self._agent_acts = [(act, heard.text) for act in heard.acts if act.act is Act.ORDER]
            return False
        if kinds and kinds <= _SILENT and _is_small_talk(heard.text):
            return False
        self._waiting.append(heard)
        return True

    @property
    def _looks_for_something(self) -> bool:
        """Whether the agent's own way has just asked where something is."""
        return any(report.kind is ReportKind.NOT_FOUND for report in understand_reports(self.state.last_said))

    def _notice(self, heard: Heard) -> None:
        """Remember what holds on of an utterance that the agent itself attends to, or attended to before."""
        for act in heard.acts:
            if act.act is Act.ORDER:
                self._last = act
            elif act.act in (Act.FACT, Act.NEVER, Act.NOT_UNTIL, Act.ALLOW):
                self._reply(act, heard.text)

    def _note_reply(self, text: str) -> None:
        self.state.note(f"robot: {text}")
        if self._agent_order and self._steps is None and self._seen:
            done = not any(report.is_failure for report in understand_reports(text))
            told = " ".join(re.findall(r"[^.!?]+[.!]", text)).strip()
            self.state.deeds = [*self.state.deeds, Deed(self._agent_order, done, told)][-_KEPT_DEEDS:]
            self._agent_order = ""
        self.state.last_said = text

    # Turns

    def turn(self) -> Action | None:
        """The talk's next action, if it has one."""
        self._watch()
        while self._noticed:
            self._notice(self._noticed.popleft())
        if self._steps is None and self._waiting:
            self._steps = self._respond()
        if self._steps is not None:
            action = next(self._steps, None)
            if action is not None:
                return action
            self._steps = None
        return None

    def took_over(self) -> bool:
        """Whether, since this was last asked, what the agent's own way was doing became over: the talk acted, or was
        told to stop."""
        was, self._takes_over = self._takes_over, False
        return was

    def guarded(self, action: Action) -> Action:
        """An action of the agent's own way; in place of one that is forbidden, words that say so."""
        rule = barred(action, self._body, self.state.rules)
        self._agent_busy = action.name not in ("Text", "NoOp")
        if rule is None:
            return action
        self._takes_over = True
        self._agent_busy = False
        return Action.say(_forbids(rule.said))

    def _watch(self) -> None:
        """What is handled is what is spoken of."""
        handled = self._body.memory.handled
        for name in handled[self._handled :]:
            thing = self._body.things.get(name)
            if thing is not None:
                self.state.mention(_noun_of(thing.object_type), [name])
        self._handled = len(handled)

    def _respond(self) -> Steps:
        """Everything that waits to be answered and done, until nothing does."""
        while self._waiting or self._queue:
            said: list[str] = []
            acted = False
            if self._waiting:
                heard = self._waiting.popleft()
                self._queue.extendleft(reversed([(act, heard.text) for act in self._acts(heard)]))
            while self._queue and not self._waiting:
                act, text = self._queue.popleft()
                self._mirror()
                try:
                    words = yield from self._do(act, text)
                except _CalledOff as off:
                    said.append(off.words)
                    if off.then is not None:
                        self._waiting.appendleft(off.then)
                    break
                acted = acted or act.act is Act.ORDER
                said += [words] if words else []
            if said := [one for one in said if one]:
                yield self._say(" ".join(dict.fromkeys(said[-3:])), asks=acted and not self._waiting)
        self.state.doing = ""

    def _mirror(self) -> None:
        self.state.queue = [write_meaning([act]) for act, _ in self._queue]

    def _say(self, words: str, *, asks: bool = False) -> Action:
        """Words, with a question for more where what was asked for is over and nothing was asked."""
        if self.state.question is not None and self.state.question.said == words:
            self.thought = {**(self.thought or {}), "clarifies": True}
        if asks and not words.endswith("?"):
            words = f"{words} {self._voice.say('next')}"
        return Action.say(words)

    def _acts(self, heard: Heard) -> list[DialogueAct]:
        """The acts of an utterance as they are meant here: an answer where one is waited for."""
        asked = self.state.question
        if asked is not None:
            self.state.question = None
            answer = answered(asked, heard.acts, heard.text, self._resolver, self.state)
            if answer is not None:
                self._forced = asked.about == "confirm"
                return answer or [DialogueAct(Act.CHAT, f"={self._voice.say('declined')}")]
        acts = _corrected(heard.acts)
        if not acts:
            return [DialogueAct(Act.UNCLEAR)]
        first = next((act for act in acts if act.act is Act.ORDER), None)
        if first is not None and heard.reading.confidence < (_SURE if self._makes_sense(acts) else _DOUBTFUL):
            words = f"Shall I {act_words(first)}?"
            self.state.question = Asked("confirm", write_meaning(acts), said=words)
            return [DialogueAct(Act.CHAT, f"={words}")]
        if len(acts) > 1:
            acts = [act for act in acts if act.act not in _SILENT] or acts[:1]
        return [as_said(act, heard.text, self._resolver) for act in carried(acts)]

    def _makes_sense(self, acts: Sequence[DialogueAct]) -> bool:
        """Whether everything that orders speak of is something that is known here."""
        slots = [slot for act in acts if act.act is Act.ORDER for slot in act.slots if slot.role[:1] != ":"]
        named = [slot.phrase for slot in slots if slot.phrase.noun not in PRONOUNS and slot.phrase.noun not in LIQUIDS]
        return all(self._resolver.find(phrase).things for phrase in named)

    # Acts

    def _do(self, act: DialogueAct, text: str) -> _Saying:
        """Carry out one act; what is to be said of it."""
        if act.act is Act.ORDER:
            return (yield from self._order(act, text))
        if act.act is Act.WAIT:
            yield Action.say(self._voice.say("waiting"))
            yield from self._wait()
            return ""
        if act.act in (Act.RESUME, Act.REPEAT, Act.UNDO, Act.INSTEAD, Act.INSTEAD_DO, Act.NOT):
            return (yield from self._again(act, text))
        return self._reply(act, text)

    def _reply(self, act: DialogueAct, text: str) -> str:
        """What is said to an act that calls for no action."""
        if act.act is Act.CHAT and act.about.startswith("="):
            return act.about[1:]
        handler = self._replies.get(act.act)
        return self._voice.say(_OCCASIONS.get(act.act, "unclear")) if handler is None else handler(act, text)

    @cached_property
    def _replies(self) -> Mapping[Act, Callable[[DialogueAct, str], str]]:
        return {
            Act.QUESTION: self._answer,
            Act.OTHER_LANGUAGE: lambda act, _: in_language(act.about),
            Act.FACT: self._remember,
            Act.NEVER: self._forbid,
            Act.NOT_UNTIL: self._forbid,
            Act.ALLOW: self._allow,
            Act.SAY_AGAIN: lambda *_: self.state.last_said or self._voice.say("hello"),
            Act.STOP: lambda *_: self._voice.say(self._dropped("stopped", "idle")),
            Act.CANCEL: self._cancel,
            Act.UNCLEAR: lambda act, _: self._unclear(act),
        }

    def _answer(self, act: DialogueAct, text: str) -> str:
        """What is known; what was told where that is all there is."""
        if act.about == "state" and not any(slot.role.startswith(":") for slot in act.slots):
            act = act._replace(about="what_state")
        told = told_about(text, self.state.facts)
        seen = act.about in _SEEN and not re.search(r"\bbelongs?\b|\bwhose\b", text.lower())
        if told is not None and not seen:
            return _as_told(told)
        answer = self._answers.answer(act)
        return _as_told(told) if told is not None and answer.startswith(_IGNORANT) else answer

    def _cancel(self, act: DialogueAct, text: str) -> str:
        """Leave off; or forget something that was told, or forbidden."""
        if _TOLD_BEFORE.search(text.lower()):
            facts = touched_by(text, self.state.facts)
            rules = [rule for rule in self.state.rules if words_in(text) & words_in(rule.said)]
            if facts or rules:
                self.state.facts = [one for one in self.state.facts if one not in facts]
                self.state.rules = [one for one in self.state.rules if one not in rules]
                return self._voice.say("forgotten")
        return self._voice.say(self._dropped("cancelled", "nothing to cancel"))

    def _forbid(self, act: DialogueAct, text: str) -> str:
        for one in (one for forbidden in act.of for one in forbidden.slots):
            self.state.mention(one.phrase.noun, [thing.object_id for thing in self._resolver.find(one.phrase).chosen])
        self.state.rules = [*self.state.rules, *(rule_of(one, self._resolver, text) for one in act.of)]
        return self._voice.say("forbidden")

    def _allow(self, act: DialogueAct, text: str) -> str:
        kept = self.state.rules
        for one in act.of:
            kept = lifted(one, kept, self._resolver)
        was, self.state.rules = len(self.state.rules), kept
        return self._voice.say("allowed" if len(kept) < was else "not forbidden")

    def _dropped(self, busy: str, idle: str) -> str:
        """Leave off; the occasion for words, by whether there was something to leave off."""
        was_busy = self._agent_busy or bool(self._queue)
        self._drop()
        return busy if was_busy else idle

    def _drop(self) -> None:
        """Nothing more of what was asked for is done; it may be gone on with later."""
        self._left = [*(self._agent_acts if self._agent_busy else ()), *self._queue]
        self._queue.clear()
        self._mirror()
        self._takes_over = True
        self._agent_busy = False
        self._agent_order = ""

    def _unclear(self, act: DialogueAct) -> str:
        if not act.slots:
            return self._voice.say("unclear")
        phrase = act.slots[0].phrase
        found = self._resolver.find(phrase)
        if not found.things and not found.kinds:
            return self._voice.say("unclear")
        self.state.mention(phrase.noun, [thing.object_id for thing in found.chosen])
        return f"What should I do with {words_of(phrase)}?"

    def _remember(self, act: DialogueAct, text: str) -> str:
        """A fact that was told; where a thing is, is where it is looked for first."""
        noun = place = ""
        if act.slots:
            phrase = act.slots[0].phrase
            noun = phrase.noun
            if noun not in PRONOUNS:
                self.state.mention(noun, [thing.object_id for thing in self._resolver.find(phrase).chosen])
            if phrase.place is not None and phrase.place[0] in ("in", "on"):
                place = phrase.place[1].noun
                for what in kinds_of(noun)[:1]:
                    where = [Reference(kind, 1, True) for kind in kinds_of(place)]
                    self._body.memory.hints += [(what, one) for one in where]
        self.state.facts = [*self.state.facts, Told(text.strip(), self._body.observation.turn, noun, place)]
        return self._voice.say("noted")

    # Orders

    def _order(self, order: DialogueAct, text: str) -> _Saying:
        forced, self._forced = self._forced, False
        if order.condition is not None and not self._holds(order.condition, order):
            return _not_so(order.condition, order)
        rule = None if forced else breaks(order, self.state.rules, self._resolver)
        if rule is not None:
            words = f"{_forbids(rule.said)} Shall I do it all the same?"
            self.state.question = Asked("confirm", write_meaning([order]), said=words)
            return words
        asked = unclear(order, text, self._resolver, self.state)
        if asked is not None:
            self.state.question = asked
            self._last = order
            return asked.said
        self._last = order
        self._takes_over = True
        was, self._stood = self._stood, self._body.stand
        self.state.doing = write_meaning([order])
        if order.about in _LONG:
            yield Action.say(f"All right, I will {act_words(order)}.")
        steps = self._wishes.carry_out(order)
        if order.about in ("come", "go_to") and was is not None and _BACK.search(text.lower()):
            steps = _gone_back(self._body, was)
        outcome = yield from self._attended(steps, order, forced=forced)
        self._record(order, outcome)
        return outcome.said

    def _record(self, order: DialogueAct, outcome: Outcome) -> None:
        written = write_meaning([order])
        deed = Deed(written, outcome.done, outcome.said, outcome.ids, self._body.observation.turn)
        self.state.deeds = [*self.state.deeds, deed][-_KEPT_DEEDS:]
        self.state.doing = ""
        self._left = []
        self.state.note(f"did: {written}")
        places = [slot.phrase.noun for slot in order.slots if slot.role in ("in", "on", "to", "near", "at")]
        if outcome.place and places:
            self.state.mention(places[0], outcome.place)
        things = [slot.phrase.noun for slot in order.slots if not slot.role and slot.phrase.noun not in PRONOUNS]
        if outcome.ids:
            first = self._body.things.get(outcome.ids[0])
            name = things[0] if things else _noun_of(first.object_type) if first is not None else ""
            self.state.mention(name, outcome.ids)
        elif things:
            self.state.mention(things[0])

    def _holds(self, condition: Condition, order: DialogueAct) -> bool:
        """Whether a condition is met, as far as can be told."""
        phrase = condition.phrase
        if phrase.noun in PRONOUNS and order.slots:
            phrase = order.slots[0].phrase
        things = self._resolver.find(phrase).chosen
        if not condition.state:
            return bool(things) == condition.holds
        told = [is_so(thing, condition.state, self._body.things) for thing in things]
        return (None in told and not any(told)) or any(told) == condition.holds

    def _attended(
        self, steps: Generator[Action, None, Outcome], order: DialogueAct, *, forced: bool
    ) -> Generator[Action, None, Outcome]:
        """Take steps, each one checked; what is said meanwhile is attended to before the next."""
        try:
            while True:
                try:
                    action = next(steps)
                except StopIteration as over:
                    outcome: Outcome = over.value
                    return outcome
                rule = None if forced else barred(action, self._body, self.state.rules)
                if rule is not None:
                    return Outcome(False, f"I did not finish: {_forbids(rule.said, lower=True)}")
                self._agent_busy = True
                yield action
                self._watch()
                while self._waiting:
                    yield from self._interrupted(self._waiting.popleft(), order)
        finally:
            steps.close()
            self._agent_busy = False

    def _interrupted(self, heard: Heard, order: DialogueAct) -> Steps:
        """Something was said while an order is carried out. Raises `_CalledOff` where that ends it."""
        heard = Heard(heard.text, heard.reading._replace(acts=_corrected(heard.acts)))
        kinds = {act.act for act in heard.acts}
        if kinds & {Act.STOP, Act.NO} or (Act.CANCEL in kinds and not any(act.of for act in heard.acts)):
            more = [act for act in heard.acts if act.act not in (Act.STOP, Act.NO, Act.CANCEL)]
            occasion = "cancelled" if Act.CANCEL in kinds else "stopped"
            self._agent_acts = []
            self._drop()
            self._left.insert(0, (order, heard.text))
            again = Heard(heard.text, heard.reading._replace(acts=tuple(more))) if more else None
            raise _CalledOff(self._voice.say(occasion), again)
        if kinds & {Act.INSTEAD, Act.INSTEAD_DO, Act.NOT, Act.WRONG, Act.UNDO}:
            self._last = order
            raise _CalledOff("", heard)
        for act in heard.acts or [DialogueAct(Act.UNCLEAR)]:
            yield from self._in_passing(act, heard.text, order)

    def _in_passing(self, act: DialogueAct, text: str, order: DialogueAct) -> Steps:
        """What was said while an order is carried out, and does not end it."""
        if act.act is Act.ORDER and act.about in _HINTS and order.about not in _HINTS:
            self._told_where(act, order)
        elif act.act is Act.ORDER:
            meant = as_said(act, text, self._resolver)
            if meant != order and all(meant != one for one, _ in self._queue):
                self._queue.append((meant, text))
                self._mirror()
                yield Action.say(f"I will {act_words(meant)} after this.")
        elif act.act is Act.WAIT:
            yield Action.say(self._voice.say("waiting"))
            yield from self._wait()
        elif act.act is Act.CANCEL:
            gone = {one.about for one in act.of}
            self._queue = deque(one for one in self._queue if one[0].about not in gone)
            self._mirror()
            yield Action.say(self._voice.say("cancelled"))
        elif act.act not in _SILENT and act.act not in (Act.RESUME, Act.YES, Act.THANKS):
            words = self._reply(act, text)
            if words:
                yield Action.say(words)

    def _told_where(self, look: DialogueAct, order: DialogueAct) -> None:
        """Told to look somewhere while it is at work on something: there is what that takes."""
        whats = [kind for slot in order.slots[:1] for kind in kinds_of(slot.phrase.noun)[:1]]
        places = [kind for slot in look.slots for kind in kinds_of(slot.phrase.noun)]
        self._body.memory.hints += [(what, Reference(place, 1, True)) for what in whats for place in places]

    def _wait(self) -> Steps:
        """Do nothing until somebody says to go on, or says something else that is to be done."""
        while True:
            yield Action.wait()
            if not self._waiting:
                continue
            acts = [act.act for act in self._waiting[0].acts]
            if Act.RESUME in acts or (acts and acts[0] in (Act.OK, Act.YES)):
                self._waiting.popleft()
                yield Action.say(self._voice.say("resumed"))
                return
            return

    # Again, otherwise, back

    def _again(self, act: DialogueAct, text: str) -> _Saying:
        """Orders that follow from an earlier one."""
        last = self._last
        if act.act is Act.RESUME:
            if not self._left:
                return self._voice.say("nothing to resume")
            self._queue.extend(self._left)
            self._left = []
            yield Action.say(self._voice.say("resumed"))
            return ""
        if act.act is Act.UNDO:
            if last is None or not self.state.deeds:
                return self._voice.say("nothing to undo")
            back = opposite(last)
            return self._voice.say("lasting") if back is None else (yield from self._order(back, text))
        if act.act is Act.INSTEAD_DO:
            return (yield from self._order(instead_do(last, act.of[0]) if act.of else act, text))
        if last is None:
            if act.slots:
                return self._unclear(DialogueAct(Act.UNCLEAR, slots=act.slots))
            return self._voice.say("nothing to repeat")
        return (yield from self._order(_otherwise(last, act, text), text))


def _otherwise(last: DialogueAct, act: DialogueAct, text: str) -> DialogueAct:
    """The last order once more, or with what was meant instead."""
    if act.act is Act.NOT:
        return instead(last, Phrase(last.slots[0].phrase.noun if last.slots else "one", "other"))
    if act.slots:
        return instead(last, act.slots[0].phrase)
    return (opposite(last) or last) if _OTHER_WAY.search(text.lower()) else last


_OCCASIONS: Mapping[Act, str] = {
    Act.HELLO: "hello",
    Act.BYE: "bye",
    Act.THANKS: "thanks",
    Act.PRAISE: "praise",
    Act.SORRY: "sorry",
    Act.OK: "next",
    Act.COMPLAIN: "complain",
    Act.WRONG: "wrong",
    Act.CHAT: "chat",
    Act.SLOWER: "pace",
    Act.FASTER: "pace",
    Act.YES: "no question",
    Act.NO: "no question",
    Act.ANY: "no question",
    Act.CHOOSE: "which order",
    Act.DONT_KNOW: "no question",
}


def is_own(utterance: str) -> bool:
    """Whether an utterance is controlled English, all of it: steps and hints, or what is said in passing."""
    return bool(understand_instructions(utterance)) and not leaves_open(utterance)


def _corrected(acts: Sequence[DialogueAct]) -> list[DialogueAct]:
    """Acts of an utterance that answers no question: "no" and something else is a correction, and a thing that is named
    behind an order is one more to do it with."""
    found: list[DialogueAct] = []
    for act in acts:
        before = found[-1] if found else None
        if before is not None and before.act is Act.NO and act.act in (Act.CHOOSE, Act.UNCLEAR) and act.slots:
            found[-1] = act._replace(act=Act.INSTEAD)
        elif before is not None and before.act is Act.NO and act.act is Act.ORDER:
            found[-1] = DialogueAct(Act.INSTEAD_DO, of=(act,))
        elif before is not None and before.act is Act.ORDER and act.act is Act.CHOOSE and act.slots:
            found.append(instead(before, act.slots[0].phrase))
        else:
            found.append(act)
    return found


def _is_small_talk(text: str) -> bool:
    """Whether the planner's English knows an utterance as said in passing."""
    said = understand_instructions(text)
    return bool(said) and all(step.verb in (Verb.ASIDE, Verb.FINISH, Verb.GIVE_UP) for step in said)


def _gone_back(body: Body, stand: Stand) -> Generator[Action, None, Outcome]:
    """Go back to where one stood before the last order."""
    failure = yield from attempted(go_back(body, stand))
    return Outcome(True, "I am back where I was.") if failure is None else Outcome(False, "I could not get back there.")


def _as_told(told: Told) -> str:
    """A fact in the words in which it was told."""
    return f'You told me: "{told.said.strip()}"' + ("" if told.said.rstrip().endswith((".", "!")) else ".")


def _forbids(said: str, *, lower: bool = False) -> str:
    """That something was forbidden, in the words in which it was."""
    words = f'You told me: "{said.strip()}"'
    return (words[0].lower() + words[1:] if lower else words) + ("" if said.rstrip().endswith((".", "!")) else ".")


def _not_so(condition: Condition, order: DialogueAct) -> str:
    """That nothing is done, as a condition is not met."""
    phrase = condition.phrase
    if phrase.noun in PRONOUNS and order.slots:
        phrase = order.slots[0].phrase
    if condition.state == "held":
        return "I do not have it, so I leave that." if condition.holds else "I have it, so I leave that."
    if not condition.state:
        return f"There is {words_of(phrase, 'no')}, so I leave that."
    verb = "is not" if condition.holds else "is"
    return sentence(f"{words_of(phrase)} {verb} {condition.state}, so there is nothing to do")


def _noun_of(object_type: str) -> str:
    """A type as a noun of readings: "CoffeeMachine" is "coffee_machine"."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in object_type).lstrip("_")
