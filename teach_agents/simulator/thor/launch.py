"""How AI2-THOR is started, and how long it may take."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from pathlib import Path

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, MissingExtraError

DOUBLE = "double"
"""The executable's name that stands for our own Unity double."""
_NO_DISPLAY = ":99"
_PROGRAM = "teach-agents-unity"


@dataclass(frozen=True, slots=True)
class Launch:
    """Options of the start; times in seconds.

    `executable` is a local build's command, or `double` for the embedded simulator behind the package; without it the
    package downloads its own build. `platform` is `CloudRendering` or `Linux64`, by default the package's choice; the
    GPU is the first of `CUDA_VISIBLE_DEVICES`.
    `step_time` is the longest a single action may take, `start_time` the start with the first scene.
    """

    executable: str | None = None
    platform: str | None = None
    x_display: str | None = None
    start_time: float = 300.0
    step_time: float = 100.0

    def __post_init__(self) -> None:
        for name in ("start_time", "step_time"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise InputError("thor simulator", f"{name} must be a positive number of seconds", value=value)

    def options(self) -> JsonMapping:
        """Keywords for `ai2thor.controller.Controller`.

        The package's own time-outs are off: with them it waits out a dead process (specification 6.3). A local
        executable gets some display, for the package fails without one even where nothing connects to it.
        """
        found: JsonObject = {"server_timeout": None}
        if self.executable is not None:
            found["local_executable_path"] = self._command()
        if self.x_display is not None or self.executable is not None:
            found["x_display"] = self.x_display or _display()
        return found if self.platform is None else {**found, "platform": self.platform}

    @property
    def is_double(self) -> bool:
        """Whether this starts the double: asked for by name or by its command, or installed as the package's build.

        Without a platform the package chooses one, so that a double installed for any counts.
        """
        from teach_agents.simulator.double import command
        from teach_agents.simulator.double.releases import PLATFORMS, is_double, release_folder

        if self.executable is not None:
            program = Path(shlex.split(self.executable)[0]).name if self.executable.strip() else ""
            return self.executable in (DOUBLE, command()) or program == _PROGRAM
        chosen = PLATFORMS if self.platform is None else [name for name in PLATFORMS if name == self.platform]
        try:
            return any(is_double(release_folder(name)) for name in chosen)
        except MissingExtraError:
            return False  # nothing can be started at all, and the start says so

    def _command(self) -> str | None:
        if self.executable != DOUBLE:
            return self.executable
        from teach_agents.simulator.double import command

        return command()


def _display() -> str:
    import os

    return os.environ.get("DISPLAY") or _NO_DISPLAY
