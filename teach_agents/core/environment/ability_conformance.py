"""What a world must do that has one of the optional abilities; a world without it passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from teach_agents.core.environment import (
    Clocked,
    Digested,
    Judged,
    Pictured,
    Prefixed,
    Restorable,
    Spaced,
    Valid,
)
from teach_agents.core.environment.playthrough import Playthrough, Step, account, as_json, seen
from teach_agents.core.errors import InputError

_RECORDED = frozenset({"turn", "dialogue", "last_action", "last_result"})
"""Parts of observations that are no state of the world's: records hold them."""
_MOMENTS = (0, 1, 2, 5, 12, 25)
"""Where in an episode it is tried whether valid actions are accepted."""
_EARLY = 4
"""Moments of an episode of which the last is gone back to."""
_SIZE = 48


class AbilityContract(Playthrough):
    """The part of `EnvironmentContract` that is about abilities."""

    def counts(self, observation: Any) -> object:
        """What of an observation, as JSON, is state: two that differ in it have different digests."""
        return {name: part for name, part in observation.items() if name not in _RECORDED}

    def test_valid_actions_are_the_same_whenever_they_are_asked_for(self) -> None:
        """Their order too; and behind the end there are none."""
        for environment, _ in self.moments(Valid):
            for seat in environment.seats:
                valid = environment.valid_actions(seat)
                assert list(valid) == list(environment.valid_actions(seat))
                assert not (valid and environment.status().over), f"{seat} may not act any more"

    def test_valid_actions_are_accepted(self) -> None:
        """Each on its own, tried where it was listed, is a success; in a world that claims it (`Valid.exact`)."""
        for environment, instance in self.fresh(Valid):
            for steps, seat, actions in self._listed(environment, instance) if environment.exact else ():
                self._accepted(environment, instance, steps, [(seat, action) for action in actions])

    def _listed(self, environment: Any, instance: Any) -> list[tuple[list[Step], str, Sequence[Any]]]:
        """What was valid for whom, behind which steps, at some moments when agents are asked."""
        steps: list[Step] = []
        found: list[tuple[list[Step], str, Sequence[Any]]] = []
        for step in self.episode(environment, instance):
            steps.append(step)
            if step.forced:
                found.clear()
            if sum(not one.forced for one in steps) - 1 in _MOMENTS:
                found += [(steps[:], seat, tuple(environment.valid_actions(seat))) for seat in environment.seats]
        return found

    def _accepted(self, environment: Any, instance: Any, steps: list[Step], tries: list[tuple[str, Any]]) -> None:
        number = sum(bool(step.seat) for step in steps)
        moment = None
        for seat, action in tries:
            if moment is None:
                self.replay(environment, instance, steps)
                moment = environment.snapshot() if isinstance(environment, Restorable) else None
            else:
                environment.restore(moment)
            result = self.do(environment, number, seat, action).result
            assert result is not None and result.success, f"{action!r} is valid for {seat}, and refused: {result}"

    def test_a_moment_that_is_restored_is_as_it_was(self) -> None:
        """What follows is the same again, chance included; a snapshot serves more than once."""
        for environment, instance in self.fresh(Restorable):
            self._restored(environment, instance)

    def _restored(self, environment: Any, instance: Any) -> None:
        steps: list[Step] = []
        accounts: list[Any] = []
        moment, cut = None, 0
        for step in self.episode(environment, instance):
            steps.append(step)
            accounts.append(account(environment, step))
            if len(steps) <= _EARLY:
                moment, cut = environment.snapshot(), len(steps)
        for _ in range(2):
            environment.restore(moment)
            assert account(environment, steps[cut - 1]) == accounts[cut - 1], "what is restored is not what was"
            number = sum(bool(step.seat) for step in steps[:cut])
            assert self.redo(environment, steps[cut:], number) == accounts[cut:], "what follows is not what followed"

    def test_no_time_changes_nothing(self) -> None:
        """`advance(0)` tells of nothing and leaves everything as it is."""
        for environment, step in self.moments(Clocked):
            before = account(environment, step)
            assert not list(environment.advance(0.0))
            assert account(environment, step) == before

    def test_a_stated_prefix_is_part_of_the_episode(self) -> None:
        """The same behind the same reset, of this world's seats and actions."""
        for environment, instance in self.fresh(Prefixed):
            prefixes = []
            for _ in range(2):
                environment.reset(instance, 3)
                prefixes.append(list(environment.prefix()))
            assert prefixes[0] == prefixes[1]
            assert {one.seat for one in prefixes[0]} <= set(environment.seats)
            assert not any(environment.codec.problem_of(one.action) for one in prefixes[0])

    def test_moments_that_differ_have_different_digests(self) -> None:
        """Whenever an action or time changed what a seat sees, with or without privileges."""
        for environment, instance in self.fresh(Digested):
            looks = [
                (environment.digest(), [self.counts(one) for one in seen(environment).values()])
                for _ in self.episode(environment, instance)
            ]
            for (digest, shown), (later, now) in pairwise(looks):
                assert digest != later or shown == now, f"the digest {digest} stands for two moments"

    def test_a_verdict_is_json_and_says_whether_it_is_a_success(self) -> None:
        """At every moment."""
        for environment, _ in self.moments(Judged):
            verdict = environment.judge()
            assert isinstance(verdict.success, bool)
            as_json(verdict.to_json())

    def test_a_picture_is_a_square_of_colours(self) -> None:
        """uint8, size x size x 3, or `None`; of each seat and of the whole."""
        for environment, _ in self.moments(Pictured):
            for seat in (None, *environment.seats):
                picture = environment.picture(seat, _SIZE)
                assert picture is None or (picture.shape == (_SIZE, _SIZE, 3) and picture.dtype.name == "uint8")

    def test_spaces_hold_observations_and_actions(self) -> None:
        """Observations lie in theirs; what is drawn from the other is an action, or refused with `InputError`."""
        for environment, _ in self.moments(Spaced):
            for seat in environment.seats:
                observations, actions = environment.spaces(seat)
                assert observations.contains(environment.to_space(seat, environment.observe(seat)))
                for made in _made(environment, seat, actions.sample()):
                    assert not environment.codec.problem_of(made)


def _made(environment: Spaced, seat: str, value: Any) -> Iterator[Any]:
    try:
        yield environment.from_space(seat, value)
    except InputError:
        return
