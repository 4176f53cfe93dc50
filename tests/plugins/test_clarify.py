"""The plugin `clarify`: one question a request, where several things tie."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from teach_agents_clarify.hook import Clarify

from teach_agents.actions import Action, Role
from teach_agents.agents import ScriptedAgent
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.household import Household
from teach_agents.observations import Observation, Privilege, Privileged
from teach_agents.session import DialogueHook, Session, read_record, replay
from tests.household.fake import SINK, BoxRoom, FakeSimulator, box, kitchen
from tests.session.support import FORWARD, WAIT, Recall, scenario

_VESSEL: dict[str, Any] = {"pickupable": True, "fillable": True, "receptacle": True, "dirtyable": True}


def two_mugs(*, dirty: bool = False, parents: tuple[str, ...] = (f"{SINK}|SinkBasin",)) -> BoxRoom:
    room = kitchen()
    other = box("Mug", (-1.1, 0.98, 0.4), (0.1, 0.12, 0.1), parents=parents, is_dirty=dirty, **_VESSEL)
    room.objects[other.object_id] = other
    return room


class Seeing(Recall):
    privileges = frozenset({Privilege.OBJECTS})


def _household(room: Any = two_mugs) -> Household:
    return Household(FakeSimulator(room), view_size=64)


def _held(says: list[Action], follower: Recall, hook: Clarify, household: Household, **options: Any) -> Session:
    return Session(household, ScriptedAgent(says), follower, **options).with_hook(hook, "clarify")


def _spoken(says: list[str], follower: Recall, room: Any = two_mugs, **options: Any) -> list[str]:
    household = _household(room)
    script = [Action.say(text) for text in says]
    asyncio.run(_held(script, follower, Clarify(**options), household).run(scenario()))
    return [said.text for said in household.dialogue if said.speaker is Role.FOLLOWER]


_ASKED = "Do you mean the mug on the counter top or the one in the sink?"


def test_two_mugs_of_which_neither_is_named_are_asked_about_once(tmp_path: Path) -> None:
    follower = Seeing(WAIT, FORWARD, FORWARD, FORWARD, FORWARD, Action.stop())
    household = _household()
    held = _held([Action.say("Pick up the mug.")], follower, Clarify(wait=2), household, record=tmp_path / "r")
    result = asyncio.run(held.run(scenario()))
    done = [turn.done[Role.FOLLOWER].action for turn in read_record(tmp_path / "r").turns]
    assert done == [WAIT, Action.say(_ASKED), WAIT, WAIT, FORWARD, Action.stop()]
    assert result.hooks == (("clarify", {"questions": 1}),)
    assert replay(read_record(tmp_path / "r"), _household()).identical


def test_an_answer_ends_the_wait_and_settles_the_question() -> None:
    follower = Seeing(WAIT, FORWARD, FORWARD, FORWARD, Action.stop())
    household = _household()
    says = [Action.say("Pick up the mug."), WAIT, Action.say("Pick up the mug in the sink.")]
    asyncio.run(_held(says, follower, Clarify(wait=9), household).run(scenario()))
    assert [said.text for said in household.dialogue if said.speaker is Role.FOLLOWER] == [_ASKED]
    assert [seen.last_action for seen in follower.seen[2:5]] == [Action.say(_ASKED), WAIT, FORWARD]


@pytest.mark.parametrize(
    "request_",
    [
        "Pick up the mug in the sink.",
        "Pick up the dirty mug.",
        "Pick up a mug.",
        "Pick up both mugs.",
        "Pick up the plate.",
        "There is a mug in the sink.",
        "hello",
        "zxqv",
    ],
)
def test_what_is_named_or_any_of_many_is_not_asked_about(request_: str) -> None:
    assert _spoken([request_], Seeing(WAIT, FORWARD, FORWARD, Action.stop())) == []


def test_a_mug_is_asked_about_where_that_is_wanted() -> None:
    follower = Seeing(WAIT, FORWARD, Action.stop())
    assert len(_spoken(["Pick up a mug."], follower, indefinite=True)) == 1


def test_states_tell_things_apart_and_what_words_cannot_is_not_asked() -> None:
    counter = next(one.object_id for one in kitchen().objects.values() if one.object_type == "CounterTop")
    follower = Seeing(WAIT, FORWARD, Action.stop())
    (asked,) = _spoken(["Pick up the mug."], follower, lambda: two_mugs(parents=(counter,)))
    assert asked in (
        "Do you mean the dirty mug or the clean one?",
        "Do you mean the clean mug or the dirty one?",
    )
    alike = lambda: two_mugs(dirty=True, parents=(counter,))  # noqa: E731
    assert _spoken(["Pick up the mug."], Seeing(WAIT, FORWARD, Action.stop()), alike) == []


def test_talk_and_stopping_are_left_alone() -> None:
    assert _spoken(["Pick up the mug."], Seeing(WAIT, Action.say("ok"), Action.stop())) == ["ok"]


def test_it_goes_by_what_the_agent_perceives_not_by_the_room() -> None:
    class Dim(Seeing):
        def act(self, observation: Observation) -> Action:
            rows = [row for row in observation.privileged.objects if "Sink" not in str(row["parentReceptacles"])]
            self.perceived = replace(observation, privileged=Privileged({Privilege.OBJECTS: lambda: rows}))
            return super().act(observation)

    assert _spoken(["Pick up the mug."], Dim(WAIT, FORWARD, Action.stop())) == []


def test_without_perceived_things_the_dialogue_decides() -> None:
    heard = ["There is a mug in the sink.", "There is a mug on the table.", "Pick up the mug."]
    assert _spoken(heard[2:], Recall(WAIT, FORWARD, Action.stop())) == []
    (asked,) = _spoken(heard, Recall(WAIT, WAIT, WAIT, FORWARD, Action.stop()))
    assert asked.startswith("Do you mean the mug in the sink or the one on the")


def test_of_many_only_some_are_named() -> None:
    places = ["sink", "fridge", "cabinet", "microwave"]
    heard = [*(f"There is a mug in the {place}." for place in places), "Pick up the mug."]
    (asked,) = _spoken(heard, Recall(*[WAIT] * 5, FORWARD, Action.stop()), most=2)
    assert asked == "Do you mean the mug in the sink, the one in the fridge or another one?"


def test_a_question_that_somebody_keeps_back_is_not_asked_for_ever() -> None:
    class Mute(DialogueHook):
        def say(self, turn: int, speaker: Role, text: str) -> str:
            return "" if speaker is Role.FOLLOWER else text

    follower = Seeing(WAIT, FORWARD, FORWARD, Action.stop())
    held = _held([Action.say("Pick up the mug.")], follower, Clarify(), _household()).with_hook(Mute())
    asyncio.run(held.run(scenario()))
    assert [seen.last_action for seen in follower.seen[1:]] == [WAIT, WAIT, FORWARD]


def test_what_another_hook_has_the_follower_say_is_no_question() -> None:
    class Sighing(DialogueHook):
        def before_action(self, observation: Observation, action: Action) -> Action:
            return Action.say("Oh well.") if observation.turn == 1 and observation.role is Role.FOLLOWER else action

    follower = Seeing(WAIT, FORWARD, FORWARD, Action.stop())
    held = Session(_household(), ScriptedAgent([Action.say("Pick up the mug.")]), follower)
    asyncio.run(held.with_hook(Sighing()).with_hook(Clarify()).run(scenario()))
    assert [said.text for said in held.household.dialogue[1:]] == ["Oh well.", _ASKED]


def test_taken_up_again_it_does_not_ask_twice(tmp_path: Path) -> None:
    def held(follower: Recall) -> Session:
        says = [Action.say("Pick up the mug.")]
        return _held(says, follower, Clarify(wait=2), _household(), record=tmp_path / "r")

    script = (WAIT, FORWARD, FORWARD, FORWARD, FORWARD, Action.stop())
    asyncio.run(held(Seeing(*script)).run(scenario()))
    whole = (tmp_path / "r").read_bytes()
    (tmp_path / "r").write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    asyncio.run(held(Seeing(*script)).resume())
    assert (tmp_path / "r").read_bytes() == whole


def test_parameters_are_checked() -> None:
    made = build("dialogue_hook", "clarify:wait=0,most=4,indefinite=true")
    assert isinstance(made, Clarify) and made.spec == "clarify:wait=0,most=4,indefinite=true"
    for wrong in ("clarify:wait=-1", "clarify:most=1", "clarify:wait=soon"):
        with pytest.raises(InputError, match="whole number"):
            build("dialogue_hook", wrong)
