"""Fixtures that every test folder may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def teach_data() -> Path:
    """The folder of unpacked TEACh data that `TEACH_DATA_DIR` names; skips where it is unset."""
    folder = os.environ.get("TEACH_DATA_DIR", "")
    if not folder:
        pytest.skip("TEACH_DATA_DIR is unset: no TEACh data to test with (see scripts/unpack_data.sh)")
    if not Path(folder, "games").is_dir():
        pytest.fail(f"TEACH_DATA_DIR={folder} holds no folder 'games' (see scripts/unpack_data.sh)")
    return Path(folder)
