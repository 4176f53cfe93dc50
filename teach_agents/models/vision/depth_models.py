"""Any depth network of transformers as a `DepthEstimator`: in metres, or fitted to the floor where it knows none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teach_agents.arrays import Float32Array, FloatArray, Image
from teach_agents.errors import InputError
from teach_agents.models.vision.depth import DepthEstimator, Lens, floor_depth
from teach_agents.models.vision.eyes import Transformers

SCALES = ("auto", "metric", "relative")
"""What a network's numbers are: metres, or nearness (larger is nearer) on a scale of its own."""

_METRIC = frozenset({"glpn", "zoedepth", "depth_pro"})
"""Model types whose checkpoints give metres; those of others say so in their configuration."""
_DRAWS, _LOOKED_AT = 200, 1000
"""Lines that are tried, and pixels by which they are judged."""
_FEWEST = 50


class TransformersDepth(Transformers, DepthEstimator):
    """A depth network from a folder or the hub (its cache, if offline): GLPN, Depth Anything, DPT, ZoeDepth...

    `scale=metric` takes its numbers for metres. `relative` takes them for nearness on a scale of its own (MiDaS, DPT,
    Depth Anything): then 1/metres = a x number + b is fitted to the floor's plane wherever the floor may be in view, so
    that it holds for half of these pixels; a picture without any is unknown all over. `auto` goes by the model's
    configuration. A call is cut into passes of at most `max_batch` pictures.
    """

    families = ("AutoModelForDepthEstimation",)

    def __init__(
        self, path: str, *, scale: str = "auto", dtype: str = "auto", device: str = "auto", max_batch: int = 8
    ) -> None:
        if scale not in SCALES:
            raise InputError("depth estimator, scale", "is not one of ours", value=scale, valid=SCALES)
        super().__init__(path, dtype=dtype, device=device, max_batch=max_batch)
        self._scale = scale

    @property
    def is_metric(self) -> bool:
        """Whether its numbers are taken for metres."""
        if self._scale != "auto":
            return self._scale == "metric"
        config = self.eyes.model.config
        return config.model_type in _METRIC or getattr(config, "depth_estimation_type", "") == "metric"

    def compute(self, images: Sequence[Image], lenses: Sequence[Lens]) -> list[Float32Array]:
        """The depth of each picture, metres."""
        found = self._looked(images, self._numbers)
        return found if self.is_metric else [*map(fitted, found, lenses)]

    def _numbers(self, images: Sequence[Image]) -> list[Float32Array]:
        """What the network says of pictures of one size."""
        eyes = self.eyes
        seen, sizes = eyes.model(**eyes.prepared(images)), [image.shape[:2] for image in images]
        made = eyes.processor.post_process_depth_estimation(seen, target_sizes=sizes)
        return [one["predicted_depth"].float().cpu().numpy() for one in made]


def fitted(nearness: Float32Array, lens: Lens) -> Float32Array:
    """Metres from nearness on an unknown scale, by the floor: as `TransformersDepth` says. Infinite where unknown."""
    floor = floor_depth(nearness.shape, lens)
    seen = np.isfinite(floor)
    unknown = np.full(nearness.shape, np.inf, np.float32)
    if seen.sum() < _FEWEST:
        return unknown
    given, wanted = nearness[seen].astype(np.float64), 1.0 / floor[seen].astype(np.float64)
    line = _line(given, wanted)
    if line is None:
        return unknown
    slope, shift = line
    near = slope * nearness + shift
    with np.errstate(divide="ignore"):
        return np.where(near > 0, 1.0 / near, np.inf).astype(np.float32)


def _line(given: FloatArray, wanted: FloatArray) -> tuple[float, float] | None:
    """Slope and shift of the line near which half of the points lie closest; `None` where there is none.

    Least median of squares (Rousseeuw 1984): of lines through two points, drawn anew alike every time, the one with the
    smallest median distance; then least squares over that half. Up to half of the points may be something else.
    """
    dice = np.random.default_rng(0)
    one, other = dice.integers(0, len(given), (2, _DRAWS))
    some = dice.integers(0, len(given), _LOOKED_AT)
    apart = given[other] - given[one]
    usable = np.abs(apart) > 1e-9
    if not usable.any():
        return None
    slopes = (wanted[other] - wanted[one])[usable] / apart[usable]
    shifts = wanted[one][usable] - slopes * given[one][usable]
    off = np.abs(slopes[:, None] * given[some] + shifts[:, None] - wanted[some])
    best = int(np.median(off, axis=1).argmin())
    off = np.abs(slopes[best] * given + shifts[best] - wanted)
    kept = off <= np.median(off)
    if np.ptp(given[kept]) < 1e-9:
        return None
    slope, shift = np.polyfit(given[kept], wanted[kept], 1)
    return float(slope), float(shift)
