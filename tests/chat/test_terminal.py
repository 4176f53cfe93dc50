"""`teach-agents chat --terminal`, by pipes and by a terminal of its own, to the task's success."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from teach_agents.chat.keeping import take_up
from teach_agents.errors import RecordError
from teach_agents.session import read_record

SCRIPT = """
import signal, sys
from teach_agents.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs are started with it ignored
sys.argv[0] = "teach-agents"
main()
"""
RUN = [sys.executable, "-c", SCRIPT, "chat", "--terminal", "--follower", "planner"]
COFFEE = ["--task", "Coffee", "--room", "FloorPlan5"]
PATIENCE_S = 90.0


def piped(lines: list[str], *options: str) -> str:
    """What is printed when these lines are piped in."""
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([*RUN, *options], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Typing:
    """A person at a terminal, in which the command runs."""

    def __init__(self, command: subprocess.Popen[bytes], terminal: int) -> None:
        self._command = command
        self._terminal = terminal

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._terminal, f"{text}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._command.send_signal(signal.SIGINT)

    def leave(self) -> int:
        """Wait until the command is over; its exit status."""
        return self._command.wait(PATIENCE_S)

    def until(self, pattern: str) -> str:
        """What is shown until something is."""
        shown, deadline = b"", time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if select.select([self._terminal], [], [], 0.1)[0]:
                try:
                    shown += os.read(self._terminal, 65_536)
                except OSError:
                    break
                if re.search(pattern, shown.decode(errors="replace")):
                    return shown.decode(errors="replace")
        raise AssertionError(f"no {pattern!r} in {shown[-2000:].decode(errors='replace')}")


@contextmanager
def typing(*options: str) -> Iterator[Typing]:
    """Sit down at a terminal of one's own."""
    terminal, end = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    with subprocess.Popen(
        [*RUN, *options], stdin=end, stdout=end, stderr=end, env=env, start_new_session=True
    ) as command:
        os.close(end)
        try:
            yield Typing(command, terminal)
        finally:
            command.kill()
            os.close(terminal)


def test_a_script_by_pipe_gets_coffee_from_the_follower(tmp_path: Path) -> None:
    record = tmp_path / "coffee.jsonl"
    script = ["wash the mug", "make coffee in the mug", "/progress", "/search mug", "/view", "/nonsense", "/finish"]
    printed = piped(script, *COFFEE, "--record", str(record))
    assert "\x1b" not in printed
    assert "You: wash the mug" in printed and "  * turned on the faucet\n" in printed
    assert printed.index("put the mug in the coffee machine") < printed.index("[x] This mug must be washed")
    assert "Found the mug" in printed and "Pictures need a terminal." in printed and "There is no /nonsense" in printed
    assert "the session has ended (the commander chose Finish): the task is complete" in printed
    kept = read_record(record)
    assert kept.result is not None and kept.result["success"] is True
    with pytest.raises(RecordError, match="is over"):
        take_up(record)


def test_a_person_as_follower_makes_coffee_for_the_planner_commander() -> None:
    script = ["What should I do today?", "/do wash the mug", "Done, what next?", "/do make coffee in the mug"]
    printed = piped(
        [*script, "/forward 99", "/pickup elephant", "/look", "Done. What next?"], *COFFEE, "--as", "follower"
    )
    assert "Commander: " in printed and "goal" not in printed
    assert "In view, the nearest first:" in printed and "nothing that fits is in view" in printed
    assert "takes a number of steps" in printed
    assert "the session has ended (the commander chose Finish): the task is complete" in printed


