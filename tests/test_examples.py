"""The examples run, and so does every block of Python in the documents that begins with `# runs`.

Where `prints` and a block of text follow, that is what it prints; `...` stands for anything.
"""

from __future__ import annotations

import re
import subprocess
import sys
from doctest import ELLIPSIS, OutputChecker
from pathlib import Path

import pytest

from teach_agents import Household, ScriptedAgent, play, read_record, to_game, write_game
from teach_agents.actions import Action
from teach_agents.cli.run import ALL_BROKE_DOWN
from teach_agents.simulator import EmbeddedSimulator
from tests import warm

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
_LINES = 40
_BLOCK = re.compile(r"```python\n(# runs\n.*?)```(?:\n\nprints\n\n```text\n(.*?)```)?", re.DOTALL)


def _told(done: subprocess.CompletedProcess[str], status: int = 0) -> str:
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def _example(name: str, folder: Path, *arguments: str) -> str:
    return _told(warm.script(EXAMPLES / name, *arguments, cwd=folder))


def _blocks() -> list[tuple[str, str, str | None]]:
    """Every block that says it runs: `document:line`, its code, and what it prints if that is told."""
    found = []
    for document in sorted((ROOT / "docs").glob("*.md")):
        text = document.read_text(encoding="utf8")
        for block in _BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            found.append((f"{document.name}:{line}", block.group(1), block.group(2)))
    return found


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short_and_says_what_it_shows(path: Path) -> None:
    lines = path.read_text(encoding="utf8").splitlines()
    assert len(lines) < _LINES
    assert lines[0].startswith('"""')
    assert f"python examples/{path.name}" in lines[2]


def test_a_custom_follower_fetches_what_is_named(tmp_path: Path) -> None:
    assert re.search(r"chose Stop; \d+ turns; in the hand: Mug\|", _example("custom_follower.py", tmp_path))
    assert "in the hand: Apple|" in _example("custom_follower.py", tmp_path, "Apple")


def test_a_custom_task_is_completed_by_the_planner_pair(tmp_path: Path) -> None:
    told = _example("custom_task.py", tmp_path)
    assert "commander: " in told
    assert re.search(r"^complete after \d+ turns", told, flags=re.MULTILINE)


def test_environments_hear_the_commander_and_judge_at_the_end(tmp_path: Path) -> None:
    told = _example("environments.py", tmp_path)
    assert told == "Commander: hello\nCommander: please make some coffee\n"


def test_a_model_of_teachs_runner_follows(tmp_path: Path) -> None:
    assert re.search(r"^the follower chose Stop; \d+ turns; \d+ failed", _example("teach_model.py", tmp_path))


def test_a_watched_session_leaves_an_animation_and_the_dialogue(tmp_path: Path) -> None:
    from PIL import Image

    told = _example("watch_session.py", tmp_path, "seen.gif")
    assert " commander: " in told and " follower: " in told
    with Image.open(tmp_path / "seen.gif") as animation:
        assert animation.n_frames > 5  # type: ignore[attr-defined]  # of GIF files


def test_a_language_model_pair_tells_what_it_decided(tmp_path: Path) -> None:
    told = _example("language_model_pair.py", tmp_path)
    assert "commander: ask the Follower to make coffee in a clean mug" in told
    assert re.search(r"follower: make coffee in a clean mug  \(of \d+, ", told)
    assert re.search(r"^complete after \d+ turns; the commander chose Finish", told, flags=re.MULTILINE)


def test_a_langgraph_graph_follows_in_fifteen_lines_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("langgraph")
    text = (EXAMPLES / "langgraph_follower.py").read_text(encoding="utf8")
    own = text.partition("\n\n\nclass ")[2].partition("\n\n\n")[0]
    assert 10 < sum(bool(line.strip()) for line in own.splitlines()) <= 15
    told = _example("langgraph_follower.py", tmp_path)
    assert re.fullmatch(r"the commander chose Finish; \d+ turns; complete: True\n", told)


def test_two_coroutines_talk_over_the_bus(tmp_path: Path) -> None:
    told = _example("two_async_agents.py", tmp_path)
    assert "environment to commander   observation_asked" in told
    assert "follower to environment action_answered" in told
    assert told.splitlines()[-1] == "the commander chose Finish after 4 turns"


def test_a_game_is_judged(tmp_path: Path) -> None:
    follower = ScriptedAgent([Action("Turn Left"), Action.stop()])
    play("Coffee", room="FloorPlan7", follower=follower, record=tmp_path / "record.jsonl")
    game, _ = to_game(read_record(tmp_path / "record.jsonl"), Household(EmbeddedSimulator()))
    write_game(game, tmp_path / "made.game.json")
    told = _example("judge_game.py", tmp_path, "made.game.json")
    assert "Coffee[] in FloorPlan7" in told
    assert told.count("state: not complete") == 2
    assert "Mug (Mug|" in told


@pytest.mark.data
def test_a_recorded_game_is_judged(teach_data: Path, tmp_path: Path) -> None:
    told = _example("judge_game.py", tmp_path, str(min((teach_data / "games" / "valid_seen").glob("*.game.json"))))
    assert "final state: complete" in told


def test_a_program_for_thor_puts_an_apple_into_the_fridge(tmp_path: Path) -> None:
    from PIL import Image

    told = _example("thor_program.py", tmp_path, "seen.png")
    assert "PutObject True" in told
    assert re.search(r"the fridge holds: .*'Apple\|", told)
    with Image.open(tmp_path / "seen.png") as picture:
        assert picture.size == (400, 300)


def _tatc(follower: str, folder: Path, *, status: int = 0) -> str:
    command = "import sys; from teach_agents.cli.main import main; sys.path.remove(''); main()"
    options = ["--generate", "1", "--task", "Coffee", "--room", "FloorPlan7", "--pictures", "0", "--out", "run"]
    words = [sys.executable, "-W", "error", "-c", command, "tatc", *options, "--follower", follower]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    told = _told(done, status)
    assert (folder / "run" / "report.html").exists()
    return told + (folder / "run" / "episodes.jsonl").read_text(encoding="utf8")


def test_an_agent_in_the_working_folder_can_be_named(tmp_path: Path) -> None:
    code = "from teach_agents import Action\n\ndef quitter(seen):\n    return Action.stop()\n"
    (tmp_path / "my_agents.py").write_text(code, encoding="utf8")
    assert '"end_reason": "stopped"' in _tatc("my_agents:quitter", tmp_path)


def test_a_run_whose_agent_falls_over_is_reported(tmp_path: Path) -> None:
    code = "import os\n\ndef quitter(seen):\n    os._exit(3)\n"
    (tmp_path / "my_agents.py").write_text(code, encoding="utf8")
    assert "exit code 3" in _tatc("my_agents:quitter", tmp_path, status=ALL_BROKE_DOWN)


def test_there_are_documented_blocks_to_run() -> None:
    assert _blocks()


@pytest.mark.parametrize(("code", "printed"), [block[1:] for block in _blocks()], ids=[block[0] for block in _blocks()])
def test_a_documented_block_runs_and_prints_what_it_says(code: str, printed: str | None, tmp_path: Path) -> None:
    (tmp_path / "block.py").write_text(code, encoding="utf8")
    told = _told(warm.script(tmp_path / "block.py", cwd=tmp_path))
    if printed is not None:
        assert OutputChecker().check_output(printed, told, ELLIPSIS), f"told:\n{told}\ndocumented:\n{printed}"


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in (ROOT / "docs").glob("*.md"):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf8")):
            assert (document.parent / link).exists(), f"{document.name}: {link}"
