"""Average precision as COCO has it, on cases whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from teach_agents.learning.detection.precision import Scored, average_precision, overlaps

Row = tuple[float, float, float, float]
BOX: Row = (10.0, 10.0, 30.0, 30.0)
NEAR: Row = (12.0, 10.0, 32.0, 30.0)
FAR: Row = (60.0, 60.0, 80.0, 80.0)
TINY: Row = (50.0, 10.0, 58.0, 18.0)


def found(*rows: tuple[Row, int, float]) -> Scored:
    boxes = np.array([box for box, _, _ in rows], np.float32).reshape(-1, 4)
    return Scored(
        boxes, np.array([kind for _, kind, _ in rows], np.int64), np.array([score for *_, score in rows], np.float32)
    )


def truth(*rows: tuple[Row, int]) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.array([box for box, _ in rows], np.float32).reshape(-1, 4),
        np.array([kind for _, kind in rows], np.int64),
    )


def test_intersection_over_union() -> None:
    one = np.array([(0, 0, 10, 10), (0, 0, 0, 0)], np.float32)
    other = np.array([(5, 0, 15, 10), (0, 0, 10, 10), (20, 20, 30, 30)], np.float32)
    assert overlaps(one, other) == pytest.approx(np.array([[1 / 3, 1.0, 0.0], [0.0, 0.0, 0.0]]))


def test_all_found_is_one_and_nothing_found_is_zero() -> None:
    there = [truth((BOX, 3), (FAR, 3)), truth((BOX, 5))]
    whole = average_precision([found((BOX, 3, 0.4), (FAR, 3, 0.9)), found((NEAR, 5, 0.2))], there)
    assert whole.by_type == {3: 1.0, 5: 1.0} and whole.boxes == {3: 2, 5: 1}
    assert average_precision([found(), found()], there).by_type == {3: 0.0, 5: 0.0}


def test_a_wrong_one_before_the_right_one_costs_half() -> None:
    made = average_precision([found((FAR, 0, 0.9), (BOX, 0, 0.8))], [truth((BOX, 0))])
    assert made.by_type == {0: pytest.approx(0.5)}
    after = average_precision([found((FAR, 0, 0.7), (BOX, 0, 0.8))], [truth((BOX, 0))])
    assert after.by_type == {0: 1.0}


def test_half_of_the_boxes_found_reaches_51_of_101_recalls() -> None:
    made = average_precision([found((BOX, 0, 0.9))], [truth((BOX, 0), (FAR, 0))])
    assert made.by_type == {0: pytest.approx(51 / 101)}


def test_precision_at_a_recall_is_the_best_at_it_or_beyond() -> None:
    """Hit, miss, hit over two boxes: precision 1 up to a recall of a half, then two thirds."""
    shown = [found((BOX, 0, 0.9)), found((FAR, 0, 0.8)), found((BOX, 0, 0.7))]
    made = average_precision(shown, [truth((BOX, 0)), truth(), truth((BOX, 0))])
    assert made.by_type == {0: pytest.approx((51 + 50 * 2 / 3) / 101)}


def test_a_box_is_found_once_and_another_picture_s_never() -> None:
    twice = average_precision([found((BOX, 0, 0.9), (NEAR, 0, 0.8)), found()], [truth((BOX, 0)), truth((BOX, 0))])
    assert twice.by_type == {0: pytest.approx(51 / 101)}
    elsewhere = average_precision([found((FAR, 0, 0.9)), found()], [truth(), truth((FAR, 0))])
    assert elsewhere.by_type == {0: 0.0}


def test_the_surer_detection_takes_the_box_that_it_overlaps_most() -> None:
    made = average_precision([found((NEAR, 0, 0.9), (BOX, 0, 0.8))], [truth((BOX, 0), (NEAR, 0))])
    assert made.by_type == {0: 1.0}


def test_too_little_overlap_is_none() -> None:
    shifted: Row = (20.0, 10.0, 40.0, 30.0)
    there = [truth((BOX, 0))]
    assert average_precision([found((shifted, 0, 0.9))], there).by_type == {0: 0.0}
    assert average_precision([found((shifted, 0, 0.9))], there, overlap=1 / 3).by_type == {0: 1.0}


def test_small_boxes_neither_count_nor_cost() -> None:
    """A detection of a small box is passed over, and so is a small one of nothing; a large one of nothing costs."""
    there = [truth((BOX, 0), (TINY, 0))]
    nothing: Row = (80.0, 80.0, 88.0, 88.0)
    made = average_precision([found((TINY, 0, 0.9), (nothing, 0, 0.85), (BOX, 0, 0.8))], there, smallest=100)
    assert made.by_type == {0: 1.0} and made.boxes == {0: 1}
    costly = average_precision([found((FAR, 0, 0.9), (BOX, 0, 0.8))], there, smallest=100)
    assert costly.by_type == {0: pytest.approx(0.5)}
    assert average_precision([found((TINY, 0, 0.9))], [truth((TINY, 0))], smallest=100).by_type == {}


def test_a_hundred_detections_of_a_type_in_a_picture_are_looked_at() -> None:
    wrong = [(FAR, 0, 0.9)] * 100
    assert average_precision([found(*wrong, (BOX, 0, 0.1))], [truth((BOX, 0))]).by_type == {0: 0.0}
    assert average_precision([found(*wrong[1:], (BOX, 0, 0.1))], [truth((BOX, 0))]).by_type == {0: pytest.approx(0.01)}


def test_the_mean_is_over_types_with_enough_boxes() -> None:
    made = average_precision([found((BOX, 0, 0.9), (FAR, 1, 0.9))], [truth((BOX, 0), (BOX, 1), (TINY, 1))])
    assert made.mean() == pytest.approx(0.5) and made.types() == 2
    assert made.mean(fewest=2) == 0.0 and made.types(fewest=2) == 1
    assert math.isnan(made.mean(fewest=3))