def test_a_terminal_draws_is_interrupted_and_gone_on_with(tmp_path: Path) -> None:
    record = tmp_path / "session.jsonl"
    with typing(*COFFEE, "--record", str(record)) as person:
        person.until("/help says")
        person.type("wash the mug")
        person.type("/stop")
        person.until("the Follower stops")
        person.type("wash the mug")
        person.until(r"turned off the faucet(.|\n)*Follower: .*\?")
        person.type("/view")
        assert "48;2;" in person.until("\u2580")
        person.interrupt()
        assert str(record) in person.until(r"--resume \S+")
        assert person.leave() == 130
    assert read_record(record).result is None
    with typing("--resume", str(record)) as person:
        person.until("/help says")
        person.type("make coffee in the mug")
        person.until(r"turned off the coffee machine(.|\n)*Follower: .*\?")
        person.type("/finish")
        person.until("once more")
        person.type("/finish")
        assert "the task is complete" in person.until("Kept in")
        assert person.leave() == 0
    assert read_record(record).result is not None


def test_ctrl_c_stops_a_follower_at_work_and_leaves_at_rest(tmp_path: Path) -> None:
    record = tmp_path / "session.jsonl"
    with typing(*COFFEE, "--record", str(record)) as person:
        person.until(r"Follower: .*\?")
        person.type("bring the mug to the sink and wash it, then make coffee in it")
        person.until("walked|picked up|turned")
        person.interrupt()
        assert "Press Ctrl-C again to leave" in person.until("the Follower stops")
        time.sleep(2.1)
        person.type("what are you doing?")
        person.until("Follower: Nothing at the moment")
        person.interrupt()
        assert str(record) in person.until(r"--resume \S+")
        assert person.leave() == 130
    kept = take_up(record)
    said = [done.action.utterance for turn in kept.record.turns for done in turn.done.values() if done.action]
    assert "stop" in said and "what are you doing?" in said
    stopped = said.index("stop")
    after = [turn for turn in kept.record.turns if turn.turn > stopped // 2]
    assert not any(done.action.name not in ("Text", "NoOp") for turn in after for done in turn.done.values())


def test_ctrl_c_twice_at_once_leaves_and_everything_is_kept(tmp_path: Path) -> None:
    record = tmp_path / "session.jsonl"
    with typing(*COFFEE, "--record", str(record)) as person:
        person.until(r"Follower: .*\?")
        person.type("wash the mug and make coffee in it")
        person.until("walked|picked up|turned")
        person.interrupt()
        person.until("Press Ctrl-C again")
        person.interrupt()
        assert str(record) in person.until(r"--resume \S+")
        assert person.leave() == 130
    assert take_up(record).record.result is None


def test_nothing_is_written_without_a_record_and_no_task_is_spoken_of_where_there_is_none(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    text = "/help\n/progress\nwhat can you do?\n/finish\n"
    done = subprocess.run(
        [*RUN, "--no-record"], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=env
    )
    assert done.returncode == 0, done.stderr
    kept = [path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file()]
    assert not any("what can you do" in one for one in kept)
    assert "just exploring in FloorPlan1" in done.stdout and "There is no task: you just explore." in done.stdout
    own = [line for line in done.stdout.splitlines() if not line.startswith("Follower:")]
    assert not [line for line in own if "task" in line and "There is no task" not in line and "/finish" not in line]


def test_it_is_said_at_once_where_what_is_typed_goes(tmp_path: Path) -> None:
    spec = "lm:model=http://models.example.org:9/v1#large"
    printed = piped(["/quit"], "--follower", spec)
    assert "What you type is sent to models.example.org: the Follower runs on it." in printed


def test_hooks_are_there_again_when_somebody_sits_down_again(tmp_path: Path) -> None:
    kept = tmp_path / "lossy.jsonl"
    piped(["hello there"], "--hook", "noisy_speech:loss=1.0", "--record", str(kept))
    assert take_up(kept).setting.hooks == ("noisy_speech:loss=1.0",)
    piped(["hello again", "/finish"], "--resume", str(kept))
    record = read_record(kept)
    said = [done.action.utterance for turn in record.turns for done in turn.done.values() if done.action.name == "Text"]
    assert said.count("... ...") == 2 and set("".join(said)) == set(". ")
    assert record.result is not None and record.result["hooks"] == [{"name": "noisy_speech:loss=1.0", "notes": {}}]
