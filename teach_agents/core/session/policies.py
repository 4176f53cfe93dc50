"""Who is asked when: the policies by which an episode is played."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from teach_agents.core.agents.distribution import Reading
from teach_agents.core.codec import Codec
from teach_agents.core.environment import Forced, Status
from teach_agents.core.errors import InputError
from teach_agents.core.session.context import Unfinished
from teach_agents.core.session.episode import Answer, Episode
from teach_agents.core.session.hooks import Over
from teach_agents.core.session.result import End, crash
from teach_agents.core.values import Event, NoAction, Utterance

READING = "action_distribution"
"""The kind of event that holds what `Probe` read: `seat`, `how` (see `agents.distribution`), `chances`."""


_MOST_TURNS = 100_000


class Seats(Protocol):
    """Who answers for the seats. Methods raise `Over` where an agent ends the session by raising."""

    def begin(self, seat: Any, turn: int, *, resumed: bool) -> None:
        """Have a seat's agent get ready."""

    def answer(self, seat: Any, observation: Any, turn: int) -> Answer:
        """What a seat's agent does on seeing this."""

    def recall(self, seat: Any, observation: Any, turn: int) -> None:
        """A seat's agent sees this while something is done whatever it would do."""

    def read(self, seat: Any, observation: Any, turn: int, samples: int | None) -> Reading:
        """How probable a seat's agent is to do what on seeing this; nothing of it is carried out."""

    def told(self, seat: Any, done: Any) -> None:
        """What became of it."""

    def heard(self, said: Utterance) -> None:
        """Somebody spoke."""


class Policy(Protocol):
    """How an episode is played, from its beginning to its end."""

    def play(self, episode: Episode, seats: Seats, before_turn: Callable[[], None]) -> End:
        """Play; `before_turn` is called between turns. Raises `Over`."""


class Turns:
    """Turn by turn: all who may act are asked on the same moment, then all of it is carried out, in the seats' order.

    Asked are all seats that have an agent; the others are not there. What the world's prefix states comes first: an
    action a turn, while the agents look on (`Agent.recall`). In a world with a clock `turn_s` seconds pass after every
    turn; without it none do. After 100,000 turns a world that should end by itself is taken not to.
    """

    def __init__(self, *, turn_s: float | None = None) -> None:
        self._turn_s = turn_s

    def play(self, episode: Episode, seats: Seats, before_turn: Callable[[], None]) -> End:
        """Play to the end."""
        forced = self.prefix(episode)
        self.begin(episode, seats)
        tally = episode.tally
        while not (status := episode.environment.status()).over:
            if (turn := tally.turns) >= _MOST_TURNS:
                return End("turn_limit", f"{turn} turns were taken")
            before_turn()
            if turn < len(forced):
                self.force(episode, seats, forced[turn])
            else:
                self.turn(episode, seats, status)
        return End(status.end, status.over)

    def prefix(self, episode: Episode) -> Sequence[Forced]:
        """What is done first, whatever anybody would do."""
        return episode.context.prefix

    def begin(self, episode: Episode, seats: Seats) -> None:
        """Have the agents get ready."""
        for seat in episode.context.agents:
            seats.begin(seat, episode.turn, resumed=episode.turn > 0)

    def passed_s(self) -> float | None:
        """Seconds that pass in the world after a turn."""
        return self._turn_s

    def _acting(self, status: Status, asked: Collection[Any]) -> Collection[Any]:
        """Who of those that are asked may act now: nobody, where all that is waited for is time, and some passes.

        Raises `RuntimeError` for a world that waits for nobody who is there.
        """
        may = status.may_act
        found = asked if may is None else [seat for seat in may if seat in asked]
        if not found and (may or self._turn_s is None):
            waits = f"for {', '.join(map(str, may))}, and nobody is there" if may else "for time to pass: give turn_s"
            raise RuntimeError(f"the world waits {waits}")
        return found

    def turn(self, episode: Episode, seats: Seats, status: Status) -> None:
        """One turn of those who may act, to its end or the episode's."""
        turn, environment = episode.tally.turns, episode.environment
        seen: dict[Any, Any] = {}
        for seat in self._acting(status, episode.context.agents):
            seen[seat] = episode.observe(seat)
        for seat, one in seen.items():
            seen[seat] = episode.chosen(seat, one, seats.answer(seat, one, turn))
        done: dict[Any, Any] = {}
        for seat, answer in seen.items():
            if done and not environment.finishes_turns and environment.status().over:
                break
            done[seat] = carried = episode.execute(seat, answer)
            seats.told(seat, carried)
        self._close(episode, done)

    def force(self, episode: Episode, seats: Seats, forced: Forced) -> None:
        """One turn in which something is done whatever anybody would do."""
        for seat in episode.context.agents:
            seats.recall(seat, episode.observe(seat), episode.turn)
        done = episode.execute(forced.seat, Answer(forced.action, forced.action, forced=True))
        if forced.seat in episode.context.agents:
            seats.told(forced.seat, done)
        self._close(episode, {forced.seat: done})

    def _close(self, episode: Episode, done: dict[Any, Any]) -> None:
        if (seconds := self.passed_s()) is not None and episode.end() is None:
            episode.advance(seconds)
        episode.close_turn(done)


