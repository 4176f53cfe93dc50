"""What every Environment must do, as tests that an implementation inherits.

```python
class TestMyWorld(EnvironmentContract):
    def make_environment(self) -> Environment[Any, Any, Any]:
        return MyWorld()

    def instances(self) -> Sequence[Any]:
        return load()[:2]
```

Episodes are played by `choose` until they are over; where a world knows its valid actions, at random among them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, ClassVar

from teach_agents.core.codec import plain
from teach_agents.core.environment import Environment, Pictured
from teach_agents.core.environment.conformance_parts import AbilityContract, ValueContract
from teach_agents.core.environment.playthrough import account, as_json, may_act, seen
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.values import NoAction, Result, Say, Stop, Wait

_GARBAGE: tuple[Any, ...] = (None, 7, "north", [], {"type": "Wait"}, object(), ValueError("no answer"), Wait)


class EnvironmentContract(ValueContract, AbilityContract):
    """Inherit, say how the environment is made and which instances to play, and pytest runs the contract."""

    refuses: ClassVar[frozenset[type]] = frozenset()
    """Which of `Say`, `Wait` and `Stop` the world lets nobody do."""

    def test_seats_are_named_each_once(self) -> None:
        """There is one at least."""
        seats = self.make_environment().seats
        assert seats
        assert len(set(seats)) == len(seats)
        assert all(isinstance(seat, str) and seat and not set(seat) & set(" =,:") for seat in seats)

    def test_it_says_what_it_is(self) -> None:
        """The world's name and version; what its privileges give, in words; `about` is JSON."""
        environment = self.make_environment()
        assert environment.codec.world
        assert environment.codec.version in environment.codec.reads
        assert all(isinstance(one, str) and one for told in environment.privileges.items() for one in told)
        as_json(environment.about())

    def test_the_same_actions_lead_to_the_same_episode(self) -> None:
        """Observations, results, events, status and digest, in another environment, by the same seed."""
        _check_equal(*([account(environment, step) for environment, step in self.moments()] for _ in range(2)))

    def test_a_reset_leaves_nothing_of_what_was(self) -> None:
        """Neither of an episode that was played to its end nor of one that was left half-way."""
        for environment, instance in self.fresh():
            first = [account(environment, step) for step in self.episode(environment, instance)]
            for other in self.instances():
                _ = list(zip(range(4), self.episode(environment, other, seed=4), strict=False))
            _check_equal(first, [account(environment, step) for step in self.episode(environment, instance)])

    def test_looking_changes_nothing(self) -> None:
        """Who observes, judges and draws at every moment sees the episode that takes place when nobody looks."""
        episodes: list[list[JsonObject]] = [[], []]
        for looks, steps in enumerate(episodes):
            for environment, step in self.moments():
                steps.append(plain(step))
                if looks:
                    _look(environment)
        _check_equal(*episodes)

    def test_an_episode_goes_on_until_it_is_over(self) -> None:
        """It says who may act, and why it ended: within `longest` actions, or soon when who plays then stops."""
        for environment, instance in self.fresh():
            over = []
            for _ in self.episode(environment, instance):
                status = environment.status()
                over.append(status.over)
                assert set(may_act(environment)) <= set(environment.seats)
                assert status.may_act is None or len(set(status.may_act)) == len(status.may_act)
                assert len(status.end.split()) == 1
                as_json(plain(status))
            assert over[-1].strip()
            assert len(over) > 1 and not any(over[:-1])

    def test_who_stops_comes_to_an_end(self) -> None:
        """An episode in which whoever may act stops is over soon."""
        for environment, instance in self.fresh() if Stop not in self.refuses else ():
            assert list(self.episode(environment, instance, acts=0))
            assert environment.status().over

    def test_saying_and_waiting_are_actions_too(self) -> None:
        """Of everybody who may act; in the core's words, and in those that the codec has for them."""
        for make in (Say, Wait):
            for environment in self.begun() if make not in self.refuses else ():
                codec = environment.codec
                for action in (Say("hello"), codec.say("hello")) if make is Say else (Wait(), codec.wait()):
                    for seat in may_act(environment)[:1]:
                        result = environment.act(seat, action)
                        assert result.success, f"{seat} did {action!r}: {result.message}"

    def test_what_is_no_action_fails(self) -> None:
        """It is answered, not raised; and it is said what was wrong."""
        for environment in self.begun():
            assert all(map(environment.codec.problem_of, _GARBAGE))
            for answer in (*_GARBAGE, NoAction("nothing was said")):
                _refused(environment, may_act(environment) or environment.seats, answer)

    def test_an_action_of_another_seat_fails(self) -> None:
        """What was a success belongs to who did it; it fails for those to whom it does not belong."""
        done = [step for _, step in self.moments() if step.result and step.result.success]
        for environment in self.begun():
            for step in done:
                assert environment.belongs(step.seat, step.action), f"{step.action!r} is a success of the {step.seat}"
                for seat in (one for one in environment.seats if not environment.belongs(one, step.action)):
                    _refused(environment, (seat,), step.action)

    def test_out_of_turn_every_action_fails(self) -> None:
        """Of a seat that may not act now, waiting included; the turn stays whose it was."""
        for environment, step in self.moments():
            status = environment.status()
            for seat in set(environment.seats) - set(may_act(environment)) if not status.over else ():
                for action in (Wait(), step.action if step.result else Say("hello")):
                    _refused(environment, (seat,), action)
                    assert environment.status().may_act == status.may_act

    def test_behind_the_end_every_action_fails(self) -> None:
        """And it stays over as it was, however it ended."""
        for environment, instance in self.fresh():
            last = list(self.episode(environment, instance))[-1]
            status = environment.status()
            for action in (last.action if last.result else Say("hello"), Say("hello"), Wait(), Stop()):
                if environment.finishes_turns:
                    environment.act(environment.seats[-1], action)
                else:
                    _refused(environment, environment.seats, action)
                assert environment.status() == status

    def test_results_and_events_are_json(self) -> None:
        """Messages are texts and costs are numbers; a failure says why."""
        for _, step in self.moments():
            for event in step.events:
                assert isinstance(event.kind, str) and event.kind
                as_json(event.data)
            if (result := step.result) is not None:
                as_json(result.trace)
                assert isinstance(result.message, str) and math.isfinite(result.cost)
                assert result.success or result.message, f"{step.action!r} failed without a word"

    def test_closing_twice_is_allowed(self) -> None:
        """Before a reset too."""
        for environment in (self.make_environment(), next(iter(self.begun()))):
            environment.close()
            environment.close()


def _check_equal(first: Sequence[JsonMapping], second: Sequence[JsonMapping]) -> None:
    nothing: JsonMapping = {}
    for number, (one, other) in enumerate(zip_longest(first, second, fillvalue=nothing)):
        keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
        assert not keys, f"moment {number}: not the same {', '.join(keys)}"


def _refused(environment: Environment[Any, Any, Any], seats: Sequence[str], action: Any) -> None:
    for seat in seats:
        result = environment.act(seat, action)
        assert isinstance(result, Result), f"{seat} did {action!r}, and the answer is {result!r}"
        assert not result.success, f"{seat} did {action!r}, and it is a success"
        assert result.message, f"{seat} did {action!r}, and nothing says what was wrong"


def _look(environment: Any) -> None:
    """All that can be asked, twice: the answers are the same."""
    looks = [
        (
            seen(environment),
            plain(environment.status()),
            None if (verdict := environment.judge()) is None else verdict.to_json(),
            environment.digest(),
        )
        for _ in range(2)
    ]
    assert looks[0] == looks[1], "who looks twice sees two things"
    if isinstance(environment, Pictured):
        environment.picture(None, 16)
