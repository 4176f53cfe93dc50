"""Whether this tree does what the tree before the core did, to the byte: both run on this machine, one after the other.

    python benchmarks/equivalence.py [--work DIR] [--only PART ...] [--limit N] [--old TREE] [--new TREE] [--json FILE]

The tree before is a git worktree of commit 8ccb15a made for the time of this, or `--old TREE`. Each part runs in it and in
this checkout (or `--new TREE`), one session at a time, with a fixed number of threads; then their files are compared:
records, lines of results, summaries, game files, and the acts in order (seat, action, words) with the state's digest at
the end. `differences.py` has the table of what is left out, and why. With `--work` the folders of runs stay in DIR: what
is done there by the same code is not done again, and what was interrupted goes on. The exit status is 1 where anything
differs; the first differences are named by file, line and key.

| part | what is compared |
|---|---|
| planner_pair | TATC of the planner pair, the 181 sessions of valid_seen |
| default_pair, oracle_pair | TATC of the language-model pairs, `valid_seen_60` |
| edh, tfd | the planner as Follower: the 608 released EDH instances of valid_seen, TfD of its 181 sessions |
| clarify, confirm, dialogue_acts, noisy_speech, recovery, translate | 20 sessions of TATC with each dialogue plugin |
| live | 20 live sessions by a script: events and records, clock apart |
| gymnasium, pettingzoo | 20 episodes of drawn actions: hashes of observations, rewards, ends, infos |
| stored | what the tree before left behind, in both: replayed, written as games, gone on with (records, runs), reported, judged again |
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from differences import LEFT_OUT, NEW, Compared, Difference, compare_folders
from figures import commit, machine
from telling import tell
from trees import BEFORE, ROOT, Tree, scratch, worktree

CHILD = ROOT / "benchmarks" / "equivalence_child.py"
LISTS = ("divided_val_seen.txt", "divided_test_seen.txt")
"""Together they name the 608 EDH instances that were released of valid_seen."""
ALONE = ("--workers", "1", "--pictures", "0")
SIXTY = ("--names", "valid_seen_60")
STORED = 6
"""So many sessions, and instances of EDH, the tree before leaves behind."""
_PACKAGES = ("teach_agents", "serve", "plugins", "prompts")


class Broken(Exception):
    """A command that a part needs has failed, and what it told."""


@dataclass(frozen=True)
class Side:
    """One of the two trees, and the folder of what it did."""

    name: str
    tree: Tree
    folder: Path

    def run(self, command: Sequence[str], *, may_fail: bool = False) -> str:
        """Run a command of the tree's in the folder; what it printed, after its exit status."""
        spent = self.tree.run(command, self.folder, more=[CHILD.parent], progress=not may_fail)
        if spent.code and not may_fail:
            raise Broken(f"{self.name}: exit status {spent.code}: {' '.join(command[2:])}\n{spent.output[-3000:]}")
        return f"exit status {spent.code}\n{spent.output}"


Make = Callable[[Side, Path, int | None], None]
"""Makes a part's files in a folder of a side; at most so many sessions."""


def data(*parts: str) -> str:
    """A path in the folder of TEACh's data."""
    if not os.environ.get("TEACH_DATA_DIR"):
        raise SystemExit("TEACH_DATA_DIR is not set")
    return str(Path(os.environ["TEACH_DATA_DIR"], *parts).resolve())


def limited(limit: int | None, most: int | None) -> list[str]:
    """The option that limits a run."""
    counts = [one for one in (limit, most) if one is not None]
    return ["--limit", str(min(counts))] if counts else []


def played(words: Sequence[str], most: int | None, side: Side, out: Path, limit: int | None) -> None:
    """A run of `teach-agents`, gone on with where it was interrupted. `words` begin with the command."""
    asked = [words[0], "--games", data("games", "valid_seen"), *words[1:], *limited(limit, most), *ALONE]
    again = ["--resume"] if (out / "command.json").exists() else []
    if not again:
        shutil.rmtree(out, ignore_errors=True)
    side.run(side.tree.program(*asked, "--out", str(out.relative_to(side.folder)), *again))


def scripted(what: str, side: Side, out: Path, limit: int | None) -> None:
    """Episodes of `equivalence_child.py`."""
    most = limited(limit, 20)
    side.run([sys.executable, str(CHILD), what, "--out", str(out.relative_to(side.folder)), *most])


