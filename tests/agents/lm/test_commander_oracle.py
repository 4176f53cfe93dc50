"""The Commander's half of the model `oracle`: what it makes of a prompt and its choices."""

from __future__ import annotations

import pytest

from teach_agents.agents.lm.oracle_commander import commander_choice, is_commanders
from tests.agents.lm.commanding import CHECK, FINISH, LOOK, WAIT

_GIVE_UP = "give up"
_END = [WAIT, FINISH, _GIVE_UP]
_TODO = "Task: Make coffee. It is not complete."
_WASH, _BREW = "ask the Follower to clean the mug", "ask the Follower to make coffee in the mug"


def _prompt(*lines: str) -> str:
    return "\n".join(lines)


def test_it_checks_then_looks_then_asks_for_what_is_needed_first() -> None:
    assert commander_choice("The session begins.", [CHECK, LOOK, *_END]) == CHECK
    assert commander_choice(_TODO, [LOOK, _BREW, _WASH, *_END]) == LOOK
    assert commander_choice(_TODO, [_BREW, _WASH, *_END]) == _WASH


def test_it_finishes_when_the_task_is_complete_and_gives_up_when_nothing_is_left() -> None:
    assert commander_choice("Task: Make coffee. It is complete.", [_WASH, *_END]) == FINISH
    assert commander_choice(_TODO, _END) == _GIVE_UP


def test_it_asks_for_another_step_after_a_failure_and_looks_before_it_asks_again() -> None:
    tried = _prompt("Commander: Wash the mug.", _TODO, "You asked for:", "- clean the mug: That did not work.")
    assert commander_choice(tried, [_WASH, _BREW, *_END]) == _BREW
    assert commander_choice(tried, [LOOK, _WASH, *_END]) == LOOK
    correct = "correct the Follower: not that, clean the dirty mug that is on the desk"
    assert commander_choice(tried, [_WASH, correct, *_END]) == correct
    assert commander_choice(tried, [_WASH, *_END]) == _WASH


def test_it_tells_where_a_thing_is_or_searches_for_it() -> None:
    asked = _prompt("Commander: Wash the mug.", "Follower: Where is the mug?", _TODO)
    tell, search = "tell the Follower: the mug is in the sink", "search for the mug"
    assert commander_choice(asked, [search, _WASH, tell, *_END]) == tell
    assert commander_choice(asked, [search, _WASH, *_END]) == search
    told = _prompt("Commander: The mug is in the sink.", asked)
    assert commander_choice(told, [search, _WASH, tell, *_END]) == search


@pytest.mark.parametrize(("turns", "choice"), [(60, WAIT), (300, _WASH)])
def test_it_waits_but_not_for_ever(turns: int, choice: str) -> None:
    silent = _prompt("Commander: Wash the mug.", _TODO, f"The Follower has said nothing for {turns} turns.")
    assert commander_choice(silent, [_WASH, *_END]) == choice


def test_it_makes_room_where_there_is_none_and_brings_what_is_out_of_reach() -> None:
    put, clear = "ask the Follower to put the mug in the sink", "ask the Follower to clear the sink"
    full = _prompt("Follower: There is no room in the sink.", _TODO)
    assert commander_choice(full, [put, clear, *_END]) == clear
    cut, bring = "ask the Follower to slice the bread", "ask the Follower to put the bread on the desk"
    high = _prompt("Follower: I can not reach the bread.", _TODO, "You asked for:", "- slice the bread: I can not.")
    assert commander_choice(high, [cut, _WASH, bring, *_END]) == bring


def test_a_commander_is_told_from_a_follower_by_its_choices() -> None:
    assert is_commanders([WAIT, FINISH])
    assert not is_commanders(["clean the mug", WAIT])
