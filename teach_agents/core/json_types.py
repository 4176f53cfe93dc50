"""What JSON objects are to the type checker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

JsonObject = dict[str, Any]
"""A JSON object, as `json.loads` gives it: one's own, to be filled and changed."""

JsonMapping = Mapping[str, Any]
"""A JSON object that is only read, or options by name."""
