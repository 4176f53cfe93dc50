"""Engines to test, and a small Ray for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package")
def small_ray() -> Iterator[None]:
    """A Ray of two CPUs on this machine, started and ended by the tests; without the package they are skipped."""
    ray = pytest.importorskip("ray", reason="needs the extra 'ray'")
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=100 << 20,
        log_to_driver=False,
        logging_level="ERROR",
    )
    yield
    ray.shutdown()


@pytest.fixture(params=["local", "ray"])
def engine(request: pytest.FixtureRequest) -> str:
    """Every engine by name."""
    if request.param == "ray":
        request.getfixturevalue("small_ray")
    return str(request.param)
