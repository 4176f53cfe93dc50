from __future__ import annotations

import pytest

from teach_agents.actions import Role
from teach_agents.core.messages import BeginAsked, Message, ObservationAsked, Payload, SeatAsked
from teach_agents.core.session.record import past_observations
from teach_agents.errors import BusError
from teach_agents.observations import Privilege
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.workers.wire import ObservationWire
from tests.session.support import scenario, small_household

READ = frozenset({Privilege.OBJECTS, Privilege.REACHABLE})


def _to_follower(payload: Payload) -> Message:
    return Message(session="s", sequence=0, sender="environment", recipient="follower", payload=payload)


def _asked(turn: int) -> Message:
    household = small_household()
    household.reset(scenario())
    seen = household.observe(Role.FOLLOWER, READ, turn=turn)
    return _to_follower(ObservationAsked(turn=turn, role=Role.FOLLOWER, observation=seen))


def _text(message: Message) -> Message:
    return Message.model_validate_json(message.model_dump_json())


def test_an_observation_comes_back_and_objects_travel_once() -> None:
    here, there = ObservationWire(), ObservationWire(READ)
    here.looks_at(Role.FOLLOWER, ("view",))
    begin = _to_follower(BeginAsked(role=Role.FOLLOWER))
    there.unpack(begin, here.pack(begin))
    first, second = _asked(0), _asked(1)
    sizes = []
    for message in (first, second):
        assert isinstance(message.payload, ObservationAsked) and message.payload.observation is not None
        packed = here.pack(message)
        sizes.append(len(packed))
        back = there.unpack(_text(message), packed).payload
        assert isinstance(back, ObservationAsked) and back.observation is not None
        sent, seen = message.payload.observation, back.observation
        assert (seen.view.rgb == sent.view.rgb).all()
        assert (seen.pose, seen.turn) == (sent.pose, sent.turn)
        assert seen.privileged.reachable == sent.privileged.reachable
        assert [row["objectId"] for row in seen.privileged.objects] == [
            row["objectId"] for row in sent.privileged.objects
        ]
        assert seen.privileged.granted == READ


def test_who_was_not_there_at_the_beginning_gets_no_observation() -> None:
    here, there = ObservationWire(), ObservationWire(READ)
    message = _asked(3)
    assert there.unpack(_text(message), here.pack(message)) == _text(message)


def test_what_is_no_observation_is_refused() -> None:
    there = ObservationWire(READ)
    there.unpack(_to_follower(BeginAsked(role=Role.FOLLOWER)), b"begin")
    with pytest.raises(BusError, match="the observation of turn 0 cannot be read"):
        there.unpack(_text(_asked(0)), b"{}")


def test_other_messages_carry_nothing() -> None:
    assert ObservationWire().pack(_to_follower(SeatAsked(role=Role.FOLLOWER))) == b""


def test_the_past_of_no_turns_is_empty() -> None:
    assert list(past_observations(HouseholdEnvironment(small_household()), [], Role.FOLLOWER, READ)) == []
