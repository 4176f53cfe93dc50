from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest
from pydantic import ValidationError

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.bus.redis import MessageCodec
from teach_agents.core.messages import (
    ActionAnswered,
    ActionExecuted,
    BeginAsked,
    Message,
    ObservationAsked,
    Payload,
    SeatAsked,
    UnknownPayload,
    UtteranceSaid,
)
from teach_agents.core.plugins import hookimpl
from teach_agents.core.registry import Registry
from teach_agents.core.values import Event, Result, Wait
from teach_agents.errors import PluginError
from teach_agents.observations import Observation, Pose, Vec3, View
from teach_agents.workers.wire import ObservationWire


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
        text = message.model_dump_json()
        assert text == message.model_dump_json(context=ObservationWire())
        assert Message.model_validate_json(text, context=ObservationWire()) == message
        assert Message.model_validate_json(text).model_dump_json() == text


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


@pytest.mark.parametrize("payload", [{"kind": 3}, {"turn": 3}, {"kind": "utterance_said", "turn": "x"}, None])
def test_a_garbled_payload_is_refused(payload: object) -> None:
    with pytest.raises(ValidationError):
        _message(payload)


def test_a_seat_stays_what_it_is_in_memory_and_is_a_text_when_read() -> None:
    message = _message(BeginAsked(role=Role.FOLLOWER))
    assert isinstance(message.payload, BeginAsked) and message.payload.role is Role.FOLLOWER
    back = Message.model_validate_json(message.model_dump_json()).payload
    assert isinstance(back, BeginAsked) and type(back.role) is str and back == message.payload


def test_a_stated_world_travels_and_nothing_is_stated_of_none() -> None:
    stated = _message(SeatAsked(role="a", world="maze", version=2))
    assert '"world":"maze","version":2' in stated.model_dump_json()
    assert Message.model_validate_json(stated.model_dump_json()) == stated
    assert _message(SeatAsked(role="a")).model_dump_json().endswith('{"kind":"seat_asked","role":"a"}}')


def test_a_kind_that_nobody_defines_can_be_listened_to() -> None:
    data = {"kind": "bell_rang_nowhere", "times": 3, "data": [1]}
    payload = _message(data).payload
    assert isinstance(payload, UnknownPayload)
    assert (payload.kind, dict(payload.data), payload.problem) == (data["kind"], {"times": 3, "data": [1]}, "")
    assert json.loads(_message(data).model_dump_json())["payload"] == data


def test_what_comes_over_a_wire_and_does_not_read_as_its_kind_says_why() -> None:
    text = _message(UtteranceSaid(turn=7, speaker="a", text="hi")).model_dump_json().replace("7", '"seven"')
    payload = Message.model_validate_json(text, context=ObservationWire()).payload
    assert isinstance(payload, UnknownPayload)
    assert payload.kind == "utterance_said" and "turn" in payload.problem


def test_a_plugins_kind_is_found_when_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ringing_plugin.py").write_text(
        "from typing import Literal\n"
        "from teach_agents.core.messages import Payload\n"
        "class Rang(Payload):\n"
        "    kind: Literal['plugin_rang'] = 'plugin_rang'\n"
        "    times: int\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    text = _message({"kind": "plugin_rang", "times": 3}).model_dump_json()
    there = {"plugin_rang": "ringing_plugin:Rang", "plugin_hummed": "ringing_plugin:Hum", "plugin_told": "json:dumps"}
    registry = Registry()
    registry.register(SimpleNamespace(message_kinds=hookimpl(lambda: there)), "ringing")
    codec = MessageCodec(registry=registry)
    payload = Message.model_validate_json(text, context=codec).payload
    assert type(payload).__name__ == "Rang" and payload.model_dump() == {"kind": "plugin_rang", "times": 3}
    missing = Message.model_validate_json(text.replace("rang", "hummed"), context=codec).payload
    assert isinstance(missing, UnknownPayload) and "cannot import 'ringing_plugin:Hum'" in missing.problem
    other = Message.model_validate_json(text.replace("rang", "told"), context=codec).payload
    assert isinstance(other, UnknownPayload)
    assert "plugin 'ringing', message_kind 'plugin_told'" in other.problem
    assert "no Payload of this kind" in other.problem


def test_two_classes_of_one_kind_are_refused() -> None:
    with pytest.raises(PluginError, match="kind 'utterance_said' of .*Other is that of .*UtteranceSaid"):

        class Other(Payload):
            kind: Literal["utterance_said"] = "utterance_said"


def test_what_agents_may_not_know_of_a_result_is_not_told() -> None:
    result = Result(True, "done", cost=2.0, trace={"goal": "secret"}, events=(Event("bell"),))
    payload = ActionExecuted(turn=0, role="a", action=Wait(), result=result)
    assert (payload.result, payload.result.cost, payload.result.trace, payload.result.events) == (result, 2.0, {}, ())
    assert "secret" not in _message(payload).model_dump_json()


def test_messages_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        _message(UtteranceSaid(turn=0, speaker=Role.FOLLOWER, text="hi")).sender = "x"
