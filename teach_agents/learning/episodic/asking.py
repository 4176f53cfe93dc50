"""What a training was asked for, kept in its folder so that it can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from teach_agents.core.benchmark.folder import storing, write_atomically
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.learning.episodic.recording import How
from teach_agents.learning.episodic.settings import EpisodicSettings
from teach_agents.learning.sitting import SETTINGS


@dataclass(frozen=True, slots=True)
class Asked:
    """Game files or folders of them, where features of their frames are kept and how they are made, and the rest."""

    data: tuple[Path, ...]
    features: Path
    settings: EpisodicSettings
    how: How = How()

    @classmethod
    def of(cls, data: Sequence[Path], features: Path, settings: JsonMapping) -> Asked:
        """What is asked for by the names of `EpisodicSettings`. Raises `InputError`."""
        return cls(tuple(Path(one) for one in data), Path(features), EpisodicSettings(**settings))

    @classmethod
    def before(cls, out: Path) -> Asked:
        """What the training in a folder was asked for. Raises `InputError` where there is none."""
        try:
            told = json.loads((out / SETTINGS).read_bytes())
            made = cls.of([Path(one) for one in told["data"]], Path(told["features"]), told["settings"])
            return replace(made, how=How(**told["how"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            problem = "there is no training in this folder to go on with"
            raise InputError("--resume", problem, value=str(out)) from error

    def changed(self, said: JsonMapping) -> Asked:
        """The same, but for what is said."""
        settings = {name: one for name, one in said.items() if name not in ("data", "features")}
        data, features = said.get("data", self.data), said.get("features", self.features)
        return replace(self.of(data, features, {**self.settings.to_json(), **settings}), how=self.how)

    def write(self, out: Path) -> None:
        """Keep it in the folder of the training."""
        told = {
            "data": [str(one.resolve()) for one in self.data],
            "features": str(self.features.resolve()),
            "settings": self.settings.to_json(),
            "how": asdict(self.how),
        }
        with storing(out):
            write_atomically(out / SETTINGS, json.dumps(told, indent=1) + "\n")
