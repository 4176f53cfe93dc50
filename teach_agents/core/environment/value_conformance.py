"""What every world's observations, and the values that it writes, must be."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import FunctionType, ModuleType
from typing import Any, ClassVar

from teach_agents.core.environment.playthrough import Playthrough, as_json, seen
from teach_agents.core.errors import InputError
from teach_agents.core.values import NoAction, Say, Stop, Wait

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
    return bool(one == other) or (type(one) is type(other) and type(one).__eq__ == object.__eq__)


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
