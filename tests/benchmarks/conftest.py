"""Finished runs, made once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.runs import follower_run, tatc_run


@pytest.fixture(scope="module", autouse=True)
def _workers(request: pytest.FixtureRequest) -> None:
    """Only where processes are what is tested do they start from nothing."""
    if "engines" not in request.path.parts:
        request.getfixturevalue("warm_workers")


@pytest.fixture(scope="session")
def finished_tfd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished TfD run; not to be changed."""
    return follower_run(tmp_path_factory.mktemp("tfd"))


@pytest.fixture(scope="session")
def finished_tatc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished TATC run; not to be changed."""
    return tatc_run(tmp_path_factory.mktemp("tatc"))
