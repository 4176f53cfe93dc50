"""Every simulator action by AI2-THOR's name."""

from __future__ import annotations

import math
from collections.abc import Mapping

from teach_agents.errors import ActionError
from teach_agents.simulator.contract import Outcome, SimulatorAction
from teach_agents.simulator.embedded.handlers import condition, hand, motion, queries
from teach_agents.simulator.embedded.handlers.setting import Handler, Manner, Refused, Setting

__all__ = ["ACTION_NAMES", "QUERY_NAMES", "Manner", "Setting", "carry_out"]

_TABLE: Mapping[str, Handler] = {
    **condition.HANDLERS,
    **hand.HANDLERS,
    **motion.HANDLERS,
    **queries.HANDLERS,
}

ACTION_NAMES = tuple(sorted(_TABLE))
"""Every action and query that can be carried out."""
QUERY_NAMES = frozenset(queries.HANDLERS)
"""Those that change nothing and take no time."""


def carry_out(setting: Setting, action: SimulatorAction) -> Outcome:
    """Do one action; a refusal is a failed outcome.

    Raises `ActionError` for an unknown name, or a magnitude that is no finite number.
    """
    handler = _TABLE.get(action.name)
    if handler is None:
        raise ActionError("simulator action", "no such action", value=action.name, valid=ACTION_NAMES)
    size = action.magnitude
    if size is not None and not (isinstance(size, int | float) and math.isfinite(size)):
        raise ActionError(f"simulator action {action.name}", "magnitude must be a finite number", value=size)
    try:
        return handler(setting, action)
    except Refused as refusal:
        return Outcome(False, str(refusal))
