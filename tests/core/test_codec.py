"""How a world's values are written and read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from teach_agents.core.codec import Codec, plain
from teach_agents.core.errors import InputError
from teach_agents.core.values import Event, Result, Say


@dataclass(frozen=True, slots=True)
class Look:
    left: bytes
    right: bytes
    seen: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Turn:
    degrees: float


CODEC = Codec[Look, Turn, Look]("eyes", instance=Look, actions=(Turn,), observation=Look, version=2, reads=(1,))


def test_two_pictures_keep_their_places_as_json_and_as_bytes() -> None:
    look = Look(b"\x00left", b"", frozenset({(2, 1), (10, 3)}))
    assert CODEC.unpack(CODEC.pack(look)) == look
    assert CODEC.observation_from_json(json.loads(json.dumps(CODEC.observation_to_json(look)))) == look


def test_pictures_in_a_set_keep_their_places() -> None:
    pictures: list[bytes] = []
    written = plain(frozenset({b"aaaa", b"b"}), pictures)
    assert [one["$bytes"] for one in written] == [len(one) for one in pictures]


@pytest.mark.parametrize("packed", [CODEC.pack(Look(b"abc", b"de"))[:-1], CODEC.pack(Look(b"abc", b"de")) + b"f"])
def test_a_packed_observation_of_another_length_is_refused(packed: bytes) -> None:
    with pytest.raises(InputError, match="bytes of pictures"):
        CODEC.unpack(packed)


@pytest.mark.parametrize("version", [None, [], "2", True, 3, 1.0])
def test_a_version_that_is_no_version_is_refused(version: object) -> None:
    CODEC.check("a record", "eyes", 1)
    with pytest.raises(InputError, match="version"):
        CODEC.check("a record", "eyes", version)


@pytest.mark.parametrize("data", [{"type": []}, {"type": {}}, {"type": "Turn"}, {"type": "Turn", "degrees": "far"}, []])
def test_what_is_no_action_is_refused(data: Any) -> None:
    with pytest.raises(InputError):
        CODEC.action_from_json(data)


def test_the_actions_of_every_world_are_read_by_any() -> None:
    assert CODEC.action_from_json(CODEC.action_to_json(Say("hello"))) == Say("hello")
    assert CODEC.action_from_json({"type": "Turn", "degrees": 30}) == Turn(30.0)


def test_results_and_events_hold_nothing_unless_told() -> None:
    assert not Result(True).trace and not Event("begun").data
    assert Result(True, trace={"a": 1}, cost=2.0) == Result(True)
