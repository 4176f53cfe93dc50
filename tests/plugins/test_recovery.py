"""The plugin `recovery`: what failed actions are told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from teach_agents_recovery.advice import OTHERWISE, advice_on, known_advice
from teach_agents_recovery.hook import Recovery

from teach_agents.actions import Action, Role
from teach_agents.core.specs import build
from teach_agents.errors import InputError
from teach_agents.household import messages
from teach_agents.session import read_record, replay
from tests.session.support import FORWARD, Recall, click, scenario, session, small_household

MISSED = Action.click("Pickup", 0.99, 0.01)
TAKE = click(small_household(), "Mug")


def _hints(*script: Action, hook: Recovery | None = None) -> list[str | None]:
    follower = Recall(*script, Action.stop())
    asyncio.run(session([], follower).with_hook(hook or Recovery(), "recovery").run(scenario()))
    return [None if seen.last_result is None else seen.last_result.help for seen in follower.seen[1:]]


@pytest.mark.parametrize(
    ("message", "what"),
    [
        (messages.too_far(TAKE, "Mug|1|2|3"), "too far"),
        (messages.no_target(TAKE), "missed"),
        (messages.outside_frame(TAKE), "missed"),
        (messages.NEEDS["Place"], "hands empty"),
        (messages.NEEDS["Slice"], "needs a knife"),
        (messages.NEEDS["Pour"], "needs liquid"),
        (messages.not_allowed(Role.FOLLOWER, "SearchObject"), "not yours"),
        ("Agent hand has something in it already! Can't pick up anything else", "hands full"),
        ("Target openable Receptacle is CLOSED, can't place if target is not open!", "closed"),
        ("Target must be OFF to open!", "switched on"),
        ("Target must be closed to Toggle On!", "open"),
        ("can't toggle object on if it's already on!", "already so"),
        ("No valid positions to place object found", "no room"),
        ("Fridge is full right now", "no room"),
        ("Mug is not a valid Object Type to be placed in Toaster", "does not belong"),
        ("NullReferenceException: Target object not found within the specified visibility.", "not visible"),
        ("CounterTop|1|2|3 is blocking Agent 0 from moving by (0.0000, 0.0000, 0.2500).", "blocked"),
        ("can't look down beyond 60 degrees below the forward horizon", "limit"),
        ("target object cannot be sliced if it is in the agent's hand", "in the hand"),
        ("Tomato Does not have the CanBeSliced property!", "cannot be"),
        ("the agent answered 'hm', which is no Action", "no answer"),
        ("something new", OTHERWISE.what),
    ],
)
def test_messages_of_simulator_and_household_have_their_advice(message: str, what: str) -> None:
    assert advice_on(message).what == what


def test_every_advice_has_another_way_and_can_be_reached() -> None:
    for advice in (*known_advice(), OTHERWISE):
        assert advice.first.endswith(".") and advice.again.endswith(".") and advice.first != advice.again
        assert all(fragment == fragment.lower() for fragment in advice.fragments)
        assert advice_on(" ... ".join(advice.fragments)) == advice


def test_the_hint_follows_teachs_own_and_another_way_comes_when_the_same_fails_again() -> None:
    missed = advice_on(messages.no_target(MISSED))
    first, second, third = _hints(MISSED, MISSED, MISSED)
    assert first is not None and first.endswith(missed.first) and first != missed.first
    assert second is not None and second.endswith(missed.again) and third == second


def test_another_failure_or_a_change_of_the_world_counts_anew() -> None:
    missed = advice_on(messages.no_target(MISSED))
    hints = _hints(MISSED, TAKE, MISSED, FORWARD, MISSED)
    assert [hint is not None and hint.endswith(missed.first) for hint in (hints[0], hints[2], hints[4])] == [
        True,
        True,
        False,
    ]
    assert hints[1] is None and hints[4] is not None and hints[4].endswith(missed.again)


def test_patience_and_role_are_chosen() -> None:
    assert _hints(MISSED, hook=Recovery(role="commander"))[0] != _hints(MISSED)[0]
    (hint,) = _hints(MISSED, hook=Recovery(patience=1))
    assert hint is not None and hint.endswith(advice_on(messages.no_target(MISSED)).again)
    for wrong in ("recovery:role=driver", "recovery:patience=0"):
        with pytest.raises(InputError, match="recovery"):
            build("dialogue_hook", wrong)


def test_hints_are_recorded_counted_and_replayed(tmp_path: Path) -> None:
    held = session([], [MISSED, MISSED, Action.stop()], record=tmp_path / "r").with_hook(Recovery(), "recovery")
    result = asyncio.run(held.run(scenario()))
    record = read_record(tmp_path / "r")
    assert result.hooks == (("recovery", {"hints": {"follower": 2}}),)
    assert [turn.done[Role.FOLLOWER].hint for turn in record.turns][:2] == [
        advice_on(messages.no_target(MISSED)).first,
        advice_on(messages.no_target(MISSED)).again,
    ]
    assert replay(record, small_household()).identical
