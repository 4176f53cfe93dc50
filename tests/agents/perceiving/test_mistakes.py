"""What a body does where its eyes are mistaken, or not sure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, SkillError, approach
from teach_agents.agents.acting.performing import perform
from teach_agents.agents.acting.skills.searching import look_for, survey
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.detector import DetectorPerception
from teach_agents.agents.perceiving.detector_sights import TrueBoxes
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.models.vision import Detection
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.english.values import Instruction, Reference, ReportKind, Verb
from tests.agents.perceiving.looking_around import Explorer

PLAIN = 0.3


def perceiving(labels: str = "") -> DetectorPerception:
    """Eyes that see outlines and depth as they are."""
    return DetectorPerception("true-masks", depth=True, labels=labels)


def test_what_turns_out_to_be_something_else_was_not_found(tmp_path: Path) -> None:
    """Whoever takes tomatoes for potatoes, and takes one, has no potato."""
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"Tomato": "Potato", "Potato": "Book"}))
    explorer = Explorer("FloorPlan1", perceiving(str(labels)))
    explorer.carry_out(survey(explorer.body))
    assert explorer.body.things.of("Potato")
    with pytest.raises(SkillError) as error:
        explorer.carry_out(perform(explorer.body, Instruction(Verb.PICK_UP, Reference("Potato"))))
    assert (error.value.kind, error.value.noun) == (ReportKind.NOT_FOUND, "Potato")
    assert explorer.body.things.of("Tomato"), "it knows now what that was"


def test_what_was_cut_and_is_something_else_was_not_found(tmp_path: Path) -> None:
    """Whoever takes apples for lettuce, and cuts one, has no lettuce."""
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"Apple": "Lettuce", "Lettuce": "Book"}))
    explorer = Explorer("FloorPlan1", perceiving(str(labels)))
    with pytest.raises(SkillError) as error:
        explorer.carry_out(perform(explorer.body, Instruction(Verb.SLICE, Reference("Lettuce"))))
    assert (error.value.kind, error.value.noun) == (ReportKind.NOT_FOUND, "Lettuce")
    assert explorer.body.things.of("AppleSliced")


@pytest.mark.parametrize("mistaken", ["Knife", "ButterKnife"])
def test_who_took_something_else_for_a_knife_looks_for_another(tmp_path: Path, mistaken: str) -> None:
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"Apple": mistaken}))
    explorer = Explorer("FloorPlan21", perceiving(str(labels)))
    explorer.carry_out(perform(explorer.body, Instruction(Verb.SLICE, Reference("Bread"))))
    assert explorer.body.things.of("Apple"), "it was taken for a knife until it was in the hand"
    assert explorer.body.things.of("BreadSliced")


def test_who_finds_no_knife_takes_what_cuts_as_well(tmp_path: Path) -> None:
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"Knife": "Book"}))
    explorer = Explorer("FloorPlan1", perceiving(str(labels)))
    assert not explorer.body.things.of("Knife", "ButterKnife")
    steps = _noted(explorer, perform(explorer.body, Instruction(Verb.SLICE, Reference("Lettuce"))))
    held = explorer.body.held
    assert steps[-1] == "Slice" and held is not None and held.object_type == "ButterKnife"


@pytest.mark.parametrize("room", ["FloorPlan1", "FloorPlan2", "FloorPlan12"])
def test_it_boils_by_the_stove_without_seeing_which_knob_heats(room: str) -> None:
    explorer = Explorer(room, perceiving())
    steps = _noted(explorer, perform(explorer.body, Instruction(Verb.BOIL, Reference("Potato"))))
    assert 1 <= steps.count("ToggleOn") - 1 <= 2, "the faucet, then the knobs that may be the burner's"
    assert _is_true(explorer, "Potato", "simbotIsBoiled")


@pytest.mark.parametrize("perception", [perceiving, OraclePerception])
def test_who_lacks_the_knobs_of_a_stove_looks_for_them(perception: Callable[[], Perception]) -> None:
    explorer = Explorer("FloorPlan20", perception())
    assert not explorer.body.things.of("StoveKnob")
    cook = Instruction(Verb.COOK, Reference("Potato"), Reference("Pan"))
    assert "ToggleOn" in _noted(explorer, perform(explorer.body, cook))
    assert _is_true(explorer, "Potato", "isCooked")


def _is_true(explorer: Explorer, kind: str, state: str) -> bool:
    """Whether the simulator has anything of a type in a state."""
    true = explorer.household.observe(Role.FOLLOWER, frozenset({Privilege.OBJECTS}), turn=explorer.turn)
    return any(row.get(state) for row in true.privileged.lasting_objects if row["objectType"] == kind)


def test_who_knows_no_ground_near_a_thing_goes_towards_it() -> None:
    explorer = Explorer("FloorPlan204", perceiving())
    body = explorer.body
    sofa = next(one for one in body.things.of("Sofa") if not _is_in_reach(body, one))
    explorer.carry_out(approach(body, sofa))
    assert _is_in_reach(body, body.now(sofa))


def _is_in_reach(body: Body, thing: Thing) -> bool:
    """Whether there is a way to where a thing is in reach."""
    vantages = body.vantages(thing)
    return bool(np.isfinite(body.paths.costs(vantages.cells, vantages.headings)).any())


def _unsure(kind: str, until: int) -> Callable[[TrueBoxes, Observation], list[Detection]]:
    """Detections of which those of a type are faint as long as they show few pixels."""
    true = TrueBoxes.detections

    def detections(self: TrueBoxes, observation: Observation) -> list[Detection]:
        def score(one: Detection) -> float:
            assert one.mask is not None
            return PLAIN - 0.1 if one.label == kind and one.mask.sum() < until else 1.0

        return [replace(one, score=score(one)) for one in true(self, observation)]

    return detections


def test_what_was_seen_faintly_is_looked_at_before_anything_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TrueBoxes, "detections", _unsure("Tomato", until=60))
    monkeypatch.setattr(TrueBoxes, "plain", PLAIN)
    explorer = Explorer("FloorPlan1", perceiving())
    body = explorer.body
    explorer.carry_out(survey(body))
    assert body.knowledge is not None and not body.things.of("Tomato")
    assert "Tomato" in {row["objectType"] for row in body.knowledge.hunches}
    steps = _noted(explorer, look_for(body, "Tomato", lambda: bool(body.things.of("Tomato"))))
    (tomato,) = body.things.of("Tomato")
    assert [*body.memory.looked_into][0] == tomato.object_id and "Open" not in steps


def test_a_hunch_that_is_none_is_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TrueBoxes, "detections", _unsure("Tomato", until=10**6))
    monkeypatch.setattr(TrueBoxes, "plain", PLAIN)
    explorer = Explorer("FloorPlan1", perceiving())
    explorer.carry_out(survey(explorer.body))
    with pytest.raises(SkillError):
        explorer.carry_out(look_for(explorer.body, "Tomato", lambda: False, most=60))
    hunches = [count for name, count in explorer.body.memory.looked_into.items() if name.startswith("Tomato")]
    assert hunches and set(hunches) == {1}


@pytest.mark.parametrize(
    ("verb", "kind", "action"), [(Verb.CLOSE, "Cabinet", "Close"), (Verb.TURN_OFF, "Faucet", "ToggleOff")]
)
def test_who_does_not_know_whether_it_is_so_already_tries_once(verb: Verb, kind: str, action: str) -> None:
    explorer = Explorer("FloorPlan1", perceiving())
    explorer.carry_out(survey(explorer.body))
    steps = _noted(explorer, perform(explorer.body, Instruction(verb, Reference(kind))))
    assert steps.count(action) == 1 and not explorer.body.succeeded, "it was so already, and that is told once"
    assert "Open" not in steps, "nothing is looked for"


def _noted(explorer: Explorer, steps: Iterable[Action]) -> list[str]:
    """The names of a skill's actions, carried out."""
    names = []
    for one in steps:
        names.append(one.name)
        explorer.do(one)
    return names
