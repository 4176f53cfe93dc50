"""Seeding the package's release folder with the double, and taking it away."""

from __future__ import annotations

import ctypes.util
import json
from pathlib import Path

import pytest

from teach_agents.errors import InputError
from teach_agents.simulator.double.releases import install, release_folder, uninstall
from tests.simulator.thor.support import QUIET

pytest.importorskip("ai2thor")
pytestmark = QUIET


def test_a_users_code_runs_unchanged(home: Path) -> None:
    from ai2thor.controller import Controller

    install("Linux64")
    controller = Controller(scene="FloorPlan1", headless=True, x_display=":9")
    assert controller.step("MoveAhead").metadata["sceneName"] == "FloorPlan1_physics"
    controller.stop()
    assert uninstall("Linux64") is not None
    assert list((home / ".ai2thor" / "releases").iterdir()) == []


@pytest.mark.skipif(ctypes.util.find_library("vulkan") is None, reason="AI2-THOR asks for libvulkan1")
def test_cloud_rendering_runs_unchanged(home: Path) -> None:
    from ai2thor.controller import Controller

    install()
    controller = Controller(scene="FloorPlan1", platform="CloudRendering", width=64, height=64)
    assert controller.last_event.frame.shape == (64, 64, 3)
    controller.stop()


def test_installing_twice_is_as_good_as_once(home: Path) -> None:
    folder = install()
    assert install() == folder == release_folder()
    assert json.loads((folder / "metadata.json").read_text()) == {"server_types": ["FIFO", "WSGI"]}
    assert uninstall() == folder
    assert uninstall() is None
    assert not folder.exists()


def test_a_real_build_is_left_alone(home: Path) -> None:
    folder = release_folder()
    folder.mkdir(parents=True)
    (folder / folder.name).write_text("Unity")
    for change in (install, uninstall):
        with pytest.raises(InputError, match="left alone"):
            change()
    assert (folder / folder.name).read_text() == "Unity"
    assert sorted(path.name for path in folder.iterdir()) == [folder.name]


def test_what_somebody_added_is_left_alone(home: Path) -> None:
    folder = install()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"notes\.txt"):
        uninstall()
    assert (folder / "notes.txt").read_text() == "mine"


def test_an_unknown_platform_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'CloudRendering'"):
        release_folder("Cloudrendering")
