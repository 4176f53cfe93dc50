"""What only the Ray engine does."""

from __future__ import annotations

import socket

import pytest

from teach_agents.core.benchmark.engines import Job, run_jobs
from teach_agents.errors import TeachAgentsError


def test_an_address_at_which_nobody_listens_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason="needs the extra 'ray'")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        monkeypatch.setenv("RAY_ADDRESS", address)
        jobs = run_jobs([Job("one", {})], "nowhere:work", engine="ray")
        with pytest.raises(TeachAgentsError, match=f"nobody listens at RAY_ADDRESS={address}"):
            next(jobs)
