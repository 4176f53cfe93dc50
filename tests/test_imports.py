"""Nothing heavy is loaded by an import, and nothing happens at import."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "torch",
    "transformers",
    "langchain",
    "langchain_core",
    "ai2thor",
    "fastapi",
    "numba",
    "ray",
    "redis",
    "matplotlib",
    "scipy",
)


def _loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print(' '.join(sorted(m for m in {HEAVY!r} if m in sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert _loaded_after("import teach_agents") == set()


def test_touching_the_whole_public_surface_loads_nothing_heavy() -> None:
    assert _loaded_after("import teach_agents as t; [getattr(t, n) for n in t.__all__]") == set()


def test_the_command_line_loads_nothing_heavy() -> None:
    assert _loaded_after("import teach_agents.cli.main") == set()


def test_the_registry_loads_nothing_heavy() -> None:
    assert _loaded_after("import teach_agents.builtins, teach_agents.core.plugins") == set()


def test_a_module_that_has_moved_is_the_same_by_the_name_that_it_had() -> None:
    import importlib

    from teach_agents.moved import MOVED

    for was, now in MOVED.items():
        assert importlib.import_module(was) is importlib.import_module(now)
    contract = importlib.import_module("teach_agents.bus.contract")
    assert contract is importlib.import_module("teach_agents.core.bus.contract")
    assert contract.__spec__ is not None and contract.__spec__.name == "teach_agents.core.bus.contract"
