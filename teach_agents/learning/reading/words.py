"""The words that readers know: those of the corpus, with how often each is said."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from teach_agents.understanding.requests import CORPUS

_MISSPELT = frozenset({"typos", "other_language"})
_TIDY = "?.jsonl"
"""The files (`a` to `v`) in which slips of the pen stand in requests of the kind `typos` alone."""


def word_counts(folder: Path = CORPUS) -> dict[str, int]:
    """How often each word stands in what people wrote without slips."""
    found: Counter[str] = Counter()
    for path in sorted(folder.glob(_TIDY)):
        for line in path.read_text(encoding="utf8").splitlines():
            told = json.loads(line)
            if told["kind"] not in _MISSPELT:
                text = re.sub(r"'[a-z]+", "", told["text"].replace("\u2019", "'").lower())
                found.update(re.findall(r"[a-z]+", text))
    return dict(sorted(found.items()))


def write(counts: dict[str, int], path: Path) -> None:
    """Write the words as the package has them."""
    path.write_text(json.dumps(counts, separators=(",\n", ":")) + "\n", encoding="utf8")
