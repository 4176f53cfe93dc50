"""The package's templates, and a folder of one's own in place of some of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import nodes
from jinja2.sandbox import SandboxedEnvironment
from teach_agents_prompts import Prompts, UnknownPromptError, load_prompts, render, template_names, templates_folder

from teach_agents.errors import InputError

CHOICES = templates_folder() / "lm_choices.jinja"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one template of its own."""
    (tmp_path / CHOICES.name).write_text(CHOICES.read_text(encoding="utf8").replace("Answer", "Reply"))
    return tmp_path


def test_every_template_of_the_package_is_good_and_uses_what_it_is_given() -> None:
    prompts = load_prompts()
    assert list(prompts) == template_names() and "repair" in prompts
    for template in prompts.values():
        tree = SandboxedEnvironment().parse(template.text)
        assert {name.name for name in tree.find_all(nodes.Name)} >= set(template.inputs), template.where


def test_a_folder_stands_in_place_of_the_package(folder: Path) -> None:
    prompts = load_prompts(folder)
    assert prompts.render("lm_choices", choices=["wait"]).startswith("Reply with nothing but one of these")
    assert render("lm_choices", choices=["wait"]).startswith("Answer with nothing but one of these")
    assert prompts["commander_system"] == load_prompts()["commander_system"]


def test_the_hash_tells_which_prompts_an_agent_used(folder: Path) -> None:
    ours, own = load_prompts(), load_prompts(str(folder))
    assert len(ours.hash) == 12 and ours.hash != own.hash
    assert ours.only("commander_system", "repair").hash == own.only("repair", "commander_system").hash
    assert ours.only("lm_ch*").hash != own.only("lm_ch*").hash
    assert list(ours.only("follower*", "step")) == ["follower_system", "step"]


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        UnknownPromptError, match=r"^prompts: .* got 'folower_system'; did you mean 'follower_system'\?$"
    ):
        render("folower_system")
    with pytest.raises(LookupError, match="got 'planner\\*'"):
        load_prompts().only("planner*")
    assert "folower_system" not in load_prompts() and load_prompts().get("folower_system") is None


def test_an_empty_folder_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("")
    assert load_prompts(tmp_path).hash == load_prompts().hash
    assert Prompts({}).hash != load_prompts().hash


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("lm_choises.jinja", ("", ""), r"got 'lm_choises.jinja'; did you mean 'lm_choices.jinja'\?"),
        ("README.md", ("", ""), r"holds what is no file of a template .*; got 'README.md'; valid: .*\.jinja"),
        ("repair.jinja", ("", ""), r"holds what is no file of a template that agents are told; got 'repair.jinja'"),
        ("lm_choices.jinja", ("role: any", "role: commander"), r"\.jinja:2: is for another role"),
        ("lm_choices.jinja", ("inputs: choices", "inputs: choices, mood"), r"\.jinja:4: is given no .* got 'mood'"),
        ("lm_choices.jinja", ("inputs: choices", "inputs:"), r"\.jinja:\d+: reads what .* got 'choices'"),
        ("lm_choices.jinja", ("---\nrole", "role"), r"lm_choices\.jinja:1: a template begins"),
        ("lm_choices.jinja", ("{% endfor %}", ""), r"lm_choices\.jinja:\d+: is no Jinja"),
    ],
)
def test_a_folder_that_does_not_fit_is_refused(tmp_path: Path, name: str, change: tuple[str, str], said: str) -> None:
    (tmp_path / name).write_text(CHOICES.read_text(encoding="utf8").replace(*change))
    with pytest.raises(InputError, match=said):
        load_prompts(tmp_path)


def test_line_ends_and_byte_order_marks_are_no_change(tmp_path: Path) -> None:
    source = CHOICES.read_text(encoding="utf8").replace("\n", "\r\n")
    (tmp_path / CHOICES.name).write_bytes(b"\xef\xbb\xbf" + source.encode())
    assert load_prompts(tmp_path).hash == load_prompts().hash


def test_an_input_may_be_ignored_but_not_left_out(tmp_path: Path) -> None:
    head = "---\nrole: any\nabout: Short.\ninputs: {}\nversion: 2\n---\nChoose."
    own = tmp_path / CHOICES.name
    own.write_text(head.format("choices"))
    assert load_prompts(tmp_path).render("lm_choices", choices=["wait"]) == "Choose."
    own.write_text(head.format(""))
    with pytest.raises(InputError, match=r":4: lacks 'choices', which it is given"):
        load_prompts(tmp_path)


def test_a_folder_that_is_not_there_or_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder; got '.*nowhere'"):
        load_prompts(tmp_path / "nowhere")
    (tmp_path / CHOICES.name).write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"lm_choices\.jinja: cannot be read as UTF-8 text"):
        load_prompts(tmp_path)
