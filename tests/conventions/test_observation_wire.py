"""What is written on one end is what is read on the other."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import pytest

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents.conformance import blank_observation
from teach_agents.conventions.observation_wire import ObservationReader, ObservationWriter
from teach_agents.errors import InputError, PrivilegeError
from teach_agents.household import Household, Scenario
from teach_agents.observations import Observation, Privilege, Privileged, Segmentation
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

SENT = frozenset(Privilege) - {Privilege.GROUND_TRUTH}
FLEETING = ("visible", "isInteractable", "obstructed", "distance")
PIXELS = 1 << 16


def _household() -> Household:
    household = Household(EmbeddedSimulator(), view_size=60)
    household.reset(Scenario("one", "Coffee", (), Scene(room="FloorPlan1", randomize=True), 3))
    return household


def _same(seen: Observation, read: Observation) -> None:
    assert (read.role, read.turn, read.pose, read.dialogue) == (seen.role, seen.turn, seen.pose, seen.dialogue)
    assert (read.last_action, read.last_result) == (seen.last_action, seen.last_result)
    for name in ("view", "follower_view", "target_view", "target_lit", "overhead"):
        one, other = getattr(seen, name), getattr(read, name)
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one.rgb, other.rgb)
    mine, theirs = seen.privileged, read.privileged
    assert theirs.granted == SENT
    assert np.array_equal(mine.depth, theirs.depth) and theirs.depth.dtype == np.float32
    assert np.array_equal(mine.segmentation.ids, theirs.segmentation.ids)
    assert list(mine.segmentation.object_ids) == list(theirs.segmentation.object_ids)
    assert mine.reachable == theirs.reachable and [*mine.reachable] == [*theirs.reachable]
    assert [*mine.objects] == [*theirs.objects] and mine.visible == theirs.visible
    for one, other in zip(mine.lasting_objects, theirs.lasting_objects, strict=True):
        assert {k: v for k, v in one.items() if k not in FLEETING} == {
            k: v for k, v in other.items() if k not in FLEETING
        }


def test_a_session_is_carried_without_loss() -> None:
    household = _household()
    ends = {role: (ObservationWriter(SENT), ObservationReader(role, SENT, PIXELS)) for role in Role}
    done = [
        (Role.COMMANDER, Action.progress_check()),
        (Role.COMMANDER, Action.search("mug")),
        (Role.COMMANDER, Action.say("a mug, bitte: größer")),
        (Role.FOLLOWER, Action("Turn Left")),
        (Role.FOLLOWER, Action.say("which one?")),
        (Role.FOLLOWER, Action.click("Open", 0.5, 0.5)),
        (Role.FOLLOWER, Action("Forward")),
    ]
    sizes = []
    for turn, (role, action) in enumerate(done):
        household.act(role, action, 1000 * turn)
        for one, (writer, reader) in ends.items():
            seen = household.observe(one, SENT, turn=turn)
            written = writer.write(seen)
            sizes.append(len(json.dumps(json.loads(written)["objects"])))
            _same(seen, reader.read(written))
    assert max(sizes[2:]) < min(sizes[:2]) / 2, "what has not changed is not sent again"


def test_an_object_that_did_not_change_is_the_same_value_as_before() -> None:
    household = _household()
    writer, reader = ObservationWriter(SENT), ObservationReader(Role.FOLLOWER, SENT, PIXELS)
    before, after = (
        reader.read(writer.write(household.observe(Role.FOLLOWER, SENT, turn=turn))).privileged.lasting_objects
        for turn in range(2)
    )
    assert all(one is other for one, other in zip(before, after, strict=True)) and len(before) > 20


def test_only_what_is_read_is_sent_and_only_what_is_declared_can_be_read() -> None:
    seen = blank_observation(Role.FOLLOWER, privileges=SENT)
    written = json.loads(ObservationWriter((), ()).write(seen))
    assert set(written) == {"turn", "pose", "dialogue", "dialogue_from"}
    full = ObservationWriter(SENT).write(seen)
    read = ObservationReader(Role.FOLLOWER, {Privilege.DEPTH}, PIXELS).read(full)
    assert read.privileged.depth.shape == (32, 32)
    with pytest.raises(PrivilegeError):
        _ = read.privileged.objects


def test_results_and_replies_travel() -> None:
    result = ActionResult(False, "no", "try again", "Mug|1", {"goals": [1, {"a": None}]})
    seen = blank_observation(Role.COMMANDER, last_action=Action.search("mug"), last_result=result)
    read = ObservationReader(Role.COMMANDER, (), PIXELS).read(ObservationWriter((), ()).write(seen))
    assert (read.last_action, read.last_result) == (Action.search("mug"), result)
    with pytest.raises(InputError, match="sent no picture of the view"):
        _ = read.view.rgb


def _array(dtype: str, shape: list[int], content: bytes) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "zlib": base64.b64encode(zlib.compress(content)).decode()}


@pytest.mark.parametrize(
    ("privilege", "value", "words"),
    [
        ("depth", _array("int32", [1, 1], bytes(4)), "must be of dtype float32"),
        ("depth", _array("float32", [2, 2], bytes(4)), "must hold 16 bytes"),
        ("depth", _array("float32", [2, 2], bytes(10_000_000)), "must hold 16 bytes"),
        ("depth", _array("float32", [60_000, 60_000], bytes(4)), "at most 65536 pixels"),
        ("depth", {"dtype": "float32", "shape": [1, 1], "zlib": "AAAA"}, "not packed by zlib"),
        ("depth", {"dtype": "float32", "shape": [1, 1], "zlib": "é"}, "must be base64"),
        ("segmentation", {"ids": _array("int32", [1, 1], b"\1\0\0\0"), "object_ids": ["a"]}, "index one of 1"),
        ("segmentation", {"ids": _array("int32", [1, 1], b"\xfe\xff\xff\xff"), "object_ids": ["a"]}, "must be -1"),
        ("objects", {"rows": [{"name": "x"}]}, "needs a text 'objectId'"),
        ("objects", {"order": ["a"]}, "names an object whose row was not sent"),
        ("objects", {"rows": [{"objectId": "a"}], "now": {"b": {}}}, "names an object whose row was not sent"),
    ],
)
def test_damaged_parts_are_refused_and_change_nothing(privilege: str, value: Any, words: str) -> None:
    reader = ObservationReader(Role.FOLLOWER, {Privilege(privilege)}, PIXELS)
    body = {"turn": 0, "pose": {"position": [0, 0, 0], "yaw": 0, "horizon": 0}, privilege: value}
    said = [{"speaker": "commander", "text": "hello"}]
    for _ in range(2):
        with pytest.raises(InputError, match=words):
            reader.read(json.dumps({**body, "dialogue": said}))
    with pytest.raises(InputError, match="dialogue_from: may be at most 0"):
        reader.read(json.dumps({**body, "dialogue_from": 1}))


def test_depth_without_end_and_no_pixels_at_all_travel() -> None:
    depth = np.array([[np.inf, np.nan], [0.1, 20.0]], dtype=np.float32)
    ids = np.zeros((0, 0), dtype=np.int32)
    parts: dict[Privilege, Any] = {
        Privilege.DEPTH: lambda: depth,
        Privilege.SEGMENTATION: lambda: Segmentation(ids, ()),
    }
    seen = blank_observation(Role.FOLLOWER)
    seen = Observation(seen.role, 0, seen.pose, seen.view, privileged=Privileged(parts))
    read = ObservationReader(Role.FOLLOWER, parts, PIXELS).read(ObservationWriter(parts, ()).write(seen))
    assert read.privileged.depth.tobytes() == depth.tobytes()
    assert read.privileged.segmentation.ids.shape == (0, 0)
