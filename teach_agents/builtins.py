"""Our own registrations, through the same door as anybody's: addresses only, so that nothing heavy is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teach_agents.core.plugins import Kind, Target, hookimpl
from teach_agents.kinds import KINDS

Targets = Mapping[str, Target]
"""What is registered, by name."""


@hookimpl
def kinds() -> tuple[Kind[Any], ...]:
    """What this package's own hooks bring in."""
    return KINDS


@hookimpl
def agents() -> Mapping[str, Target | Targets]:
    """The agents that play in any world."""
    return {
        "lm": "teach_agents.models.agent:lm_agent",
        "person": "teach_agents.agents.person:person",
        "random": "teach_agents.agents.random_agent:random_agent",
        "remote": "teach_agents.conventions.remote_agent:RemoteAgent",
        "scripted": "teach_agents.agents.scripted:ScriptedAgent.from_file",
    }


@hookimpl
def worlds() -> Targets:
    """TEACh's household, with the agents that are made for it; what is of no stated world is of this one."""
    return {"teach": "teach_agents.session.codec:teach_world"}


@hookimpl
def simulators() -> Targets:
    """The simulator that needs neither Unity nor a GPU, and AI2-THOR, also by the name that results carry."""
    return {
        "ai2thor": "teach_agents.simulator.thor.simulator:ThorSimulator",
        "embedded": "teach_agents.simulator.embedded.simulator:EmbeddedSimulator",
        "thor": "teach_agents.simulator.thor.simulator:ThorSimulator",
    }


@hookimpl
def tasks() -> Targets:
    """The 25 TEACh tasks, and free play, which is none."""
    return {"free_play": "teach_agents.tasks:free_play_file", "teach": "teach_agents.tasks:builtin_folder"}


@hookimpl
def benchmarks() -> Targets:
    """The benchmarks of TEACh, and that of what people say."""
    return {
        "edh": "teach_agents.benchmarks.edh.benchmark:EdhBenchmark",
        "requests": "teach_agents.benchmarks.requests.benchmark:RequestsBenchmark",
        "tatc": "teach_agents.benchmarks.tatc.benchmark:TatcBenchmark",
        "tfd": "teach_agents.benchmarks.tfd.benchmark:TfdBenchmark",
    }


@hookimpl
def conventions() -> Targets:
    """Classes of TEACh's inference runner and of the TATC challenge's."""
    return {"teach": "teach_agents.conventions.adopting:adopted"}


@hookimpl
def perceptions() -> Mapping[str, Target | Targets]:
    """Tiers of what an agent sees and remembers of a room."""
    replies = "teach_agents.agents.lm.commander_knowledge"
    seen = "teach_agents.agents.perceiving"
    return {
        "detector": {
            "commander": f"{replies}:CommanderHearsay.as_detector",
            "follower": f"{seen}.detector:DetectorPerception",
        },
        "none": {"commander": f"{replies}:CommanderHearsay"},
        "oracle": {"commander": f"{replies}:CommanderEyes", "follower": f"{seen}.oracle:OraclePerception"},
        "vlm": {"follower": "teach_agents.agents.lm.vlm_follower:model_eyes"},
    }


@hookimpl
def models() -> Targets:
    """Language models, by where they come from; `remote` is what an address stands for."""
    return {
        "default": "teach_agents.models.local.smollm2:default",
        "gguf": "teach_agents.models.local.model:TransformersModel.from_gguf",
        "hf": "teach_agents.models.local.model:TransformersModel",
        "langchain": "teach_agents.models.langchain_model:LangChainModel",
        "oracle": "teach_agents.agents.lm.oracle:OracleModel",
        "remote": "teach_agents.models.remote:OpenAIModel",
        "scripted": "teach_agents.models.scripted:ScriptedModel",
        "smollm2": "teach_agents.models.local.smollm2:smollm2",
        "uniform": "teach_agents.models.scripted:UniformModel",
    }


@hookimpl
def vision_encoders() -> Targets:
    """Networks that turn pictures into features."""
    return {
        "efficientnet-lite0": "teach_agents.models.vision.efficientnet:efficientnet_lite0",
        "hf": "teach_agents.models.vision.encoders:TransformersEncoder",
    }


@hookimpl
def detectors() -> Targets:
    """Networks that say what is where in pictures."""
    return {
        "hf": "teach_agents.models.vision.detectors:TransformersDetector",
        "household": "teach_agents.models.vision.household.eyes:HouseholdDetector",
    }


@hookimpl
def depth_estimators() -> Targets:
    """What says how far away things in pictures are."""
    return {
        "floor": "teach_agents.models.vision.depth:FloorDepth",
        "hf": "teach_agents.models.vision.depth_models:TransformersDepth",
        "household": "teach_agents.models.vision.household.eyes:HouseholdDepth",
    }


@hookimpl
def text_encoders() -> Targets:
    """Networks that turn texts into vectors."""
    return {
        "hashed": "teach_agents.models.text.hashed:HashedEncoder",
        "hf": "teach_agents.models.text.encoders:TransformersTextEncoder",
        "minilm": "teach_agents.models.text.minilm:minilm",
    }


@hookimpl
def understandings() -> Targets:
    """Readers of what people say, as dialogue acts."""
    readers = "teach_agents.understanding"
    return {
        "heads": f"{readers}.heads.reader:HeadsReader",
        "hybrid": f"{readers}.hybrid_reader:HybridReader",
        "lm": f"{readers}.lm_reader:lm_reader",
        "rules": f"{readers}.rules_reader:RulesReader",
    }
