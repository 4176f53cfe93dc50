"""The package's templates, and a folder of one's own in place of some of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import nodes
from jinja2.sandbox import SandboxedEnvironment
from teach_agents_prompts import Prompts, UnknownPromptError, load_prompts, render, template_names, templates_folder

from teach_agents.errors import InputError

FOLLOWER = templates_folder() / "follower_system.jinja"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one template of its own."""
    (tmp_path / "follower_system.jinja").write_text(FOLLOWER.read_text(encoding="utf8").replace("You are", "Be"))
    return tmp_path


def test_every_template_of_the_package_is_good_and_uses_what_it_is_given() -> None:
    prompts = load_prompts()
    assert list(prompts) == template_names() and "repair" in prompts
    for template in prompts.values():
        tree = SandboxedEnvironment().parse(template.text)
        assert {name.name for name in tree.find_all(nodes.Name)} >= set(template.inputs), template.where


def test_a_folder_stands_in_place_of_the_package(folder: Path) -> None:
    prompts = load_prompts(folder)
    assert prompts.render("follower_system", actions=[]).startswith("Be the Follower")
    assert render("follower_system", actions=[]).startswith("You are the Follower")
    assert prompts["commander_system"] == load_prompts()["commander_system"]


def test_the_hash_tells_which_prompts_an_agent_used(folder: Path) -> None:
    ours, own = load_prompts(), load_prompts(str(folder))
    assert len(ours.hash) == 12 and ours.hash != own.hash
    assert ours.only("commander_system", "repair").hash == own.only("repair", "commander_system").hash
    assert ours.only("*_system").hash != own.only("*_system").hash
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
        ("follower_sytem.jinja", ("", ""), r"got 'follower_sytem.jinja'; did you mean 'follower_system.jinja'\?"),
        ("README.md", ("", ""), r"holds what is no template's file; got 'README.md'; valid: .*\.jinja"),
        ("follower_system.jinja", ("role: follower", "role: commander"), r"\.jinja:2: is for another role"),
        (
            "follower_system.jinja",
            ("inputs: actions", "inputs: actions, mood"),
            r"\.jinja:4: is given no .* got 'mood'",
        ),
        ("follower_system.jinja", ("inputs: actions", "inputs:"), r"\.jinja:\d+: reads what .* got 'actions'"),
        ("follower_system.jinja", ("---\nrole", "role"), r"follower_system\.jinja:1: a template begins"),
        ("follower_system.jinja", ("{% endfor %}", ""), r"follower_system\.jinja:\d+: is no Jinja"),
    ],
)
def test_a_folder_that_does_not_fit_is_refused(tmp_path: Path, name: str, change: tuple[str, str], said: str) -> None:
    (tmp_path / name).write_text(FOLLOWER.read_text(encoding="utf8").replace(*change))
    with pytest.raises(InputError, match=said):
        load_prompts(tmp_path)


def test_line_ends_and_byte_order_marks_are_no_change(tmp_path: Path) -> None:
    source = FOLLOWER.read_text(encoding="utf8").replace("\n", "\r\n")
    (tmp_path / FOLLOWER.name).write_bytes(b"\xef\xbb\xbf" + source.encode())
    assert load_prompts(tmp_path).hash == load_prompts().hash


def test_an_input_may_be_ignored_but_not_left_out(tmp_path: Path) -> None:
    head = "---\nrole: follower\nabout: Short.\ninputs: {}\nversion: 2\n---\nFollow."
    own = tmp_path / "follower_system.jinja"
    own.write_text(head.format("actions"))
    assert load_prompts(tmp_path).render("follower_system", actions=["Forward"]) == "Follow."
    own.write_text(head.format(""))
    with pytest.raises(InputError, match=r":4: lacks 'actions', which it is given"):
        load_prompts(tmp_path)


def test_a_folder_that_is_not_there_or_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder; got '.*nowhere'"):
        load_prompts(tmp_path / "nowhere")
    (tmp_path / "step.jinja").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"step\.jinja: cannot be read as UTF-8 text"):
        load_prompts(tmp_path)
