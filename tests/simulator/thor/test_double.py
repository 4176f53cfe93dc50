"""The real `ai2thor` package in front of the double sees what `Controller` sees in process."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teach_agents.simulator.controller import Controller
from tests.simulator.thor.support import QUIET, alive, children, gone_within, real_client

pytest.importorskip("ai2thor")
pytestmark = QUIET

_PICTURES = {"renderDepthImage": True, "renderInstanceSegmentation": True, "renderSemanticSegmentation": True}
_AN_EPISODE: tuple[dict[str, Any], ...] = (
    {"action": "MoveAhead"},
    {"action": "RotateRight"},
    {"action": "LookDown", "degrees": 15},
    {"action": "GetReachablePositions"},
    {"action": "MoveBack", "moveMagnitude": 5.0},
    {"action": "AddThirdPartyCamera", "position": {"x": 0, "y": 2.4, "z": 0}, "rotation": {"x": 90, "y": 0, "z": 0}},
    {"action": "GetMapViewCameraProperties"},
    {"action": "OpenObject", "objectId": "FRIDGE", "forceAction": True},
    {"action": "PickupObject", "objectId": "APPLE", "forceAction": True},
    {"action": "PutObject", "objectId": "FRIDGE", "forceAction": True},
    {"action": "SliceObject", "objectId": "APPLE", "forceAction": True},
    {"action": "InitialRandomSpawn", "randomSeed": 3},
    {"action": "ToggleMapView"},
)


def _same(event: Any, other: Any) -> None:
    """Equal metadata, and equal pictures bit for bit."""
    assert dict(event.metadata) == dict(other.metadata)
    for name in ("frame", "depth_frame", "instance_segmentation_frame", "semantic_segmentation_frame"):
        assert np.array_equal(getattr(event, name), getattr(other, name)), name
    assert len(event.third_party_camera_frames) == len(other.third_party_camera_frames)
    for mine, its in zip(event.third_party_camera_frames, other.third_party_camera_frames, strict=True):
        assert np.array_equal(mine, its)


def _children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_an_episode_is_the_same_through_the_client_and_in_process() -> None:
    client = real_client(**_PICTURES)
    direct = Controller(scene="FloorPlan1", width=64, height=64, **_PICTURES)
    ids = {kind: direct.last_event.objects_by_type(kind.title())[0]["objectId"] for kind in ("FRIDGE", "APPLE")}
    _same(client.last_event, direct.last_event)
    for request in _AN_EPISODE:
        asked = {key: ids.get(value, value) if isinstance(value, str) else value for key, value in request.items()}
        _same(client.step(asked), direct.step(asked))
    client.stop()


def test_masks_and_boxes_are_those_of_the_package() -> None:
    client = real_client(**_PICTURES)
    theirs, ours = client.last_event, Controller(scene="FloorPlan1", width=64, height=64, **_PICTURES).last_event
    assert set(theirs.instance_masks) == set(ours.instance_masks)
    for name in ours.instance_masks:
        assert np.array_equal(theirs.instance_masks[name], ours.instance_masks[name])
        assert theirs.instance_detections2D[name] == ours.instance_detections2D[name]
    assert set(theirs.class_masks) - {"background"} == set(ours.class_masks)
    for name in (*ours.class_masks, "background"):
        assert np.array_equal(theirs.class_masks[name], ours.class_masks[name])
    assert {k: set(v) for k, v in theirs.class_detections2D.items()} == {
        k: set(v) for k, v in ours.class_detections2D.items()
    }
    assert theirs.pose == ours.pose
    assert theirs.object_id_to_color == ours.object_id_to_color
    client.stop()


def test_the_client_resets_resizes_and_is_refused_as_by_unity() -> None:
    client = real_client(width=40, height=30)
    assert client.last_event.frame.shape == (30, 40, 3)
    event = client.reset("FloorPlan201", width=90, height=60, renderDepthImage=True)
    assert event.frame.shape == (60, 90, 3)
    assert event.depth_frame.dtype == np.float32
    assert event.metadata["sceneName"] == "FloorPlan201_physics"
    for _ in range(3):
        assert client.reset().metadata["lastAction"] == "Initialize"
    with pytest.raises(ValueError, match="Invalid action: Bogus"):
        client.step("Bogus")
    assert not client.step("Stand")
    with pytest.raises(ValueError, match="not contained in build"):
        client.reset("FloorPlan99")
    with pytest.raises(RuntimeError, match="Procedural houses"):
        client.reset({"rooms": []})
    assert client.reset("FloorPlan1")
    client.stop()


def test_wsgi_serves_the_same() -> None:
    from ai2thor.wsgi_server import WsgiServer

    client = real_client(server_class=WsgiServer, **_PICTURES)
    direct = Controller(scene="FloorPlan1", width=64, height=64, **_PICTURES)
    for request in _AN_EPISODE[:6]:
        theirs, ours = client.step(request), direct.step(request)
        _same(theirs, ours)
    client.stop()


def test_a_question_is_answered_without_pictures() -> None:
    client = real_client()
    before = client.last_event
    event = client.step("GetReachablePositions")
    assert np.shares_memory(event.frame, before.frame)
    client.reset(fastActionEmit=False)
    before = client.last_event
    event = client.step("GetReachablePositions")
    assert not np.shares_memory(event.frame, before.frame)
    client.stop()


def test_headless_there_are_no_frames() -> None:
    client = real_client(headless=True)
    assert client.step("MoveAhead").frame is None
    client.stop()


def test_stopping_leaves_no_process() -> None:
    before = children()
    client = real_client()
    pid = client.server.unity_proc.pid
    assert children() - before == {pid}
    client.stop()
    assert gone_within(pid, 10.0)


def test_a_killed_double_is_an_error() -> None:
    client = real_client(server_timeout=None)
    client.step("Pass")
    os.kill(client.server.unity_proc.pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="Error encountered when running action"):
        client.step("Pass")
    client.stop()


@pytest.mark.parametrize("delay", [0.0, 0.003, 0.01, 0.03])
@pytest.mark.parametrize("options", [{}, {"server_timeout": None}, {"width": 900, "height": 900}])
def test_a_double_killed_in_the_midst_of_an_action_is_an_error_within_seconds(
    delay: float, options: dict[str, Any]
) -> None:
    client = real_client(**{"server_timeout": 100, **options})
    double = client.server.unity_proc.pid
    killer = threading.Timer(delay, os.kill, (double, signal.SIGKILL))
    began = time.monotonic()
    killer.start()
    with pytest.raises(RuntimeError, match="Error encountered when running action"):
        while time.monotonic() < began + 60:
            client.step("RotateRight")
    assert time.monotonic() - began < 5.0
    client.stop()
    killer.join()


def test_a_double_that_dies_before_its_first_word_is_an_error() -> None:
    code = (
        "from teach_agents.simulator.double.process import guard; import os; "
        "guard(*(os.environ[f'AI2THOR_FIFO_{side}_PIPE_PATH'] for side in ('SERVER', 'CLIENT'))); "
        "os.kill(os.getpid(), 9)"
    )
    began = time.monotonic()
    with pytest.raises(KeyError):
        real_client(local_executable_path=shlex.join([sys.executable, "-c", code]))
    assert time.monotonic() - began < 5.0


def test_a_stopped_double_leaves_no_guard() -> None:
    client = real_client()
    guards = {int(pid) for pid in _children_of(client.server.unity_proc.pid)}
    assert len(guards) == 1
    client.stop()
    assert all(gone_within(pid, 10.0) for pid in guards)


@pytest.mark.parametrize("server", ["fifo_server.FifoServer", "wsgi_server.WsgiServer"])
def test_the_double_ends_with_its_client(server: str) -> None:
    module, name = server.split(".")
    code = f"""
import os
from ai2thor.{module} import {name}
from tests.simulator.thor.support import real_client
client = real_client(server_class={name})
print(client.server.unity_proc.pid, flush=True)
os._exit(0)
"""
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert gone_within(int(done.stdout), 10.0)


def test_the_double_alone_says_who_starts_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "teach_agents.simulator.double"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "started by the ai2thor package" in done.stderr


def test_what_breaks_inside_is_the_answer() -> None:
    """A reset to a file that cannot be a scene is answered; the double lives on."""
    client = real_client()
    pid = client.server.unity_proc.pid
    event = client.step("ChangeResolution", x=-3, y=0)
    assert not event
    assert "is no size" in event.metadata["errorMessage"]
    assert alive(pid)
    client.stop()
