"""Errors raised on purpose: the core's, and those of households and TEACh's files."""

from __future__ import annotations

from teach_agents.core.errors import (
    ActionError,
    BusClosedError,
    BusError,
    BusFullError,
    BusLostError,
    BusReplacedError,
    DownloadError,
    InputError,
    MissingExtraError,
    MissingParameterError,
    ModelError,
    ModelMissingError,
    ModelReplyError,
    ModelTimeoutError,
    NobodyListensError,
    PluginError,
    PrivilegeError,
    RecordError,
    RequestTimeoutError,
    SpecError,
    TeachAgentsError,
    explained,
    trace_of,
)

__all__ = [
    "ActionError",
    "BusClosedError",
    "BusError",
    "BusFullError",
    "BusLostError",
    "BusReplacedError",
    "DefinitionError",
    "DownloadError",
    "GameFileError",
    "InputError",
    "MissingExtraError",
    "MissingParameterError",
    "ModelError",
    "ModelMissingError",
    "ModelReplyError",
    "ModelTimeoutError",
    "NobodyListensError",
    "PluginError",
    "PrivilegeError",
    "RecordError",
    "RequestTimeoutError",
    "SceneError",
    "SimulatorError",
    "SpecError",
    "StaleViewError",
    "TeachAgentsError",
    "explained",
    "trace_of",
]


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
