"""What every world's observations and codecs must be, and what a world must do that has an optional ability."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import Any, ClassVar

from teach_agents.core.environment import Clocked, Pictured, Prefixed, Restorable, Spaced, Valid
from teach_agents.core.environment.playthrough import Playthrough, Step, account, as_json, seen
from teach_agents.core.errors import InputError
from teach_agents.core.values import NoAction, Say, Stop, Wait

_RECORDED = frozenset({"turn", "dialogue", "last_action", "last_result"})
"""Parts of observations that are no state of the world's: records hold them."""
_MOMENTS = (0, 1, 2, 5, 12, 25)
"""Where in an episode it is tried whether valid actions are accepted."""
_EARLY = 4
"""Moments of an episode of which the last is gone back to."""
_SIZE = 48
_ITSELF: Any = object.__eq__

_NO_JSON: tuple[Any, ...] = (None, 7, "north", [], {}, {"type": "no such action"}, {"type": []}, {"type": None})
_NO_VERSIONS: tuple[Any, ...] = ("1", [1], True, 1.5)
_STRANGE: tuple[Any, ...] = ("another world", 7, [1])


class ValueContract(Playthrough):
    """The part of `EnvironmentContract` that is about observations and codecs."""

    apart: ClassVar[frozenset[str]] = frozenset()
    """Privileges that an agent has by other ways than its observations."""

    def hidden(self, environment: Any) -> Sequence[object]:
        """What no observation may lead to: the environment; a world adds what it stands on."""
        return (environment,)

    def test_an_observation_stays_as_it_was(self) -> None:
        """Whatever is done afterwards, to the end; and nobody can write into it."""
        for environment, instance in self.fresh():
            codec, kept = environment.codec, []
            for _ in self.episode(environment, instance):
                for observation in _observations(environment):
                    kept.append((observation, codec.observation_to_json(observation), codec.pack(observation)))
            for observation, written, packed in kept:
                assert codec.observation_to_json(observation) == written, "an observation changed with the world"
                assert codec.pack(observation) == packed
                assert not _writable(observation), "an observation is a frozen value"

    def test_an_observation_leads_to_no_world(self) -> None:
        """Neither by attributes nor by what its functions hold on to."""
        for environment, _ in self.moments():
            hidden = {id(one) for one in self.hidden(environment)}
            for observation in _observations(environment):
                found = [one for one in _reached(observation) if id(one) in hidden]
                assert not found, f"it holds on to its world: {found}"

    def test_observations_share_nothing_that_can_change(self) -> None:
        """Who writes into a list of one writes into no other, and into no world."""
        for environment, _ in self.moments():
            looks = _observations(environment) + _observations(environment)
            held = [part for look in looks for part in {id(one) for one in _mutable(look)}]
            assert len(held) == len(set(held)), "two observations hold one list, dictionary, set or array"

    def test_privileges_are_given_to_who_asks_for_them(self) -> None:
        """Each gives something, at some moment; another than the others do; nothing of it to who did not ask."""
        given: dict[str, list[Any]] = {}
        for environment, _ in self.moments():
            for key, sight in seen(environment).items():
                given.setdefault(key.partition(", granted ")[2], []).append(sight)
        for name in ("everything", *self.apart):
            given.pop(name)
        assert given["nothing"] == given.pop("nothing again"), "what was granted once is granted on"
        for name, sights in given.items():
            assert not any(sights == others for other, others in given.items() if other != name), (
                f"{name} gives no more"
            )

    def test_instances_and_actions_survive_being_written(self) -> None:
        """As JSON."""
        for environment, instance in self.fresh():
            codec = environment.codec
            assert codec.instance_from_json(as_json(codec.instance_to_json(instance))) == instance
            done = [step.action for step in self.episode(environment, instance) if step.result]
            for action in (*done, Say("hello"), Wait(), Stop(), NoAction("nothing was said")):
                assert not codec.problem_of(action)
                assert codec.action_from_json(as_json(codec.action_to_json(action))) == action

    def test_results_survive_being_written(self) -> None:
        """As JSON, with all by which they are compared."""
        for environment, step in self.moments():
            if step.result is not None:
                codec = environment.codec
                assert codec.result_from_json(as_json(codec.result_to_json(step.result))) == step.result

    def test_what_is_said_can_be_told(self) -> None:
        """Of an action that says something, in the core's words or the world's; nothing else says any."""
        codec = self.make_environment().codec
        for action, words in (
            (Say("hello"), "hello"),
            (codec.say("hello"), "hello"),
            (Wait(), None),
            (codec.wait(), None),
        ):
            assert codec.said(action) == words

    def test_observations_survive_being_written(self) -> None:
        """As JSON, and as bytes."""
        for environment, _ in self.moments():
            codec = environment.codec
            for observation in _observations(environment):
                written = codec.observation_to_json(observation)
                for back in (codec.observation_from_json(as_json(written)), codec.unpack(codec.pack(observation))):
                    assert _alike(back, observation), f"{back!r} was {observation!r}"
                    assert codec.observation_to_json(back) == written

    def test_what_cannot_be_read_is_refused(self) -> None:
        """With `InputError`: of another world, in a version that nobody knows, or no such value at all."""
        codec = self.make_environment().codec
        for version in codec.reads:
            codec.check("a record", codec.world, version)
        for world, version in ((codec.world, max(codec.reads) + 1), *((one, codec.version) for one in _STRANGE)):
            _raises(codec.check, "a record", world, version)
        for strange in _NO_VERSIONS:
            _raises(codec.check, "a record", codec.world, strange)
        for data in _NO_JSON:
            _raises(codec.action_from_json, data)
        for data in _NO_JSON[:4]:
            _raises(codec.instance_from_json, data)
            _raises(codec.observation_from_json, data)
        for packed in (b"", b"garbage", b"00000002{}{}", b"99999999{}"):
            _raises(codec.unpack, packed)


