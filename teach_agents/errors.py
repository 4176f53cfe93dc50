"""Errors raised on purpose: the core's, and those of households and TEACh's files."""

from __future__ import annotations

from teach_agents.core.errors import *  # noqa: F403  # all of them are errors of this package
from teach_agents.core.errors import InputError, TeachAgentsError


class DefinitionError(InputError):
    """A task definition that is refused; `where` names the file and key."""


class GameFileError(InputError):
    """A game file that cannot be read; `where` names the file."""


class SceneError(InputError):
    """A room or stored state that cannot be loaded."""


class SimulatorError(TeachAgentsError):
    """The simulator itself failed (a refused action is no error but an outcome)."""


class StaleViewError(SimulatorError):
    """A view was first looked at after the world had moved on."""
