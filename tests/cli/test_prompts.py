from __future__ import annotations

import json
from pathlib import Path

from teach_agents_prompts import FIXED, load_prompts, template_names, templates_folder
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
    assert CliRunner().invoke(app, ["prompts", "copy", str(folder), "lm_vlm*", "lm_choices"]).exit_code == 0
    assert {path.stem for path in folder.iterdir()} >= {"lm_choices", "lm_vlm_system"}
    assert load_prompts(folder).hash == load_prompts().hash
    own = folder / "lm_choices.jinja"
    own.write_text(own.read_text(encoding="utf8").replace("word for word", "to the letter"))
    shown = CliRunner().invoke(app, ["prompts", "show", "lm_choices", "--prompts", str(folder)]).stdout
    assert "to the letter" in shown
    told = CliRunner().invoke(app, ["prompts", "list", "--prompts", str(folder)], env={"COLUMNS": "200"}).stdout
    assert told.count("(yours)") == 1


def test_what_models_say_by_themselves_is_not_copied(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["prompts", "copy", str(tmp_path / "all")]).exit_code == 0
    copied = {path.stem for path in (tmp_path / "all").iterdir()}
    assert copied == set(template_names()) - FIXED
    done = CliRunner().invoke(app, ["prompts", "copy", str(tmp_path / "some"), "repair"])
    assert isinstance(done.exception, InputError) and not (tmp_path / "some").exists()


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "lm_choices.jinja").write_text("mine")
    done = CliRunner().invoke(app, ["prompts", "copy", str(tmp_path)])
    assert isinstance(done.exception, InputError) and "lm_choices.jinja" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["lm_choices.jinja"]
    assert (tmp_path / "lm_choices.jinja").read_text() == "mine"


def test_a_folder_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lm_choice.jinja").write_text("")
    done = CliRunner().invoke(app, ["prompts", "list", "--prompts", str(tmp_path)])
    assert "did you mean 'lm_choices.jinja'" in str(done.exception)
    assert "did you mean 'step'" in str(CliRunner().invoke(app, ["prompts", "show", "stepp"]).exception)
