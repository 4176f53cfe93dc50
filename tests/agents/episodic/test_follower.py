"""The Follower that asks an Episodic Transformer: what it chooses, remembers, tries again, and when it stops."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.agents import Agent, Briefing
from teach_agents.agents.conformance import AgentContract, blank_observation
from teach_agents.agents.episodic.choosing import Targets, chosen
from teach_agents.agents.history import History
from teach_agents.agents.perceiving.detector_sights import ByDetector, TrueBoxes
from teach_agents.data.follower_actions import FollowerAction
from teach_agents.errors import ModelError, SpecError
from teach_agents.models.episodic.vocabulary import ACTION_NUMBER, ACTIONS, STOP
from teach_agents.models.vision import Detection, Detector, LabelMap
from teach_agents.observations import Observation, Privilege, Privileged, Segmentation, Utterance, View

torch = pytest.importorskip("torch")
from teach_agents.agents.episodic.follower import EpisodicFollower, episodic_follower  # noqa: E402  # after the check
from teach_agents.models.episodic.reading import Likely  # noqa: E402  # the same
from teach_agents.models.episodic.sight import Sight  # noqa: E402  # the same
from tests.models.episodic.tiny import Quarters, tiny_sight, tiny_trained  # noqa: E402  # the same

SAID = (Utterance(Role.COMMANDER, "bring the mug"),)
CLASSES = ("Fork", "Mug", "Sink")


class Finds(Detector):
    """Finds the same things in every picture."""

    name, labels, hash = "finds", ("mug", "fork", "sink basin"), "1" * 16

    def __init__(self, *found: Detection) -> None:
        self._found = found

    def find(self, images: Sequence[Any]) -> list[list[Detection]]:
        return [list(self._found) for _ in images]


def follower(*found: Detection, history: History | None = None, **more: Any) -> EpisodicFollower:
    """A Follower with an untrained network."""
    targets = Targets(ByDetector(Finds(*found)), LabelMap())
    made = EpisodicFollower(more.pop("trained", tiny_trained()), targets, tiny_sight(), history=history, **more)
    made.begin(Briefing("session", Role.FOLLOWER, 3))
    return made


def seen(turn: int = 0, dialogue: tuple[Utterance, ...] = SAID, **parts: Any) -> Observation:
    """What a Follower sees in a black room after somebody spoke."""
    return blank_observation(Role.FOLLOWER, turn, frozenset(), dialogue=dialogue, **parts)


def biased(inputs: str = "language+vision", **logits: float) -> Any:
    """An untrained network that likes some actions more than others, whatever it sees."""
    made = tiny_trained(inputs)
    with torch.no_grad():
        network = made.network
        network.next_action.weight.zero_()
        network.next_action.bias.zero_()
        network.next_action.bias[0] = 1.0
        network.action.weight[:, 0] = torch.tensor([logits.get(name.replace(" ", "_"), 0.0) for name in ACTIONS])
    return made


class TestInCompany(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return follower(Detection("mug", 0.9, (3.0, 3.0, 9.0, 9.0)))


class TestAloneAndDrawing(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return follower(history=History(), temperature=1.0)


class TestWithTrueOutlines(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        targets = Targets(TrueBoxes(masks=True), LabelMap())
        return EpisodicFollower(tiny_trained(), targets, tiny_sight(), history=History())


def test_alone_a_stop_ends_it() -> None:
    assert follower(history=History(), trained=biased(Stop=5.0)).act(seen()) == Action.stop()


def test_in_company_it_asks_what_is_next_waits_and_at_last_stops() -> None:
    agent = follower(trained=biased(Stop=5.0))
    answers = [agent.act(seen(turn)) for turn in range(23)]
    assert answers[0].name == "Text" and answers[0].utterance and "next" in answers[0].utterance
    assert answers[1:] == [Action.wait()] * 20 + [Action.stop()] * 2
    agent.begin(Briefing("session", Role.FOLLOWER, 3))
    silent = [agent.act(seen(turn, ())) for turn in range(23)]
    assert silent[0] == Action.wait() and silent[-1] == Action.stop(), "nothing was ever asked for"


def test_new_words_end_the_waiting() -> None:
    agent = follower(trained=biased(Stop=5.0))
    asked = agent.act(seen(0)).utterance
    assert asked is not None
    spoken = (*SAID, Utterance(Role.FOLLOWER, asked))
    assert agent.act(seen(1, spoken, last_result=ActionResult(True))) == Action.wait()
    assert agent._past is not None and [ACTIONS[number] for _, number in agent._past] == ["Text"], "as in histories"
    agent._trained = biased(Forward=5.0)
    assert agent.act(seen(2, spoken)) == Action.wait(), "nobody else spoke"
    assert agent.act(seen(3, (*spoken, Utterance(Role.COMMANDER, "go on")))) == Action("Forward")


def test_what_failed_is_not_tried_again_until_something_succeeds() -> None:
    agent = follower(history=History(), trained=biased(Forward=5.0, Turn_Left=4.0, Backward=3.0))
    no, yes = ActionResult(False, "blocked"), ActionResult(True)
    assert agent.act(seen(0)) == Action("Forward")
    assert agent.act(seen(1, last_result=no)) == Action("Turn Left")
    assert agent.act(seen(2, last_result=no)) == Action("Backward")
    assert agent.act(seen(3, last_result=yes)) == Action("Forward")
    assert agent._past is not None and [number for _, number in agent._past] == [ACTION_NUMBER["Backward"]]


def test_nothing_is_done_a_third_time_from_one_place() -> None:
    mug = Detection("mug", 0.9, (3.0, 3.0, 9.0, 9.0))
    agent = follower(mug, history=History(), trained=biased(Pickup=5.0, Turn_Left=4.0, Forward=3.0))
    no, yes = ActionResult(False, "blocked"), ActionResult(True)
    names = [agent.act(seen(0)).name]
    names += [agent.act(seen(turn, last_result=yes)).name for turn in (1, 2, 3)]
    assert names == ["Pickup", "Pickup", "Turn Left", "Turn Left"], "a turn leads to no other place"
    assert agent.act(seen(4, last_result=no)).name == "Forward", "the turn failed"
    names = [agent.act(seen(turn, last_result=yes)).name for turn in (5, 6, 7)]
    assert names == ["Pickup", "Pickup", "Turn Left"], "another place"
    more = (*SAID, Utterance(Role.COMMANDER, "and the other"))
    assert agent.act(seen(8, more, last_result=yes)).name == "Pickup", "something was said"


def test_a_history_is_remembered_as_far_as_training_showed() -> None:
    names = ("Forward", "Navigation", "Text", "Turn Left", "Forward", "Pickup")
    actions = tuple(FollowerAction(name, float(at)) for at, name in enumerate(names))
    views = tuple(View.of(np.full((32, 32, 3), 30 * at, np.uint8)) for at in range(len(names)))
    agent = follower(history=History(actions, views))
    agent.act(seen())
    assert agent._past is not None
    assert [ACTIONS[number] for _, number in agent._past] == ["Turn Left", "Forward", "Pickup"]
    assert (agent._past[0][0] == tiny_sight().look([views[3].rgb])[0]).all()


def test_the_past_changes_what_is_likely() -> None:
    view = View.of(np.full((32, 32, 3), 200, np.uint8))
    known = follower(history=History((FollowerAction("Forward", 0.0),), (view,)))
    for agent in (known, fresh := follower(history=History())):
        agent.act(seen())
    assert known.thought != fresh.thought


def test_a_network_without_eyes_asks_for_no_pictures() -> None:
    def fail() -> Any:
        raise AssertionError("it looked")

    agent = follower(history=History(), trained=biased("language", Forward=5.0))
    assert agent.act(replace(seen(), view=View(fail))) == Action("Forward")


def test_it_looks_for_things_once_a_turn_and_only_to_act_upon_them() -> None:
    looks: list[int] = []

    class Counting(Targets):
        def in_view(self, observation: Observation) -> dict[str, tuple[float, float]]:
            looks.append(observation.turn)
            return super().in_view(observation)

    likes = biased(Pickup=5.0, Open=4.0, Place=3.0, Forward=2.0)
    agent = EpisodicFollower(likes, Counting(ByDetector(Finds()), LabelMap()), tiny_sight(), history=History())
    assert agent.act(seen(0)) == Action("Forward"), "nothing is in view"
    agent._trained = biased(Forward=5.0)
    agent._reader = None
    agent.act(seen(1, last_result=ActionResult(True)))
    assert looks == [0]


def test_features_of_another_encoder_are_refused() -> None:
    other = Quarters()
    other.name = "others"
    agent = EpisodicFollower(tiny_trained(), Targets(ByDetector(Finds()), LabelMap()), Sight(other), history=History())
    with pytest.raises(ModelError, match="another encoder"):
        agent.act(seen())


def likely(objects: Sequence[float] = (0.2, 0.5, 0.3), **actions: float) -> Likely:
    """Probabilities, those that are not named 0."""
    shares = [actions.get(name.replace(" ", "_"), 0.0) for name in ACTIONS]
    return Likely(np.array(shares, np.float32), np.array(objects, np.float32))


def choose(
    told: Likely, *barred: tuple[int, str], view: Sequence[str] = ("Fork", "Sink"), temperature: float = 0.0
) -> Any:
    points = {name: (0.1, 0.2) for name in view}
    dice = random.Random(0)
    return chosen(told, CLASSES, lambda: points, barred, temperature=temperature, dice=dice)


def test_the_likeliest_class_in_view_is_acted_upon() -> None:
    choice = choose(likely(Pickup=0.9, Stop=0.1))
    assert (choice.action, choice.object_class) == (Action.click("Pickup", 0.1, 0.2), "Sink")
    assert choose(likely(Pickup=0.9), choice.deed).object_class == "Fork"
    assert choose(likely(Pickup=0.6, Forward=0.4), view=()).action == Action("Forward"), "nothing is in view"


def test_text_is_never_chosen_and_stop_is_what_is_left() -> None:
    assert choose(likely(Text=0.9, Forward=0.1)).action == Action("Forward")
    forward = ACTION_NUMBER["Forward"], ""
    assert choose(likely(Forward=0.9), forward, view=()).action != Action("Forward")
    everything = [(number, name) for number in range(len(ACTIONS)) if number != STOP for name in ("", *CLASSES)]
    assert choose(likely(Forward=0.9), *everything).action == Action.stop()


def test_temperature_draws_by_likelihood() -> None:
    told, dice = likely(Forward=0.5, Backward=0.5), random.Random(1)
    drawn = {chosen(told, CLASSES, dict, (), temperature=1.0, dice=dice).action.name for _ in range(40)}
    assert drawn == {"Forward", "Backward"}
    with pytest.raises(SpecError, match="temperature"):
        follower(temperature=-1.0)


def test_clicks_go_to_the_surest_of_a_class() -> None:
    outline = np.zeros((32, 32), bool)
    outline[8:24, 16:32] = True
    found = (
        Detection("sink basin", 0.4, (0.0, 0.0, 8.0, 8.0)),
        Detection("sink basin", 0.8, (16.0, 8.0, 32.0, 24.0), outline),
        Detection("mug", 0.5, (0.0, 0.0, 16.0, 8.0)),
        Detection("unicorn", 0.9, (0.0, 0.0, 8.0, 8.0)),
    )
    points = Targets(ByDetector(Finds(*found)), LabelMap()).in_view(seen())
    assert set(points) == {"Sink", "Mug"} and points["Mug"] == (0.25, 0.125)
    assert points["Sink"] == pytest.approx((0.75, 0.5), abs=0.04)


def test_true_outlines_are_a_privilege_and_give_the_largest() -> None:
    targets = Targets(TrueBoxes(masks=True), LabelMap())
    assert targets.privileges == {Privilege.SEGMENTATION}
    ids = np.full((32, 32), -1, np.int32)
    ids[:6, :6], ids[10:30, 10:30] = 0, 1
    truth = Privileged({Privilege.SEGMENTATION: lambda: Segmentation(ids, ("Mug|a|b|c", "Mug|d|e|f"))})
    x, y = targets.in_view(replace(seen(), privileged=truth))["Mug"]
    assert 10 / 32 < x < 30 / 32 and 10 / 32 < y < 30 / 32


def test_a_spec_makes_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained = tiny_trained()
    for name, content in trained.files().items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr("teach_agents.agents.episodic.follower.Sight", lambda *told: tiny_sight())
    agent = episodic_follower(str(tmp_path), clicks="oracle", device="cpu")
    assert agent.privileges == {Privilege.SEGMENTATION}
    assert (agent.provenance["model"], agent.provenance["model_hash"]) == ("episodic", trained.hash)
    assert agent.provenance["inputs"] == "language+vision"
    with pytest.raises(SpecError, match="clicks"):
        episodic_follower(str(tmp_path), clicks="magic")
