"""The eyes that ship: small, accounted for, and not blind."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("torch")
import torch  # after the check

from teach_agents.learning.detection.frames import SIZES, TYPES, held_out_frames
from teach_agents.learning.detection.judging import judged
from teach_agents.learning.rooms import HELD_OUT, ROOMS_OF_EYES
from teach_agents.models.vision.household.weights import found_folder, read_labels, read_network


def test_they_are_small_and_say_what_they_learnt_from() -> None:
    folder = found_folder("")
    assert (folder / "weights.safetensors").stat().st_size < 15_000_000
    labels, shape = read_labels(folder)
    assert (labels, shape.sizes) == (TYPES, SIZES)
    told = json.loads((folder / "training.json").read_text("utf8"))
    while told is not None:
        assert told["role"] == "detector" and told["hours"] > 0 and told["data"]["frames"] > 0
        assert {*told["data"]["rooms"]} <= {*ROOMS_OF_EYES} and told["data"]["held_out"] == [*HELD_OUT]
        told = (told.get("start") or {}).get("account")


def test_they_see_in_rooms_that_they_were_not_trained_in() -> None:
    """A floor far below what is measured (docs/model_cards.md), of few frames."""
    torch.set_num_threads(1)
    folder = found_folder("")
    frames = list(held_out_frames(3, 2, HELD_OUT[:10]))
    found = judged(read_network(folder, read_labels(folder)[1]).eval(), frames)
    assert found.precision.mean(5) > 0.2 and found.depth_error < 0.2
