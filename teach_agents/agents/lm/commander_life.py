"""A Commander's turns: when it chooses, and what it does between two choices; how its camera looks a room over."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Mapping
from copy import copy, deepcopy
from dataclasses import dataclass
from itertools import repeat

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.things import Things
from teach_agents.agents.instructing.strategy import Strategist
from teach_agents.agents.lm.commander_moves import Kind, Move, asks, corrections, searches, tells
from teach_agents.agents.lm.commander_notes import Notes
from teach_agents.observations import Observation, Pose
from teach_agents.understanding.english.natural import NaturalSpeaker
from teach_agents.understanding.english.speaking import say_instruction
from teach_agents.understanding.english.understanding import understand_reports
from teach_agents.understanding.english.values import Instruction, Verb

_HEIGHT = 1.9
"""From where counters, tables and open shelves are seen from above, metres."""
_STEP = 0.25
_RISES, _MOVES = 8, 12
"""Turns that rising and flying may take."""


_TURN = Action("Turn Right")
"""A quarter of the way round."""


def look_around(now: Callable[[], tuple[Observation, Things]]) -> Generator[Action, None, None]:
    """See the room from here and from the other side of its middle: at most 28 turns."""
    for _ in range(_RISES):
        if now()[0].pose.position.y >= _HEIGHT - _STEP / 2:
            break
        yield Action("Look Up")
    yield from repeat(_TURN, 4)
    observation, things = now()
    moves = _across(observation.pose, things)
    if moves:
        yield from map(Action, moves)
        yield from repeat(_TURN, 4)


def _across(pose: Pose, things: Things) -> list[str]:
    """Moves that take the camera to the other side of the middle of what was seen."""
    found = [thing.center for thing in things]
    if not found:
        return []
    x, z = ((min(values) + max(values)) / 2 for values in ([p.x for p in found], [p.z for p in found]))
    dx, dz = 2 * (x - pose.position.x), 2 * (z - pose.position.z)
    heading = math.radians(pose.yaw)
    ahead = dx * math.sin(heading) + dz * math.cos(heading)
    aside = dx * math.cos(heading) - dz * math.sin(heading)
    moves = [("Forward", "Backward", ahead), ("Pan Right", "Pan Left", aside)]
    ways = [[more if way > 0 else less] * round(abs(way) / _STEP) for more, less, way in moves]
    longest = max(map(len, ways))
    if longest * _STEP < 1.0:
        return []
    share = min(1.0, _MOVES / sum(map(len, ways)))
    return [name for way in ways for name in way[: round(len(way) * share)]]


_SILENCE, _LONGEST_SILENCE = 60, 240
"""Turns of silence after which the Commander chooses again; twice as many each time, up to the second."""
MOST_ASKED, MOST_SOUGHT = 8, 4
"""Steps and searches among the candidates, at most."""
_ANSWERS = {Kind.YES: "Yes.", Kind.NO: "No.", Kind.UNKNOWN: "I do not know."}

Turns = Generator[Action, None, None]


@dataclass(frozen=True, slots=True)
class Ways:
    """What is the model's in a Commander's life.

    `choose` takes one of the moves, `word` puts what one of them says in words of its own, or gives the phrase back.
    """

    choose: Callable[[list[Move]], Move]
    word: Callable[[Move, str], str]


class CommanderLife:
    """One session of a Commander.

    It chooses when the session begins, when the Follower has said something, or nothing for long, and when a check, a
    search or a look round came back. In between it waits; one that `looks` turns its camera meanwhile. `now` is what is
    observed in this turn, `things` what is known of the room.
    """

    now: Observation
    things: Things

    def __init__(self, ways: Ways, rng: random.Random, *, looks: bool) -> None:
        self._ways = ways
        self._rng = rng
        self._looks = looks
        self.notes = Notes()
        self._strategist = Strategist()
        self._known: Things | None = None
        self._heard: int | None = None
        self._silence = _SILENCE

    def see(self, observation: Observation) -> None:
        """A new turn. What was said before the first one is no news."""
        self.now = observation
        self.things = self._known = Things.now(observation.privileged.lasting_objects, self._known)
        if self._heard is None:
            self._heard = len(observation.dialogue)

    def preview(self) -> CommanderLife:
        """A copy that has listened, whose notes are its own."""
        other = copy(self)
        other.notes, other._strategist = deepcopy((self.notes, self._strategist))
        other.listen()
        return other

    def turns(self) -> Turns:
        """An action a turn, for ever."""
        while True:
            self.listen()
            move = self._ways.choose(self.moves())
            yield from _TURNS[move.kind](self, move)

    def moves(self) -> list[Move]:
        """Everything that makes sense now."""
        notes, things = self.notes, self.things
        moves = [] if notes.is_current else [Move(Kind.CHECK)]
        if self._looks and not notes.has_looked:
            moves.append(Move(Kind.LOOK))
        options = self._strategist.options(notes.problems, notes.satisfied, things) if notes.reply is not None else []
        undone = notes.step if notes.is_reported_done and notes.step in options else None
        moves += searches(notes.wanted(things, undone)[:MOST_SOUGHT])
        moves += asks(options[:MOST_ASKED])
        if undone:
            moves += corrections(undone, notes.problems, things)
        for noun in notes.asked_about:
            moves += [*tells(noun, things), Move(Kind.UNKNOWN)]
        if notes.is_question:
            moves += [Move(Kind.YES), Move(Kind.NO), Move(Kind.UNKNOWN)]
        if notes.may_praise:
            moves.append(Move(Kind.PRAISE))
        moves += [Move(Kind.WAIT), Move(Kind.FINISH)]
        return [*moves, Move(Kind.GIVE_UP)] if notes.step else moves

    def listen(self) -> bool:
        """Take note of what the Follower has said since; whether that was anything."""
        new = [one.text for one in self.now.dialogue[self._heard or 0 :] if one.speaker is Role.FOLLOWER]
        self._heard = len(self.now.dialogue)
        for text in new:
            report = self.notes.heard(text)
            if report:
                self._strategist.report(report, self.things)
        return bool(new)

    def _until_something_happens(self) -> Turns:
        for _ in range(self._silence):
            if self.listen():
                self._silence = _SILENCE
                return
            yield _TURN if self._looks else Action.wait()
        self.notes.silent(self._silence)
        self._silence = min(2 * self._silence, _LONGEST_SILENCE)

    def _check(self, move: Move) -> Turns:
        yield Action.progress_check()
        result = self.now.last_result
        if result and result.reply is not None:
            self.notes.checked(result.reply)

    def _look(self, move: Move) -> Turns:
        yield from look_around(lambda: (self.now, self.things))
        self.notes.looked()

    def _search(self, move: Move) -> Turns:
        yield Action.search(move.noun)
        found = tells(move.noun, self.things)
        self.notes.searched(move.noun, sought=move.about, place=found[0].about if found else "")

    def _ask(self, move: Move) -> Turns:
        assert move.step, "a step is asked for"
        asked = self.notes.step if move.kind is Kind.CORRECT else move.step
        self._strategist.ask(asked or move.step)
        self.notes.asked(move)
        self._silence = _SILENCE
        yield from self._say(move, say_instruction(move.step, self._rng))

    def _answer(self, move: Move) -> Turns:
        self.notes.told()
        yield from self._say(move, _ANSWERS.get(move.kind) or f"{move.about[:1].upper()}{move.about[1:]}.")

    def _praise(self, move: Move) -> Turns:
        self.notes.told()
        yield Action.say(self._ways.word(move, NaturalSpeaker(self._rng).aside("praise")))

    def _say(self, move: Move, phrase: str) -> Turns:
        words = self._ways.word(move, phrase)
        before = len(self.now.dialogue)
        yield Action.say(words)
        crossing = [one.text for one in self.now.dialogue[before:] if one.speaker is Role.FOLLOWER]
        if crossing and all(map(understand_reports, crossing)):
            self._heard = len(self.now.dialogue)  # said before this was heard: no answer to it
        yield from self._until_something_happens()

    def _finish(self, move: Move) -> Turns:
        if move.kind is Kind.GIVE_UP:
            yield Action.say(say_instruction(Instruction(Verb.GIVE_UP), self._rng))
        while True:
            yield Action.finish()


_TURNS: Mapping[Kind, Callable[[CommanderLife, Move], Turns]] = {
    Kind.CHECK: CommanderLife._check,
    Kind.LOOK: CommanderLife._look,
    Kind.SEARCH: CommanderLife._search,
    Kind.PRAISE: CommanderLife._praise,
    Kind.WAIT: lambda life, move: life._until_something_happens(),
    **dict.fromkeys((Kind.ASK, Kind.CORRECT), CommanderLife._ask),
    **dict.fromkeys((Kind.TELL, Kind.YES, Kind.NO, Kind.UNKNOWN), CommanderLife._answer),
    **dict.fromkeys((Kind.FINISH, Kind.GIVE_UP), CommanderLife._finish),
}
