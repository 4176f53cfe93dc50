"""What strangers are told of SPECs: nothing of the machine."""

from __future__ import annotations

import pytest
from teach_agents_serve.limits import public_name, public_spec


@pytest.mark.parametrize(
    ("spec", "told", "name"),
    [
        ("planner", "planner", "planner"),
        ("random:seed=3", "random:seed=3", "random"),
        ("lm:model=smollm2,memory=/home/me/notes.json", "lm:model=smollm2,memory=.../notes.json", "lm"),
        ("lm:model=C:\\\\models\\\\mine,retries=2", "lm:model=.../mine,retries=2", "lm"),
        ('lm:model="openai:base_url=http://10.0.0.7/v1,name=x"', "lm:model=...", "lm"),
        ("mine.agents:Follower", "mine.agents:Follower", "Follower"),
        ("http://10.0.0.7:8000", "remote", "remote"),
    ],
)
def test_addresses_and_folders_are_left_out(spec: str, told: str, name: str) -> None:
    assert public_spec(spec) == told and public_name(spec) == name