def released(side: Side, out: Path, limit: int | None) -> None:
    """The planner in the released EDH instances."""
    names = [word for one in LISTS for word in ("--names", data("divided_split", "edh_instances", one))]
    played(["edh", *names, "--follower", "planner"], None, side, out, limit)


def pair(commander: str, follower: str, *more: str, most: int | None = None) -> Make:
    """TATC of two agents."""
    return partial(played, ["tatc", "--commander", commander, "--follower", follower, *more], most)


def hooked(hook: str, *more: str, commander: str = "planner", follower: str = "planner") -> Make:
    """TATC with a dialogue plugin, of agents that give it something to do."""
    return pair(commander, follower, "--hook", hook, *more, most=20)


PARTS: Mapping[str, Make] = {
    "planner_pair": pair("planner", "planner"),
    "edh": released,
    "tfd": partial(played, ["tfd", "--follower", "planner"], None),
    "oracle_pair": pair("lm:model=oracle", "lm:model=oracle", *SIXTY),
    "clarify": hooked("clarify:indefinite=true"),
    "confirm": hooked("confirm", commander="planner:style=plain", follower="equivalence_child:Silent"),
    "dialogue_acts": hooked("dialogue_acts"),
    "noisy_speech": hooked("noisy_speech", "--max-turns", "200"),
    "recovery": hooked("recovery", "--max-turns", "100", follower="random:stops=false"),
    "translate": hooked("translate:model=smollm2,follower=French", "--max-turns", "100"),
    "live": partial(scripted, "live"),
    "gymnasium": partial(scripted, "gymnasium"),
    "pettingzoo": partial(scripted, "pettingzoo"),
    "default_pair": pair(
        "lm:model=default", "lm:model=default", "--names", "valid_seen_60", "--call-time-limit", "600"
    ),
}


# what the tree before left behind


