"""The conformance suite can fail: worlds with one thing wrong each, and the test that says so."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from teach_agents.core.codec import Codec
from teach_agents.core.environment import Environment, Forced, Status
from teach_agents.core.environment.conformance import EnvironmentContract
from teach_agents.core.values import Event, Result, Stop, Wait
from tests.core.environment.test_conformance import TestMural as MuralCase
from tests.core.environment.test_conformance import TestPath as PathCase
from tests.core.environment.worlds import Glance, Go, Mural, Paint, Path, Point, Sight, Walk


class TwoOfAName(Path):
    seats = ("guide", "walker", "walker")


class Unwritten(Path):
    def about(self) -> Mapping[str, Any]:
        return {"made of": object()}


class Unseeded(Path):
    def reset(self, instance: Walk, seed: int) -> Sequence[Event]:
        return super().reset(instance, random.randrange(10**9))


class Remembers(Path):
    words: tuple[str, ...] = ()

    def reset(self, instance: Walk, seed: int) -> Sequence[Event]:
        begun = super().reset(instance, seed)
        self.said = self.words
        return begun

    def carry_out(self, seat: str, action: Any) -> Result:
        result = super().carry_out(seat, action)
        self.words = self.said
        return result


class MindsBeingSeen(Path):
    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sight:
        self.wind.random()
        return super().observe(seat, privileges)


class NeverOver(Path):
    def status(self) -> Status:
        return Status(may_act=(self.seats[self.turn % 2],))


class OverFromTheStart(Path):
    def status(self) -> Status:
        return Status("it never began", may_act=())


class NobodysTurn(Path):
    def status(self) -> Status:
        return replace(super().status(), may_act=())


class DoesNotStop(Path):
    def carry_out(self, seat: str, action: Any) -> Result:
        self.turn -= 2 if isinstance(action, Stop) else 0
        return Result(True) if isinstance(action, Stop) else super().carry_out(seat, action)


class NoRest(Path):
    def carry_out(self, seat: str, action: Any) -> Result:
        return Result(False, "go on") if isinstance(action, Wait) else super().carry_out(seat, action)


class Raises(Path):
    def carry_out(self, seat: str, action: Any) -> Result:
        if type(action).__module__ == "builtins":
            raise TypeError(action)
        return super().carry_out(seat, action)


class AnswersNothing(Path):
    def act(self, seat: str, action: Any) -> Any:
        return super().act(seat, action) if not self.codec.problem_of(action) else None


class TakesAnything(Path):
    def carry_out(self, seat: str, action: Any) -> Result:
        result = super().carry_out(seat, action)
        return Result(True) if self.codec.problem_of(action) else result


class EitherWalks(Path):
    def carry_out(self, seat: str, action: Any) -> Result:
        return super().carry_out("walker" if isinstance(action, Go) else seat, action)


class AnyTurn(Path):
    def act(self, seat: str, action: Any) -> Result:
        return super().act(seat if self.over else self.seats[self.turn % 2], action)


class GoesOn(Path):
    def act(self, seat: str, action: Any) -> Result:
        return Result(True) if self.over else super().act(seat, action)


class Reopens(Path):
    def act(self, seat: str, action: Any) -> Result:
        result = super().act(seat, action)
        self.over = "" if self.over and not result.success else self.over
        return result


class Live(Path):
    def observe(self, seat: str, privileges: Collection[str] = ()) -> Any:
        return replace(super().observe(seat, privileges), heard=self.noticed)

    def reset(self, instance: Walk, seed: int) -> Sequence[Event]:
        self.noticed: Any = []
        return super().reset(instance, seed)

    def carry_out(self, seat: str, action: Any) -> Result:
        self.noticed.append(seat)
        return super().carry_out(seat, action)


class Thawed(Path):
    def observe(self, seat: str, privileges: Collection[str] = ()) -> Any:
        return ThawedSight(super().observe(seat, privileges))


class ThawedSight:
    def __init__(self, sight: Sight) -> None:
        for name in Sight.__slots__:
            setattr(self, name, getattr(sight, name))


class Spy(Sight):
    pass


class Spied(Path):
    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sight:
        sight = super().observe(seat, privileges)
        spy = Spy(sight.turn, sight.heard, sight.treasure, sight.place)
        object.__setattr__(spy, "hint", lambda: self.instance)
        return spy


class Shares(Path):
    def observe(self, seat: str, privileges: Collection[str] = ()) -> Any:
        return replace(super().observe(seat, privileges), heard=self.words)

    def reset(self, instance: Walk, seed: int) -> Sequence[Event]:
        self.words: Any = ["begin"]
        return super().reset(instance, seed)


class TellsAll(Path):
    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sight:
        return super().observe(seat, self.privileges)


class TellsAllToWhoAsks(Path):
    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sight:
        return super().observe(seat, self.privileges if privileges else ())


class GrantsOn(Path):
    def reset(self, instance: Walk, seed: int) -> Sequence[Event]:
        self.granted: set[str] = set()
        return super().reset(instance, seed)

    def observe(self, seat: str, privileges: Collection[str] = ()) -> Sight:
        self.granted.update(privileges)
        return super().observe(seat, self.granted)


class LosesSteps(Codec[Walk, Any, Sight]):
    def action_from_json(self, data: object) -> Any:
        found = super().action_from_json(data)
        return Go(0) if isinstance(found, Go) else found


class LosesWords(Codec[Walk, Any, Sight]):
    def pack(self, observation: Sight) -> bytes:
        return super().pack(replace(observation, heard=()))


class Curt(Codec[Walk, Any, Sight]):
    def result_to_json(self, result: Any) -> dict[str, Any]:
        return {"success": result.success}


class Mute(Codec[Walk, Any, Sight]):
    def said(self, action: object) -> str | None:
        return None


class ReadsAnything(Codec[Walk, Any, Sight]):
    def check(self, where: str, world: object, version: object) -> None:
        return


def _written_by(codec: type[Codec[Any, Any, Any]]) -> type[Path]:
    class Written(Path):
        pass

    Written.codec = codec("path", instance=Walk, actions=(Go, Point), observation=Sight, version=2)
    return Written


class Bag(Path):
    def carry_out(self, seat: str, action: Any) -> Result:
        return replace(super().carry_out(seat, action), trace={"seats": set(self.seats)})


class Wordless(Path):
    def carry_out(self, seat: str, action: Any) -> Result:
        return Result(False) if isinstance(action, Go) else super().carry_out(seat, action)


class ClosesOnce(Path):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise ValueError("closed already")
        self.closed = True


class Shuffled(Mural):
    def valid_actions(self, seat: str) -> Sequence[Paint]:
        found = list(super().valid_actions(seat))
        return random.sample(found, len(found))


class PaintsWet(Mural):
    def act(self, seat: str, action: Any) -> Result:
        wet = isinstance(action, Paint) and action.field in self.drying
        return Result(False, "it is wet") if wet else super().act(seat, action)

    def valid_actions(self, seat: str) -> Sequence[Paint]:
        return () if self.status().over else [Paint(field, self.instance.shade) for field in range(4)]


class ForgetsChance(Mural):
    def snapshot(self) -> object:
        return self.fields[:], dict(self.drying), self.late, self.stopped, random.Random(0).getstate()


class ForgetsPaint(Mural):
    def restore(self, snapshot: Any) -> None:
        fields = self.fields
        super().restore(snapshot)
        self.fields = fields


class KeepsTheMoment(Mural):
    def restore(self, snapshot: Any) -> None:
        super().restore(snapshot)
        self.fields = snapshot[0]


class Ticks(Mural):
    def advance(self, seconds: float) -> Sequence[Event]:
        return super().advance(max(seconds, 0.1))


class Beats(Mural):
    def advance(self, seconds: float) -> Sequence[Event]:
        return [*super().advance(seconds), Event("tick")]


class WallClock(Mural):
    def advance(self, seconds: float) -> Sequence[Event]:
        return super().advance(seconds * random.random())


class Mark(Mural):
    def digest(self) -> str:
        return f"{super().digest()} {id(self.fields)}"


class BeginsAnyhow(Mural):
    def prefix(self) -> Sequence[Forced]:
        return [Forced("painter", Paint(random.randrange(10**9), 1))]


class SomebodyElseBegan(Mural):
    def prefix(self) -> Sequence[Forced]:
        return [Forced("another", Wait())]


class Likeness(Mural):
    def digest(self) -> str:
        return str(sum(self.fields) > 0)


class Undecided(Mural):
    def judge(self) -> Any:
        judged: Any = super().judge()
        return replace(judged, success=0)


class Narrow(Mural):
    def picture(self, seat: str | None, size: int) -> Any:
        return super().picture(seat, size)[:, 1:]


class Faint(Mural):
    def picture(self, seat: str | None, size: int) -> Any:
        return super().picture(seat, size) / 255


class OutOfSpace(Mural):
    def to_space(self, seat: str, observation: Glance) -> Any:
        return super().to_space(seat, observation)[:2]


class NoSuchPaint(Mural):
    def from_space(self, seat: str, value: Any) -> Any:
        return value


MUTANTS: Mapping[str, Sequence[type[Environment[Any, Any, Any]]]] = {
    "test_seats_are_named_each_once": [TwoOfAName],
    "test_it_says_what_it_is": [Unwritten],
    "test_the_same_actions_lead_to_the_same_episode": [Unseeded, WallClock, Mark],
    "test_a_reset_leaves_nothing_of_what_was": [Unseeded, Remembers],
    "test_looking_changes_nothing": [MindsBeingSeen],
    "test_an_episode_goes_on_until_it_is_over": [NeverOver, OverFromTheStart, NobodysTurn],
    "test_who_stops_comes_to_an_end": [DoesNotStop],
    "test_saying_and_waiting_are_actions_too": [NoRest],
    "test_what_is_no_action_fails": [Raises, AnswersNothing, TakesAnything],
    "test_an_action_of_another_seat_fails": [EitherWalks],
    "test_out_of_turn_every_action_fails": [AnyTurn],
    "test_behind_the_end_every_action_fails": [GoesOn, Reopens],
    "test_an_observation_stays_as_it_was": [Live, Thawed],
    "test_an_observation_leads_to_no_world": [Spied],
    "test_observations_share_nothing_that_can_change": [Shares],
    "test_privileges_are_given_to_who_asks_for_them": [TellsAll, TellsAllToWhoAsks, GrantsOn],
    "test_instances_and_actions_survive_being_written": [_written_by(LosesSteps)],
    "test_results_survive_being_written": [_written_by(Curt)],
    "test_what_is_said_can_be_told": [_written_by(Mute)],
    "test_observations_survive_being_written": [_written_by(LosesWords)],
    "test_what_cannot_be_read_is_refused": [_written_by(ReadsAnything)],
    "test_results_and_events_are_json": [Bag, Wordless],
    "test_closing_twice_is_allowed": [ClosesOnce],
    "test_valid_actions_are_the_same_whenever_they_are_asked_for": [Shuffled],
    "test_valid_actions_are_accepted": [PaintsWet],
    "test_a_moment_that_is_restored_is_as_it_was": [ForgetsChance, ForgetsPaint, KeepsTheMoment],
    "test_no_time_changes_nothing": [Ticks, Beats],
    "test_a_stated_prefix_is_part_of_the_episode": [BeginsAnyhow, SomebodyElseBegan],
    "test_moments_that_differ_have_different_digests": [Likeness],
    "test_a_verdict_is_json_and_says_whether_it_is_a_success": [Undecided],
    "test_a_picture_is_a_square_of_colours": [Narrow, Faint],
    "test_spaces_hold_observations_and_actions": [OutOfSpace, NoSuchPaint],
}
"""The worlds that each test of the suite fails."""


EACH = [(test, world) for test, worlds in MUTANTS.items() for world in worlds]


@pytest.mark.parametrize(("test", "world"), EACH)
def test_what_is_wrong_with_a_world_fails_the_test_of_it(test: str, world: type[Environment[Any, Any, Any]]) -> None:
    case: Any = PathCase() if issubclass(world, Path) else MuralCase()
    case.make_environment = world
    with pytest.raises((AssertionError, TypeError, ValueError)):
        getattr(case, test)()


def test_every_test_of_the_suite_can_fail() -> None:
    assert {name for name in dir(EnvironmentContract) if name.startswith("test_")} == set(MUTANTS)
