"""Runs of benchmarks that say nothing of their own: one that plays in a world, one that carries itself out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from teach_agents.core.agents.contract import FunctionAgent
from teach_agents.core.benchmark.comparison import compare_runs
from teach_agents.core.benchmark.conformance import BenchmarkContract
from teach_agents.core.benchmark.contract import Benchmark, Choice
from teach_agents.core.benchmark.engines import engine_named
from teach_agents.core.benchmark.exporting import export
from teach_agents.core.benchmark.lookup import make_agents
from teach_agents.core.benchmark.reporting.page import figures_table, write_report
from teach_agents.core.benchmark.rescoring import rescore
from teach_agents.core.benchmark.run import Run
from teach_agents.core.benchmark.setup import Setup
from teach_agents.core.benchmark.stored import read_run
from teach_agents.core.benchmark.summary import Label, measured
from teach_agents.core.errors import InputError, PluginError, SpecError
from teach_agents.core.plugins import hookimpl
from teach_agents.core.registry import Registry
from teach_agents.core.world import World
from tests.core.benchmark.treasure import Guide, Strolls, TreasureBenchmark, TreasurePath
from tests.core.worlds.benchmarks import Probes

pytestmark = pytest.mark.usefixtures("warm_workers")
HERE = "tests.core.benchmark.treasure"


class TestTreasure(BenchmarkContract):
    def make_benchmark(self) -> Benchmark[Any, Any]:
        return TreasureBenchmark()


def _run(folder: Path, walker: str = f"{HERE}:walker", **setup: Any) -> Run[Any]:
    benchmark = TreasureBenchmark(4)
    benchmark.name = f"{HERE}:TreasureBenchmark"
    return Run(folder, benchmark, Setup({"walker": walker}, **setup), benchmark.instances("all"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run; not to be changed."""
    run = _run(tmp_path_factory.mktemp("treasure"), seed=3)
    run.play(workers=2)
    run.write_summary()
    return run.folder


def test_a_line_says_what_became_of_an_instance_and_who_played(finished: Path) -> None:
    lines = read_run(finished).lines
    assert list(lines) == ["hunt-0", "hunt-1", "hunt-2", "hunt-3"]
    line = lines["hunt-3"]
    assert (line["status"], line["groups"], line["cluster"]) == ("done", {"level": "far"}, "path 1")
    assert line["scores"].keys() == {"success", "walked"} and line["success"] == bool(line["scores"]["success"])
    assert line["world"] == {"name": "path", "version": 2}
    assert line["privileges"] == {"guide": ["treasure"], "walker": []}
    assert line["costs"]["guide"]["utterances"] == 1 and line["wall_s"] > 0
    assert (finished / "records" / "hunt-3.jsonl").is_file()


def test_a_summary_has_figures_by_group_and_cluster_and_says_what_they_are_of(finished: Path) -> None:
    summary = json.loads((finished / "summary.json").read_text())
    assert (summary["n"], summary["complete"], summary["clusters"]) == (4, True, 2)
    assert list(summary["by_group"]) == ["level"] and summary["by_group"]["level"]["near"]["n"] == 3
    assert summary["by_cluster"]["path 0"]["n"] == 2 and "walked" in summary["scores"]
    assert summary["agents"] == {"guide": f"{HERE}:Guide", "walker": f"{HERE}:walker"}
    assert (summary["seed"], summary["world"]["name"], summary["options"]) == (3, "path", {"count": 4})
    assert len(summary["success_rate_ci"]) == 2 and summary["interval_rule"]


def test_a_run_that_was_cut_off_goes_on_to_the_same_bytes(finished: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(finished, tmp_path / "run"))
    journal = folder / "episodes.jsonl"
    journal.write_bytes(journal.read_bytes()[:400])
    run = _run(folder, seed=3)
    run.play()
    run.write_summary()
    assert (folder / "summary.json").read_bytes() == (finished / "summary.json").read_bytes()
    for path in (finished / "records").iterdir():
        assert (folder / "records" / path.name).read_bytes() == path.read_bytes()
    with pytest.raises(InputError, match=r"other settings \(seed\)"):
        _run(folder, seed=4)


def test_what_broke_down_has_failed_by_what_failing_costs(tmp_path: Path) -> None:
    run = _run(tmp_path, f"{HERE}:broken")
    run.play()
    summary = run.write_summary()
    assert (summary["success_rate"], summary["status"]["crashed"]) == (0.0, 4)
    assert summary["scores"]["walked"]["mean"] == 99.0
    assert "no legs" in summary["failures"][0]["reason"]
    assert "no legs" in write_report(tmp_path).read_text(encoding="utf8")


