"""The Unity double: a process that the real `ai2thor` package takes for AI2-THOR's own.

It speaks the Unity side of FIFO and WSGI (AI2-THOR specification 6) in front of the engine of
`teach_agents.simulator.controller`. `teach-agents-unity` and `python -m teach_agents.simulator.double` start it; it is
the client that does so, with the paths of its pipes or its address in the environment.
"""

from __future__ import annotations

import shlex
import sys

__all__ = ["command"]


def command() -> str:
    """What to give to `ai2thor.controller.Controller(local_executable_path=...)`: the double under this Python."""
    return shlex.join([sys.executable, "-P", "-m", "teach_agents.simulator.double"])
