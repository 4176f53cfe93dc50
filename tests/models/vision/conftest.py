"""Tiny networks that see, built once per process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

Built = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The folder of a network by what it is for (`encoder`, `detector`, `depth`) and its family."""
    pytest.importorskip("transformers")
    from tests.models.vision import tiny

    make = {"encoder": tiny.build_encoder, "detector": tiny.build_detector, "depth": tiny.build_depth}

    @cache
    def folder(use: str, family: str) -> Path:
        return make[use](family, tmp_path_factory.mktemp(family))

    return folder
