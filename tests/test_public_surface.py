"""What `import teach_agents` offers, and what it costs."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import teach_agents

PACKAGE = Path(teach_agents.__file__).parent
SLOW = ("numpy", "pydantic", "pluggy", "asyncio", "jinja2", "typer", "rich")


def test_the_surface_is_a_sorted_list_of_what_there_is() -> None:
    assert teach_agents.__all__ == sorted(teach_agents.__all__)
    for name in teach_agents.__all__:
        assert getattr(teach_agents, name) is not None
    assert set(teach_agents.__all__) <= set(dir(teach_agents))


def test_type_checkers_and_the_running_program_see_the_same_surface() -> None:
    tree = ast.parse(Path(teach_agents.__file__).read_text(encoding="utf8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    stated = {
        alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert set(stated) == set(teach_agents.__all__)
    for name, module in stated.items():
        assert getattr(importlib.import_module(str(module)), name) is getattr(teach_agents, name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Comander'"):
        _ = teach_agents.Comander


def test_importing_the_package_imports_nothing_else_of_size() -> None:
    code = f"import sys, teach_agents; print([name for name in {SLOW!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def _public_modules() -> list[Path]:
    """Packages, and modules that pass on names of others; elsewhere what has no underscore is public, and no list."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if "\n__all__ = " in path.read_text(encoding="utf-8")]


def _order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as isort and ruff sort `__all__`."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


@pytest.mark.parametrize("path", _public_modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_a_module_declares_public_is_sorted_and_there(path: Path) -> None:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    names = module.__all__
    assert names == sorted(names, key=_order)
    assert [name for name in names if not hasattr(module, name)] == []
