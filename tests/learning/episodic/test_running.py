"""Training an Episodic Transformer: what it learns, stopping and going on, what is written, what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from teach_agents.errors import InputError

torch = pytest.importorskip("torch")
from teach_agents.learning.episodic.learner import Tally  # noqa: E402  # after the check
from teach_agents.learning.episodic.running import Asked, train_episodic  # noqa: E402  # the same
from teach_agents.learning.loop import CHECKPOINT, LOG, Progress  # noqa: E402  # the same
from teach_agents.learning.settings import Limits  # noqa: E402  # the same
from teach_agents.models.episodic.trained import WEIGHTS, read_trained  # noqa: E402  # the same
from tests.learning.episodic.making import asked, kept  # noqa: E402  # the same
from tests.models.episodic.tiny import tiny_sight  # noqa: E402  # the same


@pytest.fixture(autouse=True)
def eyes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Eyes without weights; one thread, since networks this small lose by more."""
    monkeypatch.setattr("teach_agents.learning.episodic.running.Sight", lambda *told: tiny_sight())
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Watching:
    """Notes what it is told; after step `until` it raises what Ctrl-C would."""

    def __init__(self, until: int = -1) -> None:
        self.until = until
        self.tallies: list[Tally] = []
        self.verdicts: list[Mapping[str, Any]] = []
        self.words: list[str] = []

    def stage(self, words: str) -> None:
        self.words.append(words)

    def recorded(self, done: int, total: int) -> None:
        self.words.append(f"{done} of {total}")

    def stepped(self, tally: Tally, progress: Progress, steps: int) -> None:
        import signal

        self.tallies.append(tally)
        if progress.step == self.until:
            signal.raise_signal(signal.SIGINT)

    def checked(self, verdict: Mapping[str, Any]) -> None:
        self.verdicts.append(verdict)


def train(one: Asked, out: Path, watcher: Watching | None = None, **more: Any) -> dict[str, Any]:
    made = train_episodic(one, out, limits=Limits(), watcher=watcher or Watching(), **more)
    assert made is not None
    return made


def test_it_learns_what_to_do_at_what_it_sees_and_when_to_stop(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 6)
    watcher = Watching()
    more = {"epochs": 25, "learning_rate": 4e-3, "dropout": 0.0, "visual_dropout": 0.0}
    made = train(asked(games, features, **more), tmp_path / "out", watcher)
    last = watcher.tallies[-3:]
    assert sum(one.actions_right for one in last) >= 0.95 * sum(one.actions for one in last)
    assert sum(one.objects_right for one in last) >= 0.95 * sum(one.objects for one in last)
    assert sum(one.stops for one in last) == 12 and sum(one.stops_right for one in last) >= 11, "Stop is learnt"
    assert made["ended"] == "finished" and made["data"]["learnt"]["stretches"] == 12


def test_one_that_was_stopped_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 6)
    whole = train(asked(games, features), tmp_path / "whole")
    broken = train(asked(games, features), tmp_path / "broken", Watching(until=2))
    assert (whole["ended"], broken["ended"], broken["steps"]["done"]) == ("finished", "interrupted", 2)
    again = train(Asked.before(tmp_path / "broken"), tmp_path / "broken", resume=True)
    assert again["ended"] == "finished" and again["steps"] == whole["steps"]
    assert (tmp_path / "broken" / WEIGHTS).read_bytes() == (tmp_path / "whole" / WEIGHTS).read_bytes()
    logs = [(tmp_path / name / LOG).read_text().splitlines() for name in ("whole", "broken")]
    losses = [[json.loads(line)["loss"] for line in log] for log in logs]
    assert losses[0] == losses[1] and len(losses[0]) == 6


def test_the_best_weights_on_held_out_rooms_are_kept(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 12, rooms=12)
    watcher = Watching()
    made = train(asked(games, features, held_out=0.4, epochs=3), tmp_path / "out", watcher)
    assert [one["epoch"] for one in watcher.verdicts] == [1, 2, 3] and made["checks"] == watcher.verdicts
    assert made["chosen"]["loss"] == min(one["loss"] for one in watcher.verdicts)
    assert made["data"]["held_out"]["sessions"] > 0
    assert made["network"]["hash"] == read_trained(tmp_path / "out", "cpu").hash


def test_an_account_tells_what_was_learnt_from_and_how(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 3)
    made = train(asked(games, features, inputs="language", history_loss=True), tmp_path / "out")
    stored = json.loads((tmp_path / "out" / "training.json").read_text())
    assert stored == made and str(tmp_path) not in json.dumps(stored)
    assert len(made["data"]["sessions"]) == 3 and all(
        re.fullmatch("[0-9a-f]{64}", one) for one in made["data"]["sessions"].values()
    )
    assert "--inputs language" in made["command"] and "--history-loss" in made["command"]
    assert made["frames"] == made["decisions"] == 2 * (5 + 10) * 3, "with the history's loss every step is a decision"
    assert read_trained(tmp_path / "out", "cpu").network.shape.inputs == "language"


def test_folders_that_do_not_do_are_refused(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 2)
    with pytest.raises(InputError, match="no training in this folder"):
        Asked.before(tmp_path)
    train(asked(games, features), out := tmp_path / "out")
    with pytest.raises(InputError, match="holds a training"):
        train(asked(games, features), out)
    with pytest.raises(InputError, match="other data, base or settings"):
        train(asked(games, features, seed=9), out, resume=True)
    assert train(Asked.before(out), out, resume=True)["ended"] == "finished", "what was refused changed nothing"
    (out / CHECKPOINT).write_bytes(b"no")
    with pytest.raises(InputError, match="damaged"):
        train(asked(games, features), out, resume=True)


def test_half_precision_learns_much_the_same(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 3)
    losses = []
    for dtype in ("float32", "bfloat16"):
        watcher = Watching()
        train(asked(games, features, dtype=dtype, epochs=1), tmp_path / dtype, watcher)
        losses.append([one.loss for one in watcher.tallies])
    assert losses[0] != losses[1] and losses[0] == pytest.approx(losses[1], rel=0.05)


def test_features_alone_train_nothing(tmp_path: Path) -> None:
    games, features = kept(tmp_path, 2)
    watcher = Watching()
    made = train_episodic(
        asked(games, features), tmp_path / "out", limits=Limits(), watcher=watcher, only_features=True
    )
    assert made is None and not (tmp_path / "out" / CHECKPOINT).exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"inputs": "smell"}, "language\\+vision"),
        ({"epochs": 0}, "--epochs"),
        ({"learning_rate": 0.0}, "--learning-rate"),
        ({"held_out": 1.0}, "--held-out"),
        ({"dtype": "int8"}, "--dtype"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(tmp_path, tmp_path, **settings)


def test_the_command_trains_and_goes_on(tmp_path: Path) -> None:
    from teach_agents.cli.train import app

    games, features = kept(tmp_path, 3)
    out = tmp_path / "out"
    words = ["episodic-transformer", "--data", str(games), "--features", str(features), "--out", str(out)]
    small = ["--width", "64", "--epochs", "1", "--held-out", "0", "--device", "cpu"]
    done = CliRunner().invoke(app, [*words, *small])
    assert done.exit_code == 0, done.output
    assert f"episodic:weights={out}" in done.stdout
    again = CliRunner().invoke(app, ["episodic-transformer", "--out", str(out), "--resume"])
    assert again.exit_code == 0, again.output
    without = CliRunner().invoke(app, ["episodic-transformer", "--out", str(tmp_path / "new")])
    assert isinstance(without.exception, InputError) and "--data" in str(without.exception)
