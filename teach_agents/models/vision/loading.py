"""One SPEC names any encoder, detector or estimator of depth."""

from __future__ import annotations

from teach_agents.core.registry import Registry
from teach_agents.kinds import DEPTH_ESTIMATOR, DETECTOR, VISION_ENCODER
from teach_agents.models.loading import named
from teach_agents.models.vision.contract import VisionEncoder
from teach_agents.models.vision.depth import DepthEstimator
from teach_agents.models.vision.detection import Detector


def load_vision_encoder(
    spec: str | VisionEncoder, *, allow_import: bool = False, registry: Registry | None = None
) -> VisionEncoder:
    """The encoder that a SPEC names, called so in results: `hf:FOLDER-or-id`, `efficientnet-lite0`, plugins' names.

    An encoder is given back as it is. Weights are loaded when first needed. Raises `SpecError`, `MissingExtraError`
    and, for weights that are not there, `ModelMissingError`.
    """
    return spec if isinstance(spec, VisionEncoder) else named(VISION_ENCODER, spec, allow_import, registry)


def load_detector(spec: str | Detector, *, allow_import: bool = False, registry: Registry | None = None) -> Detector:
    """The detector that a SPEC names: `household`, `hf:FOLDER-or-id`, plugins' names.

    Raises as `load_vision_encoder`.
    """
    return spec if isinstance(spec, Detector) else named(DETECTOR, spec, allow_import, registry)


def load_depth_estimator(
    spec: str | DepthEstimator, *, allow_import: bool = False, registry: Registry | None = None
) -> DepthEstimator:
    """The estimator that a SPEC names: `household`, `floor`, `hf:FOLDER-or-id`, plugins' names.

    Raises as the others.
    """
    return spec if isinstance(spec, DepthEstimator) else named(DEPTH_ESTIMATOR, spec, allow_import, registry)
