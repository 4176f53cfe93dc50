"""Seeing: pictures as features, as labelled boxes, as depth; the contracts, and pretrained networks that keep them."""

from __future__ import annotations

from teach_agents.models.loading import load_depth_estimator, load_detector, load_vision_encoder
from teach_agents.models.vision.contract import Features, VisionEncoder
from teach_agents.models.vision.depth import DepthEstimator, FloorDepth, Lens
from teach_agents.models.vision.detection import Detection, Detector
from teach_agents.models.vision.labels import LabelMap

__all__ = [
    "DepthEstimator",
    "Detection",
    "Detector",
    "Features",
    "FloorDepth",
    "LabelMap",
    "Lens",
    "VisionEncoder",
    "load_depth_estimator",
    "load_detector",
    "load_vision_encoder",
]
