"""One episode in a world: everything that is done in it is executed, told, counted and kept here.

Whoever decides whose turn it is (a policy) drives it; it asks nobody itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from teach_agents.core.environment import Clocked
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.messages import ActionExecuted, Payload, SessionEnded, UtteranceSaid
from teach_agents.core.session.context import SessionContext
from teach_agents.core.session.hooks import HookRunner
from teach_agents.core.session.record import Keeper
from teach_agents.core.session.result import End, Tally, crash
from teach_agents.core.values import Event, NoAction, Utterance

Tell = Callable[[Payload, int], None]
"""Makes something known: what, and when, in milliseconds since the session began."""


class Answer(NamedTuple):
    """A seat's answer to an observation: what its agent chose, and what the hooks made of that.

    Both are `None`, and `problem` says why, for an answer that is no action. `forced` is what was done whatever the
    agent would do.
    """

    chosen: Any
    action: Any
    problem: str = ""
    thought: JsonMapping | None = None
    forced: bool = False


class Episode:
    """An episode being held; the world stands at its beginning, or where `past` has left it.

    `tell` publishes, where anybody listens; `heard` takes what is said to the seats. `keeper` has the record; without
    one, and without hooks, no digests are taken, nor where they are not wanted. Methods raise `Over` where a hook ends
    the session.
    """

    def __init__(
        self,
        context: SessionContext,
        *,
        tell: Tell | None = None,
        heard: Callable[[Utterance], None] | None = None,
        keeper: Keeper | None = None,
        past: Sequence[Any] = (),
        digests: bool | None = None,
    ) -> None:
        self.context = context
        self.environment = environment = context.environment
        self.form = environment.form
        self.hooks = HookRunner(context.hooks, environment)
        self.tally = Tally(environment.seats)
        self._tell = tell
        self._heard = heard
        self._keeper = keeper
        self.past = tuple(past)
        self._codec = environment.codec
        self._digests = keeper is not None or bool(context.hooks) if digests is None else digests
        self._waiting = self._codec.wait()
        self._places = {seat: place for place, seat in enumerate(environment.seats)}
        self._hooked = bool(context.hooks)
        self._events: tuple[Event, ...] = ()
        self._before: tuple[Utterance, ...] = ()
        self._passed_s = 0.0
        self.verdicts: tuple[Any, Any] = (None, None)
        """What the first and the present state were judged to be."""
        for record in self.past:
            self.count(record)

    @property
    def turn(self) -> int:
        """The number of the turn that is under way, or comes next."""
        return self.tally.turns

    def now_ms(self, seat: Any = None) -> int:
        """The session's time, at which a seat acts in this turn."""
        return self.context.clock.now_ms(self.tally.turns, self._places.get(seat, 0), len(self._places))

    def judged_first(self) -> None:
        """Judge the state in which the episode begins."""
        self.verdicts = (self.environment.judge(),) * 2

    def judged_last(self) -> None:
        """Judge the present state."""
        self.verdicts = self.verdicts[0], self.environment.judge()

    def begin(self, events: Sequence[Event] = ()) -> None:
        """Tell everybody that the session begins, or goes on."""
        context, past, clock = self.context, self.past, self.context.clock
        clock.begin(1 + max((done.time_ms for turn in past for done in turn.done.values()), default=-1))
        self.hooks.begin(context.session_id, context.seed, past)
        if self._tell is not None:
            self._tell(self.form.began(context.header(), resumed=bool(past)), self.now_ms())
        self.happened(events)

    def happened(self, events: Sequence[Event], time_ms: int | None = None) -> None:
        """Something happened in the world: it is told, and kept with the turn that is under way."""
        self._events += tuple(events)
        if self._tell is not None:
            for event in events:
                self._tell(self.form.happened(event, self.turn), self.now_ms() if time_ms is None else time_ms)

    def advance(self, seconds: float) -> None:
        """Let time pass in a world that has a clock. Raises `InputError` for any other."""
        if not isinstance(self.environment, Clocked):
            raise InputError("session", "this world has no clock that could be advanced", value=seconds)
        self._passed_s += seconds
        self.happened(self.environment.advance(seconds))

    def observe(self, seat: Any) -> Any:
        """What a seat sees now, with the privileges of its agent."""
        return self.environment.observe(seat, self.context.privileges[seat])

    def chosen(self, seat: Any, observation: Any, answer: Answer) -> Answer:
        """An answer as the hooks leave it."""
        if not self._hooked or answer.action is None:
            return answer
        return self.changed(seat, self.perceived(seat, observation), answer)

    def changed(self, seat: Any, seen: Any, answer: Answer) -> Answer:
        """The same, of an answer that is an action, to what the agent has perceived."""
        return answer._replace(action=self._codec.own(seat, self.hooks.before_action(seat, seen, answer.action)))

    def perceived(self, seat: Any, observation: Any) -> Any:
        """An observation as the agent that has just answered it perceived it."""
        perceived = self.context.agents[seat].perceived
        return observation if perceived is None or not self.form.is_of(perceived, observation) else perceived

    def execute(self, seat: Any, answer: Answer) -> Any:
        """Carry out an answer, and tell of it."""
        chosen, action, problem, thought, forced = answer
        turn, environment, hint = self.tally.turns, self.environment, ""
        time_ms = self.now_ms(seat)
        said = None if action is None else self._codec.said(action)
        if said is not None and self._hooked:
            action = self.hooks.say(turn, seat, action, said)
            said = self._codec.said(action)
        environment.stamp(time_ms)
        result = environment.act(seat, NoAction(problem or "the agent gave no action") if action is None else action)
        if result.cost and not math.isfinite(result.cost):
            raise ValueError(f"what the world charges the {seat} must be a finite number, not {result.cost!r}")
        if self._hooked and (hint := self.hooks.after_result(turn, seat, action, result)):
            environment.hint(seat, hint)
        replaced = None if action is chosen or action == chosen else chosen
        done = self.form.done(action, result, time_ms, result.trace, thought, replaced, hint, (), forced)
        if self._tell is not None:
            self._tell(ActionExecuted(turn=turn, role=seat, action=action, result=done.told), time_ms)
        if result.events:
            self.happened(result.events, time_ms)
        if said is not None and result.success:
            return replace(done, dialogue_acts=self._said(Utterance(seat, said, time_ms)))
        return done

    def interject(self, name: str, text: str) -> None:
        """Somebody from no seat of the session speaks into it: heard, recorded, and the session is marked."""
        said = Utterance(name, text, self.now_ms())
        self.environment.overhear(said)
        self._before += (said,)
        self.tally.spoken(name)
        self._said(said)

    def _said(self, said: Utterance) -> tuple[str, ...]:
        """Tell of an utterance; its dialogue acts, if a hook names them."""
        if self._tell is not None:
            self._tell(UtteranceSaid(turn=self.turn, speaker=said.speaker, text=said.text), said.time_ms)
        if self._heard is not None:
            self._heard(said)
        return self.hooks.heard(self.turn, said) if self._hooked else ()

    def close_turn(self, done: Mapping[Any, Any]) -> Any:
        """The turn is over: keep it and tell the hooks."""
        record = self.turn_of(done)
        if self._keeper is not None:
            self._keeper.turn(record)
        self.count(record)
        if self._hooked:
            self.hooks.turn_executed(record)
        return record

    def turn_of(self, done: Mapping[Any, Any]) -> Any:
        """What was done, and what happened meanwhile, as a turn; it is neither kept nor counted yet."""
        state = self.environment.digest() if self._digests else ""
        record = self.form.turn(self.tally.turns, done, state, self._events, self._before, self._passed_s)
        self._events, self._before, self._passed_s = (), (), 0.0
        return record

    def count(self, record: Any) -> None:
        """A turn counts."""
        tally, codec = self.tally, self._codec
        tally.turns += 1
        for said in record.before:
            tally.spoken(said.speaker)
        for seat, done in record.done.items():
            action, result = done.action, done.result
            if action is not None and action is not self._waiting:
                tally.actions[seat] += action != self._waiting
                tally.utterances[seat] += codec.said(action) is not None
            if not result.success:
                tally.failures[seat] += self.form.failed(seat, done)
            if result.cost:
                tally.costs[seat] += result.cost
            if done.dialogue_acts:
                tally.dialogue_acts[seat].update(done.dialogue_acts)
            if done.thought is not None:
                tally.clarifications[seat] += bool(done.thought.get("clarifies"))
                tally.repairs[seat] += bool(done.thought.get("repairs"))

    def end(self) -> End | None:
        """Why the world says that the episode is over, if it is."""
        status = self.environment.status()
        return End(status.end, status.over) if status.over else None

    def ended(self, end: End) -> Any:
        """The result: the final verdict is made, hooks and bus are told; if any of it fails, that is the end."""
        stamps: tuple[tuple[str, JsonMapping], ...] = tuple(
            (name, {}) for name, hook in self.context.hooks if hook.stamped
        )
        try:
            self.judged_last()
            stamps, failure = self.hooks.ended(self._result(end))
            end = end if failure is None or end.broken else failure
            if self._tell is not None:
                told = SessionEnded(
                    turns=self.turn, success=bool(self._result(end).success), end_reason=end.reason, reason=end.text
                )
                self._tell(told, self.now_ms())
        except Exception as error:  # noqa: BLE001  # a broken world, bus or hook ends a session, it never loses it
            end = end if end.broken else crash(error)
        return replace(self._result(end), hooks=stamps)

    def kept(self, result: Any) -> Any:
        """The result, written to the record; a record that cannot be completed is a crash, and the result says so."""
        if self._keeper is not None:
            try:
                self._keeper.end(result.to_json(timed=False))
            except OSError as error:
                return replace(self._result(crash(error)), hooks=result.hooks)
        return result

    def broken(self, error: Exception, result: Any) -> Any:
        """The result where its end could not be told."""
        return result if result.broken else replace(self._result(crash(error)), hooks=result.hooks)

    def _result(self, end: End) -> Any:
        context = self.context
        return self.form.result(context.header(), context.agents, self.tally, end, self.verdicts)