def test_of_what_nobody_judges_no_success_is_told(tmp_path: Path) -> None:
    benchmark = Strolls(4)
    benchmark.name = f"{HERE}:Strolls"
    run = Run(tmp_path, benchmark, Setup(), benchmark.instances("all"))
    run.play()
    summary = run.write_summary()
    assert [line["success"] for line in run.lines().values()] == [None] * 4
    assert "success" not in json.dumps(summary) and summary["scores"]["walked"]["mean"] > 0
    assert benchmark.table(summary).columns == ("group", "n", "walked", "mean turns")
    page = write_report(tmp_path).read_text(encoding="utf8")
    assert "success rate" not in page and "Success by" not in page and '<option value="done">' in page
    assert rescore(tmp_path).agrees
    assert [one.figure for one in compare_runs(read_run(tmp_path), read_run(tmp_path))][0] == "walked"
    rows = measured(read_run(tmp_path), "here", Label(system="x", split="all", instances="4", command="run")).rows
    assert {row.metric for row in rows} == {"walked"}


def test_what_a_benchmark_makes_of_a_run_may_depend_on_ids_and_groups(tmp_path: Path) -> None:
    benchmark = Strolls(4)
    benchmark.name = f"{HERE}:Strolls"
    run = Run(tmp_path, benchmark, Setup(), benchmark.instances("all"))
    run.play()
    assert run.summary()["aggregate"] == {"hunt-3": run.lines()["hunt-3"]["scores"]["walked"]}


def test_a_run_is_reported_with_its_groups_words_and_deeds(finished: Path, tmp_path: Path) -> None:
    page = write_report(Path(shutil.copytree(finished, tmp_path / "run"))).read_text(encoding="utf8")
    for words in ("By level", "By cluster", "path 0", "steps east", "Go ", "How instances ended", "Intervals"):
        assert words in page
    assert page.count('<details class="card"') == 4


class Odd(TreasureBenchmark):
    """Does what no benchmark should."""

    def score(self, record: Any) -> Any:
        return {"walked": float("nan")} if record["instance_id"] == "hunt-0" else {"walked": 1.0}

    def line(self, instance: Any, record: Any, setup: Setup) -> Any:
        return {**super().line(instance, record, setup), "odd": {1} if instance.instance_id == "hunt-1" else 1}


def test_a_figure_or_a_line_that_cannot_be_kept_costs_its_instance_and_not_the_run(tmp_path: Path) -> None:
    benchmark = Odd(3)
    run = Run(tmp_path, benchmark, Setup(), benchmark.instances("all"))
    run.play()
    lines = run.lines()
    assert [lines[name]["status"] for name in lines] == ["crashed", "crashed", "done"]
    assert "the score 'walked' must be a finite number; got nan" in lines["hunt-0"]["reason"]
    assert "not JSON serializable" in lines["hunt-1"]["reason"]


def test_instances_have_ids_of_their_own_in_a_run(tmp_path: Path) -> None:
    benchmark = TreasureBenchmark(2)
    one, other = benchmark.instances("all")
    with pytest.raises(InputError, match="each has an id of its own; got 'hunt-0'"):
        Run(tmp_path / "run", benchmark, Setup(), [one, other, one])
    assert not list(tmp_path.iterdir())


def test_an_id_that_no_file_can_be_named_by_is_refused(tmp_path: Path) -> None:
    for name in ("x" * 201, "\N{SNOWMAN}" * 23):
        named: Any = SimpleNamespace(instance_id=name)
        with pytest.raises(InputError, match="an id names files: once quoted it has at most 200 bytes"):
            Run(tmp_path, TreasureBenchmark(1), Setup(), [named])


def test_scores_that_cannot_be_aggregated_name_their_benchmark(finished: Path) -> None:
    class Vexed(TreasureBenchmark):
        def aggregate(self, scores: Any) -> Any:
            raise ZeroDivisionError("by nothing")

    benchmark = Vexed(4)
    benchmark.name = "vexed"
    with pytest.raises(PluginError, match="'vexed': its scores could not be aggregated: ZeroDivisionError: by nothing"):
        benchmark.summary(read_run(finished))


def test_the_engine_here_is_one_process() -> None:
    for how, name in (({"workers": 2}, "--workers"), ({"concurrent": 3}, "--concurrent")):
        with pytest.raises(InputError, match=f"{name}: the engine 'here' plays one instance after another"):
            engine_named("here", **how)
    assert engine_named("here")


def test_what_a_benchmark_raises_when_it_is_asked_for_instances_or_a_world_names_it() -> None:
    class Lost(TreasureBenchmark):
        name = "lost"
        made: Any = None

        def instances(self, split: str) -> Any:
            raise KeyError("map")

        def environment(self) -> Any:
            if self.made is None:
                raise OSError("no sand")
            return self.made

    with pytest.raises(PluginError, match="benchmark 'lost': its instances could not be found: KeyError: 'map'"):
        Lost().select(Choice())
    with pytest.raises(PluginError, match="benchmark 'lost': its world could not be made: OSError: no sand"):
        make_agents(Lost(), None, Setup())
    Lost.made = 5
    with pytest.raises(PluginError, match="its world could not be made: TypeError: 5 is no Environment"):
        make_agents(Lost(), None, Setup())


