"""`teach-agents rooms`."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from teach_agents.cli.rooms import app
from teach_agents.errors import InputError, SceneError


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


def test_sheet_puts_rooms_side_by_side(tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    result = CliRunner().invoke(app, ["sheet", "FloorPlan1", "FloorPlan201", "--out", str(out), "--size", "48"])
    assert result.exit_code == 0, result.output
    with Image.open(out) as picture:
        assert picture.size == (2 * 48 + 4, 48)


def test_an_unknown_room_is_refused_with_a_near_one() -> None:
    result = CliRunner().invoke(app, ["show", "FloorPlan31"])
    assert isinstance(result.exception, SceneError)
    assert "FloorPlan3" in str(result.exception)


def test_a_picture_of_another_format_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["show", "FloorPlan1", "--out", str(tmp_path / "room.gif"), "--size", "16"])
    assert isinstance(result.exception, InputError)
    assert ".png" in str(result.exception)
