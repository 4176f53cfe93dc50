"""A module that leaves when it is imported, as scripts without a guard do."""

from __future__ import annotations

raise SystemExit(3)
