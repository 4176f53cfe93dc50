"""The kinds of things that this package adds to the core's, for `build`: what each is called, and what it must be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teach_agents.core.plugins import AGENT, BENCHMARK, DIALOGUE_HOOK, Kind

if TYPE_CHECKING:
    from teach_agents.agents.perceiving.contract import Perception
    from teach_agents.models.contract import LanguageModel
    from teach_agents.models.text.contract import TextEncoder
    from teach_agents.models.vision.contract import VisionEncoder
    from teach_agents.models.vision.depth import DepthEstimator
    from teach_agents.models.vision.detection import Detector
    from teach_agents.simulator.contract import Simulator
    from teach_agents.understanding.reader import Reader

__all__ = [
    "AGENT",
    "BENCHMARK",
    "DEPTH_ESTIMATOR",
    "DETECTOR",
    "DIALOGUE_HOOK",
    "KINDS",
    "MODEL",
    "PERCEPTION",
    "SIMULATOR",
    "TASK",
    "TEXT_ENCODER",
    "UNDERSTANDING",
    "VISION_ENCODER",
]

_MODELS = "teach_agents.models"

SIMULATOR: Kind[Simulator] = Kind("simulator", "simulators", "teach_agents.simulator.contract:Simulator")
TASK: Kind[object] = Kind("task", "tasks")
MODEL: Kind[LanguageModel] = Kind("model", "models", f"{_MODELS}.contract:LanguageModel", valued=True)
PERCEPTION: Kind[Perception] = Kind(
    "perception", "perceptions", "teach_agents.agents.perceiving.contract:Perception", seated=True
)
VISION_ENCODER: Kind[VisionEncoder] = Kind(
    "vision_encoder", "vision_encoders", f"{_MODELS}.vision.contract:VisionEncoder", valued=True
)
DETECTOR: Kind[Detector] = Kind("detector", "detectors", f"{_MODELS}.vision.detection:Detector", valued=True)
DEPTH_ESTIMATOR: Kind[DepthEstimator] = Kind(
    "depth_estimator", "depth_estimators", f"{_MODELS}.vision.depth:DepthEstimator", valued=True
)
TEXT_ENCODER: Kind[TextEncoder] = Kind(
    "text_encoder", "text_encoders", f"{_MODELS}.text.contract:TextEncoder", valued=True
)
UNDERSTANDING: Kind[Reader] = Kind("understanding", "understandings", "teach_agents.understanding.reader:Reader")
"""What reads people's utterances."""

KINDS: tuple[Kind[Any], ...] = (
    SIMULATOR,
    TASK,
    MODEL,
    PERCEPTION,
    VISION_ENCODER,
    DETECTOR,
    DEPTH_ESTIMATOR,
    TEXT_ENCODER,
    UNDERSTANDING,
)
