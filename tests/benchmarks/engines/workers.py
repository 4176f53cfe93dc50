"""Workers for the runner's tests; they run in processes of their own."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any


def behave(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Do what the payload says: answer (late, and say so), raise, die or hang."""
    kind = payload["kind"]
    if kind == "raise":
        raise ValueError("the agent fell over")
    if kind == "die":
        os._exit(7)
    if kind == "hang":
        time.sleep(600)
    status = "timed_out" if kind == "late" else "done"
    return {"square": payload["n"] ** 2, "status": status, "process": os.getpid()}