def _raises(call: Any, *arguments: object) -> None:
    try:
        call(*arguments)
    except InputError:
        return
    raise AssertionError(f"{call.__qualname__}{arguments} must raise InputError")


def _observations(environment: Any) -> list[Any]:
    granted = ((), tuple(environment.privileges)) if environment.privileges else ((),)
    return [environment.observe(seat, asked) for seat in environment.seats for asked in granted]


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are equal; of parts that equal nothing but themselves, made when looked at, the kind alone."""
    if is_dataclass(one) and type(one) is type(other):
        return all(_alike(getattr(one, part.name), getattr(other, part.name)) for part in fields(one))
    return bool(one == other) or (type(one) is type(other) and type(one).__eq__ == _ITSELF)


def _writable(value: Any) -> bool:
    name = (
        next((one.name for one in fields(value)), "")
        if is_dataclass(value)
        else next(iter(getattr(value, "__dict__", ())), "")
    )
    try:
        setattr(value, name, getattr(value, name))
    except (AttributeError, TypeError):
        return False
    return True


def _reached(value: Any) -> Iterator[Any]:
    """All that a value holds on to: attributes, elements, what functions close over."""
    known: dict[int, Any] = {}
    pending = [value]
    while pending:
        one = pending.pop()
        if id(one) in known or isinstance(one, ModuleType | type):
            continue
        known[id(one)] = one
        yield one
        if isinstance(one, FunctionType):
            pending += [one.__closure__, one.__defaults__, one.__kwdefaults__]
        else:
            pending += gc.get_referents(one)


def _mutable(value: Any) -> Iterator[Any]:
    """The lists, dictionaries, sets and arrays that can be got at in a value, and written to."""
    if isinstance(value, list | set | bytearray | dict) or getattr(getattr(value, "flags", None), "writeable", False):
        yield value
    if is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _mutable(getattr(value, one.name))
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _mutable(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _mutable(inner)


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
            assert (
                self.redo(environment, steps[cut:], sum(bool(step.seat) for step in steps[:cut])) == accounts[cut:]
            ), "what follows is not what followed"

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
        for environment, instance in self.fresh():
            for (digest, shown), (later, now) in pairwise(
                [
                    (environment.digest(), [self.counts(one) for one in seen(environment).values()])
                    for _ in self.episode(environment, instance)
                ]
            ):
                assert digest != later or shown == now or not digest, f"the digest {digest} stands for two moments"

    def test_a_verdict_is_json_and_says_whether_it_is_a_success(self) -> None:
        """At every moment."""
        for environment, _ in self.moments():
            if (verdict := environment.judge()) is not None:
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
