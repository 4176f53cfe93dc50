"""Recompute every figure of every issue; each result says its command, commit and machine.

python benchmarks/figures.py --out benchmarks/results [--only NAME] [--work DIR]

With `--work` the folders of runs stay in DIR; the same command at the same commit goes on with what is not finished;
the seconds of one that did are null.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = sys.executable
COMMAND = str(Path(PYTHON).with_name("teach-agents"))

FROZEN = tuple(f"frozen{number}" for number in range(1, 11))
"""The halves of `requests` that were written after the Follower was frozen."""

# name -> (needs TEACH_DATA_DIR, command; {json} is the file that the figures are read from, {work} a scratch folder)
FIGURES: dict[str, tuple[bool, list[str]]] = {
    "task_agreement": (True, [PYTHON, "benchmarks/task_agreement.py", "--json", "{json}"]),
    "start_up": (False, [PYTHON, "benchmarks/start_up.py", "--json", "{json}"]),
    "simulator_speed": (False, [PYTHON, "benchmarks/simulator_speed.py", "--json", "{json}"]),
    "tatc_speed": (False, [PYTHON, "benchmarks/tatc_speed.py", "--json", "{json}"]),
    "tatc_speed_valid_seen": (
        True,
        [PYTHON, "benchmarks/tatc_speed.py", "--games", "{data}/games/valid_seen", "--json", "{json}"],
    ),
    "equivalence": (True, [PYTHON, "benchmarks/equivalence.py", "--work", "{work}", "--json", "{work}/summary.json"]),
    "pairs": (False, [PYTHON, "benchmarks/pairs.py", "--work", "{work}", "--json", "{work}/summary.json"]),
    "reading": (False, [PYTHON, "benchmarks/reading.py", "--json", "{json}"]),
    "reading_ablations": (False, [PYTHON, "benchmarks/reading.py", "--ablations", "--json", "{json}"]),
    **{
        f"reading_{split}": (
            False,
            [PYTHON, "benchmarks/reading.py", "--meanings", f"teach_agents/benchmarks/requests/meanings/{split}"]
            + ["--reader", "rules", "heads", "hybrid", "--json", "{json}"],
        )
        for split in FROZEN
    },
    "reading_later": (
        False,
        [PYTHON, "benchmarks/reading.py", "--more", "benchmarks/later_requests.jsonl", "--json", "{json}"],
    ),
    **{
        f"requests_{split}_{name}": (
            False,
            [COMMAND, "run", "requests", "--split", split, "--agent", f"follower={spec}", "--workers", "2"]
            + ["--out", "{work}"],
        )
        for split in ("dev", *FROZEN)
        for name, spec in (
            ("planner", "planner"),
            ("lm", "lm:model=default"),
            ("keywords", "teach_agents.benchmarks.requests.baseline:KeywordFollower"),
        )
    },
    "object_crops": (False, [PYTHON, "benchmarks/object_crops.py", "--json", "{json}"]),
    "state_pictures": (False, [PYTHON, "benchmarks/state_pictures.py", "--json", "{json}"]),
    "tatc_planner_valid_seen": (
        True,
        [COMMAND, "tatc", "--games", "{data}/games/valid_seen", "--commander", "planner", "--follower", "planner"]
        + ["--workers", "2", "--pictures", "0", "--out", "{work}"],
    ),
    "planner_pair": (
        True,
        [PYTHON, "benchmarks/planner_pair.py", "--games", "{data}/games/valid_seen", "--generate", "2000"]
        + ["--json", "{json}"],
    ),
    "fidelity_valid_seen": (
        True,
        [COMMAND, "fidelity", "--games", "{data}/games/valid_seen", "--workers", "2", "--json", "{json}"],
    ),
    "five_fold": (
        True,
        [PYTHON, "benchmarks/five_fold.py", "--games", "{data}/games/train", "--json", "{json}"],
    ),
    "tatc_blanked_commander": (
        True,
        [PYTHON, "benchmarks/blanked_commander.py", "--games", "{data}/games/valid_seen", "--json", "{json}"],
    ),
    "edh_instances_train": (
        True,
        [PYTHON, "benchmarks/edh_instances.py", "--split", "train", "--json", "{json}"],
    ),
    "edh_instances_valid_seen": (
        True,
        [PYTHON, "benchmarks/edh_instances.py", "--split", "valid_seen", "--json", "{json}"],
    ),
    "follower_baselines": (
        True,
        [PYTHON, "benchmarks/follower_baselines.py", "--out", "{work}", "--json", "{work}/summary.json"],
    ),
    "lm_agents_valid_seen": (
        True,
        [PYTHON, "benchmarks/lm_agents.py", "--games", "{data}/games/valid_seen"]
        + ["--systems", "default,planner-commander,planner-follower,base,uniform,blanked,oracle"]
        + ["--workers", "2", "--out", "{work}", "--json", "{work}/summary.json"],
    ),
    "lm_agents_other_rooms": (
        False,
        [PYTHON, "benchmarks/lm_agents.py", "--elsewhere", "60"]
        + ["--systems", "default,planner-commander,planner-follower,uniform,blanked,oracle"]
        + ["--workers", "2", "--out", "{work}", "--json", "{work}/summary.json"],
    ),
    "lm_agents_detector_valid_seen": (
        True,
        [PYTHON, "benchmarks/lm_agents.py", "--games", "{data}/games/valid_seen", "--systems", "default,detector"]
        + ["--workers", "2", "--out", "{work}", "--json", "{work}/summary.json"],
    ),
    "eyes": (False, [PYTHON, "benchmarks/detector.py", "household", "--json", "{json}"]),
    "basic_skills": (False, [PYTHON, "benchmarks/basic_skills.py", "--json", "{json}"]),
    "lm_agents_edh": (
        True,
        [PYTHON, "benchmarks/lm_agents.py", "--benchmark", "edh", "--games", "{data}/games/valid_seen"]
        + ["--workers", "2", "--out", "{work}", "--json", "{work}/summary.json"],
    ),
    "understanding_valid_seen": (
        True,
        [PYTHON, "benchmarks/understanding.py", "--games", "{data}/games/valid_seen", "--train", "{data}/games/train"]
        + ["--agent", "default language model=lm:model=default", "--agent", "SmolLM2-135M-Instruct=lm:model=smollm2"]
        + ["--agent", "even draw among candidates=lm:model=uniform", "--json", "{json}"],
    ),
    "episodic_transformer": (
        True,
        [PYTHON, "benchmarks/episodic.py", "both", "--games", "{data}/games/train", "--every", "2", "--workers", "2"]
        + ["--networks", "{work}/networks", "--out", "{work}", "--json", "{work}/summary.json", "--", "--epochs", "3"],
    ),
    "lm_decision_speed": (False, [PYTHON, "benchmarks/lm_decision_speed.py", "--json", "{json}"]),
    "lm_fuzz": (False, [PYTHON, "benchmarks/lm_fuzz.py", "--json", "{json}"]),
    "spoken_claims_valid_seen": (
        True,
        [PYTHON, "benchmarks/spoken_claims.py", "--games", "{data}/games/valid_seen", "--json", "{json}"],
    ),
    "cold_start": (False, [PYTHON, "benchmarks/cold_start.py", "--json", "{json}"]),
    "utterance_fuzz": (False, [PYTHON, "benchmarks/utterance_fuzz.py", "--json", "{json}"]),
    "utterance_fuzz_lm": (
        False,
        [PYTHON, "benchmarks/utterance_fuzz.py", "--agent", "lm:model=default", "--utterances", "200"]
        + ["--json", "{json}"],
    ),
    "edh_throughput": (True, [PYTHON, "benchmarks/edh_throughput.py", "--json", "{json}"]),
    "crash_test": (False, [PYTHON, "benchmarks/crash_test.py", "--json", "{json}"]),
    "bus_faults": (False, [PYTHON, "benchmarks/bus_faults.py", "--json", "{json}"]),
    "redis_bus": (False, [PYTHON, "benchmarks/redis_bus.py", "--json", "{json}"]),
    "serve_speed": (False, [PYTHON, "benchmarks/serve_speed.py", "--json", "{json}"]),
    "serve_load": (False, [PYTHON, "benchmarks/serve_load.py", "--json", "{json}"]),
    "serve_load_together": (False, [PYTHON, "benchmarks/serve_load.py", "--together", "--json", "{json}"]),
    "page_clicks": (False, [PYTHON, "benchmarks/page_clicks.py", "--json", "{json}"]),
    "serve_faults": (False, [PYTHON, "benchmarks/serve_faults.py", "--json", "{json}"]),
    "thor_speed": (False, [PYTHON, "benchmarks/thor_speed.py", "--json", "{json}"]),
    "thor_soak": (False, [PYTHON, "benchmarks/thor_soak.py", "--json", "{json}"]),
    "dialogue_acts_valid_seen": (
        True,
        [PYTHON, "benchmarks/dialogue_acts.py", "--games", "{data}/games/valid_seen", "--json", "{json}"],
    ),
    "utterances_valid_seen": (
        True,
        [PYTHON, "benchmarks/utterances.py", "--games", "{data}/games/valid_seen", "--json", "{json}"],
    ),
}


def machine() -> dict[str, object]:
    """The machine in words that say nothing about where it stands."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = models[0] if models else cpu
    return {"cpu": cpu, "cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}


def commit() -> str:
    """The commit that is measured; `+` says that the checkout had changes other than results."""
    ask = ["git", "-C", str(ROOT)]
    head = subprocess.run(
        [*ask, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    changed = subprocess.run(
        [*ask, "status", "--porcelain", "--", ".", ":!benchmarks/results"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return head + ("+" if changed else "")


@contextmanager
def scratch_folder(name: str, work: Path | None) -> Iterator[Path]:
    """A figure's own folder: one of this commit that stays in `work`, or one that is gone afterwards."""
    if work is None:
        with tempfile.TemporaryDirectory() as scratch:
            yield Path(scratch)
    else:
        kept = work / f"{name}-{commit()}"
        kept.mkdir(parents=True, exist_ok=True)
        yield kept


def recompute(name: str, out: Path, work: Path | None) -> bool:
    """Run one figure's command and write its result; False when it failed."""
    needs_data, template = FIGURES[name]
    data = os.environ.get("TEACH_DATA_DIR", "")
    if needs_data and not data:
        print(f"{name}: skipped, TEACH_DATA_DIR is not set")
        return True
    with scratch_folder(name, work) as scratch:
        of_runs = "{work}" in template
        begun = of_runs and any(scratch.iterdir())
        figures = scratch / ("summary.json" if of_runs else "figures.json")
        command = [part.format(json=figures, work=scratch, data=data) for part in template]
        figures.unlink(missing_ok=True)
        started = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code or not figures.exists():
            print(f"{name}: FAILED with exit code {code}")
            return False
        shown = [
            Path(template[0]).name,
            *(part.format(json="FILE", work="RUN", data="$TEACH_DATA_DIR") for part in template[1:]),
        ]
        result = {
            "name": name,
            "command": " ".join(shown),
            "commit": commit(),
            "machine": machine(),
            "seconds": None if begun else round(time.monotonic() - started, 1),
            "figures": json.loads(figures.read_text()),
        }
    (out / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
    print(f"{name}: written")
    return True


def main() -> None:
    """Recompute all figures, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results")
    parser.add_argument("--only", action="append", choices=sorted(FIGURES), help="may be given several times")
    parser.add_argument("--work", type=Path, help="where runs are kept, so that the same command goes on with them")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    names = arguments.only or list(FIGURES)
    failed = [name for name in names if not recompute(name, arguments.out, arguments.work)]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
