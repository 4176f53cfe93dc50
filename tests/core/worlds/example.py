"""The world of `examples/world_package`, imported from where it lies; it is not installed for this."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "examples" / "world_package"


def _imported() -> Any:
    spec = importlib.util.spec_from_file_location("two_rooms", FOLDER / "two_rooms.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["two_rooms"] = module
    spec.loader.exec_module(module)
    return module


two_rooms = _imported()
