"""Detectors of transformers keep the contract; what is tidied, what words mean."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teach_agents.errors import InputError, ModelError
from teach_agents.models.vision import Detection, Detector, LabelMap, load_detector
from teach_agents.models.vision.conformance import DetectorContract
from teach_agents.models.vision.labels import phrase_of
from teach_agents.tasks.classes import OBJECT_TYPES

pytest.importorskip("transformers")
from tests.models.vision import tiny  # after the check
from tests.models.vision.conftest import Built

PICTURE = np.random.default_rng(1).integers(0, 256, (60, 80, 3)).astype(np.uint8)


class Told(Detector):
    """Finds in every picture what it was told."""

    name = "told"
    labels = ("mug", "sink")
    hash = "0" * 16

    def __init__(self, *found: Detection) -> None:
        self._found = found

    def find(self, images: Sequence[Any]) -> list[list[Detection]]:
        return [list(self._found) for _ in images]


class TestTold(DetectorContract):
    def make_detector(self) -> Detector:
        return Told(Detection("mug", 0.5, (-4.0, 2.0, 9.0, 8.0)), Detection("sink", 0.7, (1.0, 1.0, 200.0, 8.0)))


@pytest.mark.parametrize("family", ["detr", "grounding_dino", "owlvit", "yolos"])
class TestTransformers(DetectorContract):
    @pytest.fixture(autouse=True)
    def folder(self, family: str, built: Built) -> None:
        self._folder = built("detector", family)
        self._labels = ",labels=mug|coffee machine|sink" if family in ("grounding_dino", "owlvit") else ""

    def make_detector(self) -> Detector:
        return load_detector(f"hf:{self._folder},threshold=0.0,dtype=float32{self._labels}")

    def test_it_finds_something_in_noise(self) -> None:
        assert self.make_detector().detect([PICTURE])[0]


def test_what_it_is_less_sure_of_is_left_out(built: Built) -> None:
    folder = built("detector", "yolos")
    whole, none = (load_detector(f"hf:{folder},threshold={value}").detect([PICTURE])[0] for value in (0.0, 1.0))
    assert whole and not none
    assert load_detector(f"hf:{folder}").hash != load_detector(f"hf:{folder},threshold=0.0").hash


def test_unless_told_it_looks_for_every_type_in_words(built: Built) -> None:
    detector = load_detector(f"hf:{built('detector', 'owlvit')},threshold=0.0")
    assert {LabelMap().object_type(label) for label in detector.labels} == OBJECT_TYPES
    assert {one.label for one in detector.detect([PICTURE])[0]} <= set(detector.labels)


def test_one_of_fixed_classes_is_not_told_what_to_look_for(built: Built) -> None:
    folder = built("detector", "detr")
    assert load_detector(f"hf:{folder}").labels == tuple(tiny.CLASSES.values())
    with pytest.raises(InputError, match="has classes of its own"):
        load_detector(f"hf:{folder},labels=mug").detect([PICTURE])
    with pytest.raises(InputError, match="threshold"):
        load_detector(f"hf:{folder},threshold=2")


def test_an_encoder_is_no_detector(built: Built) -> None:
    folder = built("encoder", "vit")
    with pytest.raises(ModelError, match="type 'vit' is none of transformers' AutoModelForZeroShotObjectDetection or"):
        load_detector(f"hf:{folder}").detect([PICTURE])


def test_boxes_are_cut_off_at_the_edges_and_what_is_none_is_left_out() -> None:
    inside, outside = Detection("mug", 0.4, (70.0, -5.0, 99.0, 30.0)), Detection("mug", 0.9, (90.0, 0.0, 99.0, 9.0))
    nothing, wild = Detection("sink", 2.0, (5.0, 5.0, 5.0, 9.0)), Detection("sink", float("nan"), (0.0, 0.0, 1.0, 1.0))
    empty = Detection("sink", 1.0, (0.0, 0.0, 9.0, 9.0), np.zeros((60, 80), np.bool_))
    ((found,),) = Told(inside, outside, nothing, wild, empty).detect([PICTURE])
    assert found.box == (70.0, 0.0, 80.0, 30.0) and found.score == 0.4
    with pytest.raises(ModelError, match="a mask is bool"):
        Told(Detection("mug", 1.0, (0.0, 0.0, 9.0, 9.0), np.ones((4, 4), np.bool_))).detect([PICTURE])


@pytest.mark.parametrize(
    ("label", "object_type"),
    [
        ("CoffeeMachine", "CoffeeMachine"),
        ("coffee machine", "CoffeeMachine"),
        ("coffee_machine", "CoffeeMachine"),
        ("Coffee-Maker", "CoffeeMachine"),
        ("TV", "Television"),
        ("tvmonitor", "Television"),
        ("TVStand", "TVStand"),
        ("dining table", "DiningTable"),
        ("refrigerator", "Fridge"),
        ("cell phone", "CellPhone"),
        ("cup", "Cup"),
        ("CD", "CD"),
        ("giraffe", None),
        ("backpack", None),
        ("", None),
    ],
)
def test_words_mean_object_types(label: str, object_type: str | None) -> None:
    assert LabelMap().object_type(label) == object_type


def test_every_type_means_itself_in_its_own_words() -> None:
    assert all(LabelMap().object_type(phrase_of(one)) == one for one in OBJECT_TYPES)


def test_a_map_of_ones_own_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"cup": "Mug", "chair": "", "blue thing": "Vase"}), encoding="utf8")
    labels = LabelMap.read(path)
    assert [labels.object_type(one) for one in ("Cup", "chair", "blue_thing", "sink")] == ["Mug", None, "Vase", "Sink"]
    path.write_text('{"cup": "Mugg"}', encoding="utf8")
    with pytest.raises(InputError, match="did you mean 'Mug'"):
        LabelMap.read(path)
    path.write_text("[]", encoding="utf8")
    with pytest.raises(InputError, match="must be a JSON object"):
        LabelMap.read(path)
    with pytest.raises(InputError, match="is no label map"):
        LabelMap.read(tmp_path / "absent.json")
