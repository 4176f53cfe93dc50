"""Weights that are loaded before anybody waits for them: as soon as it is known that an agent is wanted."""

from __future__ import annotations

import logging
import threading

from teach_agents.core.agents.contract import Agent, name_of
from teach_agents.core.errors import trace_of

_PARTING_S = 30.0
"""Seconds that the end of a process waits for what is being loaded: packages that are half imported cannot be taken
down in good order."""
_POLL_S = 0.1
_LOG = logging.getLogger(__name__)


def preload(agent: Agent) -> threading.Thread:
    """Have an agent load in a thread of its own what its answers would wait for (`Agent.load`); that thread.

    Whoever needs it before waits for the rest only. What cannot be loaded is left to be told where it is needed.
    """
    loading = threading.Thread(target=_load, args=(agent,), name=f"loading {name_of(agent)}", daemon=True)
    loading.start()
    threading.Thread(target=_guard, args=(loading,), name=f"guard of {loading.name}", daemon=False).start()
    return loading


def _load(agent: Agent) -> None:
    try:
        agent.load()
    except Exception as error:  # noqa: BLE001  # it is raised again where what is missing is needed
        _LOG.info("%s could not be made ready ahead: %s", name_of(agent), trace_of(error))


def _guard(loading: threading.Thread) -> None:
    """Hold the end of the process, which waits for threads that are no daemons before it takes anything down."""
    main = threading.main_thread()
    while loading.is_alive() and main.is_alive():
        loading.join(_POLL_S)
    loading.join(_PARTING_S)
