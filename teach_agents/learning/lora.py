"""LoRA adapters (peft): made, trained beside frozen weights, and written as peft reads them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError
from teach_agents.models.local.packages import package, quiet, torch
from teach_agents.models.local.weights import Weights

CONFIG = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"


@dataclass(frozen=True, slots=True, eq=False)
class Adapter:
    """An adapter inside the layers of a model, whose own weights are frozen. Its parameters are float32."""

    wrapped: Any

    @property
    def parameters(self) -> list[Any]:
        """What is trained, in a fixed order."""
        return [one for _, one in sorted(self.wrapped.named_parameters()) if one.requires_grad]

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return sum(one.numel() for one in self.parameters)

    @property
    def state(self) -> JsonObject:
        """Its tensors, float32, by the names that peft gives them."""
        with quiet():
            found: JsonMapping = package("peft").get_peft_model_state_dict(self.wrapped)
        return {name: tensor.detach().cpu().contiguous() for name, tensor in sorted(found.items())}

    def load(self, state: JsonMapping) -> None:
        """Take the tensors of `state`."""
        with quiet():
            package("peft").set_peft_model_state_dict(self.wrapped, dict(state))

    def start_from(self, folder: Path) -> None:
        """Take the weights of a written adapter, to train them further.

        Raises `InputError` where the folder holds none, or one of another rank, scale or model.
        """
        try:
            config = json.loads((folder / CONFIG).read_bytes())
            read: JsonMapping = package("safetensors.torch").load((folder / WEIGHTS).read_bytes())
            theirs = (config["r"], config["lora_alpha"], {name: one.shape for name, one in read.items()})
        except Exception as error:  # whatever a damaged file makes of its reader
            problem = f"holds no adapter, or a damaged one: {type(error).__name__}: {error}"
            raise InputError("--start", problem, value=str(folder)) from error
        mine = self.wrapped.peft_config["default"]
        if theirs[:2] != (mine.r, mine.lora_alpha):
            asked = f"this training has --rank {mine.r} --alpha {mine.lora_alpha:g}"
            raise InputError("--start", f"is of rank {theirs[0]}, alpha {theirs[1]:g}; {asked}", value=str(folder))
        if theirs[2] != {name: one.shape for name, one in self.state.items()}:
            raise InputError("--start", "is an adapter for another model than --base", value=str(folder))
        self.load({name: one.float() for name, one in read.items()})

    def write(self, folder: Path, base: str) -> None:
        """Write the two files of peft's format into a folder: bfloat16 weights, and what they are for.

        `base` is what the adapter calls the model it is for. Raises `OSError`.
        """
        config = self.wrapped.peft_config["default"].to_dict()
        config |= {"base_model_name_or_path": base, "inference_mode": True, "peft_version": None}
        config["target_modules"] = sorted({name.rpartition(".")[2] for name in config["target_modules"]})
        plain = {name: one for name, one in sorted(config.items()) if one is not None}
        weights = {name: tensor.to(torch().bfloat16) for name, tensor in self.state.items()}
        write_atomically(folder / CONFIG, json.dumps(plain, indent=1, default=str) + "\n")
        write_atomically(folder / WEIGHTS, package("safetensors.torch").save(weights, metadata={"format": "pt"}))


def adapt(weights: Weights, *, rank: int, alpha: float, seed: int) -> Adapter:
    """Put a new adapter into every linear layer of a model but its last; at first it changes nothing.

    The weights must be nobody else's (`read_weights`). Raises `InputError` where there is no such layer.
    """
    library = torch()
    config = package("peft").LoraConfig(
        r=rank, lora_alpha=alpha, target_modules="all-linear", lora_dropout=0.0, bias="none", task_type="CAUSAL_LM"
    )
    with quiet(), library.random.fork_rng():
        library.manual_seed(seed)
        try:
            wrapped = package("peft").get_peft_model(weights.model, config)
        except ValueError as error:
            raise InputError("--base", f"has no layers that an adapter fits: {error}") from error
    weights.prefixes.clear()
    return Adapter(wrapped.eval())
