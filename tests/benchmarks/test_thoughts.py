"""What agents think in a benchmark, from the record to everything that is made of it."""

from __future__ import annotations

import html
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.benchmarks.episodes import read_episode
from teach_agents.benchmarks.solo.log import log_path, read_log
from teach_agents.benchmarks.tatc.records import record_path
from teach_agents.core.benchmark.exporting import export
from teach_agents.core.benchmark.reporting.page import sized, write_report
from teach_agents.core.benchmark.reporting.parts import Card, Scene, Thought
from teach_agents.core.benchmark.rescoring import rescore
from teach_agents.core.benchmark.stored import read_run
from teach_agents.session import read_record
from tests.benchmarks.runs import follower_run, tatc_run
from tests.benchmarks.thinking import MARKUP

THINKING = "tests.benchmarks.thinking:Thinking"
COSTS = {"decisions": 2, "failed_decisions": 1, "model_calls": 2, "prompt_tokens": 20, "generated_tokens": 4}


@pytest.fixture(scope="module")
def tfd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A TfD run of a Follower that thinks; not to be changed."""
    return follower_run(tmp_path_factory.mktemp("tfd"), THINKING)


@pytest.fixture(scope="module")
def tatc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sessions of a pair that thinks; not to be changed."""
    return tatc_run(tmp_path_factory.mktemp("tatc"), THINKING, f"{THINKING}Commander")


def _summary(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "summary.json").read_text())
    return found


def test_a_followers_log_keeps_thoughts_by_step_and_counts_decisions(tfd: Path) -> None:
    played = read_log(log_path(tfd, "one.tfd")).played
    assert [done.thought is not None for done in played.done] == [True, False, True, False, False]
    assert played.done[0].thought and played.done[0].thought["candidates"] == ["look for a mug", "wait", "stop"]
    assert {name: getattr(played.costs, name) for name in COSTS} == COSTS
    summary = _summary(tfd)
    assert {name: summary["costs"][name] for name in COSTS} == {name: 2 * count for name, count in COSTS.items()}
    assert summary["costs"]["candidates"] == {"2": 2, "3": 2} and summary["costs"]["median_candidates"] == 2.5
    assert summary["perception"] == "oracle"


def test_a_sessions_line_and_summary_count_decisions_by_role(tatc: Path) -> None:
    run = read_run(tatc)
    for name, line in run.lines.items():
        thoughts = [turn.thoughts for turn in read_record(record_path(tatc, name)).turns]
        assert [set(one) for one in thoughts] == [set(Role), set(), set(Role), set(), set()]
        for role in Role:
            assert {key: line["costs"][role.value][key] for key in COSTS} == COSTS
    summary = _summary(tatc)
    assert summary["perception"] == {"commander": "oracle", "follower": "oracle"}
    assert summary["costs"]["follower"]["decisions"] == 4 and summary["costs"]["follower"]["median_candidates"] == 2.5
    assert "wall_s" not in summary["costs"]["follower"]
    assert [one.costs.decisions for one in run.outcomes] == [4, 4]


def test_summaries_do_not_depend_on_the_times_in_thoughts(tfd: Path, tatc: Path, tmp_path: Path) -> None:
    again = follower_run(tmp_path / "tfd", THINKING), tatc_run(tmp_path / "tatc", THINKING, f"{THINKING}Commander")
    for first, second in zip((tfd, tatc), again, strict=True):
        ours, theirs = ((run / "summary.json").read_text().replace(str(run.parent), "") for run in (first, second))
        assert ours == theirs
    mine, yours = (read_log(log_path(run, "one.tfd")).played.done[0].thought for run in (tfd, again[0]))
    assert mine and yours and mine["seconds"] != yours["seconds"]


def test_runs_with_thoughts_are_judged_again_to_the_same(tfd: Path, tatc: Path) -> None:
    for run in (tfd, tatc):
        found = rescore(run)
        assert found.agrees, found.differences


def test_steps_have_their_thoughts(tfd: Path, tatc: Path) -> None:
    for run, roles in ((tfd, [Role.FOLLOWER]), (tatc, list(Role))):
        stored = read_run(run)
        episode = read_episode(stored, next(iter(stored.lines)) if run is tatc else "one.tfd")
        assert episode is not None
        for role in roles:
            own = [step.thought for step in episode.steps if step.role is role]
            assert [one is not None for one in own] == [True, False, True, False, False]


def test_a_thought_that_was_changed_in_the_record_changes_no_figure_but_decisions(tfd: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(tfd, tmp_path / "run"))
    log = read_log(log_path(run, "one.tfd"))
    for done in log.played.done:
        object.__setattr__(done, "thought", None)
    log.write(log_path(run, "one.tfd"))
    found = rescore(run)
    assert found.changed == ("one.tfd",)
    assert {name.split(".")[-2] for name in found.differences} >= {"costs"}
    assert all("costs" in name for name in found.differences), found.differences


def test_a_report_folds_thoughts_under_their_steps_and_takes_none_for_markup(
    tfd: Path, tatc: Path, tmp_path: Path
) -> None:
    for run, thoughts in ((tfd, 4), (tatc, 8)):
        folder = Path(shutil.copytree(run, tmp_path / run.parent.name))
        page = write_report(folder).read_text(encoding="utf8")
        assert page.count('<details class="thought') == thoughts
        assert page.count('<details class="thought follower failed">') == 2
        assert "<summary>step 2: ValueError: no candidate</summary>" in page and "prompt, system" in page
        assert MARKUP not in page and html.escape(MARKUP).replace("&#x27;", "&#39;") in page


def test_a_report_shows_the_first_thoughts_where_all_would_be_too_many(tmp_path: Path) -> None:
    scene = Scene(Role.FOLLOWER, thoughts=(Thought("step 0", (("prompt", "p" * 5_000_000),)),))
    cards = [Card(name, "Coffee", "failure", scenes=(scene,)) for name in "ab"]
    silent = replace(cards[0], scenes=())
    found = list(sized([*cards, silent]))
    assert [one.thoughtless for one in found] == [False, True, False]
    assert found[0] is cards[0] and found[1].scenes == (Scene(Role.FOLLOWER),)


def test_steps_are_exported_with_their_thoughts_and_decisions_as_chats(tfd: Path, tmp_path: Path) -> None:
    (steps,) = export(tfd, "steps", tmp_path).rows
    thoughts = [json.loads(line)["thought"] for line in steps.read_text().splitlines()]
    assert [bool(one) for one in thoughts] == 2 * [True, False, True, False, False]
    (decisions,) = export(tfd, "decisions", tmp_path).rows
    rows = [json.loads(line) for line in decisions.read_text().splitlines()]
    assert [(row["step"], row["error"]) for row in rows[:2]] == [(0, ""), (2, "ValueError: no candidate")]
    assert rows[0]["messages"] == [
        {"role": "system", "content": "You act."},
        {"role": "user", "content": f"Step 0. {MARKUP}"},
        {"role": "assistant", "content": "wait"},
    ]
    assert rows[0]["candidates"] == ["look for a mug", "wait", "stop"]


def test_a_data_set_has_decisions_where_there_are_any(tfd: Path, finished_tfd: Path, tmp_path: Path) -> None:
    for run, there in ((tfd, True), (finished_tfd, False)):
        found = export(run, "hf", tmp_path / "out")
        assert (tmp_path / "out" / "data" / "decisions.jsonl").exists() is there
        assert ("decisions" in [path.stem for path in found.rows]) is there
        assert ('"config_name": "decisions"' in (tmp_path / "out" / "README.md").read_text()) is there
