"""Classes with TEACh's model interface as Followers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from teach_agents.actions import Action, Role
from teach_agents.agents.conformance import AgentContract
from teach_agents.benchmarks.edh.benchmark import EdhBenchmark
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.assignment import GROUND_TRUTH
from teach_agents.benchmarks.tfd.benchmark import TfdBenchmark
from teach_agents.conventions.calling import ModelCall, invoke, made
from teach_agents.conventions.teach_model import TeachModelFollower, action_of
from teach_agents.core.agents.contract import Agent
from teach_agents.core.specs import Spec, SpecForm, build
from teach_agents.errors import PluginError, SpecError, TeachAgentsError
from teach_agents.household import Household
from teach_agents.playing import play
from tests.conventions.models import Keeper, Sample
from tests.conventions.sessions import written

MODELS = "tests.conventions.models"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield written(tmp_path_factory.mktemp("teach"))


def _edh(data: Path, follower: str, **more: Any) -> EdhBenchmark:
    return EdhBenchmark(follower, instances=str(data / "edh_instances"), **more)


def _run(benchmark: EdhBenchmark | TfdBenchmark, number: int = -1) -> tuple[Mapping[str, Any], Outcome]:
    record = benchmark.run(benchmark.instances("train")[number])
    return record, Outcome.from_json(record["outcome"])


def _scripted(data: Path, *answers: str) -> tuple[Mapping[str, Any], Outcome]:
    told: dict[str, bool | int | float | str] = {
        "module": MODELS,
        "class": "Scripted",
        "fresh": True,
        "args": f'"{" ; ".join(answers)}"',
    }
    return _run(_edh(data, str(Spec(SpecForm.REGISTERED, "teach-model", told))))


def test_a_model_is_given_what_teachs_runner_gives_it(data: Path) -> None:
    record, outcome = _run(_edh(data, f"{MODELS}:Keeper", view_size=60))
    model = made(ModelCall(Keeper))
    file = data / "edh_instances" / "train" / "recorded.edh1.json"
    (instance, images, name), asked = model.began[-1], model.asked
    assert name == str(file) and model.made == (0, 1, [])
    released = json.loads(file.read_bytes())
    assert list(instance) == [key for key in released if key not in GROUND_TRUTH]
    assert instance["dialog_history"] == released["dialog_history"]
    assert instance["interactions"] == released["interactions"][: released["pred_start_idx"]]
    assert len(images) == len(instance["driver_image_history"]) == len(instance["driver_action_history"])
    assert [one[2] for one in asked] == [
        None,
        {"action": "Turn Left", "obj_relative_coord": None},
        {"action": "Pickup", "obj_relative_coord": [0.2, 0.8]},
    ]
    assert [one[3] for one in asked] == [f"img__recorded.edh1_{step}.jpeg" for step in (1, 2, 3)]
    assert all(one[4] == name and one[1] == instance for one in asked)
    assert all(isinstance(one[0], Image.Image) and one[0].mode == "RGB" and one[0].size == (60, 60) for one in asked)
    assert outcome.predicted == (("Turn Left", None), ("Pickup", (0.2, 0.8)), ("Stop", None))
    assert (outcome.status, outcome.predicted_stop, record["privileges"]) == (Status.DONE, True, [])


def test_row_comes_before_column() -> None:
    assert action_of("Pickup", [0.2, 0.8]) == Action.click("Pickup", x=0.8, y=0.2)
    assert action_of("Open", (np.float32(0.25), np.float64(0.5))) == Action.click("Open", x=0.5, y=0.25)
    assert action_of("Forward", [0.1, 0.2]) == Action("Forward")


def test_pictures_of_the_history_are_those_that_were_seen_and_are_drawn_when_touched(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shots: list[Any] = []
    act = Household.act

    def seen(household: Household, role: Role, action: Action, time_ms: int = 0) -> Any:
        if role is Role.FOLLOWER:
            shots.append(household.observe(Role.FOLLOWER).view.rgb)
        return act(household, role, action, time_ms)

    benchmark = _edh(data, f"{MODELS}:Keeper", view_size=60)
    monkeypatch.setattr(Household, "act", seen)
    _run(benchmark)
    instance, images, _ = made(ModelCall(Keeper)).began[-1]
    names = [one["action_name"] for one in instance["driver_action_history"]]
    assert names == ["Text", "Pickup", "Turn Left", "Backward", "Forward", "Turn Right", "Place", "Text"]
    assert type(images) is list and all(isinstance(one, Image.Image) for one in images)
    assert len({one.tobytes() for one in images}) > 3
    for image, shot in zip(images, shots[: len(images)], strict=True):
        assert (np.asarray(image) == shot).all()


def test_the_ground_truth_is_given_on_request_and_every_result_says_so(data: Path) -> None:
    benchmark = _edh(data, f"teach-model:module={MODELS},class=Keeper,ground_truth=true")
    record, _ = _run(benchmark)
    instance = made(ModelCall(Keeper)).began[-1][0]
    assert instance == json.loads((data / "edh_instances" / "train" / "recorded.edh1.json").read_bytes())
    assert record["privileges"] == ["ground_truth"]


def test_tfd_has_no_history_and_everything_that_was_said(data: Path) -> None:
    benchmark = TfdBenchmark(f"{MODELS}:Keeper", instances=str(data / "tfd_instances"))
    _, outcome = _run(benchmark)
    instance, images, name = made(ModelCall(Keeper)).began[-1]
    assert images == [] == instance["driver_image_history"] and name.endswith("tfd_instances/train/recorded.tfd.json")
    assert [text for _, text in instance["dialog_history"]] == ["a mug, please", "not there", "the table, I mean"]
    assert {one["action_id"] for one in instance["interactions"]} == {100}
    assert not set(GROUND_TRUTH) & set(instance) and outcome.steps == 3


def test_an_instance_cut_from_a_session_has_the_name_that_its_file_would_have(data: Path) -> None:
    _run(EdhBenchmark(f"{MODELS}:Keeper", games=str(data / "games")))
    assert made(ModelCall(Keeper)).began[-1][2] == str(data / "edh_instances" / "train" / "recorded.edh1.json")


@pytest.mark.parametrize("name", ["Fly", "", "Text", "Move Up", "Double Forward", "SearchObject", "Dirty", "NoOp"])
def test_names_without_a_way_to_go_by_are_failed_actions(data: Path, name: str) -> None:
    _, outcome = _scripted(data, f"{name!r}, None", "None, None", "'Stop', None")
    assert (outcome.status, outcome.steps, outcome.failed_actions) == (Status.DONE, 3, 2)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("'Move to', None", "breaks down"),
        ("'Pickup', None", "without a click"),
        ("'Pickup', [0.5]", "not enough values"),
        ("'Pickup', [float('nan'), 0.5]", "finite"),
        ("None", "unpack"),
    ],
)
def test_what_breaks_teachs_runner_fails_the_instance(data: Path, answer: str, words: str) -> None:
    _, outcome = _scripted(data, "'Turn Left', None", answer)
    assert (outcome.status, outcome.steps) == (Status.CRASHED, 2) and words in outcome.reason


def test_a_start_that_is_not_true_fails_the_instance_and_is_not_lost(data: Path) -> None:
    benchmark = _edh(data, f"{MODELS}:Unready")
    record, outcome = _run(benchmark)
    assert outcome.status is Status.CRASHED and "returned nothing true" in outcome.reason
    assert benchmark.score(record)["error"] == 1.0


def test_a_model_that_cannot_be_made_says_why() -> None:
    with pytest.raises(PluginError, match="could not be made: SystemExit"):
        build("agent", f"{MODELS}:Late", allow_import=True, role=Role.FOLLOWER)
    with pytest.raises(SpecError, match="only imported on the command line"):
        build("agent", f"teach-model:module={MODELS},class=Sample", role=Role.FOLLOWER)
    with pytest.raises(PluginError, match="cannot import"):
        build("agent", "teach-model:module=nowhere,class=Sample", allow_import=True, role=Role.FOLLOWER)
    with pytest.raises(SpecError, match="is no class"):
        build("agent", "teach-model:module=random,class=random", allow_import=True, role=Role.FOLLOWER)
    with pytest.raises(SpecError, match="unknown parameter; got 'klass'; did you mean 'class'"):
        build("agent", f"teach-model:module={MODELS},klass=Sample", allow_import=True, role=Role.FOLLOWER)


def test_arguments_are_words_and_a_model_is_made_once_a_process() -> None:
    def built(text: str) -> Any:
        agent = build("agent", f"teach-model:module={MODELS},class=Sample,{text}", allow_import=True, role="follower")
        assert isinstance(agent, TeachModelFollower) and isinstance(agent, Agent)
        return agent._model

    assert isinstance(built("args=--seed 3"), Sample)
    assert built("args=--seed 3") is built("args=--seed 3") is not built("args=--seed 4")
    assert built("args=--seed 3,fresh=true") is not built("args=--seed 3,fresh=true")
    index = built("args='--seed 3',process_index=1,num_processes=2")
    assert index is not built("args=--seed 3")


def test_older_models_are_called_without_names() -> None:
    assert invoke(lambda a, b: (a, b), 1, 2, name="x") == (1, 2)
    assert invoke(lambda a, name=None: (a, name), 1, name="x", other=3) == (1, "x")
    assert invoke(lambda a, **more: (a, more), 1, name="x") == (1, {"name": "x"})


def test_a_model_follows_in_a_live_session_and_hears_what_is_said() -> None:
    def commander(seen: Any) -> Action:
        return Action.say("go on") if seen.turn < 2 else Action.wait()

    result = play("Coffee", room="FloorPlan1", commander=commander, follower=f"{MODELS}:Keeper")
    assert result.end_reason == "stopped" and result.turns == 3
    model = made(ModelCall(Keeper))
    said = [one[1]["dialog_history"] for one in model.asked]
    assert said == [[], [["Commander", "go on"]], [["Commander", "go on"], ["Commander", "go on"]]]
    assert model.began[-1][1] == []
    with pytest.raises(SpecError, match="only take the Follower's chair"):
        play("Coffee", room="FloorPlan1", commander=f"{MODELS}:Keeper")


def test_an_agent_of_ours_can_see_the_history(data: Path) -> None:
    record, outcome = _run(_edh(data, "tests.serve.agents:Historian"))
    (name, click), *_ = outcome.predicted
    assert (name, click and click[1], record["privileges"]) == ("Open", 0.08, [])
    assert click is not None and click[0] > 0.05, "the last picture is not black"


def test_what_fails_to_start_over_a_network_fails_the_instance(data: Path) -> None:
    _, outcome = _run(_edh(data, "teach-remote:url=http://127.0.0.1:9"))
    assert outcome.status is Status.CRASHED and "no answer" in outcome.reason
    with pytest.raises(TeachAgentsError, match="token_env names an environment variable that is not set"):
        build("agent", "teach-remote:url=http://127.0.0.1:9,token_env=NOWHERE_SET", role=Role.FOLLOWER)


class TestTeachModelFollower(AgentContract):
    """It is an agent like any other."""

    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        """With a model that begins anew when it is told to."""
        return TeachModelFollower(ModelCall(Keeper).make())
