"""Models, lots, scripts and people in a world that nobody has written them for."""

from __future__ import annotations

import asyncio
import io
import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from teach_agents.agents.person import Person
from teach_agents.core.agents.distribution import distribution_of
from teach_agents.core.benchmark.engines import Job, engine_named
from teach_agents.core.codec import Codec
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.record import read_record
from teach_agents.core.session.session import Session
from teach_agents.core.specs import build
from teach_agents.core.values import Say, Stop, Wait
from teach_agents.core.world import World
from teach_agents.errors import PluginError, SpecError
from teach_agents.kinds import AGENT
from teach_agents.models import ScriptedModel
from teach_agents.models.agent import LanguageModelAgent, lm_agent
from teach_agents.models.scaffold import Scaffold, scaffold_of
from teach_agents.models.scaffold_conformance import ScaffoldContract
from tests.agents.treasure import CODEC, PLAIN, ROOMS, TOLD, Go, House, Hunt, TreasureScaffold, deeds

HUNT = Hunt("kitchen")


def _played(path: Path, guide: Any, seeker: Any, seed: int = 3, world: World = PLAIN, **how: Any) -> Any:
    """The record of a hunt."""
    made = {
        seat: build(AGENT, one, world=world, seat=seat) if isinstance(one, str) else one
        for seat, one in (("guide", guide), ("seeker", seeker))
    }
    Session(House(), made, record=path, **how).play(HUNT, seed=seed)
    return read_record(path, House().form)


class TestTreasureScaffold(ScaffoldContract):
    def make_scaffold(self) -> Scaffold[Any]:
        return TreasureScaffold(CODEC)

    def observations(self) -> Iterable[tuple[str, Any]]:
        house = House()
        house.reset(HUNT, 0)
        return [(seat, house.observe(seat)) for seat in house.seats]


class TestPlainScaffold(TestTreasureScaffold):
    def make_scaffold(self) -> Scaffold[Any]:
        return Scaffold(CODEC)


def test_a_uniform_model_and_lots_play_and_repeat(tmp_path: Path) -> None:
    played = [
        deeds(_played(tmp_path / f"{name}.jsonl", "random", "lm:model=uniform", seed))
        for name, seed in (("one", 3), ("two", 3), ("three", 4))
    ]
    assert played[0] == played[1] != played[2]
    assert {action for seat, action in played[0] if seat == "seeker"} <= {*map(Go, ROOMS), Wait()}


def test_a_model_is_told_the_world_what_was_said_and_what_came_of_it(tmp_path: Path) -> None:
    model = ScriptedModel(["try the attic", "try the cellar", "say something", "where is it?", "try the kitchen"])
    seeker = lm_agent(model, TOLD, "seeker")
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"type": "Say", "text": "it is up or down"}]))
    record = _played(tmp_path / "hunt.jsonl", f"scripted:file={script}", seeker)
    done = [action for seat, action in deeds(record) if seat == "seeker"]
    assert done == [Go("attic"), Go("cellar"), Say("where is it?"), Go("kitchen")], "what fails ends a choice of two"
    first, last = model.prompts[0].messages, model.prompts[-1].messages[-1].text
    assert first[0].text == "There is a treasure in one of three rooms.\nYou are the seeker."
    assert first[1].text.startswith("You are in the hall.\nWhat do you do now?")
    done_before = "(try the attic: it is empty)\n(try the cellar: it is empty)\n(say: where is it?: done)"
    said = f"guide: it is up or down\n{done_before}"
    assert last.startswith(f"{said}\nYou are in the cellar.\nWhat do you do now?")
    thought = record.turns[0].done["seeker"].thought
    assert (thought["choice"], thought["candidates"][-1]) == ("try the attic", "wait")
    assert {"model", "prompt_hash"} <= set(seeker.provenance) and seeker.usage.model_calls == 5


def test_a_model_that_names_no_candidate_waits_and_one_whose_decisions_are_spent_stops(tmp_path: Path) -> None:
    seeker = lm_agent(ScriptedModel(["dig"]), PLAIN, "seeker", max_decisions=2)
    record = _played(tmp_path / "hunt.jsonl", "random", seeker)
    assert [action for seat, action in deeds(record) if seat == "seeker"] == [Wait(), Wait(), Stop()]
    assert seeker.failed_decisions == 2


