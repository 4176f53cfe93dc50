"""A training of eyes: it goes on where it stopped, tells what it did, and what it makes can be looked through."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
import torch  # after the check

from teach_agents.errors import InputError, ModelMissingError, TeachAgentsError
from teach_agents.learning.detection import partners, running
from teach_agents.learning.detection.frames import TYPES, Frame
from teach_agents.learning.detection.judging import judged
from teach_agents.learning.detection.losses import losses_of
from teach_agents.learning.detection.running import Means, settings_in, train
from teach_agents.learning.detection.training import Settings, Stepped, Training, rate_at
from teach_agents.models.vision import Lens, load_detector
from teach_agents.models.vision.household.shape import Shape
from tests.learning.detection.tiny import SHAPE

WORDS = Settings(steps=4, batch=2, check=1, checks=2, shape=SHAPE, learning_rate=1e-2)


def _drawn(number: int) -> Frame:
    """A bright square on black."""
    x, y = 20 + 40 * (number % 5), 40 + 30 * (number % 3)
    rgb = np.zeros((300, 300, 3), np.uint8)
    rgb[y : y + 60, x : x + 60] = 255
    box = np.array([(x, y, x + 60, y + 60)], np.float32)
    ids = np.full((300, 300), -1, np.int16)
    ids[y : y + 60, x : x + 60] = 0
    return Frame(rgb, box, np.array([7]), np.full((75, 75), 2.0, np.float32), ids[2::4, 2::4], ids)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that cost nothing."""
    chunks = lambda seed, number, rooms: [_drawn(64 * number + one) for one in range(64)]  # noqa: E731
    monkeypatch.setattr("teach_agents.learning.detection.feeding.chunk", chunks)
    monkeypatch.setattr(running, "held_out_frames", lambda seed, count: [_drawn(one) for one in range(count)])


class Watching:
    """Remembers what it is told; asks to stop behind a step."""

    def __init__(self) -> None:
        self.steps: list[Stepped] = []
        self.verdicts: list[Mapping[str, Any]] = []

    def stage(self, words: str) -> None:
        assert words

    def stepped(self, step: Stepped, training: Training) -> None:
        self.steps.append(step)

    def checked(self, verdict: Mapping[str, Any]) -> None:
        self.verdicts.append(verdict)


class Interrupting(Watching):
    """Ctrl-C behind the second step."""

    def stepped(self, step: Stepped, training: Training) -> None:
        import signal

        super().stepped(step, training)
        if len(self.steps) == 2:
            signal.raise_signal(signal.SIGINT)


def _weights(folder: Path) -> bytes:
    return (folder / "weights.safetensors").read_bytes()


