"""From a click in the page to the new picture on the screen, in a real Chromium, on the embedded simulator.

    python benchmarks/page_clicks.py [--json FILE] [--clicks 200]

A server in a process of its own; one browser with the Follower's chair at 1280 x 800, in FloorPlan1, clicking the
buttons that turn, look and walk, a quarter of a second after each picture. Time runs from the browser's event of the
click to the frame that shows the picture drawn (the page's own performance entries, "act to picture"); clicks that do
not change the picture (a wall in the way) are not counted.

| figure | what it is |
|---|---|
| pixels | the picture's side: 600 at one device pixel a pixel, 900 at two |
| p50_ms, p95_ms, most_ms | of `clicks` that changed the picture |
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from served_live import Process, requested
from telling import tell

_STEPS = ("Turn Left", "Forward", "Turn Right", "Look Down", "Look Up", "Backward")
_STILL_MS = 250
_WARM = 12
_SEEN = "localStorage.setItem('teach_agents.tutorial.follower', 'true')"
_TIMES = "performance.getEntriesByName('act to picture').map((one) => one.duration)"
_NEWEST = "document.querySelector('.console ol li')"
_SEE_IT = f"{_NEWEST}?.setAttribute('data-seen', '')"
_TOLD = f"() => {_NEWEST}?.hasAttribute('data-seen') === false"


def clicked(page: Any, clicks: int) -> list[float]:
    """Milliseconds of each click that changed the picture."""
    for number in range(clicks + _WARM):
        page.wait_for_timeout(_STILL_MS)
        if number == _WARM:
            page.evaluate("performance.clearMeasures()")
        page.evaluate(_SEE_IT)
        page.locator(f"[data-motion='{_STEPS[number % len(_STEPS)]}']").click()
        page.wait_for_function(_TOLD)
    page.wait_for_timeout(_STILL_MS)
    times: list[float] = page.evaluate(_TIMES)
    return times


def measured(browser: Any, port: int, scale: int, clicks: int) -> dict[str, Any]:
    """One session's clicks at so many device pixels a pixel."""
    setting = json.dumps({"room": "FloorPlan1", "seed": 0}).encode()
    _, answer = requested(port, "POST", "/v1/live", setting, Content_Type="application/json")
    context = browser.new_context(viewport={"width": 1280, "height": 800}, device_scale_factor=scale)
    context.add_init_script(_SEEN)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}{json.loads(answer)['links']['follower']}")
    page.locator(".stage canvas[data-drawn]").wait_for()
    times = clicked(page, clicks)
    pixels = page.evaluate("document.querySelector('.stage canvas').width")
    context.close()
    cuts = statistics.quantiles(times, n=20)
    figures = {"p50_ms": statistics.median(times), "p95_ms": cuts[-1], "most_ms": max(times)}
    return {"pixels": pixels, "clicks": len(times), **{name: round(value, 1) for name, value in figures.items()}}


def main() -> None:
    """Measure, and print or write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--clicks", type=int, default=200)
    arguments = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as store, sync_playwright() as playwright:
        server = Process(Path(store))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            found = [measured(browser, server.port, scale, arguments.clicks) for scale in (1, 2)]
        finally:
            browser.close()
            server.kill()
    tell({"click_to_picture": found}, arguments.json)


if __name__ == "__main__":
    main()