def test_how_probable_choices_are_can_be_asked() -> None:
    house = House()
    house.reset(HUNT, 0)
    agent = build(AGENT, "lm:model=uniform", world=PLAIN, seat="seeker")
    assert isinstance(agent, LanguageModelAgent)
    found = asyncio.run(distribution_of(agent, house.observe("seeker"), house.observe("seeker").valid_actions))
    assert {action for action, _ in found.chances} == {*map(Go, ROOMS), Wait()} and found.how == "distribution"
    assert [share for _, share in found.chances] == pytest.approx([0.25] * 4)
    told = lm_agent("uniform", TOLD, "seeker").action_distribution(house.observe("seeker"))
    assert [action for action, _ in told] == [*map(Go, ROOMS), Wait()], "what each choice begins with"


@pytest.mark.parametrize(("seeker", "seed"), [("random", 4), ("lm:model=uniform", 2)])
def test_lots_scripts_and_models_go_on_where_a_session_was_cut_off(seeker: str, seed: int, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"type": "Say", "text": str(number)} for number in range(9)]))
    whole = tmp_path / "whole.jsonl"
    done = deeds(_played(whole, f"scripted:file={script}", seeker, seed))
    assert len(done) > 5
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(whole.read_text().splitlines(keepends=True)[:3]))
    agents: Any = {
        seat: build(AGENT, spec, world=PLAIN, seat=seat)
        for seat, spec in (("guide", f"scripted:file={script}"), ("seeker", seeker))
    }
    Session(House(), agents, record=cut).play_on()
    assert deeds(read_record(cut, House().form)) == done


class Slow:
    """Somebody who takes longer over each line than any time limit here."""

    def __init__(self, text: str) -> None:
        self.lines = io.StringIO(text)

    def readline(self) -> str:
        """A line."""
        time.sleep(0.02)
        return self.lines.readline()


def test_a_person_chooses_by_number_speaks_and_may_write_an_action(tmp_path: Path) -> None:
    typed: Any = Slow('what?\n9\n\n4\nhere I am\n{"type": "Go", "room": "attic"}\n{"type": "Fly"}\n{"to": 1}\n3\n')
    shown = io.StringIO()
    seeker = Person(TreasureScaffold(CODEC), "seeker", reads=typed, writes=shown)
    record = _played(tmp_path / "hunt.jsonl", "random", seeker, timeouts=Timeouts(act_s=0.01))
    done = [action for seat, action in deeds(record) if seat == "seeker"]
    assert done == [Say("what?"), Say("here I am"), Go("attic"), Go("kitchen")]
    told = shown.getvalue()
    assert told.count("There is a treasure") == 1 and "  1 try the attic" in told and "(seeker" not in told
    assert "no such choice; got '9'" in told and "it is empty" in told
    assert "is none of this world; got 'Fly'; valid" in told and "is none of this world; got {'to': 1}; valid" in told


def test_a_person_who_ends_the_input_stops(tmp_path: Path) -> None:
    seeker = Person(Scaffold(CODEC), "seeker", reads=io.StringIO(""), writes=io.StringIO())
    record = _played(tmp_path / "hunt.jsonl", "random", seeker)
    assert deeds(record)[-1] == ("seeker", Stop()) and record.result["end_reason"] == "stopped"


def test_a_world_that_offers_nothing_has_neither_lots_nor_models() -> None:
    bare = World(Codec[Hunt, Go, Hunt]("bare", instance=Hunt, actions=(Go,), observation=Hunt))
    for spec in ("random", "lm:model=uniform"):
        with pytest.raises(
            SpecError, match="in the world 'bare': cannot play there: observations hold no valid_actions"
        ):
            build(AGENT, spec, world=bare, seat="seeker")
    with pytest.raises(PluginError, match="the scaffold of the world 'treasure': must be a Scaffold"):
        scaffold_of(World(CODEC, scaffold=lambda codec: 5))


def test_names_of_one_world_are_no_names_in_another() -> None:
    with pytest.raises(SpecError, match="no agent of this name is registered; got 'planner'"):
        build(AGENT, "planner", world=PLAIN, seat="seeker")
    assert type(build(AGENT, "random", role="follower")).__name__ == "RandomFollower"


def _carried_out(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    if payload["number"] == 2:
        raise ValueError("two")
    return {"process": os.getpid()}


def test_an_engine_plays_in_this_very_process_so_that_a_person_can_sit_here() -> None:
    jobs = [Job(str(number), {"number": number}) for number in (1, 2, 3)]
    done = list(engine_named("here").run(jobs, f"{__name__}:_carried_out"))
    assert [(one.job_id, one.status) for one in done] == [("1", "done"), ("2", "crashed"), ("3", "done")]
    assert done[0].value == {"process": os.getpid()} and "ValueError: two" in done[1].reason
