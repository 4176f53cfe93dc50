"""The plugin `confirm`: a silent Follower's finished steps are reported."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from teach_agents_confirm.hook import Confirm, Step, ends, told

from teach_agents.actions import Action, Role
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.session import read_record
from teach_agents.understanding.english.understanding import understand_reports
from teach_agents.understanding.english.values import ReportKind
from tests.session.support import FORWARD, WAIT, Recall, click, scenario, session, small_household

TAKE = click(small_household(), "Mug")


def _said(request: str, *script: Action, hook: Confirm | None = None) -> list[str]:
    held = session([Action.say(request)], Recall(*script, Action.stop())).with_hook(hook or Confirm(), "confirm")
    asyncio.run(held.run(scenario()))
    return [said.text for said in held.household.dialogue if said.speaker is Role.FOLLOWER]


def test_a_step_that_ends_in_silence_is_reported_once() -> None:
    assert _said("Pick up the mug.", WAIT, TAKE, WAIT, WAIT) == ["Done. I picked up the mug."]


def test_who_reports_by_itself_or_goes_on_is_left_alone() -> None:
    assert _said("Pick up the mug.", WAIT, TAKE, Action.say("Got it."), WAIT) == ["Got it."]
    assert _said("Pick up the mug.", WAIT, TAKE, FORWARD) == []
    assert _said("Pick up the mug.", WAIT, TAKE) == []


def test_it_may_interrupt_and_ask_on() -> None:
    said = _said("Pick up the mug.", WAIT, TAKE, FORWARD, hook=Confirm(interrupts=True, ending="What next?"))
    assert said == ["Done. I picked up the mug. What next?"]


def test_what_ends_another_step_or_fails_is_not_reported() -> None:
    assert _said("Put the mug in the sink.", WAIT, TAKE, WAIT) == []
    assert _said("Pick up the mug.", WAIT, Action.click("Pickup", 0.99, 0.01), WAIT) == []
    assert _said("hello", WAIT, TAKE, WAIT) == []


def test_any_interaction_ends_what_is_not_understood() -> None:
    assert _said("zxqv the brillig", WAIT, TAKE, WAIT) == ["Done. I picked up the mug."]


def test_nothing_is_reported_that_nobody_asked_for() -> None:
    held = session([], Recall(TAKE, WAIT, Action.stop())).with_hook(Confirm())
    asyncio.run(held.run(scenario()))
    assert held.household.dialogue == ()


def test_taken_up_again_it_reports_what_was_done_before(tmp_path: Path) -> None:
    def held() -> object:
        made = session([Action.say("Pick up the mug.")], Recall(WAIT, TAKE, WAIT, Action.stop()), record=tmp_path / "r")
        return made.with_hook(Confirm())

    asyncio.run(held().run(scenario()))  # type: ignore[attr-defined]  # a session
    whole = (tmp_path / "r").read_bytes()
    assert read_record(tmp_path / "r").turns[2].done[Role.FOLLOWER].chosen == WAIT
    (tmp_path / "r").write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    asyncio.run(held().resume())  # type: ignore[attr-defined]  # a session
    assert (tmp_path / "r").read_bytes() == whole


@pytest.mark.parametrize(
    ("request_", "action", "over"),
    [
        ("Slice the tomato and put it on the plate.", "Slice", False),
        ("Slice the tomato and put it on the plate.", "Place", True),
        ("Wash the mug.", "Place", False),
        ("Wash the mug.", "ToggleOn", True),
        ("Water the plant.", "Pour", True),
        ("Turn off the microwave.", "ToggleOff", True),
        ("Turn off the microwave.", "ToggleOn", False),
        ("There is a mug in the sink.", "Pickup", False),
    ],
)
def test_the_last_thing_asked_for_decides_what_ends_a_step(request_: str, action: str, over: bool) -> None:
    assert ends(request_, Step(action, "Mug|1|2|3")) is over


def test_reports_are_words_that_a_commander_understands() -> None:
    step = Step("Place", "Sink|+01.00|+00.90|+00.50|SinkBasin", "Bread|1|2|3|BreadSliced_2")
    assert told(step) == "Done. I put the slice of bread in the sink basin."
    assert told(Step("Place", "CounterTop|1|2|3")) == "Done. I put the thing on the counter top."
    assert told(Step("Pour", "HousePlant|1|2|3")).startswith("Done. I poured it")
    for action in ("Close", "Open", "Pickup", "Place", "Pour", "Slice", "ToggleOff", "ToggleOn"):
        (report,) = understand_reports(told(Step(action, "Mug|1|2|3", "Mug|1|2|3")))
        assert report.kind is ReportKind.DONE


def test_parameters_are_checked() -> None:
    assert isinstance(build("dialogue_hook", "confirm:interrupts=true"), Confirm)
    with pytest.raises(InputError, match="true or false"):
        build("dialogue_hook", "confirm:interrupts=often")
