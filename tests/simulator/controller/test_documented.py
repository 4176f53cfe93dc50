"""Every action has a line in the table of docs/thor.md, and does something."""

from __future__ import annotations

import re
from pathlib import Path

from teach_agents.simulator.controller.actions import ACTIONS
from teach_agents.simulator.controller.requests import action_names

_DOCUMENT = Path(__file__).parents[3] / "docs" / "thor.md"


def test_every_action_is_in_the_table() -> None:
    text = _DOCUMENT.read_text(encoding="utf8")
    table = text[text.index("## What is exact") : text.index("Normals and optical flow")]
    listed = [name for row in re.findall(r"^\| (\w[^|]*) \|", table, re.MULTILINE) for name in row.split(", ")]
    listed.remove("action")
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(action_names())


def test_every_action_that_can_be_asked_for_is_carried_out() -> None:
    assert set(ACTIONS) == set(action_names())
