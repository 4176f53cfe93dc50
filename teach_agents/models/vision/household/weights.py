"""The files of trained eyes: `weights.safetensors` (half precision) and `eyes.json` (labels, the network's shape)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError, ModelError, ModelMissingError
from teach_agents.models.local.packages import package, torch
from teach_agents.models.vision.household.shape import Shape

if TYPE_CHECKING:
    from teach_agents.models.vision.household.network import HouseholdNetwork


_WEIGHTS, _ABOUT = "weights.safetensors", "eyes.json"
_SHIPPED = Path(__file__).parent / "shipped"
_COMMAND = "teach-agents train detector --out DIR"


def found_folder(folder: str) -> Path:
    """The folder of trained eyes: the named one, or those that ship for "".

    Raises `ModelMissingError` where there are none, and says how to train some.
    """
    path = Path(folder).expanduser() if folder else _SHIPPED
    if all((path / name).is_file() for name in (_WEIGHTS, _ABOUT)):
        return path
    if folder:
        problem = f"{folder}: holds no trained eyes ({_WEIGHTS}, {_ABOUT})"
        raise ModelMissingError(f"{problem}; train some with: {_COMMAND}")
    raise ModelMissingError(
        f"household: no trained eyes ship with this version; train some with: {_COMMAND}; then name them: household:DIR"
    )


def weights_hash(folder: Path) -> str:
    """The SHA-256 of the weights of the eyes in a folder. Raises `OSError`."""
    return hashlib.sha256((folder / _WEIGHTS).read_bytes()).hexdigest()


def packed(network: HouseholdNetwork, labels: tuple[str, ...], about: JsonMapping) -> dict[str, bytes]:
    """The files, by name, of a settled network that labels things so; `about` is kept beside, under its own keys."""
    values = {name: one.half().contiguous() for name, one in network.state_dict().items()}
    told = {"labels": list(labels), "shape": network.shape.to_json(), **about}
    return {
        _WEIGHTS: bytes(package("safetensors.torch").save(values)),
        _ABOUT: (json.dumps(told, indent=1) + "\n").encode(),
    }


def read_labels(folder: Path) -> tuple[tuple[str, ...], Shape]:
    """The labels and the shape of the eyes in a folder. Raises `InputError` where that cannot be read."""
    path = folder / _ABOUT
    try:
        told = json.loads(path.read_bytes())
        labels, shape = tuple(told["labels"]), Shape.from_json(told["shape"])
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(path, f"tells no labels and shape: {type(error).__name__}: {error}") from error
    if len(labels) != shape.types or len(set(labels)) != len(labels) or not all(isinstance(one, str) for one in labels):
        raise InputError(path, f"must have {shape.types} labels, all different", value=len(labels))
    return labels, shape


def read_network(folder: Path, shape: Shape) -> HouseholdNetwork:
    """The settled network in a folder, in single precision, laid out as processors like it.

    Raises `ModelError` where the file is damaged or of another shape.
    """
    library = torch()
    from teach_agents.models.vision.household.network import HouseholdNetwork

    network: Any = HouseholdNetwork.blank(shape)
    path = folder / _WEIGHTS
    try:
        values = package("safetensors.torch").load_file(path)
        network.load_state_dict({name: one.float() for name, one in values.items()})
    except Exception as error:
        raise ModelError(f"{path}: holds no weights of this network: {type(error).__name__}: {error}") from error
    made: HouseholdNetwork = network.to(memory_format=library.channels_last).requires_grad_(False)
    return made
