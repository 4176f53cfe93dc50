"""The core knows no world: it imports nothing of the rest of the package, and names none of its things."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import teach_agents.core

CORE = Path(teach_agents.core.__file__).parent
MODULES = sorted(CORE.rglob("*.py"))
WORDS = re.compile(
    r"\b(?:ai2-?thor|i?thor|edh|tfd|tatc|teach|commanders?|followers?|drivers?|households?|kitchens?|fridges?|mugs?"
    r"|floor ?plans?|simulators?|rooms?|egocentric|unity|handmethat|arramon|matterport)\b",
    re.IGNORECASE,
)
RESULTS = ("benchmark/reproducing.py", "benchmark/results.py", "benchmark/summary.py")
"""What a published figure was measured on is called its simulator, whatever the world."""
PHRASES = ("room for", "room to", "no room", "room in", "for room", "room again", "room where", "room left")
"""What has nothing to do with the rooms of a house."""


def test_the_core_imports_nothing_of_the_rest() -> None:
    wrong = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            wrong += [
                f"{path.relative_to(CORE)}:{node.lineno} imports {name}"
                for name in names
                if name.split(".")[0] == "teach_agents" and not name.startswith("teach_agents.core")
            ]
    assert not wrong, "\n".join(wrong)


def test_the_core_names_nothing_of_any_world() -> None:
    wrong = []
    for path in MODULES:
        for number, line in enumerate(path.read_text(encoding="utf8").splitlines(), 1):
            said = line.replace("teach_agents", "").replace("teach-agents", "").replace("TeachAgents", "")
            for phrase in (*PHRASES, *(["simulator"] if path.relative_to(CORE).as_posix() in RESULTS else [])):
                said = said.replace(phrase, "")
            if found := WORDS.search(said):
                wrong.append(f"{path.relative_to(CORE)}:{number} names {found.group()!r}: {line.strip()}")
    assert not wrong, "\n".join(wrong)
