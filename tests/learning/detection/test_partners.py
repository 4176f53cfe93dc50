"""Processes that learn side by side: what they learn together is the mean of what each learns alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("torch")
import torch  # after the check

from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.learning.detection import partners as module
from teach_agents.learning.detection.frames import Frame
from teach_agents.learning.detection.partners import Partner, Partners, answer, learnt, looked_at, partners
from teach_agents.learning.detection.running import Means, train
from teach_agents.learning.detection.training import Settings, Training
from tests.learning.detection.test_running import WORDS, Watching, _drawn

TWO = replace(WORDS, batch=4, processes=2)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that cost nothing, in this process."""
    chunks = lambda seed, number, rooms: [_drawn(64 * number + one) for one in range(64)]  # noqa: E731
    monkeypatch.setattr("teach_agents.learning.detection.feeding.chunk", chunks)


class _Alive:
    exitcode = None


@contextmanager
def _beside(training: Training) -> Iterator[Partners]:
    """A partner in a thread of this process."""
    mine, theirs = Pipe()
    parameters = list(training.network.parameters())
    gradients = torch.zeros(sum(one.numel() for one in parameters))
    told = (theirs, training.settings.to_json(), 1, 0, [one.data for one in parameters], gradients, 1)
    thread = Thread(target=answer, args=told)
    thread.start()
    process: Any = _Alive()
    yield Partners([Partner(process, mine, gradients)], parameters)
    mine.close()
    thread.join(30)
    assert not thread.is_alive()


def _gradients(frames: list[Frame], place: int) -> list[torch.Tensor]:
    alone = Training(TWO)
    learnt(alone.network, looked_at(frames, True, TWO.seed, 0, place), "cpu")
    return [one.grad for one in alone.network.parameters() if one.grad is not None]


def test_gradients_are_the_mean_of_the_parts() -> None:
    training = Training(TWO)
    mine, theirs = [_drawn(0), _drawn(1)], [_drawn(64), _drawn(65)]  # of chunk 0, and of chunk 1
    with _beside(training) as those:
        those.begin(True)
        losses = those.end(learnt(training.network, looked_at(mine, True, TWO.seed, 0), "cpu"))
    means = [(one + other) / 2 for one, other in zip(_gradients(mine, 0), _gradients(theirs, 1), strict=True)]
    for one, mean in zip(training.network.parameters(), means, strict=True):
        assert one.grad is not None and torch.allclose(one.grad, mean, atol=1e-5)
    parts = [looked_at(frames, True, TWO.seed, 0, place) for place, frames in enumerate((mine, theirs))]
    alone = [learnt(Training(TWO).network, frames, "cpu") for frames in parts]
    assert float(losses.total) == pytest.approx(sum(float(one.total) for one in alone) / 2, rel=1e-4)


def test_two_processes_train_eyes_and_go_on(tmp_path: Path) -> None:
    words = replace(TWO, steps=2, checks=0, quarters=0.5)
    made = train(words, tmp_path, means=Means(minutes=1e-6), watcher=Watching())
    assert made["ended"] == "time" and made["steps"] == 0
    watching = Watching()
    made = train(words, tmp_path, means=Means(), watcher=watching, resume=True)
    assert made["ended"] == "finished" and made["data"]["frames"] == 8 and len(watching.steps) == 2


def test_a_partner_that_is_gone_ends_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    training = Training(TWO)
    with partners(TWO, training.network, 0) as those:
        those._those[0].process.kill()
        those._those[0].process.join(10)
        with pytest.raises(TeachAgentsError, match=r"learns beside this one has ended \(exit code -9\)"):
            those.begin(False)
            those.end(learnt(training.network, [_drawn(0), _drawn(1)], "cpu"))
    monkeypatch.setattr(module, "_SLOWEST_S", 0.05)
    mine, _theirs = Pipe()
    process: Any = _Alive()
    silent = Partners([Partner(process, mine, torch.zeros(1))], [])
    with pytest.raises(TeachAgentsError, match=r"has said nothing for 0\.05 s"):
        silent.end(learnt(training.network, [_drawn(0), _drawn(1)], "cpu"))


def test_a_batch_that_cannot_be_shared_is_refused() -> None:
    for batch, processes in ((4, 3), (2, 2), (4, 0)):
        with pytest.raises(InputError, match=f"--processes: must leave each two or more of {batch} frames"):
            Settings(steps=1, batch=batch, processes=processes)
    with pytest.raises(InputError, match="--quarters: is a share"):
        Settings(steps=1, quarters=1.5)
