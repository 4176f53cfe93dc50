"""Any object detector of transformers as a `Detector`: of fixed classes (DETR, YOLOS...) or told what to look for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from teach_agents.arrays import Image
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError
from teach_agents.models.batches import in_batches
from teach_agents.models.vision.detection import Detection, Detector
from teach_agents.models.vision.eyes import Transformers, digest
from teach_agents.models.vision.labels import phrase_of
from teach_agents.tasks.classes import OBJECT_TYPES

_WORDS_AT_ONCE = 32
"""Phrases that one pass looks for: Grounding DINO reads all of them as one text of bounded length."""
_SAME_PLACE = 0.8
"""Share of two boxes' union that they share from which on only the surer of two labels stands."""


class TransformersDetector(Transformers, Detector):
    """A detector from a folder or the hub (its cache, if offline).

    One of fixed classes (`AutoModelForObjectDetection`) has its own `labels`. One that is told what to look for
    (`AutoModelForZeroShotObjectDetection`: OWL-ViT, OWLv2, Grounding DINO) looks for `labels`, set apart by `|`: unless
    told, for every object type of AI2-THOR, in words (`coffee machine`). What it is less sure of than `threshold` is
    left out, and so is the less sure one of two labels for the same place. A call is cut into passes of at most
    `max_batch` pictures. Weights are loaded when first needed, once per process for the same source.
    """

    families = ("AutoModelForZeroShotObjectDetection", "AutoModelForObjectDetection")

    def __init__(
        self,
        path: str,
        *,
        labels: str = "",
        threshold: float = 0.3,
        dtype: str = "auto",
        device: str = "auto",
        max_batch: int = 8,
    ) -> None:
        if not 0 <= threshold <= 1:
            raise InputError("hf", "threshold must be from 0 to 1", value=threshold)
        super().__init__(path, dtype=dtype, device=device, max_batch=max_batch)
        self._told = tuple(dict.fromkeys(one.strip() for one in labels.split("|") if one.strip()))
        self._threshold = threshold

    @cached_property
    def _reads(self) -> bool:
        """Whether it is told what to look for. Raises `InputError` where one of fixed classes was."""
        reads = hasattr(self.eyes.processor, "tokenizer")
        if self._told and not reads:
            raise InputError(self.name, "has classes of its own, and looks for no others", value="|".join(self._told))
        return reads

    @property
    def labels(self) -> tuple[str, ...]:
        """Every word that it may label a thing with."""
        if not self._reads:
            return tuple(dict.fromkeys(self.eyes.model.config.id2label.values()))
        return self._told or tuple(phrase_of(one) for one in sorted(OBJECT_TYPES))

    @property
    def hash(self) -> str:
        """See `Detector.hash`."""
        return digest(self.eyes.model, self.eyes.hash, *self.labels, str(self._threshold))

    def find(self, images: Sequence[Image]) -> list[list[Detection]]:
        """What is in each picture."""
        return [_settled(one) for one in self._looked(images, self._seen)]

    def _seen(self, images: Sequence[Image]) -> list[list[Detection]]:
        """All that is found in pictures of one size."""
        if not self._reads:
            return self._classed(images)
        rows = (self._told_of(images, part) for part in in_batches(self.labels, _WORDS_AT_ONCE))
        return [[*chain(*parts)] for parts in zip(*rows, strict=True)]

    def _classed(self, images: Sequence[Image]) -> list[list[Detection]]:
        """By classes of its own, in pictures of one size."""
        eyes = self.eyes
        seen = eyes.model(**eyes.prepared(images))
        sizes = [image.shape[:2] for image in images]
        made = eyes.processor.post_process_object_detection(seen, threshold=self._threshold, target_sizes=sizes)
        names: Mapping[int, str] = eyes.model.config.id2label
        return [_detections(one, lambda row: [names[int(label)] for label in row["labels"]]) for one in made]

    def _told_of(self, images: Sequence[Image], words: Sequence[str]) -> list[list[Detection]]:
        """By words, in pictures of one size."""
        eyes = self.eyes
        asked = [list(words)] * len(images)
        # OWL-ViT wants every phrase as long as the longest it can read; Grounding DINO reads one text a picture.
        padding = "max_length" if "owl" in eyes.model.config.model_type else True
        inputs = eyes.prepared(images, text=asked, padding=padding, truncation=True)
        seen = eyes.model(**inputs)
        settled = eyes.processor.post_process_grounded_object_detection
        options: JsonObject = {"threshold": self._threshold, "target_sizes": [image.shape[:2] for image in images]}
        if "input_ids" in inspect.signature(settled).parameters:
            options |= {"input_ids": inputs["input_ids"], "text_threshold": self._threshold}
        made = settled(seen, text_labels=asked, **options)
        return [_detections(one, lambda row: [_meant(label, words) for label in row["text_labels"]]) for one in made]


def _detections(row: JsonMapping, labels: Callable[[JsonMapping], Sequence[Any]]) -> list[Detection]:
    return [
        Detection(str(label), float(score), (x0, y0, x1, y1))
        for label, score, (x0, y0, x1, y1) in zip(
            labels(row), row["scores"].tolist(), row["boxes"].tolist(), strict=True
        )
        if label
    ]


def _meant(said: str, words: Sequence[str]) -> str:
    """The phrase that is meant: Grounding DINO gives back those of all words that it is sure of, "" for none."""
    if said in words:
        return said
    given = {*re.findall(r"\w+", said)}
    shares = [len(given & {*word.split()}) / len(given | {*word.split()}) for word in words]
    return words[shares.index(max(shares))] if any(shares) else ""


def _settled(found: list[Detection]) -> list[Detection]:
    """One label for one place: the surest."""
    kept: list[Detection] = []
    for one in sorted(found, key=lambda detection: -detection.score):
        if all(_shared(one.box, other.box) < _SAME_PLACE for other in kept):
            kept.append(one)
    return kept


def _shared(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Intersection of two boxes over their union."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return wide * high / (sum(areas) - wide * high)
