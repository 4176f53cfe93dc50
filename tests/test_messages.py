from __future__ import annotations

import pytest
from pydantic import ValidationError

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.messages import ActionAnswered, ActionExecuted, Message, ObservationAsked, UtteranceSaid
from teach_agents.observations import Observation, Pose, Vec3, View


def _message(payload: object) -> Message:
    return Message.model_validate(
        {"session": "s", "sequence": 3, "sender": "follower", "recipient": "environment", "payload": payload}
    )


def test_a_message_reads_back_equal_from_its_json() -> None:
    for payload in (
        ActionAnswered(turn=1, role=Role.FOLLOWER, action=Action.click("Pickup", 0.25, 0.5)),
        ActionAnswered(turn=1, role=Role.FOLLOWER, problem="returned 3"),
        ActionExecuted(
            turn=2, role=Role.COMMANDER, action=Action.progress_check(), result=ActionResult(True, reply={"success": 0})
        ),
        UtteranceSaid(turn=0, speaker=Role.COMMANDER, text="hello"),
    ):
        message = _message(payload)
        assert Message.model_validate_json(message.model_dump_json()) == message


def test_an_observation_travels_in_memory_only() -> None:
    pose = Pose(Vec3(0, 0, 0), 0, 0)
    observation = Observation(Role.FOLLOWER, 0, pose, View(lambda: pytest.fail("nobody looked")))
    message = _message(ObservationAsked(turn=0, role=Role.FOLLOWER, observation=observation))
    assert isinstance(message.payload, ObservationAsked)
    assert message.payload.observation is observation
    back = Message.model_validate_json(message.model_dump_json())
    assert isinstance(back.payload, ObservationAsked)
    assert back.payload.observation is None


def test_a_reply_goes_back_to_the_sender_under_the_same_correlation() -> None:
    asked = _message(UtteranceSaid(turn=0, speaker=Role.FOLLOWER, text="hi")).model_copy(update={"correlation": "c"})
    reply = asked.reply(UtteranceSaid(turn=0, speaker=Role.COMMANDER, text="hi"), sequence=9)
    assert (reply.sender, reply.recipient, reply.correlation) == ("environment", "follower", "c")


@pytest.mark.parametrize("payload", [{"kind": "nonsense"}, {"kind": "utterance_said", "turn": "x"}, None])
def test_a_garbled_payload_is_refused(payload: object) -> None:
    with pytest.raises(ValidationError):
        _message(payload)


def test_messages_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        _message(UtteranceSaid(turn=0, speaker=Role.FOLLOWER, text="hi")).sender = "x"
