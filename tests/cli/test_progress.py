"""How far a run is."""

from __future__ import annotations

import io

from rich.console import Console

from teach_agents.cli.progress import RunProgress


def test_the_time_left_follows_from_the_pace_so_far() -> None:
    now = [100.0]
    progress = RunProgress(Console(file=io.StringIO()), "EDH", 7, [True, False], clock=lambda: now[0])
    unknown = progress.left_s
    assert unknown is None
    for now[0] in (110.0, 130.0):
        progress.count("one", "done", "", True)
    assert (progress.elapsed_s, progress.left_s) == (30.0, 45.0)
    for _ in range(3):
        progress.count("one", "done", "", True)
    assert progress.left_s == 0.0


def test_without_a_terminal_there_are_plain_lines_whatever_the_width() -> None:
    told = io.StringIO()
    console = Console(file=told, width=20)
    with RunProgress(console, "EDH", 4, [True, False]) as progress:
        progress.count("one.edh0", "done", "", True)
        progress.count("two.edh1", "crashed", "Traceback\nValueError: [no] model", False)
    first, broken, last = told.getvalue().splitlines()
    assert first == "EDH 2/4, success 50.0 %, 0:00:00 gone"
    assert broken == "two.edh1 crashed: ValueError: [no] model"
    assert last == "EDH 4/4, success 50.0 %, 1 broke down, 0:00:00 gone"


def test_in_a_terminal_there_is_a_bar() -> None:
    told = io.StringIO()
    console = Console(file=told, force_terminal=True, width=120)
    with RunProgress(console, "TATC", 2, []) as progress:
        progress.count("one", "done", "", True)
    assert "TATC" in told.getvalue() and "1/2" in told.getvalue() and "left" in told.getvalue()
