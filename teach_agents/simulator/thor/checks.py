"""What AI2-THOR needs of a machine, one by one and in plain words (AI2-THOR specification 6.1-6.3, 8).

And every point of the simulator contract on a real AI2-THOR, for its user to run and send the result.
"""

from __future__ import annotations

import ctypes.util
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from teach_agents.errors import TeachAgentsError
from teach_agents.simulator.conformance import KitchenContract
from teach_agents.simulator.contract import Simulator
from teach_agents.simulator.double.releases import PLATFORMS, is_double, release_folder

_GIGABYTES = 3.0
"""What the package's build takes when unpacked, with room to spare."""


class Finding(NamedTuple):
    """One thing looked at: whether it is well (`None` for what is only told), and what there is to say."""

    name: str
    well: bool | None
    told: str


def look_around() -> Iterator[Finding]:
    """Everything, without starting anything."""
    yield Finding("python", True, f"{platform.python_version()} on {platform.platform()}")
    yield from _package()
    yield _system()
    yield _home()
    yield from _builds()
    yield _display()
    yield _vulkan()
    yield _cuda()


def _package() -> Iterator[Finding]:
    try:
        yield Finding("ai2thor", True, f"version {version('ai2thor')}")
    except PackageNotFoundError:
        yield Finding("ai2thor", False, "not installed; pip install 'teach-agents[thor]'")
    for name in ("msgpack", "numba"):
        there = importlib.util.find_spec(name) is not None
        yield Finding(name, there, "installed" if there else "not installed; pip install 'teach-agents[thor]'")


def _system() -> Finding:
    if sys.platform == "win32":
        return Finding("system", False, "AI2-THOR 5 has no build for Windows; use the double under WSL, or `embedded`")
    if sys.platform == "darwin":
        return Finding("system", True, "macOS: AI2-THOR opens a window, so it needs somebody logged in")
    return Finding("system", True, "Linux: AI2-THOR needs an X display, or Vulkan for CloudRendering")


def _home() -> Finding:
    folder = Path.home() / ".ai2thor"
    base = folder if folder.exists() else Path.home()
    if not os.access(base, os.W_OK):
        return Finding("home folder", False, f"{base} cannot be written to; AI2-THOR keeps its build and its log there")
    free = shutil.disk_usage(base).free / 1e9
    well = free > _GIGABYTES
    told = "" if well else "; the build needs about 3"
    return Finding("home folder", well, f"{folder}: {free:.0f} GB free{told}")


def _builds() -> Iterator[Finding]:
    """Whether the package's build is there already, and whether it is ours."""
    for name in PLATFORMS:
        try:
            folder = release_folder(name)
        except TeachAgentsError:
            return
        told = "downloaded" if folder.exists() else "not there; it is downloaded at the first start"
        if is_double(folder):
            told = "the double is installed (teach-agents thor-double uninstall)"
        yield Finding(f"build for {name}", None, told)


def _display() -> Finding:
    told = (
        "DISPLAY is not set: AI2-THOR's default build needs an X server with GLX; use platform=CloudRendering without"
    )
    if sys.platform != "linux":
        told = "not needed here"
    elif display := os.environ.get("DISPLAY"):
        told = f"DISPLAY is {display}"
    return Finding("X display", None, told)


def _vulkan() -> Finding:
    told = "not found: platform=CloudRendering needs libvulkan1 and a driver for it"
    if sys.platform != "linux":
        told = "not needed here"
    elif ctypes.util.find_library("vulkan") is not None:
        told = "found"
    return Finding("Vulkan", None, told)


def _cuda() -> Finding:
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    tools = [tool for tool in ("vulkaninfo", "nvidia-smi") if shutil.which(tool) is None]
    mapping = Path.home() / ".ai2thor" / "cuda-vulkan-mapping.json"
    if not chosen or not tools or mapping.exists():
        return Finding("CUDA_VISIBLE_DEVICES", True, chosen or "not set")
    told = (
        f"is {chosen}, so the package asks {' and '.join(tools)}, not found here, which GPU that is; unset it, "
        f'or write {{"0": 0}} into {mapping}'
    )
    return Finding("CUDA_VISIBLE_DEVICES", False, told)


class _Points(KitchenContract):
    """The contract's tests, one simulator for all of them."""

    def __init__(self, simulator: Simulator, room: str) -> None:
        self._simulator = simulator
        self.room = room  # type: ignore[misc]  # told per run, not per class

    def make_simulator(self) -> Simulator:
        """The one under test; a reset makes it as good as new."""
        return self._simulator


def selftest(make: Callable[[], Simulator], room: str = "FloorPlan1") -> Iterator[Finding]:
    """Start what `make` makes and try every point in `room`, a kitchen; one that fails says why."""
    simulator = make()
    try:
        points = _Points(simulator, room)
        for name in dir(points):
            if name.startswith("test_"):
                problem = _problem(getattr(points, name))
                yield Finding(name.removeprefix("test_").replace("_", " "), not problem, problem)
    finally:
        simulator.close()


def _problem(point: Callable[[], None]) -> str:
    try:
        point()
    except Exception as error:  # noqa: BLE001  # whatever goes wrong is what the user is asked to report
        return f"{type(error).__name__}: {error}"[:500]
    return ""
