"""Limits of a session."""

from __future__ import annotations

import pytest

from teach_agents.actions import Role
from teach_agents.errors import InputError
from teach_agents.household import Limits


def test_by_default_a_session_has_a_thousand_turns_and_thirty_failures_of_one_role() -> None:
    limits = Limits()
    assert not limits.out_of_turns(999)
    assert limits.out_of_turns(1000)
    assert limits.over_failed({Role.COMMANDER: 29, Role.FOLLOWER: 29}) is None
    assert limits.over_failed({Role.COMMANDER: 0, Role.FOLLOWER: 30}) is Role.FOLLOWER
    assert limits.over_failed({Role.COMMANDER: 30, Role.FOLLOWER: 30}) is Role.COMMANDER


def test_live_use_has_no_limits() -> None:
    limits = Limits.live()
    assert not limits.out_of_turns(10**9)
    assert limits.over_failed({Role.COMMANDER: 10**9, Role.FOLLOWER: 10**9}) is None


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "30"])
def test_a_limit_that_is_no_positive_whole_number_is_refused_with_its_value(value: object) -> None:
    with pytest.raises(InputError, match="max_failures must be a whole number of at least 1.*got"):
        Limits(max_failures=value)  # type: ignore[arg-type]  # bad input is the point
