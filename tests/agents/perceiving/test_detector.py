"""The tier `detector`, from pictures to deeds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teach_agents import EmbeddedSimulator, Household, Limits, Scenario, Scene, build, run_session
from teach_agents.actions import Action, Role
from teach_agents.agents.acting.knowledge import knowledge_of
from teach_agents.agents.perceiving.detector import DetectorPerception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.agents.scripted import ScriptedAgent
from teach_agents.errors import InputError, SpecError
from teach_agents.models.vision import Detection, Detector
from teach_agents.observations import Observation, Privilege
from teach_agents.session import EndReason

SCENARIO = Scenario("s1", "Coffee", (), Scene("FloorPlan7"))


class Everywhere(Detector):
    """Takes the middle of every picture for a mug."""

    name = "everywhere"
    labels = ("cup",)
    hash = "0123456789abcdef"

    def find(self, images: Sequence[Any]) -> list[list[Detection]]:
        return [[Detection("cup", 0.9, (100.0, 100.0, 200.0, 200.0))] for _ in images]


@pytest.fixture(scope="module")
def household() -> Household:
    made = Household(EmbeddedSimulator())
    made.reset(SCENARIO)
    return made


def seen(household: Household, perception: DetectorPerception) -> Observation:
    return perception.perceive(household.observe(Role.FOLLOWER, perception.privileges))


@pytest.mark.parametrize(("detector", "places"), [("true-boxes", ("Sink", "CounterTop")), ("true-masks", ("Sink",))])
def test_the_planner_picks_a_thing_up_and_puts_it_elsewhere(detector: str, places: Sequence[str]) -> None:
    """Without the objects' states and positions, without ids, and without a map: recognition and depth alone.

    The box about a sink holds some of the counter, too, so that a click on it may be a click on that.
    """
    follower: Any = build("agent", f'planner:perception="detector:detector={detector},depth=true"', role="follower")
    home = Household(EmbeddedSimulator())
    home.reset(SCENARIO)
    (before,) = (row["parentReceptacles"] for row in home.objects if row["objectType"] == "Mug")
    commander = ScriptedAgent([Action.say("Put the mug in the sink.")])
    result = run_session(home, commander, follower, SCENARIO, limits=Limits(max_turns=110))
    (mug,) = (row for row in home.objects if row["objectType"] == "Mug")
    assert mug["parentReceptacles"] != before and not mug["isPickedUp"]
    assert {parent.partition("|")[0] for parent in mug["parentReceptacles"]} <= {*places}
    assert result.privileges[Role.FOLLOWER] == {Privilege.SEGMENTATION, Privilege.DEPTH}
    told = result.provenance[Role.FOLLOWER]
    assert (told["perception"], told["detector"], told["depth"]) == ("detector", detector, "true")


@pytest.fixture
def one_thread() -> Iterator[None]:
    """A network this small is slower on several threads, beside other work by far."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_a_network_and_the_floor_for_depth_need_no_privilege_and_break_nothing(
    tmp_path: Path, one_thread: None
) -> None:
    from tests.models.vision import tiny

    folder = tiny.build_detector("yolos", tmp_path)
    spec = f"detector:detector='hf:{folder},threshold=0.0,dtype=float32',depth=floor"
    follower: Any = build("agent", f'lm:model=oracle,perception="{spec}"', role="follower")
    commander = ScriptedAgent([Action.say("Pick up the cup.")])
    result = run_session(Household(EmbeddedSimulator()), commander, follower, SCENARIO, limits=Limits(max_turns=4))
    assert result.end_reason is EndReason.TURN_LIMIT and not result.privileges[Role.FOLLOWER]
    told = result.provenance[Role.FOLLOWER]
    assert told["depth"] == "floor" and len(told["detector_hash"]) == 16 and told["detector"].startswith("hf:")


def test_without_more_words_it_is_our_own_eyes_and_reads_no_privilege() -> None:
    pytest.importorskip("torch")
    plain = DetectorPerception()
    assert plain.provenance["detector"] == plain.provenance["depth"] == "household" and not plain.privileges


