from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.actions import Action
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction
from teach_agents.session import GameReplay, read_record, replay_game, to_game
from tests.session.support import click, scenario, session, small_household


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A session in which the mug is picked up after a turn to the right and back."""
    grab = click(small_household(), "Mug")
    follower = [Action.say("hi"), Action("Turn Right"), Action("Turn Left"), grab, Action.stop()]
    asyncio.run(session([Action.progress_check()], follower, record=tmp_path / "r").run(scenario()))
    made, _ = to_game(read_record(tmp_path / "r"), small_household(), comments="")
    return made


def _with(game: Game, change: Callable[[Interaction], Interaction]) -> GameReplay:
    changed = tuple(change(one) for one in game.episode.interactions)
    return replay_game(replace(game, episodes=(replace(game.episode, interactions=changed),)), small_household())


def test_a_session_is_carried_out_again(game: Game) -> None:
    report = _with(game, lambda one: one)
    assert (report.executed, report.as_recorded) == (4, 4)
    assert report.problems == ()
    assert report.progress.goal_conditions_satisfied == report.recorded_progress.goal_conditions_satisfied


def test_a_click_that_would_choose_another_object_is_made_elsewhere(game: Game) -> None:
    def beside(one: Interaction) -> Interaction:
        return replace(one, x=0.02, y=0.02) if isinstance(one, ObjectInteraction) else one

    report = _with(game, beside)
    assert (report.as_recorded, report.clicked_again, report.failed) == (3, 1, 0)


def test_what_cannot_be_done_is_named(game: Game) -> None:
    def elsewhere(one: Interaction) -> Interaction:
        if isinstance(one, ObjectInteraction):
            return replace(one, object_id="Mug|nowhere")
        return replace(one, values=(9.0, *one.values[1:])) if isinstance(one, Motion) else one

    report = _with(game, elsewhere)
    assert (report.strayed, report.failed) == (2, 1)
    assert "Turn Right strayed: at (0.00, 0.90, 0.00), recorded (0.00, 0.90, 9.00)" in report.problems[0]
    assert "Pickup failed: there is no object Mug|nowhere here" in report.problems[2]


def test_failed_actions_are_left_out(game: Game) -> None:
    report = _with(game, lambda one: replace(one, success=False))
    assert report.executed == 0
