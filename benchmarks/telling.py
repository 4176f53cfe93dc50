"""What benchmarks tell: figures as JSON, for people on the screen and for `figures.py` in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from teach_agents.benchmarks.folder import write_atomically  # the name that trees before the core know, too


def tell(figures: Any, file: Path | None) -> None:
    """Print figures as JSON; where a file is named, they are written there as well, whole or not at all."""
    text = json.dumps(figures, indent=1)
    print(text)
    if file:
        write_atomically(file, text + "\n")
