"""Tiny networks that see, built once per process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks this small are slower on several threads, beside other work by far."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
