"""Weights that are loaded before anybody waits for them: as soon as it is known that an agent is wanted."""

from __future__ import annotations

import atexit
import logging
import threading

from teach_agents.core.agents.contract import Agent, name_of
from teach_agents.core.errors import trace_of

_PARTING_S = 20.0
"""Seconds that the end of a process waits for what is being loaded: native libraries must not be left half loaded."""
_LOG = logging.getLogger(__name__)


def load_ahead(agent: Agent) -> threading.Thread:
    """Have an agent load in a thread of its own what its answers would wait for (`Agent.load`); that thread.

    Whoever needs it before waits for the rest only. What cannot be loaded is left to be told where it is needed.
    """
    thread = threading.Thread(target=_load, args=(agent,), name=f"loading {name_of(agent)}", daemon=True)
    atexit.register(thread.join, _PARTING_S)
    thread.start()
    return thread


def _load(agent: Agent) -> None:
    try:
        agent.load()
    except Exception as error:  # noqa: BLE001  # it is raised again where what is missing is needed
        _LOG.info("%s could not be made ready ahead: %s", name_of(agent), trace_of(error))
