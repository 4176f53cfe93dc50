"""`teach-agents run BENCHMARK`, for benchmarks that the package does not know."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from teach_agents.cli.main import app
from teach_agents.cli.run import command_of
from teach_agents.errors import InputError, TeachAgentsError

pytestmark = pytest.mark.usefixtures("warm_workers")
TREASURE = "tests.core.benchmark.treasure:TreasureBenchmark"
HERE = "tests.core.benchmark.treasure"


def _run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "120"})


def _refused(*words: object) -> str:
    error = _run(*words).exception
    assert isinstance(error, TeachAgentsError), error
    assert len(str(error).splitlines()) == 1
    return str(error)


def test_a_benchmark_of_anybodys_is_run_resumed_reported_and_compared(tmp_path: Path) -> None:
    out, idle = tmp_path / "run", tmp_path / "idle"
    done = _run("run", TREASURE, "--count", 3, "--workers", 2, "--seed", 3, "--out", out)
    assert done.exit_code == 0, done.output
    assert f"Summary: {out / 'summary.json'}" in done.output
    summary = (out / "summary.json").read_bytes()
    assert json.loads(summary)["n"] == 3
    journal = out / "episodes.jsonl"
    journal.write_bytes(journal.read_bytes()[:200])
    assert _run("run", TREASURE, "--out", out, "--resume").exit_code == 0
    assert (out / "summary.json").read_bytes() == summary
    agent = f"walker={HERE}:idle"
    assert _run("run", TREASURE, "--count", 3, "--seed", 3, "--agent", agent, "--out", idle).exit_code == 0
    assert json.loads((idle / "summary.json").read_text())["agents"]["walker"] == f"{HERE}:idle"
    told = json.loads(_run("compare", idle, out, "--json").output)
    assert told[0]["figure"] == "success_rate" and "clusters" in told[0]
    assert "The figures agree" in _run("rescore", out).output
    assert _run("report", out).exit_code == 0 and (out / "report.html").is_file()
    assert _run("export", out, "--out", tmp_path / "data").exit_code == 0


def test_its_options_stand_in_its_help_beside_those_of_every_benchmark() -> None:
    said = _run("run", TREASURE, "--help").output
    assert "Find treasures." in said and "Of this benchmark" in said and "How many treasures there are." in said
    which, who = "--split --data --names --shard --limit --depths", "--agent --hook --seed"
    how = "--workers --concurrent --engine --time-limit --call-time-limit --out --resume"
    assert [option for option in f"{which} {who} {how}".split() if option not in said] == []
    assert "--pictures" not in said


def test_one_option_may_be_repeated_and_a_split_chosen(tmp_path: Path) -> None:
    words = ("--depths", 1, "--depths", 3, "--split", "odd", "--limit", 1)
    done = _run("run", TREASURE, *words, "--out", tmp_path / "run")
    assert done.exit_code == 0, done.output
    told = json.loads((tmp_path / "run" / "settings.json").read_text())
    assert told["settings"]["options"] == {"count": 4}, "where instances come from is told by the instances"
    assert [one["instance_id"] for one in told["instances"]] == ["hunt-0"]


def test_mistakes_are_one_line_and_start_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "did you mean 'tatc'" in _refused("run", "tattc", "--out", out)
    assert "cannot import 'nowhere:Benchmark'" in _refused("run", "nowhere:Benchmark", "--out", out)
    assert "brings its own instances" in _refused("run", TREASURE, "--data", tmp_path, "--out", out)
    assert "valid: guide, walker" in _refused("run", TREASURE, "--agent", "cook=idle", "--out", out)
    assert "needs SEAT=SPEC" in _refused("run", TREASURE, "--agent", "idle", "--out", out)
    twice = ("--agent", "walker=idle", "--agent", "walker=oracle")
    assert "the walker is 'idle' already" in _refused("run", TREASURE, *twice, "--out", out)
    twice = ("--commander", "silent", "--agent", "commander=planner")
    assert "the commander is 'silent' already" in _refused("run", "tatc", *twice, "--out", out)
    assert "one instance after another" in _refused("run", TREASURE, "--engine", "here", "--workers", 2, "--out", out)
    assert "no agent of this name" in _refused("run", TREASURE, "--agent", "walker=runner", "--out", out)
    assert "unknown split" in _refused("run", TREASURE, "--split", "even", "--out", out)
    assert "must be i/n" in _refused("run", TREASURE, "--shard", "3", "--out", out)
    assert "there is none of this id" in _refused("run", TREASURE, "--names", _list(tmp_path, "x"), "--out", out)
    assert "did you mean 'ray'" in _refused("run", TREASURE, "--engine", "rey", "--out", out)
    assert "there is no run to go on with" in _refused("run", TREASURE, "--out", out, "--resume")
    assert not out.exists()


def _list(folder: Path, *names: str) -> Path:
    path = folder / "names.txt"
    path.write_text("".join(f"{name}\n" for name in names))
    return path


def test_everything_that_breaks_down_is_told_by_the_status(tmp_path: Path) -> None:
    done = _run("run", TREASURE, "--agent", f"walker={HERE}:broken", "--out", tmp_path / "run")
    assert done.exit_code == 3 and "No instance came to an end of its own" in done.output


def test_the_benchmarks_are_listed_and_ours_are_the_same_commands_everywhere() -> None:
    said = _run("run", "--help").output
    assert all(name in said for name in ("edh", "tatc", "tfd")) and "Play TATC self-play" in said
    here, there = (_run(*words, "--help").output.splitlines() for words in (("run", "tatc"), ("tatc",)))
    assert here[2:] == there[2:] and "run tatc" in here[1]
    assert command_of("tatc", "Play TATC self-play and write a summary and a report.").name == "tatc"


def test_teachs_data_is_named_by_its_folder_and_split(tmp_path: Path) -> None:
    from teach_agents.data import write_game
    from tests.benchmarks.edh.sessions import errand

    write_game(errand(), tmp_path / "teach" / "games" / "train" / "recorded.game.json")
    words = ("--data", tmp_path / "teach", "--agent", "follower=idle", "--pictures", 0)
    for name, more, ids in (
        ("tfd", (), ["recorded.tfd"]),
        ("edh", ("--split", "train"), ["recorded.edh0", "recorded.edh1"]),
        ("tatc", ("--agent", "commander=silent", "--max-turns", 2), ["recorded"]),
    ):
        done = _run("run", name, *words, *more, "--out", tmp_path / name)
        assert done.exit_code == 0, done.output
        told = json.loads((tmp_path / name / "settings.json").read_text())["instances"]
        assert [one if isinstance(one, str) else one["instance_id"] for one in told] == ids
    refused = _run("run", "tfd", *words, "--split", "dev", "--out", tmp_path / "no").exception
    assert isinstance(refused, InputError) and "valid: train" in str(refused)


def test_a_plugins_benchmark_of_the_earlier_contract_is_run_by_its_name(tmp_path: Path) -> None:
    info = tmp_path / "site" / "toy_plugin-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy_plugin\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[teach_agents]\ntoy = toy_plugin\n")
    toy = Path(__file__).parents[1] / "toy_plugin"
    paths = os.pathsep.join(map(str, (tmp_path / "site", toy, *filter(None, sys.path))))
    command = [sys.executable, "-c", "from teach_agents.cli.main import main; main()"]

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": paths}
        return subprocess.run(
            [*command, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    done = run("run", "guessing:limit=3", "--split", "large", "--workers", "2", "--out", "run")
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert (summary["benchmark"], summary["n"], summary["options"]) == ("guessing", 143, {"limit": 3})
    assert 0 < summary["success_rate"] < 0.1 and "guesses" in summary["scores"]
    again = run("rescore", "run")
    assert again.returncode == 0 and "taken as the run noted them" in again.stdout, again.stdout
    told = run("reproduce", "guessing", "--run", "run")
    assert told.returncode == 0 and "143" in told.stdout, told.stderr
    assert "guessing" in run("run", "--help").stdout


def test_a_name_that_nobody_registered_is_refused_by_the_command_itself() -> None:
    with pytest.raises(TeachAgentsError, match="no benchmark of this name"):
        command_of("nothing").get_params(None)


def test_a_hook_acts_on_what_a_follower_alone_says_and_is_named(tmp_path: Path) -> None:
    from teach_agents.benchmarks.solo.log import log_path, read_log
    from teach_agents.data import write_game
    from tests.benchmarks.edh.sessions import errand

    write_game(errand(), tmp_path / "games" / "recorded.game.json")
    script = tmp_path / "script.json"
    script.write_text('[{"name": "Text", "utterance": "where is it"}, {"name": "Stop"}]')
    words = ("--games", tmp_path / "games", "--follower", f"scripted:file={script}", "--pictures", 0)
    for hook, said in ((("--hook", "noisy_speech:loss=1"), ["... ... ..."]), ((), ["where is it"])):
        out = tmp_path / f"run{len(hook)}"
        assert _run("tfd", *words, *hook, "--out", out).exit_code == 0
        done = read_log(log_path(out, "recorded.tfd")).played.done
        assert [one.action.utterance for one in done if one.action and one.action.name == "Text"] == said
        settings = json.loads((out / "settings.json").read_text())["settings"]
        line = json.loads((out / "records.jsonl").read_text())
        assert settings.get("hooks", []) == line.get("hooks", []) == list(hook[1:])
    assert "noisy_speech" in _refused(
        "edh", "--games", tmp_path / "games", "--hook", "mumbling", "--out", tmp_path / "x"
    )
