"""Agents of every world behind a server do what they do in the process of the session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from teach_agents_serve import create_app

from teach_agents.core.session.record import read_record
from teach_agents.core.session.session import Session
from tests.core.worlds.cases import CASES, Case
from tests.serve.serving import serving


def _turns(case: Case, path: Path) -> tuple[Any, ...]:
    return read_record(path, case.world().form).turns


@pytest.mark.parametrize("name", CASES)
def test_every_seat_is_played_over_http(name: str, tmp_path: Path) -> None:
    case, here, there = CASES[name], tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    Session(case.world(), case.agents(), policy=case.policy(), record=here).play(case.instance, seed=4)
    with serving(create_app(world=case.registered, agents=case.specs, allow_import=True)) as url:
        remote = {seat: case.agent(seat, url) for seat in case.specs}
        result = Session(case.world(), remote, policy=case.policy(), record=there).play(case.instance, seed=4)
    assert (result.end_reason, result.success, result.details) == (case.end, case.success, "")
    assert _turns(case, there) == _turns(case, here)