def test_groups_of_several_kinds_are_told_apart_in_the_table_of_a_run() -> None:
    row = {"n": 2, "success_rate": 0.5, "success_rate_ci": [0.1, 0.9], "scores": {}, "mean_turns": 3.0}
    whole = {**row, "interval_rule": "95 %"}
    found = [
        [cells[0] for cells in figures_table("Hunt", {**whole, "by_group": groups}).rows]
        for groups in ({"level": {"2": row}}, {"level": {"2": row}, "keys": {"2": row}})
    ]
    assert found == [["2"], ["level 2", "keys 2"]]


def test_records_are_scored_again(finished: Path, tmp_path: Path) -> None:
    assert rescore(finished).agrees and rescore(finished).judged == 4
    folder = Path(shutil.copytree(finished, tmp_path / "run"))
    journal = folder / "episodes.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    lines[0]["scores"]["walked"] += 1
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert rescore(folder).changed == (lines[0]["instance_id"],)


def test_runs_are_compared_figure_by_figure_unless_a_stranger_spoke(finished: Path, tmp_path: Path) -> None:
    worse = _run(tmp_path / "worse", f"{HERE}:idle", seed=3)
    worse.play()
    found = {one.figure: one for one in compare_runs(read_run(worse.folder), read_run(finished))}
    assert found["success_rate"].a == 0.0 and found["walked"].a == 0.0 < found["walked"].b
    assert (found["turns"].n, found["turns"].clusters) == (4, 2)
    journal = worse.folder / "episodes.jsonl"
    journal.write_text(journal.read_text().replace('"marked": false', '"marked": true'))
    with pytest.raises(InputError, match="a stranger spoke into 4 sessions"):
        compare_runs(read_run(finished), read_run(worse.folder))
    with pytest.raises(InputError, match="a stranger spoke into 4 sessions"):
        measured(read_run(worse.folder), "ours", Label("idle", "all", "l", "c"))


def test_a_run_is_exported_and_becomes_results(finished: Path, tmp_path: Path) -> None:
    found = export(finished, "hf", tmp_path)
    assert {path.stem: rows for path, rows in found.rows.items()}["episodes"] == 4
    steps = [json.loads(line) for line in (tmp_path / "data" / "steps.jsonl").read_text().splitlines()]
    assert steps[0]["seat"] == "guide" and json.loads(steps[0]["action"])["type"] == "Say"
    assert "## " not in (tmp_path / "README.md").read_text()
    rows = {
        (row.metric, row.task): row for row in measured(read_run(finished), "mine", Label("pair", "all", "l", "c")).rows
    }
    assert rows["success_rate", ""].n == 4 and rows["walked", "level far"].n == 1


def test_an_agent_that_takes_too_long_ends_its_instance_alone(tmp_path: Path) -> None:
    run = _run(tmp_path, f"{HERE}:asleep", call_time_limit_s=0.3)
    run.play()
    outcomes = run.outcomes()
    assert [one.status for one in outcomes] == ["timed_out"] * 4
    assert "within 0.3 s" in outcomes[0].reason and rescore(tmp_path).judged == 4


def test_names_of_the_worlds_own_are_looked_up_first(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    registry.register(_Paths(), "paths")
    for module in ("lookup", "playing"):
        monkeypatch.setattr(f"teach_agents.core.benchmark.{module}.default_registry", lambda: registry, raising=False)
    monkeypatch.setattr("teach_agents.core.specs.default_registry", lambda: registry)
    benchmark = TreasureBenchmark()
    made = make_agents(benchmark, benchmark.instances("all")[0], Setup({"guide": "oracle"}))
    assert isinstance(made["guide"], Guide) and made["guide"].spec == "oracle"


def test_lots_play_in_an_unregistered_world_that_knows_what_can_be_done_and_in_no_other() -> None:
    probes, treasure = Probes(), TreasureBenchmark()
    made = make_agents(probes, probes.instances(probes.splits[0])[0], Setup(dict.fromkeys(probes.agents, "random")))
    assert {one.spec for one in made.values()} == {"random"}
    with pytest.raises(SpecError, match="says no knows_valid=True, and no scaffold says what may be chosen"):
        make_agents(treasure, treasure.instances("all")[0], Setup({"guide": "random"}))


class _Paths:
    """A plugin with a world that has an oracle, beside an oracle of anybody's."""

    @hookimpl
    def worlds(self) -> dict[str, Any]:
        """The path."""
        return {"path": World(TreasurePath.codec, agents={"oracle": Guide})}

    @hookimpl
    def agents(self) -> dict[str, Any]:
        """Somebody else's."""
        return {"oracle": FunctionAgent}
