"""What every VisionEncoder, Detector and DepthEstimator must do, as tests that an implementation inherits.

```python
class TestMyDetector(DetectorContract):
    def make_detector(self) -> Detector:
        return MyDetector()
```
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from teach_agents.arrays import Image
from teach_agents.errors import InputError
from teach_agents.models.conformance import in_threads, raises
from teach_agents.models.vision.contract import VisionEncoder
from teach_agents.models.vision.depth import DepthEstimator, Lens
from teach_agents.models.vision.detection import Detector

_CLOSE = 1e-3


def _pictures() -> list[Image]:
    """Three that differ, the last one of another size."""
    dice = np.random.default_rng(0)
    return [dice.integers(0, 256, (high, wide, 3)).astype(np.uint8) for high, wide in ((60, 80), (60, 80), (48, 40))]


def _refuses(call: Callable[[list[Image]], object]) -> None:
    flat, real = np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)
    empty, word = np.zeros((0, 4, 3), np.uint8), "a mug"
    for wrong in (flat, real, empty, word):
        raises(InputError, call, [wrong])


def _is_hash(text: str) -> bool:
    return len(text) == 16 and set(text) <= set("0123456789abcdef")


class VisionEncoderContract(ABC):
    """Inherit, say how an encoder is made, and pytest runs the contract."""

    @abstractmethod
    def make_encoder(self) -> VisionEncoder:
        """An encoder; it may be shared."""

    def test_every_picture_gets_a_vector_in_its_place(self) -> None:
        encoder, pictures = self.make_encoder(), _pictures()
        seen = encoder.encode(pictures)
        assert seen.vectors.shape == (3, encoder.dimension) and seen.vectors.dtype == np.float32
        assert np.isfinite(seen.vectors).all()
        if seen.maps is not None:
            assert seen.maps.ndim == 4 and len(seen.maps) == 3 and seen.maps.dtype == np.float32
        assert encoder.encode([]).vectors.shape == (0, encoder.dimension)

    def test_a_batch_gives_what_each_picture_gets_alone(self) -> None:
        encoder, pictures = self.make_encoder(), _pictures()
        seen = encoder.encode(pictures)
        for picture, vector in zip(pictures, seen.vectors, strict=True):
            (alone,) = encoder.encode([picture]).vectors
            assert np.allclose(vector, alone, atol=_CLOSE * max(1.0, float(np.abs(alone).max())))
        assert not np.allclose(seen.vectors[0], seen.vectors[1])

    def test_it_says_what_it_is(self) -> None:
        encoder = self.make_encoder()
        assert encoder.name and _is_hash(encoder.hash) and encoder.hash == self.make_encoder().hash
        assert encoder.dimension > 0 and len(encoder.size) == 2 and min(encoder.size) > 0

    def test_what_is_no_picture_is_refused(self) -> None:
        _refuses(self.make_encoder().encode)

    def test_threads_may_ask_at_once(self) -> None:
        encoder, pictures = self.make_encoder(), _pictures()[:1]
        for one in in_threads(lambda _: encoder.encode(pictures)):
            assert np.allclose(one.vectors, encoder.encode(pictures).vectors)


class DetectorContract(ABC):
    """Inherit, say how a detector is made, and pytest runs the contract."""

    @abstractmethod
    def make_detector(self) -> Detector:
        """A detector; it may be shared. One that finds something in noise is tested best."""

    def test_every_picture_gets_its_detections(self) -> None:
        detector, pictures = self.make_detector(), _pictures()
        found = detector.detect(pictures)
        assert len(found) == 3 and detector.detect([]) == []
        for picture, detections in zip(pictures, found, strict=True):
            height, width = picture.shape[:2]
            assert [one.score for one in detections] == sorted((one.score for one in detections), reverse=True)
            for one in detections:
                x0, y0, x1, y1 = one.box
                assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height
                assert 0 <= one.score <= 1 and one.label in detector.labels
                assert one.mask is None or (one.mask.shape == (height, width) and one.mask.any())

    def test_a_batch_gives_what_each_picture_gets_alone(self) -> None:
        detector, pictures = self.make_detector(), _pictures()
        for picture, together in zip(pictures, detector.detect(pictures), strict=True):
            (alone,) = detector.detect([picture])
            assert [one.label for one in together] == [one.label for one in alone]
            assert all(
                abs(x - y) < _CLOSE * max(picture.shape)
                for one, other in zip(together, alone, strict=True)
                for x, y in zip(one.box, other.box, strict=True)
            )

    def test_it_says_what_it_is(self) -> None:
        detector = self.make_detector()
        assert detector.name and _is_hash(detector.hash) and detector.hash == self.make_detector().hash
        assert detector.labels and len(set(detector.labels)) == len(detector.labels)

    def test_what_is_no_picture_is_refused(self) -> None:
        _refuses(self.make_detector().detect)

    def test_threads_may_ask_at_once(self) -> None:
        detector, pictures = self.make_detector(), _pictures()[:1]
        (expected,) = detector.detect(pictures)
        for (found,) in in_threads(lambda _: detector.detect(pictures)):
            assert [(one.label, one.score) for one in found] == [(one.label, one.score) for one in expected]


class DepthEstimatorContract(ABC):
    """Inherit, say how an estimator is made, and pytest runs the contract."""

    @abstractmethod
    def make_estimator(self) -> DepthEstimator:
        """An estimator; it may be shared."""

    def test_every_picture_gets_depth_of_its_shape(self) -> None:
        estimator, pictures = self.make_estimator(), _pictures()
        lenses = [Lens(1.5, 30.0), Lens(1.5, 0.0), Lens(1.5, -30.0)]
        found = estimator.estimate(pictures, lenses)
        assert estimator.estimate([], []) == []
        for picture, lens, depth in zip(pictures, lenses, found, strict=True):
            assert depth.shape == picture.shape[:2] and depth.dtype == np.float32
            assert (depth > 0).all() and not np.isnan(depth).any()
            (alone,) = estimator.estimate([picture], [lens])
            assert np.allclose(depth, alone, rtol=_CLOSE, atol=_CLOSE)

    def test_it_says_what_it_is(self) -> None:
        estimator = self.make_estimator()
        assert estimator.name and _is_hash(estimator.hash) and estimator.hash == self.make_estimator().hash

    def test_what_is_no_picture_is_refused(self) -> None:
        estimator = self.make_estimator()
        _refuses(lambda images: estimator.estimate(images, [Lens(1.5, 0.0)]))
        raises(InputError, estimator.estimate, _pictures(), [])

    def test_threads_may_ask_at_once(self) -> None:
        estimator, pictures = self.make_estimator(), _pictures()[:1]
        in_threads(lambda _: estimator.estimate(pictures, [Lens(1.5, 30.0)]))
