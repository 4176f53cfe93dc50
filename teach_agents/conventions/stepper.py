"""A world played step by step, as environments for learners are: what Gymnasium's and PettingZoo's have in common."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from teach_agents.core.agents.contract import Agent, AgentLike, as_agent
from teach_agents.core.agents.distribution import ONE_HOT, Reading
from teach_agents.core.agents.runner import LateError, Runner
from teach_agents.core.environment import Clocked, Environment, Pictured, Prefixed, Spaced
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.context import SessionContext, Timeouts, TurnClock
from teach_agents.core.session.episode import Answer, Episode
from teach_agents.core.session.hooks import Over
from teach_agents.core.session.policies import Turns
from teach_agents.core.session.result import TIMED_OUT, End
from teach_agents.core.session.seats import LocalSeats
from teach_agents.core.values import NOTHING, Utterance

if TYPE_CHECKING:
    from numpy.typing import NDArray


RENDER_MODES = ("rgb_array", "ansi")
_SIZE = 300
_TURN_S = 1.0
"""Seconds that a turn takes in a world with a clock."""
_PATIENT = Timeouts()


class _Learner(Agent):
    """Stands for a seat that is acted in from outside."""

    def __init__(self, privileges: Collection[Any]) -> None:
        self.privileges = frozenset(privileges)


@dataclass(eq=False)
class _Seats:
    """What was given from outside, and what agents answer in the other seats."""

    _outside: Collection[str]
    _agents: LocalSeats | None
    given: JsonMapping = field(default_factory=dict)

    def _of(self, seat: Any) -> LocalSeats | None:
        return None if seat in self._outside else self._agents

    def begin(self, seat: Any, turn: int, *, resumed: bool) -> None:
        if agents := self._of(seat):
            agents.begin(seat, turn, resumed=resumed)

    def answer(self, seat: Any, observation: Any, turn: int) -> Answer:
        agents = self._of(seat)
        return agents.answer(seat, observation, turn) if agents else Answer(self.given[seat], self.given[seat])

    def recall(self, seat: Any, observation: Any, turn: int) -> None:
        if agents := self._of(seat):
            agents.recall(seat, observation, turn)

    def read(self, seat: Any, observation: Any, turn: int, samples: int | None) -> Reading:
        return Reading(((self.given[seat], 1.0),), ONE_HOT)

    def told(self, seat: Any, done: Any) -> None:
        if agents := self._of(seat):
            agents.told(seat, done)

    def heard(self, said: Utterance) -> None:
        if self._agents:
            self._agents.heard(said)


class Stepper:
    """Plays instances of a world: `outside` are the seats that are acted in from outside, `agents` answer in others.

    Instances go by their `instance_id`, or by their number. An episode is over when the world says so, after
    `max_turns`, or where an agent fails. Turns in which nobody outside may act pass by themselves, and what the world
    forces at the beginning is done at once; in a world with a clock a turn takes a second. `spaces` stands for those of
    a world that has none, or has others. What outside seats see holds `privileges`.
    """

    def __init__(  # who plays what, how it is shown, and for how long
        self,
        environment: Environment[Any, Any, Any],
        instances: Iterable[Any],
        outside: Sequence[str],
        *,
        agents: Mapping[str, AgentLike] = NOTHING,
        spaces: Spaced | None = None,
        max_turns: int | None = None,
        privileges: Collection[str] = (),
    ) -> None:
        unknown = [seat for seat in (*outside, *agents) if seat not in environment.seats]
        if unknown or not outside:
            raise InputError("seats", "are not of this world", value=unknown, valid=environment.seats)
        self.environment = environment
        self.seats = tuple(map(str, outside))
        self.spaces = _spaces_of(environment) if spaces is None else spaces
        self.instances = {str(getattr(one, "instance_id", number)): one for number, one in enumerate(instances)}
        known = {seat: as_agent(one, seat=seat, privileges=environment.privileges) for seat, one in agents.items()}
        self._agents = {**known, **dict.fromkeys(outside, _Learner(privileges))}
        self._runner = Runner("agents beside a learner") if known else None
        self._max_turns = max_turns
        self._policy = Turns(turn_s=_TURN_S if isinstance(environment, Clocked) else None)
        self._episode: Episode | None = None
        self.end: End | None = None
        """Why the episode is over, if it is."""
        self.instance_id = ""
        self._worth = 0.0

    def begin(self, rng: np.random.Generator, options: JsonMapping | None) -> None:
        """Begin an episode of `options["instance_id"]`, or of one that is drawn. Raises `InputError` for none."""
        name, there = (options or {}).get("instance_id"), tuple(self.instances)
        name = there[int(rng.integers(len(there)))] if name is None else name
        InputError.check("instance_id", name, there, "instance")
        self.instance_id, self.end = name, None
        seed = self.furnish(self.instances[name], rng)
        agents = {seat: self._agents[seat] for seat in self.environment.seats if seat in self._agents}
        context = SessionContext(
            session_id=name,
            environment=self.environment,
            instance=self.instances[name],
            seed=seed,
            agents=agents,
            timeouts=_PATIENT,
            clock=TurnClock(),
        )
        self._seats = _Seats(self.seats, LocalSeats(context, self._runner) if self._runner else None)
        self._episode = episode = Episode(context, heard=self._seats.heard, digests=False)
        self._carried(lambda: self._begun(episode))
        self._worth = self.worth()

    def furnish(self, instance: Any, rng: np.random.Generator) -> int:
        """Set the world up as an instance begins; the episode's seed."""
        seed = int(rng.integers(1 << 31))
        self.environment.reset(instance, seed)
        return seed

    def _begun(self, episode: Episode) -> None:
        episode.begin()
        self._policy.begin(episode, self._seats)
        for one in self.environment.prefix() if isinstance(self.environment, Prefixed) else ():
            self._policy.force(episode, self._seats, one)
        self._others_turns(episode)

    @property
    def episode(self) -> Episode:
        """The episode under way, or the last. Raises `InputError` where there is none."""
        if self._episode is None:
            raise InputError("environment", "there is no session under way: call reset first")
        return self._episode

    @property
    def may_act(self) -> tuple[str, ...]:
        """Which of the seats outside may act now."""
        allowed = self.environment.status().may_act
        return self.seats if allowed is None else tuple(seat for seat in self.seats if seat in allowed)

    def step(self, values: JsonMapping) -> float:
        """Carry out actions, values of their spaces, of those who may act; what that changed of `worth`.

        Raises `InputError` for what is no such value, where one is missing, and where no episode is under way.
        """
        episode, may_act = self.episode, self.may_act
        if self.end:
            raise InputError("step", "there is no session under way: call reset first")
        if missing := [seat for seat in may_act if seat not in values]:
            raise InputError("step", "needs an action of every agent", value=list(values), valid=missing)
        self._seats.given = {seat: self.spaces.from_space(seat, values[seat]) for seat in may_act}
        self._carried(lambda: self._turn(episode))
        before, self._worth = self._worth, self.worth()
        return self._worth - before

    def _turn(self, episode: Episode) -> None:
        self._next_turn(episode)
        self._others_turns(episode)

    def _next_turn(self, episode: Episode) -> None:
        self._policy.turn(episode, self._seats, self.environment.status())

    def _others_turns(self, episode: Episode) -> None:
        """Let pass what nobody outside has a part in, and see whether the episode is over."""
        while (end := self._ended(episode)) is None and not self.may_act:
            self._next_turn(episode)
        self.end = end

    def _ended(self, episode: Episode) -> End | None:
        end, most = episode.end(), self._max_turns
        if end is None and most is not None and episode.turn >= most:
            return End("turn_limit", f"{episode.turn} turns were taken")
        return end

    def _carried(self, work: Any) -> None:
        """Do work that may ask agents; one that fails ends the episode."""
        try:
            if self._runner is None:
                work()
            else:
                self._runner.run(work)
        except Over as over:
            self.end = over.end
        except LateError as late:
            self.end = End(TIMED_OUT, str(late))
            self.close()
            self._runner = Runner("agents beside a learner")

    @property
    def over(self) -> tuple[bool, bool]:
        """Whether the episode has ended, and whether it was cut off: by a limit of turns."""
        cut = self.end is not None and self.end.reason == "turn_limit"
        return self.end is not None and not cut, cut

    def seen(self, seat: str) -> Any:
        """What a seat sees now, as a value of its space."""
        return self.spaces.to_space(seat, self.episode.observe(seat))

    def worth(self) -> float:
        """What the present state is worth: 1 where the world judges that what was to be done is done, else 0."""
        verdict = self.environment.judge()
        return float(verdict is not None and verdict.success)

    def info(self, seat: str) -> JsonObject:
        """What there is to know beside: of the end, how the world judges it."""
        info = {"instance_id": self.instance_id, "turn": self.episode.turn, "may_act": seat in self.may_act}
        if self.end:
            info |= {"end_reason": str(self.end.reason), "reason": self.end.text}
            if (verdict := self.environment.judge()) is not None:
                info["judgement"] = dict(verdict.to_json())
        return info

    def render(self, mode: str | None) -> NDArray[Any] | str | None:
        """Pictures of what the seats see, side by side, or `words`; `None` without a mode, and where there is none."""
        if mode is None:
            return None
        if mode == "ansi":
            return self.words()
        drawn = [one for seat in self.seats if (one := self._picture(seat)) is not None]
        return np.concatenate(drawn, axis=1) if drawn else None

    def _picture(self, seat: str) -> NDArray[Any] | None:
        """What a seat sees, drawn for people, or the first picture of its space."""
        if isinstance(self.environment, Pictured):
            found: NDArray[Any] | None = self.environment.picture(seat, _SIZE)
            return found
        return next((one for one in self._parts(seat) if getattr(one, "ndim", 0) == 3), None)

    def _parts(self, seat: str) -> Collection[Any]:
        seen = self.seen(seat)
        return seen.values() if isinstance(seen, Mapping) else (seen,)

    def words(self) -> str:
        """The texts that the seats see."""
        return "\n".join(one for seat in self.seats for one in self._parts(seat) if isinstance(one, str))

    def close(self) -> None:
        """Let the agents go. The world stays as it is."""
        if self._runner:
            self._runner.stop()


class SteppedEnv:
    """What environments of both libraries have in common: the stepper that they show."""

    def __init__(self, stepper: Stepper, render_mode: str | None = None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise InputError("render_mode", "is unknown", value=render_mode, valid=RENDER_MODES)
        self._stepper = stepper
        self.render_mode = render_mode

    @property
    def instance_ids(self) -> tuple[str, ...]:
        """Every instance there is, in order."""
        return tuple(self._stepper.instances)

    def render(self) -> NDArray[Any] | str | None:
        """What the seats see, pictures side by side, or in words; `None` without a render mode."""
        return self._stepper.render(self.render_mode)

    def close(self) -> None:
        """Let go of what the stepper holds."""
        self._stepper.close()


def _spaces_of(environment: Environment[Any, Any, Any]) -> Spaced:
    if isinstance(environment, Spaced):
        return environment
    from teach_agents.conventions.environment_spaces import TextSpaces

    return TextSpaces(environment)
