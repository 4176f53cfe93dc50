from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action
from teach_agents.errors import InputError
from teach_agents.observations import Observation
from teach_agents.session import RealClock, Timeouts, TurnClock, read_record
from tests.session.support import WAIT, scenario, session


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "3", True])
def test_a_time_out_that_is_no_time_is_refused(seconds: Any) -> None:
    with pytest.raises(InputError, match="act_s must be a positive number"):
        Timeouts(act_s=seconds)


def test_people_may_take_their_time() -> None:
    assert Timeouts.live() == Timeouts(begin_s=None, act_s=None)
    assert asyncio.run(session([Action.finish()], timeouts=Timeouts.live()).run(scenario())).turns == 1


def test_time_by_turns_tells_the_roles_apart() -> None:
    clock = TurnClock(turn_ms=200)
    assert [clock.now_ms(turn, place, 2) for turn in (0, 1) for place in (0, 1)] == [0, 100, 200, 300]


def test_the_real_clock_grows_and_goes_on_where_a_session_was_cut() -> None:
    clock = RealClock()
    clock.begin(5000)
    times = [clock.now_ms(0) for _ in range(50)]
    assert times == sorted(set(times))
    assert 5000 <= times[0] < 6000


def test_a_live_session_is_stamped_with_the_time_that_passed(tmp_path: Path) -> None:
    def slow(observation: Observation) -> Action:
        time.sleep(0.03)
        return Action.stop() if observation.turn == 2 else WAIT

    path = tmp_path / "r"
    asyncio.run(session((), slow, record=path).with_clock(RealClock()).run(scenario()))
    times = [done.time_ms for turn in read_record(path).turns for done in turn.done.values()]
    assert times == sorted(set(times))
    assert times[-1] >= 90
