"""What the network should say of a frame, and how wrong it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
import torch  # after the check

from teach_agents.learning.detection.frames import Frame
from teach_agents.learning.detection.losses import _Focal, losses_of, targets_of
from teach_agents.models.vision.household.decoding import boxes_of, decoded, shown_by
from teach_agents.models.vision.household.network import Seen
from teach_agents.models.vision.household.shape import Shape

LARGE, SMALL, TINY = (10.0, 10.0, 50.0, 34.0), (20.0, 12.0, 36.0, 28.0), (0.0, 30.0, 4.0, 34.0)

OF = {2: Shape(2), 3: Shape(3, (0, 1, 0))}


def _frame(*things: tuple[tuple[float, ...], int], size: int = 60) -> Frame:
    boxes = np.array([box for box, _ in things], np.float32).reshape(-1, 4)
    types = np.array([kind for _, kind in things], np.int64)
    depth = np.full((size // 4, size // 4), 2.0, np.float32)
    depth[0] = 20.0
    shown = np.full((size // 4, size // 4), -1, np.int16)
    for place, box in enumerate(boxes):
        x0, y0, x1, y1 = np.rint(box / 4).astype(int)
        shown[y0:y1, x0:x1] = place
    ids = shown.repeat(4, axis=0).repeat(4, axis=1)
    return Frame(np.zeros((size, size, 3), np.uint8), boxes, types, depth, shown, ids)


def test_heat_peaks_at_middles_and_small_boxes_lie_on_top() -> None:
    made = targets_of([_frame((LARGE, 1), (SMALL, 2))], Shape(3))
    assert made.middles == 2 and not made.heat[0, 0].any()
    assert made.heat[0, 1, 5, 7] == 1 and made.heat[0, 2, 5, 7] == 1 and 0 < made.heat[0, 1, 5, 8] < 1
    assert tuple(made.boxes[0, 0, :, 5, 7]) == SMALL and made.weight[0, 0, 5, 7] > 0 == made.weight[0, 0, 14, 14]
    assert tuple(made.boxes[0, 0, :, 5, 9]) == LARGE
    apart = targets_of([_frame((LARGE, 1), (SMALL, 2))], OF[3])
    assert tuple(apart.boxes[0, 0, :, 5, 7]) == SMALL and tuple(apart.boxes[0, 1, :, 5, 7]) == LARGE
    assert apart.weight.shape == (1, 2, 15, 15) and apart.weight[0, 1, 5, 7] > 0
    assert np.isnan(made.depth[0, 0]).all() and made.depth[0, 1:] == pytest.approx(np.log(2.0))


def test_nothing_is_asked_of_a_type_where_one_is_too_small() -> None:
    made = targets_of([_frame((TINY, 1), size=300)], OF[3])
    assert made.middles == 0 and made.heat[0, 1, 7:9, 0].tolist() == [-1, -1]
    assert made.heat[0, 1].min() == -1 and made.heat[0, 1, 0, 5] == 0 and not made.heat[0, 2].any()
    halved = _frame(((0.0, 30.0, 6.0, 37.0), 1), size=150)
    whole = replace(halved, rgb=np.zeros((300, 300, 3), np.uint8))
    assert targets_of([halved], OF[3]).middles == 1 and targets_of([whole], OF[3]).middles == 0


def test_the_focal_loss_and_its_slope_are_those_of_the_formula() -> None:
    dice = torch.Generator().manual_seed(0)
    logits = torch.randn(2, 3, 5, 4, dtype=torch.double, generator=dice, requires_grad=True)
    heat = torch.zeros(2, 3, 5, 4, dtype=torch.double)
    heat[0, 1, 2, 3], heat[0, 1, 2, 2], heat[1, 2, 0, 0], heat[1, 0, 4, 3] = 1.0, 0.5, -1.0, 1.0
    p = torch.sigmoid(logits)
    empty = -torch.log(1 - p) * p**2 * (1 - heat) ** 4 * (heat >= 0)
    wanted = torch.where(heat == 1, -torch.log(p) * (1 - p) ** 2, empty).sum()
    apply: Any = _Focal.apply
    loss = apply(logits, heat)
    assert float(loss.detach()) == pytest.approx(float(wanted.detach()))
    (slope,), (expected,) = torch.autograd.grad(loss, logits), torch.autograd.grad(wanted, logits)
    assert torch.allclose(slope, expected)


def _perfect(frame: Frame, types: int) -> Seen:
    """What a network that knows everything would say."""
    targets = targets_of([frame], OF[types])
    h, w = frame.depth.shape
    x, y = (np.arange(w) + 0.5) * 4, ((np.arange(h) + 0.5) * 4)[:, None]

    def away(box: Any) -> Any:
        x0, y0, x1, y1 = box
        return np.log(np.maximum(np.stack([x - x0, y - y0, x1 - x, y1 - y]) / 4, 1e-3)).astype(np.float32)

    sides, shown = np.stack([away(one) for one in targets.boxes[0]]), away(targets.shown[0])
    heat = np.where(targets.heat[0] == 1, 9.0, -9.0).astype(np.float32)
    depth = np.log(frame.depth)[None]
    return Seen(*(torch.from_numpy(one)[None] for one in (heat, sides, depth, shown)))


def test_who_says_the_targets_loses_nothing_and_finds_the_boxes() -> None:
    frame = _frame((LARGE, 1), (SMALL, 2))
    seen = _perfect(frame, 3)
    losses = losses_of(seen, targets_of([frame], OF[3]))
    assert float(losses.heat) < 0.01 and float(losses.depth) < 1e-5 and float(losses.shown) < 1e-4
    (found,) = decoded(seen, OF[3].sizes, 10, 0.5)
    assert sorted(found.types.tolist()) == [1, 2]
    by_type = dict(zip(found.types.tolist(), found.boxes.tolist(), strict=True))
    assert by_type[2] == pytest.approx(SMALL, abs=0.01) and by_type[1] == pytest.approx(LARGE, abs=0.01)
    shown, (places, kinds) = boxes_of(seen.shown)[0], (found.boxes[found.types.argsort()], found.types.sort().values)
    cells = shown_by(shown, places, kinds).numpy()
    assert cells.shape == (2, *frame.shown.shape)
    known = frame.shown >= 0
    assert all(np.array_equal(cells[number][known], frame.shown[known] == number) for number in range(2))
    assert not cells[:, 0, 0].any()
    twice = shown_by(shown, places[[0, 0]], torch.tensor([1, 5])).numpy()
    assert np.array_equal(twice[0], twice[1]) and np.array_equal(twice[0], cells[0])
    assert shown_by(shown, places[:0], kinds[:0]).shape == (0, *frame.shown.shape)


def test_a_second_box_of_the_same_thing_is_left_out() -> None:
    seen = _perfect(_frame((LARGE, 0)), 2)
    seen.heat[0, 0, 5, 9] = 5.0
    seen.sides[0, 0, :, 5, 9] = torch.log(torch.tensor([(38 - 10) / 4, (22 - 10) / 4, (50 - 38) / 4, (34 - 22) / 4]))
    seen.heat[0, 1, 5, 9] = 4.0
    (found,) = decoded(seen, (), 10, 0.5)
    assert found.types.tolist() == [0, 1] and found.scores[0] > 0.99
    (most,) = decoded(seen, (), 1, 0.5)
    assert most.types.tolist() == [0]
    (none,) = decoded(seen, (), 10, 1.0)
    assert len(none.boxes) == 0
