"""Tiny models, built once per process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models import tiny


@pytest.fixture(scope="session")
def chat_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chat model."""
    pytest.importorskip("transformers")
    return tiny.build_chat(tmp_path_factory.mktemp("chat"))


@pytest.fixture(scope="session")
def seeing_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that sees."""
    pytest.importorskip("transformers")
    return tiny.build_seeing(tmp_path_factory.mktemp("seeing"))
