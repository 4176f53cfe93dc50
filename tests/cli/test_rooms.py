"""`teach-agents rooms`."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from teach_agents.cli.rooms import app
from teach_agents.cli.sheets import SheetFormat, interface_tiles, state_tiles
from teach_agents.errors import InputError, SceneError
from teach_agents.simulator.contract import Channel, follower_camera
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.showcase import best_views, changed_share, draw_variants, exhibits


def test_list_names_every_room_and_its_kind() -> None:
    result = CliRunner().invoke(app, ["list"])
    assert result.exit_code == 0
    assert sum(line.count("FloorPlan") for line in result.output.splitlines()) == 120
    assert result.output.count("bathroom") == 30


def test_show_lists_what_is_in_a_room() -> None:
    result = CliRunner().invoke(app, ["show", "FloorPlan1"])
    assert result.exit_code == 0
    assert "FloorPlan1: kitchen" in result.output
    assert "Fridge" in result.output


@pytest.mark.parametrize("view", ["overhead", "follower"])
def test_show_draws_a_picture_of_the_wanted_size(tmp_path: Path, view: str) -> None:
    out = tmp_path / "pictures" / "room.png"
    result = CliRunner().invoke(app, ["show", "FloorPlan401", "--out", str(out), "--view", view, "--size", "64"])
    assert result.exit_code == 0, result.output
    with Image.open(out) as picture:
        assert picture.size == (64, 64)
        assert len(picture.getcolors(64 * 64) or ()) > 20


def test_sheets_show_two_views_of_each_room_by_kind(tmp_path: Path) -> None:
    command = ["sheet", "FloorPlan1", "FloorPlan401", "--out", str(tmp_path), "--size", "64", "--tile", "32"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bathrooms.jpg", "kitchens.jpg"]
    with Image.open(tmp_path / "kitchens.jpg") as picture:
        assert picture.size[0] == 2 * (32 + 6) + 6
        first, second = (picture.crop((x, 66, x + 32, 98)).tobytes() for x in (6, 44))
        assert first != second


def test_the_two_views_of_a_room_are_the_same_every_time_and_show_much_of_it() -> None:
    world = load_room("FloorPlan402")
    views = best_views(world)
    assert views == best_views(load_room("FloorPlan402"))
    assert world.agent == load_room("FloorPlan402").agent
    seen = []
    for pose in views:
        world.move_agent(pose)
        ids = Renderer().view(world, follower_camera(pose), frozenset((Channel.IDS,)), 72).ids
        assert ids is not None
        seen.append({int(i) for i in set(ids.ravel().tolist()) if i >= 0})
    assert len(seen[0]) >= 10
    assert seen[1] - seen[0]


def test_the_interface_sheet_shows_every_panel_of_both_roles(tmp_path: Path) -> None:
    out = tmp_path / "interface.png"
    asked = ["interface", "FloorPlan1", "--out", str(out), "--size", "64", "--tile", "64"]
    assert CliRunner().invoke(app, asked).exit_code == 0
    labels = [tile.label for tile in interface_tiles("FloorPlan1", "Mug", SheetFormat(64, 64, 4))]
    assert len(labels) == 7
    assert sum(label.startswith("Commander") for label in labels) == 5
    with Image.open(out) as sheet:
        assert sheet.size[0] > 4 * 64


def test_state_sheets_label_every_state_of_a_type(tmp_path: Path) -> None:
    command = ["sheet", "--states", "--type", "Mug", "--type", "Pen", "--out", str(tmp_path), "--size", "48"]
    result = CliRunner().invoke(app, [*command, "--tile", "48"])
    assert result.exit_code == 0, result.output
    with Image.open(tmp_path / "types.jpg") as picture:
        assert picture.size[0] == 2 * (48 + 6) + 6
    with Image.open(tmp_path / "states.jpg") as picture:
        assert picture.size[0] == 5 * (48 + 6) + 6  # plain, dirty, water, coffee, broken


def test_states_are_drawn_the_same_every_time() -> None:
    first, second = (state_tiles(SheetFormat(48, 48), ["Kettle"]) for _ in range(2))
    assert [tile.label for tile in first[1]] == ["Kettle", "Kettle water", "Kettle coffee", "Kettle open"]
    assert [tile.picture.tobytes() for tile in first[1]] == [tile.picture.tobytes() for tile in second[1]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["FloorPlan1", "--states"], "no one room"),
        (["FloorPlan1", "--type", "Mug"], "--states"),
        (["--states", "--type", "Mugg"], "Mugg"),
    ],
)
def test_sheets_of_what_cannot_be_drawn_are_refused(tmp_path: Path, arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["sheet", *arguments, "--out", str(tmp_path)])
    assert isinstance(result.exception, InputError)
    assert said in str(result.exception)


@pytest.mark.parametrize("object_type", ["Mug", "Television", "Potato"])
def test_every_state_of_a_type_is_seen(object_type: str) -> None:
    for exhibit in exhibits(3, [object_type])[object_type]:
        compared = {name: pair for name, pair in draw_variants(exhibit, 96)[1].items() if pair[1].mask.any()}
        assert compared
        for name, (before, after) in compared.items():
            assert changed_share(before, before) == 0.0
            assert changed_share(before, after) >= 0.08, (exhibit.plain.object_id, name)


def test_what_fell_to_shards_has_no_share() -> None:
    (mug,) = exhibits(1, ["Mug"])["Mug"]
    with pytest.raises(ValueError, match="no object"):
        changed_share(*draw_variants(mug, 32)[1]["broken"])


def test_an_unknown_room_is_refused_with_a_near_one() -> None:
    result = CliRunner().invoke(app, ["show", "FloorPlan31"])
    assert isinstance(result.exception, SceneError)
    assert "FloorPlan3" in str(result.exception)


def test_a_picture_of_another_format_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["show", "FloorPlan1", "--out", str(tmp_path / "room.gif"), "--size", "16"])
    assert isinstance(result.exception, InputError)
    assert ".png" in str(result.exception)