def test_eyes_of_our_own_need_no_privilege_and_see_depth_by_themselves(tmp_path: Path, one_thread: None) -> None:
    from tests.learning.detection.tiny import write_eyes

    folder = write_eyes(tmp_path, eager=True)
    follower: Any = build(
        "agent", f'lm:model=oracle,perception="detector:detector=household:{folder}"', role="follower"
    )
    commander = ScriptedAgent([Action.say("Pick up the cup.")])
    result = run_session(Household(EmbeddedSimulator()), commander, follower, SCENARIO, limits=Limits(max_turns=4))
    assert result.end_reason is EndReason.TURN_LIMIT and not result.privileges[Role.FOLLOWER]
    told = result.provenance[Role.FOLLOWER]
    assert told["detector"] == told["depth"] == f"household:{folder}"
    assert len(told["detector_hash"]) == len(told["depth_hash"]) == 16


def test_what_a_detector_finds_becomes_a_thing_with_a_place(household: Household) -> None:
    perception = DetectorPerception(Everywhere(), "true")
    found = seen(household, perception)
    assert perception.privileges == {Privilege.DEPTH} == found.privileged.granted & {Privilege.DEPTH}
    (cup,) = found.privileged.objects
    assert cup["objectId"] == "Cup|det|1" and cup["visible"] is True and found.privileged.visible == {"Cup|det|1"}
    depth = household.observe(Role.FOLLOWER, {Privilege.DEPTH}).privileged.depth
    middle = float(np.median(depth[125:175, 125:175]))
    pose, place = found.pose, cup["position"]
    assert isinstance(place, dict)
    away = np.array([place[axis] for axis in "xyz"]) - np.asarray(pose.position)
    assert np.linalg.norm(away[[0, 2]]) == pytest.approx(middle, abs=1.0)
    ids = found.privileged.segmentation
    assert ids.object_ids == ("Cup|det|1",) and ids.ids[150, 150] == 0 and ids.ids[10, 10] == -1
    assert knowledge_of(found) is perception.map and perception.map.in_view == {"Cup|det|1"}


def test_seen_again_it_is_the_same_and_a_new_session_begins_anew(household: Household) -> None:
    perception = DetectorPerception(Everywhere())
    first, second = seen(household, perception), seen(household, perception)
    assert [row["objectId"] for row in second.privileged.objects] == ["Cup|det|1"]
    assert second.privileged.lasting_objects[0] is first.privileged.lasting_objects[0]
    perception.begin(0)
    assert not perception.map.known.rows


def test_one_can_stand_where_floor_shows(household: Household) -> None:
    perception = DetectorPerception("true-masks")
    free = seen(household, perception).privileged.reachable
    true = household.observe(Role.FOLLOWER, {Privilege.REACHABLE}).privileged.reachable
    here = household.observe(Role.FOLLOWER).pose.position
    assert any(abs(x - here.x) + abs(z - here.z) < 0.01 for x, z in free)
    assert 2 <= len(free) and len(free - true) <= max(3, len(free) // 3)


def test_labels_of_ones_own_say_what_things_are(household: Household, tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"cup": "Vase"}), encoding="utf8")
    perception = DetectorPerception(Everywhere(), labels=str(path))
    assert [row["objectType"] for row in seen(household, perception).privileged.objects] == ["Vase"]


def test_options_are_a_spec_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    made = perception_of("detector:detector=true-masks,depth=floor")
    assert made.privileges == {Privilege.SEGMENTATION} and made.provenance["depth"] == "floor"
    with pytest.raises(SpecError, match="no detector of this name is registered"):
        perception_of("detector:detector=yolo9")
    with pytest.raises(SpecError, match="names nobody; got 'false'; valid: auto, true, floor, hf"):
        perception_of("detector:depth=false")
    with pytest.raises(SpecError, match="unknown parameter; got 'dept'; did you mean 'depth'"):
        perception_of("detector:dept=true")
    with pytest.raises(SpecError, match="no perception of this name.*got 'detecter'; did you mean 'detector'"):
        perception_of("detecter")
    with pytest.raises(InputError, match="is no label map"):
        perception_of(f"detector:labels={tmp_path}/none.json")
