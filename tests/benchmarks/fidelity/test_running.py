"""Whole runs: many games, several processes, the same figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from teach_agents.actions import Action
from teach_agents.benchmarks.fidelity.pictures import MissCamera, projected
from teach_agents.benchmarks.fidelity.report import write_report
from teach_agents.benchmarks.fidelity.running import figures, measure_games
from teach_agents.data import Game, ObjectInteraction, game_files, write_game
from teach_agents.simulator.contract import follower_camera
from tests.benchmarks.fidelity.recording import AHEAD, BACK, changed, first, household, on, record, stand_before


@pytest.fixture(scope="module")
def game() -> Game:
    """An apple is taken by a click that misses it here, then somebody steps back and forth."""

    def astray(one: object) -> ObjectInteraction:
        assert isinstance(one, ObjectInteraction)
        return replace(one, x=0.99, y=0.01)

    recorded = changed(record(on("Pickup", "Apple"), BACK, AHEAD), 0, astray)
    return changed(recorded, 1, lambda one: replace(one, success=False))


def _pixels(path: Path) -> NDArray[np.int64]:
    with Image.open(path) as picture:
        return np.asarray(picture).astype(np.int64)


def test_one_process_and_two_find_the_same(game: Game, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_game(game, tmp_path / f"{name}.game.json")
    (tmp_path / "b.game.json").write_text("{}", encoding="utf8")
    paths = game_files(tmp_path)
    seen: list[str] = []
    alone = measure_games(paths, on_session=lambda one: seen.append(one.game_id))
    together = measure_games(paths, workers=2)
    assert [one.game_id for one in alone] == ["a", "b", "c"] == seen
    assert alone == together
    assert alone[1].rows is None and "GameFileError" in alone[1].reason
    assert json.dumps(figures(alone, click_size=300)) == json.dumps(figures(together, click_size=300))


def test_pictures_of_misses_stand_in_the_report(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "game.game.json"
    write_game(game, path)
    sessions = measure_games([path], pictures=tmp_path / "pictures")
    assert {one.name for one in (tmp_path / "pictures").iterdir()} == {"recorded.0.jpg", "recorded.1.jpg"}
    assert _pixels(tmp_path / "pictures" / "recorded.0.jpg").shape == (300, 600, 3)
    page = write_report(tmp_path, figures(sessions, click_size=300), sessions).read_text(encoding="utf8")
    assert page.count("data:image/jpeg;base64,") == 2 and "recorded:0, FloorPlan1" in page


def test_a_picture_marks_the_recorded_object_green_the_found_one_red_and_the_click_yellow(tmp_path: Path) -> None:
    world = household()
    stand_before(world, "Apple")
    apple, counter = first(world, "Apple"), first(world, "CounterTop")
    point = world.click_for(apple, "Pickup")
    assert point is not None
    camera = MissCamera(tmp_path, "g", world.simulator)
    name = camera.click(7, Action.click("Pickup", *point), apple, counter)
    picture = _pixels(tmp_path / name)[:, 300:]
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    assert ((green > 150) & (red < 110) & (blue < 130)).sum() > 20
    assert ((red > 200) & (green > 180) & (blue < 110)).sum() > 5
    plain = camera.click(8, Action.click("Pickup", *point), "", "")
    assert (_pixels(tmp_path / plain)[:, 300:] != picture).any()


def test_the_box_of_what_can_be_clicked_on_lies_around_the_click() -> None:
    world = household()
    stand_before(world, "Apple")
    apple = world.simulator.state.objects[first(world, "Apple")]
    point = world.click_for(apple.object_id, "Pickup")
    box = projected(follower_camera(world.simulator.state.agent), apple)
    assert point is not None and box is not None
    left, top, right, bottom = box
    assert left < point[0] < right and top < point[1] < bottom
    turned = replace(world.simulator.state.agent, yaw=(world.simulator.state.agent.yaw + 180.0) % 360.0)
    assert projected(follower_camera(turned), apple) is None


@pytest.mark.data
@pytest.mark.slow
def test_recorded_sessions_agree_as_far_as_they_should(teach_data: Path) -> None:
    paths = game_files(teach_data / "games" / "valid_seen")[:24]
    found = figures(measure_games(paths, workers=2), click_size=300)
    assert not found["failed"] and found["replay"]["aided"]["unfollowed"] == 0
    least = {
        "moves": {"allowed_recall": 0.985, "blocked_recall": 0.9},
        "clicks": {"untouched": 0.88, "all": 0.78},
        "outcomes": {"balanced_accuracy": 0.6},
    }
    short = {
        f"{group}.{name}": found[group][name]
        for group, bounds in least.items()
        for name, bound in bounds.items()
        if found[group][name]["value"] < bound
    }
    assert not short
    aided = found["replay"]["aided"]
    assert aided["property_agreement"]["value"] >= 0.999 and aided["progress_check_agreement"]["value"] >= 0.97
