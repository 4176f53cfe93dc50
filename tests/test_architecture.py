"""The floors of docs/architecture.md: a module imports only from floors above its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import teach_agents
from teach_agents.kinds import KINDS

FLOORS = (
    ("moved",),
    ("core", "errors", "actions", "arrays", "observations", "kinds"),
    ("tasks",),
    ("data",),
    ("builtins",),
    ("models",),
    ("simulator",),
    ("household",),
    ("understanding",),
    ("agents",),
    ("session",),
    ("installed",),
    ("benchmarks",),
    ("playing",),
    ("learning",),
    ("live",),
    ("chat",),
    ("conventions",),
    ("workers",),
    ("cli",),
)
LEVEL = {name: level for level, names in enumerate(FLOORS) for name in names}
NAMED = {kind.contract.partition(":")[0] for kind in KINDS}
"""What `kinds` names for the type checker alone: the contract of each kind."""
PACKAGE = Path(teach_agents.__file__).parent


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts != ("__init__",):
            yield parts[0], path


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            assert node.module is not None
            yield node.lineno, node.module


def test_every_module_stands_on_a_known_floor() -> None:
    unknown = {floor for floor, _ in _modules() if floor not in LEVEL}
    assert not unknown, f"add these to FLOORS and to docs/architecture.md: {sorted(unknown)}"


def test_imports_point_upward_only() -> None:
    wrong = []
    for floor, path in _modules():
        for line, module in _imported(path):
            parts = module.split(".")
            if parts[0] != "teach_agents" or len(parts) == 1:
                continue
            if floor == "kinds" and module in NAMED:
                continue
            if LEVEL[parts[1]] > LEVEL[floor]:
                wrong.append(f"{path.relative_to(PACKAGE)}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_agents_and_household_know_no_particular_simulator() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {module}"
        for floor, path in _modules()
        if floor in ("household", "agents", "session")
        for line, module in _imported(path)
        if module.startswith("teach_agents.simulator.embedded")
    ]
    assert not wrong, "\n".join(wrong)


def test_modules_stay_small() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for _, path in _modules()
        if (lines := path.read_text(encoding="utf8").count("\n")) > 400
    }
    assert not long


def test_functions_fit_on_a_screen() -> None:
    long = []
    for _, path in _modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                doc = (ast.get_docstring(node) or "").count("\n") + 1 if ast.get_docstring(node) else 0
                if node.end_lineno - node.lineno + 1 - doc > 60:
                    long.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}")
    assert not long


OURS = ("edh", "solo", "tatc", "tfd")
NAMES = frozenset({"edh", "tfd", "tatc", "records.jsonl"})
"""What only a benchmark's own package may say of it."""
CLASSES = frozenset({"EdhBenchmark", "FollowerBenchmark", "TatcBenchmark", "TfdBenchmark"})
TOLD = {"builtins.py": {"edh", "tfd", "tatc"}, "cli/main.py": {"edh", "tfd", "tatc"}}
"""Who names them to register them, and to offer their commands."""


def _said(path: Path) -> Iterator[str]:
    """The texts in a module's code, and the names that tell benchmarks apart."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Name) and node.id in ("BENCHMARKS", "TATC"):
            yield node.id
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            yield from (name for name in CLASSES if name in ast.unparse(node))


def test_nobody_tells_benchmarks_apart_but_their_own_packages() -> None:
    forbidden = NAMES | CLASSES | {"BENCHMARKS", "TATC"}
    wrong = []
    for floor, path in _modules():
        inside = path.relative_to(PACKAGE)
        if floor == "benchmarks" and len(inside.parts) > 2 and inside.parts[1] in OURS:
            continue
        allowed = TOLD.get(inside.as_posix(), set())
        wrong += [f"{inside}: {said}" for said in _said(path) if said in forbidden and said not in allowed]
    assert not wrong, "\n".join(wrong)


_ASK_THEIR_OWN = {
    "teach_agents/agents/planner/oracle.py": "plays both chairs in private",
    "teach_agents/agents/perceiving/perceived.py": "an agent behind a perception",
}
"""Agents that are made of agents, and why; everybody else has the core ask."""
_OTHERS = (
    "teach_agents/core/agents/",
    "teach_agents/core/session/",
    "teach_agents/household/",
    "teach_agents/simulator/",
    "plugins/teach_agents_dialogue_acts/",
)
"""Where agents are asked, and where `act` is a method of something else: a body, a controller, what tags utterances."""


def _asks(path: Path) -> bool:
    """Whether `act` is called with an observation alone; a world's, or a live session's, is told who acts."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "act"
        and len(node.args) + len(node.keywords) == 1
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8")))
    )


def test_agents_are_asked_by_the_core_alone() -> None:
    root = PACKAGE.parent
    files = (path for folder in ("teach_agents", "serve", "plugins") for path in (root / folder).rglob("*.py"))
    asking = {
        name for path in files if _asks(path) and not (name := path.relative_to(root).as_posix()).startswith(_OTHERS)
    }
    assert asking == set(_ASK_THEIR_OWN)
