"""EDH instances are cut from sessions as TEACh's were."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teach_agents.actions import Role
from teach_agents.data import Game, Interaction, Keyboard, iter_games, keyboard, object_interaction, read_game
from teach_agents.data.edh import Stretch, edh_from_game, edh_id, parse_edh_id, read_edh, stretches, write_edh
from teach_agents.errors import InputError
from tests.data.samples import MUG, games, sample_game

RULED = (
    "dialog_history",
    "dialog_history_cleaned",
    "driver_action_history",
    "driver_image_history",
    "driver_actions_future",
    "driver_images_future",
    "interactions",
    "game_id",
    "instance_id",
    "pred_start_idx",
    "history_subgoals",
    "future_subgoals",
)


def _session(script: str) -> tuple[Interaction, ...]:
    """Interactions by letter: `t` talk, `o` a click that works, `x` one that fails."""
    made: list[Interaction] = []
    for index, letter in enumerate(script):
        time = float(index)
        if letter == "t":
            made.append(keyboard(Role.COMMANDER, "do it", time_start=time))
        else:
            click = object_interaction("Pickup", time_start=time, success=letter == "o", x=0.5, y=0.5, object_id=MUG)
            made.append(click)
    return tuple(made)


def test_a_stretch_lies_between_two_utterances_or_reaches_the_end() -> None:
    assert stretches(_session("totoo")) == (Stretch(0, 1, 2), Stretch(1, 3, 5))
    assert stretches(_session("ttot")) == (Stretch(0, 2, 3),)


def test_a_stretch_of_failures_has_a_number_and_is_no_candidate() -> None:
    assert stretches(_session("txto")) == (Stretch(1, 3, 4),)


def test_what_happens_before_the_first_word_has_a_number_and_is_no_candidate() -> None:
    assert stretches(_session("oto")) == (Stretch(1, 2, 3),)


def test_a_session_without_talk_or_without_interactions_has_no_candidate() -> None:
    assert stretches(_session("oxo")) == stretches(_session("tt")) == stretches(()) == ()


@given(script=st.text(alphabet="tox", max_size=30))
def test_candidates_do_not_overlap_and_hold_no_talk(script: str) -> None:
    session = _session(script)
    found = stretches(session)
    assert all(before.end < after.start and before.number < after.number for before, after in pairwise(found))
    for stretch in found:
        assert isinstance(session[stretch.start - 1], Keyboard)
        assert not any(isinstance(one, Keyboard) for one in session[stretch.start : stretch.end])
    assert sum("o" in script[one.start : one.end] for one in found) == len(found)


def test_an_instance_holds_the_session_up_to_its_end() -> None:
    game = sample_game()
    (stretch,) = stretches(game.episode.interactions)
    instance = edh_from_game(game, stretch)
    assert instance.instance_id == "0123456789abcdef_01ab.edh0"
    assert instance.dialogue == ((Role.COMMANDER, "coffee, please"),)
    assert instance.history == () and instance.history_subgoals == ()
    assert instance.future is not None
    assert [one.action for one in instance.future] == ["Forward", "Pickup", "Navigation"]
    assert instance.future_images == ("driver.frame.5.0.jpeg", "driver.frame.6.0.jpeg", "driver.frame.9.0.jpeg")
    assert instance.future_subgoals == ("Navigate", "Mug", "Pickup", "Mug")
    assert [one.extra["action_idx"] for one in instance.interactions[:3]] == [30, 33, 4]


@settings(max_examples=25, deadline=None)
@given(game=games())
def test_every_candidate_is_written_and_read_back_equal(game: Game, tmp_path_factory: pytest.TempPathFactory) -> None:
    for stretch in stretches(game.episode.interactions):
        instance = edh_from_game(game, stretch)
        path = tmp_path_factory.mktemp("edh") / f"{stretch.number}.json"
        write_edh(instance, path)
        assert read_edh(path) == instance


def test_names_are_read_as_they_are_written() -> None:
    assert parse_edh_id(edh_id("0123456789abcdef_01ab", 12)) == ("0123456789abcdef_01ab", 12)
    for wrong in ("0123456789abcdef_01ab", "x.edh", ".edh0", "x.edh1.json"):
        with pytest.raises(InputError, match=r"<game_id>\.edh<N>"):
            parse_edh_id(wrong)


@pytest.mark.data
def test_the_released_instances_are_cut_anew_from_their_sessions(teach_data: Path) -> None:
    paths = sorted((teach_data / "edh_instances").glob("*/*.json"))
    assert len(paths) == 33
    for path in paths:
        released = json.loads(path.read_bytes())
        assert read_edh(path).to_json() == released
        game_id, number = parse_edh_id(path.name.removesuffix(".json"))
        game = read_game(teach_data / "games" / path.parent.name / f"{game_id}.game.json")
        (stretch,) = (one for one in stretches(game.episode.interactions) if one.number == number)
        made = edh_from_game(game, stretch).to_json()
        assert {key: made[key] for key in RULED} == {key: released[key] for key in RULED}, path.name


@pytest.mark.data
@pytest.mark.slow
def test_every_released_name_of_valid_seen_is_a_candidate(teach_data: Path) -> None:
    lists = [teach_data / "divided_split/edh_instances" / f"divided_{split}_seen.txt" for split in ("val", "test")]
    released = {name.removesuffix(".json") for one in lists for name in one.read_text().split()}
    assert len(released) == 608
    candidates = [
        edh_id(game.game_id, one.number)
        for game in iter_games(teach_data / "games" / "valid_seen")
        for one in stretches(game.episode.interactions)
    ]
    assert len(candidates) == 876
    assert released <= set(candidates)