def test_a_training_that_was_interrupted_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = train(WORDS, tmp_path / "whole", means=Means(), watcher=Watching())
    assert whole["ended"] == "finished" and whole["steps"] == 4 and whole["data"]["frames"] == 8
    parted = tmp_path / "parted"
    watcher = Interrupting()
    assert train(WORDS, parted, means=Means(), watcher=watcher)["ended"] == "interrupted" and len(watcher.steps) == 2
    assert load_detector(f"household:{parted}").labels == TYPES
    assert settings_in(parted) == WORDS
    made = train(WORDS, parted, means=Means(), watcher=Watching(), resume=True)
    assert made["ended"] == "finished" and _weights(parted) == _weights(tmp_path / "whole")
    lines = [json.loads(line) for line in (parted / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if "heat" in line] == [1, 2, 3, 4]
    assert [line["step"] for line in lines if "check" in line] == [2, 4]
    assert json.loads((parted / "training.json").read_text())["checks"] == made["checks"]
    assert not [path.name for path in parted.iterdir() if path.name.endswith(".part")]


def test_folders_that_do_not_do_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no training in this folder"):
        train(WORDS, tmp_path / "none", means=Means(), watcher=Watching(), resume=True)
    with pytest.raises(InputError, match="no training in this folder"):
        settings_in(tmp_path / "none")
    train(WORDS, tmp_path / "eyes", means=Means(minutes=1e-6), watcher=Watching())
    with pytest.raises(InputError, match="holds a training; --resume goes on"):
        train(WORDS, tmp_path / "eyes", means=Means(), watcher=Watching())
    other = Settings(steps=5, batch=2, check=1, checks=2, shape=SHAPE)
    with pytest.raises(InputError, match="other settings"):
        train(other, tmp_path / "eyes", means=Means(), watcher=Watching(), resume=True)
    (tmp_path / "eyes" / "checkpoint.pt").write_bytes(b"PK")
    with pytest.raises(InputError, match="is no checkpoint, or a damaged one"):
        train(WORDS, tmp_path / "eyes", means=Means(), watcher=Watching(), resume=True)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({}, "--steps: or --hours"),
        ({"steps": 0}, "--steps: must be above 0"),
        ({"hours": -1.0}, "--hours: must be above 0"),
        ({"steps": 1, "batch": 24}, "--batch: must divide 64"),
        ({"steps": 1, "learning_rate": 0.0}, "--learning-rate"),
        ({"steps": 1, "checks": -1}, "--checks"),
        ({"steps": 1, "rooms": ("FloorPlan1", "FloorPlan10")}, "--room: must be a training room; got 'FloorPlan10'"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Settings(**words)


def test_settings_survive_json() -> None:
    assert Settings.from_json(json.loads(json.dumps(WORDS.to_json()))) == WORDS


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(gone / 100) for gone in range(101)]
    assert max(rates) == pytest.approx(1.0, abs=0.01) and rates.index(max(rates)) == 2
    assert rates[2:] == sorted(rates[2:], reverse=True) and rates[-1] == pytest.approx(0.01)


def test_a_loss_that_is_no_number_ends_it_and_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(WORDS, tmp_path, means=Means(minutes=1e-6), watcher=Watching())
    kept = (tmp_path / "checkpoint.pt").read_bytes()

    def broken(seen: Any, targets: Any) -> Any:
        return losses_of(seen, targets)._replace(depth=torch.tensor(float("nan")))

    monkeypatch.setattr(partners, "losses_of", broken)
    with pytest.raises(TeachAgentsError, match="the loss is no number any more"):
        train(WORDS, tmp_path, means=Means(), watcher=Watching(), resume=True)
    assert (tmp_path / "checkpoint.pt").read_bytes() == kept


def test_it_learns_what_it_is_shown() -> None:
    """Forty steps on squares: they are found, and nothing else."""
    few = Shape(8, stem=4, widths=(8, 8, 16), blocks=(0, 1, 1), neck=8, head=16)
    learning = Training(Settings(steps=40, batch=4, shape=few, learning_rate=2e-2))
    shown = [_drawn(number) for number in range(15)]
    first = judged(learning.average, shown)
    for step in range(40):
        learning.step([shown[(4 * step + one) % 15] for one in range(4)])
    last = judged(learning.network, shown)
    assert last.precision.by_type[7] > 0.9 > first.precision.by_type[7]
    assert last.depth_error < 0.2 < first.depth_error


def test_eyes_are_trained_further(tmp_path: Path) -> None:
    """They begin as good as they were."""
    few = Shape(len(TYPES), stem=4, widths=(8, 8, 16), blocks=(0, 1, 1), neck=8, head=16)
    words = replace(WORDS, steps=40, batch=4, checks=1, check=15, shape=few, learning_rate=2e-2)
    first = train(words, tmp_path / "first", means=Means(), watcher=Watching())
    again = replace(words, start=str(tmp_path / "first"), steps=1, checks=1, learning_rate=1e-6)
    further = train(again, tmp_path / "further", means=Means(), watcher=Watching())
    told = [load_detector(f"household:{tmp_path / name}").estimator for name in ("first", "further")]
    one, other = (eyes.estimate([_drawn(3).rgb], [Lens(1.5, 0.0)])[0] for eyes in told if eyes is not None)
    assert np.allclose(one, other, rtol=0.02) and one.std() > 0
    assert further["checks"][0]["depth_error"] == pytest.approx(first["checks"][0]["depth_error"], abs=0.02)
    hashed = hashlib.sha256(_weights(tmp_path / "first")).hexdigest()
    start = {"eyes": str(tmp_path / "first"), "sha256": hashed, "account": json.loads(json.dumps(first))}
    assert further["start"] == start and first["start"] is None


def test_eyes_that_cannot_be_trained_further_are_refused(tmp_path: Path) -> None:
    train(replace(WORDS, steps=1, checks=0), tmp_path / "small", means=Means(), watcher=Watching())
    for wanted, problem in (
        (Settings(steps=1, start=str(tmp_path / "small")), "--start: are eyes of another shape"),
        (replace(WORDS, start=str(tmp_path / "none")), "none: holds no trained eyes"),
    ):
        with pytest.raises((InputError, ModelMissingError), match=problem):
            train(wanted, tmp_path / "out", means=Means(), watcher=Watching())


def test_workers_draw_the_same_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    from teach_agents.learning.detection.feeding import feeding

    monkeypatch.undo()
    batches = []
    for workers in (0, 1):
        with feeding(0, 1, 16, ("FloorPlan420",), workers) as fed:
            batches.append(next(fed))
    assert all(np.array_equal(mine.rgb, theirs.rgb) for mine, theirs in zip(*batches, strict=True))


def test_the_command_trains_stops_and_goes_on(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from teach_agents.cli.train import app

    words = ["detector", "--out", str(tmp_path / "eyes")]
    begun = CliRunner().invoke(app, [*words, "--steps", "2", "--batch", "2", "--checks", "0", "--minutes", "0.0001"])
    assert begun.exit_code == 0 and "They are not finished. This goes on: teach-agents train detector" in begun.output
    other = CliRunner().invoke(app, [*words, "--resume", "--batch", "4"])
    assert isinstance(other.exception, InputError) and "other settings" in str(other.exception)
    done = CliRunner().invoke(app, [*words, "--resume", "--threads", "1", "--device", "cpu"])
    assert done.exit_code == 0 and "not finished" not in done.output and "detector=household:" in done.output
    account = json.loads((tmp_path / "eyes" / "training.json").read_text())
    assert account["steps"] == 2 and account["ended"] == "finished" and account["parameters"] > 4e6
    assert (tmp_path / "eyes" / "weights.safetensors").stat().st_size < 15e6
    nowhere = CliRunner().invoke(app, ["detector"])
    assert isinstance(nowhere.exception, InputError) and "which folder" in str(nowhere.exception)