def cut(run: Path, journal: str) -> None:
    """Leave a run as if it had been killed in the middle: half of its lines, and half of the session after them."""
    lines = (run / journal).read_bytes().splitlines(keepends=True)
    kept = lines[: len(lines) // 2]
    (run / journal).write_bytes(b"".join(kept) + lines[len(kept)][:50])
    names = {json.loads(line).get("instance_id") or json.loads(line)["outcome"]["instance_id"] for line in kept}
    for file in [*run.glob("records/*"), *run.glob("games/*")]:
        if file.name.split(".jsonl")[0].split(".json")[0].removesuffix(".game") not in names:
            file.unlink()
    for name in ("summary.json", "report.html"):
        (run / name).unlink()


def stored(before: Side, side: Side, out: Path, limit: int | None) -> None:
    """Read, replay, judge again and go on with runs of the tree before."""
    runs = {"tatc": before.folder / "stored runs" / "tatc", "edh": before.folder / "stored runs" / "edh"}
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    told: dict[str, str] = {}
    for name, run in runs.items():
        for what in ("resumed", "judged"):
            shutil.copytree(run, out / name / what)
        cut(out / name / "resumed", {"tatc": "episodes.jsonl", "edh": "records.jsonl"}[name])
        place = {what: str((out / name / what).relative_to(side.folder)) for what in ("resumed", "judged")}
        for words in (
            (name, "--out", place["resumed"], "--resume"),
            ("report", place["judged"]),
            ("rescore", place["judged"]),
        ):
            told[" ".join((name, words[0]))] = side.run(side.tree.program(*words), may_fail=True).splitlines()[0]
    for record in sorted(runs["tatc"].glob("records/*.jsonl")):
        game = out / "replayed" / f"{record.stem}.game.json"
        game.parent.mkdir(exist_ok=True)
        words = ("replay", str(record), "--verify", "--to-game", str(game))
        told[f"replay {record.stem}"] = side.run(side.tree.program(*words), may_fail=True).splitlines()[0]
    side.run(
        [sys.executable, str(CHILD), "resume", "--from", str(runs["tatc"] / "records")]
        + ["--out", str((out / "gone on with").relative_to(side.folder))]
    )
    (out / "told.json").write_text(json.dumps(told, indent=1))


def leave_runs(before: Side, limit: int | None) -> None:
    """Have the tree before play what `stored` goes on with."""
    for name, make in (("tatc", pair("planner", "planner")), ("edh", released)):
        once(before, f"stored runs/{name}", limit, make)


# running and comparing


def once(side: Side, name: str, limit: int | None, make: Make) -> Path:
    """A part's folder, made unless it is done."""
    out = side.folder / name
    done = out.with_name(f"{out.name}.done")
    if not done.exists():
        print(f"{name}: {side.name}", file=sys.stderr, flush=True)
        make(side, out, limit)
        done.write_text("")
    return out


def compare_part(name: str, before: Side, now: Side, limit: int | None) -> Compared:
    """Run a part in both trees and compare."""
    if name != "stored":
        make = PARTS[name]
    else:
        some = STORED if limit is None else max(2, min(limit, STORED))
        leave_runs(before, some)
        make = partial(stored, before)
    try:
        folders = [once(side, name, limit, make) for side in (before, now)]
    except Broken as broken:
        return Compared(0, 0, 0, 0, "", (Difference("(a command)", 0, "exit status", "0", str(broken)),))
    return compare_folders(*folders)


def fingerprint(tree: Path) -> str:
    """Of the code of a tree, so that nothing of another's is taken for its own."""
    found = hashlib.sha256(CHILD.read_bytes() + Path(__file__).read_bytes())
    for package in _PACKAGES:
        for file in sorted((tree / package).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(str(file.relative_to(tree)).encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:10]


def side_of(name: str, tree: Path, work: Path, asked: argparse.Namespace) -> Side:
    """A tree and its folder, which is one for this code, this number of sessions and of threads."""
    some = "all" if asked.limit is None else asked.limit
    folder = work / f"{name} {fingerprint(tree)} {some} {asked.threads}"
    folder.mkdir(parents=True, exist_ok=True)
    return Side(name, Tree.of(tree, work, asked.threads), folder)


def compare_all(asked: argparse.Namespace, work: Path) -> Iterator[tuple[str, Compared]]:
    """The parts that are asked for, one after the other."""
    with worktree(work, of=asked.old) as old:
        before, now = side_of("old", old, work, asked), side_of("new", asked.new, work, asked)
        for name in asked.only or [*PARTS, "stored"]:
            yield name, compare_part(name, before, now, asked.limit)


def said(name: str, found: Compared) -> str:
    """A part in words, and its first differences."""
    how = "equal" if found.equal else "DIFFERS" if found.differences else "NOTHING TO COMPARE"
    lines = f"{found.lines} lines, {found.lines_equal_to_the_byte} of them to the byte"
    acts = f", {found.acts} acts" if found.acts else ""
    return "\n  ".join([f"{name}: {how}: {found.files} files, {lines}{acts}", *map(str, found.differences)])


def read_arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=[*PARTS, "stored"], metavar="PART", help="may be repeated")
    parser.add_argument("--limit", type=int, help="of each part, so many sessions")
    parser.add_argument("--old", type=Path, help=f"a tree that is there, instead of a worktree of {BEFORE}")
    parser.add_argument("--new", type=Path, default=ROOT)
    parser.add_argument("--work", type=Path, help="where runs are kept, so that the same command goes on with them")
    parser.add_argument("--threads", type=int, default=1, help="of numerical libraries (default 1)")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def command() -> str:
    """This command, of paths their last part."""
    return " ".join(["python", *(Path(word).name if os.sep in word else word for word in sys.argv)])


def main() -> None:
    """Compare, print, write JSON if asked; the exit status says whether all is equal."""
    asked = read_arguments()
    if os.environ.get("TEACH_DATA_DIR"):  # the trees run in folders of their own
        os.environ["TEACH_DATA_DIR"] = data()
    found: dict[str, Compared] = {}
    with scratch(asked.work, "equivalence") as work:
        for name, part in compare_all(asked, work):
            found[name] = part
            print(said(name, part), flush=True)
    if asked.json:
        about = {"command": command(), "commit": commit(), "before": BEFORE if asked.old is None else asked.old.name}
        about |= {"machine": machine(), "threads": asked.threads, "limit": asked.limit}
        parts = {name: part.to_json() for name, part in found.items()}
        tell({**about, "left_out": [vars(one) for one in (*LEFT_OUT, *NEW)], "parts": parts}, asked.json)
    if not all(part.equal for part in found.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
