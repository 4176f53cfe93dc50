"""The report of a run."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from teach_agents.benchmarks.reporting.cards import plainly
from teach_agents.benchmarks.reporting.report import task_table, tasks_plot
from teach_agents.benchmarks.solo.log import log_path
from teach_agents.core.benchmark.reporting.page import write_report
from teach_agents.core.benchmark.stored import read_run
from teach_agents.errors import InputError

VOID = {"meta", "input", "img"}


class _Balanced(HTMLParser):
    """Refuses tags that are not closed by their like."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """It closes itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())


def _page(folder: Path) -> str:
    page = write_report(folder).read_text(encoding="utf8")
    parser = _Balanced()
    parser.feed(page)
    assert parser.open == []
    assert not re.search(r"(src|href)=[\"'](?!data:)", page) and "http" not in page, "it needs nothing else"
    return page


@pytest.fixture
def tfd(finished_tfd: Path, tmp_path: Path) -> Path:
    """A TfD run to write into."""
    return Path(shutil.copytree(finished_tfd, tmp_path / "tfd"))


@pytest.fixture
def tatc(finished_tatc: Path, tmp_path: Path) -> Path:
    """A TATC run to write into."""
    return Path(shutil.copytree(finished_tatc, tmp_path / "tatc"))


def test_a_followers_run_is_shown_with_what_was_said_done_and_left_undone(tfd: Path) -> None:
    page = _page(tfd)
    assert "<title>TfD: recorded</title>" in page and "3 instances" in page
    for words in ("By task", "By room", "FloorPlan1", "How instances ended", "Why instances failed", "Wall time"):
        assert words in page
    assert "a mug, please" in page and ">Pickup Mug</span>" in page
    assert "Left undone:" in page and "is truncated" in page
    assert 3 <= page.count("data:image/jpeg;base64,") <= 22
    assert page.count('<details class="card"') == 3 and 'data-state="not_started"' in page


def test_a_session_is_shown_with_both_roles(tatc: Path) -> None:
    page = _page(tatc)
    assert "TATC self-play: planner and planner" in page and "rule-based pair" in page
    assert 'class="said commander"' in page and 'class="did follower"' in page
    assert page.count('<details class="card"') == 2


def test_the_papers_figures_stand_beside_tasks_of_twenty_instances(finished_tatc: Path) -> None:
    run = read_run(finished_tatc)
    row = {"success_rate": 1.0, "success_rate_ci": [0.8, 1.0], "goal_condition_success_macro": 1.0}
    made = [{**row, "n": n, "rule_based_pair_success_rate": 0.25} for n in (19, 20)]
    summary = {**made[0], "by_task": {"few": made[0], "many": made[1]}}
    assert [bar.published for bar in tasks_plot(summary).bars] == [None, 0.25]
    table = task_table(run, summary)
    assert [shown[-1] for shown in (*table.rows, table.total)] == ["–", "25.0 %", "–"]


def test_what_agents_say_is_no_markup(tatc: Path) -> None:
    records = tatc / "records"
    for path in records.iterdir():
        text = path.read_text()
        path.write_text(re.sub(r'"utterance":"[^"]*"', '"utterance":"<script>alert(1)</script> & \\\\u0022"', text))
    page = _page(tatc)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;" in page
    assert "<script>alert" not in page and page.count("<script>") == 1


def test_a_run_that_has_only_begun_is_shown_as_unfinished(tfd: Path, tatc: Path) -> None:
    for folder, name in ((tfd, "records.jsonl"), (tatc, "episodes.jsonl")):
        (folder / name).unlink()
        (folder / "summary.json").unlink()
        page = _page(folder)
        assert "Not complete" in page and 'data-state="missing"' in page


def test_a_damaged_record_is_told_in_its_place(tfd: Path) -> None:
    log_path(tfd, "one.tfd").write_bytes(b"garbled")
    page = _page(tfd)
    assert "Its record cannot be read" in page and "one.tfd.json.gz" in page


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder of a run"):
        write_report(tmp_path)


def test_messages_are_counted_by_type() -> None:
    message = "Mug|-01.20|+00.90|+02.00 cannot be placed in Sink|+00.00|+01.00|-02.00|SinkBasin"
    assert plainly(message) == "Mug cannot be placed in Sink"
    assert plainly("Could not find a target object at (0.07, 0.23)") == "Could not find a target object"
    blocked = "Fridge_f752e1db is blocking Agent 0 from moving by (0.2500, 0.0000, -0.2500)."
    assert plainly(blocked) == "Fridge is blocking Agent 0 from moving."
