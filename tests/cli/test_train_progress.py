"""How far a training is."""

from __future__ import annotations

import io

from rich.console import Console

from teach_agents.cli.train import AdapterProgress
from teach_agents.learning.loop import Progress
from teach_agents.learning.packing import Sample, planned
from teach_agents.learning.training import Stepped

PLAN = planned([Sample(f"s{one}", (one,) * 10, (1,)) for one in range(30)], seed=0, epochs=1, row=20, batch=100)
VERDICT = {"step": 2, "n": 4, "loss": 1.25, "accuracy": 0.5, "chance": 0.25, "by_kind": {"human": {"accuracy": 0.5}}}


def _told(console: Console) -> None:
    """Three steps of 50 seconds for 100 tokens, at 1, 51 and 101 seconds, and a check behind the second."""
    now = [0.0]
    with AdapterProgress(console, clock=lambda: now[0]) as progress:
        progress.stage("packing")
        progress.planned(PLAN, Progress())
        for number, loss in enumerate((4.0, 2.0, 2.0), 1):
            now[0] = 50.0 * number - 49.0
            gone = Progress(number, tokens=100 * number, seconds=50.0 * number)
            progress.stepped(Stepped(loss, 1e-3, 0.5, tokens=100, seconds=50.0), gone)
            if number == VERDICT["step"]:
                progress.checked(VERDICT)


def test_without_a_terminal_a_line_a_minute_says_how_far_it_is_whatever_the_width() -> None:
    told = io.StringIO()
    _told(Console(file=told, width=20))
    assert told.getvalue().splitlines() == [
        "packing",
        "30 decisions in 3 steps; 300 tokens, 1.0 times fewer than one by one",
        "step 1, 100 of 300 tokens: loss 4.000, 2 tokens/s, about 0:01:40 left",
        "step 2: 4 held-out decisions: loss 1.250, 50.0 % right (human 50.0 %; by chance 25.0 %)",
        "step 3, 300 of 300 tokens: loss 3.280, held-out 1.250, 50.0 % right, 2 tokens/s, about 0:00:00 left",
    ]


def test_in_a_terminal_a_bar_says_it_and_lines_what_is_to_stay() -> None:
    told = io.StringIO()
    _told(Console(file=told, force_terminal=True, width=160))
    assert "━" in told.getvalue() and "about 0:00:00 left" in told.getvalue()
    assert "step 2: 4 held-out decisions" in told.getvalue() and "step 1," not in told.getvalue()
