from __future__ import annotations

import json
from pathlib import Path

from teach_agents_prompts import load_prompts, template_names, templates_folder
from typer.testing import CliRunner

from teach_agents.cli.main import app
from teach_agents.errors import InputError


def test_every_template_is_listed_and_shown() -> None:
    done = CliRunner().invoke(app, ["prompts", "list", "--json"])
    rows = {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert list(rows) == template_names()
    assert rows["step"]["inputs"] == ["step", "heard", "outcome", "reply"]
    shown = CliRunner().invoke(app, ["prompts", "show", "step"]).stdout
    assert shown == (templates_folder() / "step.jinja").read_text(encoding="utf8")
    assert "follower_system" in CliRunner().invoke(app, ["prompts", "list"]).stdout


def test_a_folder_is_begun_with_copies_and_changed(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert (
        CliRunner().invoke(app, ["prompts", "copy", str(folder), "commander_s*", "follower_system", "step"]).exit_code
        == 0
    )
    assert sorted(path.stem for path in folder.iterdir()) == ["commander_system", "follower_system", "step"]
    assert load_prompts(folder).hash == load_prompts().hash
    step = folder / "step.jinja"
    step.write_text(step.read_text(encoding="utf8").replace("Step {{ step }}.", "Now {{ step }}."))
    assert "Now {{ step }}." in CliRunner().invoke(app, ["prompts", "show", "step", "--prompts", str(folder)]).stdout
    told = CliRunner().invoke(app, ["prompts", "list", "--prompts", str(folder)], env={"COLUMNS": "200"}).stdout
    assert told.count("(yours)") == 1


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "step.jinja").write_text("mine")
    done = CliRunner().invoke(app, ["prompts", "copy", str(tmp_path)])
    assert isinstance(done.exception, InputError) and "step.jinja" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["step.jinja"]
    assert (tmp_path / "step.jinja").read_text() == "mine"


def test_a_folder_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "stepp.jinja").write_text("")
    done = CliRunner().invoke(app, ["prompts", "list", "--prompts", str(tmp_path)])
    assert "did you mean 'step.jinja'" in str(done.exception)
    assert "did you mean 'step'" in str(CliRunner().invoke(app, ["prompts", "show", "stepp"]).exception)