class RealTime(Turns):
    """Turn by turn, while the world's clock goes on as time does: after a turn so much passes as the turn took."""

    def __init__(self) -> None:
        super().__init__(turn_s=0.0)
        self._since = 0.0

    def begin(self, episode: Episode, seats: Seats) -> None:
        """The clock stands still until the agents are ready."""
        super().begin(episode, seats)
        self._since = time.monotonic()

    def passed_s(self) -> float:
        """What passed since the last turn, in whole milliseconds."""
        before, self._since = self._since, time.monotonic()
        return round(self._since - before, 3)


class Probe(Turns):
    """A forced prefix, the world's or one that is given, then one reading of what a seat's agent would do.

    The event `READING` of the turn behind the prefix holds what was read. Nothing of it is carried out and the episode
    ends there; or it `goes_on`, that turn and those that follow like any other. Paired runs, with something and
    without, are two episodes.
    """

    def __init__(
        self, seat: Any, *, prefix: Sequence[Forced] | None = None, samples: int | None = None, goes_on: bool = False
    ) -> None:
        super().__init__()
        self._seat = seat
        self._prefix = prefix
        self._samples = samples
        self._goes_on = goes_on

    def prefix(self, episode: Episode) -> Sequence[Forced]:
        """The one that was given, or the world's."""
        return super().prefix(episode) if self._prefix is None else self._prefix

    def begin(self, episode: Episode, seats: Seats) -> None:
        """Whoever is read has to be there."""
        if self._seat not in (there := episode.context.agents):
            raise InputError("Probe", "nobody sits there", value=str(self._seat), valid=map(str, there))
        super().begin(episode, seats)

    def turn(self, episode: Episode, seats: Seats, status: Status) -> None:
        """Read, if that has not been done; then go on, or end the episode: raises `Over`."""
        unread, seat = episode.turn == len(self.prefix(episode)), self._seat
        if unread:
            reading = seats.read(seat, episode.observe(seat), episode.turn, self._samples)
            codec = episode.environment.codec
            chances = [[codec.action_to_json(_read(codec, seat, one)), share] for one, share in reading.chances]
            episode.happened((Event(READING, {"seat": str(seat), "how": reading.how, "chances": chances}),))
        if self._goes_on:
            return super().turn(episode, seats, status)
        if unread:
            episode.close_turn({})
        raise Over("read", f"it was read what the {seat} would do")


def _read(codec: Codec[Any, Any, Any], seat: Any, answer: Any) -> Any:
    problem = codec.problem_of(answer)
    return NoAction(problem) if problem else codec.own(seat, answer)


def played(
    policy: Policy, episode: Episode, seats: Seats, before_turn: Callable[[], None], events: Sequence[Event] = ()
) -> End:
    """What playing comes to, `events` having happened at once.

    Whatever is raised on the way is an end, but for `Unfinished`, which leaves the session as it is.
    """
    try:
        episode.begin(events)
        return policy.play(episode, seats, before_turn)
    except Over as over:
        return over.end
    except Unfinished:
        raise
    except Exception as error:  # noqa: BLE001  # a broken world, bus or disk ends a session, it never loses it
        return crash(error)
