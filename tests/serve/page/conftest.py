"""A real Chromium, driven by Playwright, and a server of live sessions for it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.serve.page.hosting import PATIENCE_S, Host, hosting
from tests.serve.page.visiting import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def _needed(found: bool, what: str) -> None:
    """Skip a test for want of something; fail it where everything has to be there."""
    if found:
        return
    if os.environ.get("TEACH_AGENTS_CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. One a module: Playwright keeps an event loop running while it is there."""
    _needed(importlib.util.find_spec("playwright") is not None, "playwright")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    _needed(path is not None, "chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE_S)

    with sync_playwright() as playwright:
        # Chromium's own sandbox cannot be set up by root, as in containers.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The server."""
    folder: Path = tmp_path_factory.mktemp("live")
    with hosting(folder) as host:
        yield host


@pytest.fixture
def visitors(browser: Browser, host: Host) -> Iterator[Visitors]:
    """Browsers at the server's page, each a person's own; whatever goes wrong in their pages fails the test."""
    visitors = Visitors(browser, host)
    yield visitors
    visitors.leave()
