from __future__ import annotations

import asyncio
import json
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents import RandomCommander, RandomFollower, ScriptedAgent
from teach_agents.data import Keyboard, Motion, ObjectInteraction, ProgressCheck, read_game, write_game
from teach_agents.errors import RecordError
from teach_agents.household import Household, Limits
from teach_agents.observations import Observation
from teach_agents.session import EndReason, Session, SessionResult, read_record, replay, resume_session, to_game
from teach_agents.simulator.contract import Outcome, SimulatorAction
from tests.household.fake import FakeSimulator
from tests.session.support import FORWARD, WAIT, Recall, click, scenario, session, small_household

LIMITS = Limits(max_turns=60, max_failures=None)


def _played(path: Path, seed: int = 5) -> SessionResult:
    agents = RandomCommander(), RandomFollower(stops=False)
    return asyncio.run(Session(small_household(), *agents, limits=LIMITS, record=path).run(scenario(seed=seed)))


@cache
def _kept() -> tuple[bytes, SessionResult]:
    with TemporaryDirectory() as folder:
        result = _played(Path(folder, "record"))
        return Path(folder, "record").read_bytes(), result


def _random(path: Path) -> SessionResult:
    """Write the record of a random session, which was played once for all."""
    record, result = _kept()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(record)
    return result


def test_a_record_holds_every_turn_and_the_result(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "record.jsonl"
    result = _played(path)
    record = read_record(path)
    assert len(record.turns) == result.turns == 60
    assert record.result == json.loads(json.dumps(result.to_json(timed=False)))
    assert record.header.scenario == scenario(seed=5)
    assert record.header.agents == {Role.COMMANDER: "RandomCommander", Role.FOLLOWER: "RandomFollower"}
    assert record.turns[2].done[Role.FOLLOWER].time_ms == 2500


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    _played(tmp_path / "a")
    _played(tmp_path / "b")
    _played(tmp_path / "c", seed=6)
    first, second, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == second
    assert first != other


def test_a_replay_leads_to_the_identical_state(tmp_path: Path) -> None:
    result = _random(tmp_path / "a")
    report = replay(read_record(tmp_path / "a"), small_household())
    assert report.identical
    assert report.turns == 60
    assert report.progress == result.progress


@pytest.mark.parametrize(
    ("key", "value"), [("success", True), ("turns", 7), ("progress", {"success": True}), ("initial_progress", None)]
)
def test_a_result_that_the_turns_do_not_lead_to_is_found_out(tmp_path: Path, key: str, value: Any) -> None:
    _random(tmp_path / "a")
    *lines, last = (tmp_path / "a").read_text().splitlines()
    result = {**json.loads(last)["result"], key: value}
    (tmp_path / "a").write_text("\n".join([*lines, json.dumps({"result": result})]) + "\n")
    report = replay(read_record(tmp_path / "a"), small_household())
    assert not report.identical
    assert report.differences[0].startswith(f"the result: {key} is ")


def test_a_result_that_is_no_object_is_refused(tmp_path: Path) -> None:
    _random(tmp_path / "a")
    lines = (tmp_path / "a").read_text().splitlines()
    (tmp_path / "a").write_text("\n".join([*lines[:-1], '{"result": 5}']) + "\n")
    with pytest.raises(RecordError, match="line 62: the result must be a JSON object; got 5"):
        read_record(tmp_path / "a")


def test_a_replay_in_another_world_says_where_it_parts(tmp_path: Path) -> None:
    path = tmp_path / "a"
    asyncio.run(session((), [WAIT, FORWARD, Action.stop()], record=path).run(scenario()))

    class Walled(FakeSimulator):
        def step(self, action: SimulatorAction) -> Outcome:
            return Outcome(False, "a wall") if action.name == "MoveAhead" else super().step(action)

    report = replay(read_record(path), Household(Walled(), view_size=64))
    assert not report.identical
    assert report.differences[0].startswith("turn 1: the follower's Forward gave failure (a wall)")
    assert report.differences[1].startswith("turn 1: the state is")


def test_a_household_with_other_pictures_is_told_apart(tmp_path: Path) -> None:
    _random(tmp_path / "a")
    report = replay(read_record(tmp_path / "a"), Household(FakeSimulator(), view_size=65))
    assert report.differences[0] == "the world's view_size is 65, recorded 64"


def _cut(path: Path, lines: int, extra: bytes = b"") -> None:
    whole = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(whole[:lines]) + b"\n" + extra)


@pytest.mark.parametrize("torn", [b"", b'{"turn": 21, "sta', b"\x00\x00\x00"])
@pytest.mark.parametrize("lines", [1, 2, 21, 61])
def test_a_session_resumes_where_it_was_cut_and_ends_the_same(tmp_path: Path, lines: int, torn: bytes) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    expected = _random(whole)
    cut.write_bytes(whole.read_bytes())
    _cut(cut, lines, torn)
    assert read_record(cut).result is None
    result = resume_session(small_household(), RandomCommander(), RandomFollower(stops=False), cut, limits=LIMITS)
    assert result.to_json(timed=False) == expected.to_json(timed=False)
    assert cut.read_bytes() == whole.read_bytes()


def test_agents_are_told_that_a_session_is_resumed_and_what_was_said(tmp_path: Path) -> None:
    path = tmp_path / "a"
    script = [Action.say("go on"), WAIT, WAIT]
    asyncio.run(session(script, Recall(WAIT, WAIT, Action.stop()), record=path).run(scenario()))
    _cut(path, 3)
    follower = Recall(WAIT, WAIT, Action.stop())
    result = resume_session(small_household(), ScriptedAgent(script), follower, path)
    assert result.end_reason is EndReason.STOPPED
    assert follower.briefings[0].resumed
    assert [seen.turn for seen in follower.seen] == [2]
    assert [said.text for said in follower.seen[0].dialogue] == ["go on"]


def test_an_agent_is_handed_what_it_told_of_its_state(tmp_path: Path) -> None:
    path = tmp_path / "a"

    class Counts(Recall):
        def act(self, observation: Observation) -> Any:
            self.thought = {"state": {"turn": observation.turn} | ({} if observation.turn else {"first": [1]})}
            return super().act(observation)

    asyncio.run(session([WAIT] * 3, Counts(WAIT, WAIT, Action.stop()), record=path).run(scenario()))
    _cut(path, 3)
    follower = Counts(WAIT, WAIT, Action.stop())
    resume_session(small_household(), ScriptedAgent([WAIT] * 3), follower, path)
    assert follower.briefings[0].state == {"turn": 1, "first": [1]}


def test_a_session_whose_last_turn_was_recorded_needs_no_more_turns(tmp_path: Path) -> None:
    path = tmp_path / "a"
    asyncio.run(session((), [Action.stop()], record=path).run(scenario()))
    _cut(path, 2)
    follower = Recall()
    result = resume_session(small_household(), ScriptedAgent([]), ScriptedAgent([]), path)
    assert (result.end_reason, result.turns) == (EndReason.STOPPED, 1)
    assert not follower.seen


def test_failures_and_refused_answers_count_on_after_resuming(tmp_path: Path) -> None:
    path = tmp_path / "a"
    limits = Limits(max_failures=6)

    def clumsy(observation: Observation) -> Any:
        return None if observation.turn % 2 else Action.click("Pickup", 5.0, 5.0)

    expected = asyncio.run(session((), clumsy, limits=limits, record=path).run(scenario()))
    assert expected.failures[Role.FOLLOWER] == 6
    _cut(path, 4)
    result = resume_session(small_household(), ScriptedAgent([]), clumsy, path, limits=limits)
    assert result.to_json(timed=False) == expected.to_json(timed=False)
    assert replay(read_record(path), small_household()).identical


def test_an_interrupted_session_leaves_a_record_to_resume(tmp_path: Path) -> None:
    path = tmp_path / "a"

    async def interrupted() -> None:
        reached, cancelled = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def follower(observation: Observation) -> Action:
            if observation.turn == 4:
                loop.call_soon_threadsafe(reached.set)
                assert cancelled.wait(10)  # else the session may be over before it is cancelled
            return FORWARD

        held = asyncio.create_task(session((), follower, record=path).run(scenario()))
        await reached.wait()
        held.cancel()
        loop.call_later(0.05, cancelled.set)
        with pytest.raises(asyncio.CancelledError):
            await held

    asyncio.run(interrupted())
    record = read_record(path)
    assert record.result is None
    assert len(record.turns) >= 4
    assert replay(record, small_household()).identical


def test_what_cannot_be_resumed_says_why(tmp_path: Path) -> None:
    path = tmp_path / "a"
    _random(path)
    agents = RandomCommander(), RandomFollower(stops=False)
    with pytest.raises(RecordError, match="has ended already.*turn_limit"):
        resume_session(small_household(), *agents, path)
    _cut(path, 10)
    with pytest.raises(RecordError, match="another follower agent; got 'ScriptedAgent'; valid: RandomFollower"):
        resume_session(small_household(), RandomCommander(), ScriptedAgent([]), path)
    changed = path.read_text().replace('"state":"', '"state":"0')
    path.write_text(changed)
    with pytest.raises(RecordError, match="cannot be resumed: turn 0: the state is"):
        resume_session(small_household(), *agents, path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: [], "no complete line"),
        (lambda lines: ["{}", *lines[1:]], "line 1: is no session record"),
        (lambda lines: [lines[0].replace('"version":1', '"version":9'), *lines[1:]], "unknown version"),
        (lambda lines: [lines[0].replace('"task_name"', '"task"'), *lines[1:]], "header is damaged"),
        (lambda lines: [lines[0], lines[1][:30], *lines[2:]], "line 2: is no JSON"),
        (lambda lines: [lines[0], "[]", *lines[2:]], "line 2: must be a JSON object"),
        (lambda lines: [lines[0], *lines[2:]], "line 2: expected turn 0"),
        (
            lambda lines: [*lines[:3], lines[3].replace("Pickup", "Pikcup").replace("name", "nmae"), *lines[4:]],
            "line 4",
        ),
    ],
)
def test_a_damaged_record_is_refused_with_the_line(tmp_path: Path, change: Any, says: str) -> None:
    path = tmp_path / "a"
    _random(path)
    lines = path.read_text().splitlines()
    path.write_text("".join(f"{line}\n" for line in change(lines)))
    with pytest.raises(RecordError, match=says):
        read_record(path)


def test_records_that_cannot_be_read_or_written_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(tmp_path / "missing")
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot be written"):
        asyncio.run(session(record=tmp_path / "file" / "record").run(scenario()))


def test_a_record_becomes_a_teach_game(tmp_path: Path) -> None:
    path, file = tmp_path / "a", tmp_path / "a.game.json"
    grab = click(small_household(), "Mug")
    commander = [Action.progress_check(), Action.say("take the mug"), FORWARD, WAIT, Action.finish()]
    follower = [Action("Turn Left"), Action("Turn Right"), grab, Action.click("Pickup", 3.0, 0.0), Action.say("done")]
    asyncio.run(session(commander, follower, record=path).run(scenario()))
    game, report = to_game(read_record(path), small_household(), comments="a day")
    assert report.identical
    write_game(game, file)
    assert read_game(file) == game
    done = game.episode.interactions
    assert [(one.role, one.action, one.success) for one in done] == [
        (Role.COMMANDER, "OpenProgressCheck", False),
        (Role.FOLLOWER, "Turn Left", True),
        (Role.COMMANDER, "Text", True),
        (Role.FOLLOWER, "Turn Right", True),
        (Role.COMMANDER, "Forward", True),
        (Role.FOLLOWER, "Pickup", True),
        (Role.FOLLOWER, "Pickup", False),
        (Role.FOLLOWER, "Text", True),
    ]
    assert [type(one) for one in done[:3]] == [ProgressCheck, Motion, Keyboard]
    turned, picked = done[1], done[5]
    assert isinstance(turned, Motion)
    assert turned.pose is not None
    assert turned.pose.yaw == 270.0
    assert isinstance(picked, ObjectInteraction)
    assert picked.object_id is not None
    assert picked.object_id.startswith("Mug|")
    assert game.task.task_name == "Coffee"
    held = [one for one in game.episode.final_state.objects if one["isPickedUp"]]
    assert [one["objectId"] for one in held] == [picked.object_id]


def test_nested_tasks_and_relations_are_written_too(tmp_path: Path) -> None:
    path = tmp_path / "a"
    asyncio.run(session([Action.finish()], record=path).run(scenario("Sandwich", "1", "0")))
    game, _ = to_game(read_record(path), small_household())
    assert game.task.components["toast"]["task"]["task_name"] == "Toast"
    assert game.task.relations[0]["tail_entity_list"] == ["plate"]


@pytest.mark.data
def test_game_tasks_have_the_shape_of_released_ones(teach_data: Path) -> None:
    from teach_agents.data import game_files
    from teach_agents.session.game import game_task
    from teach_agents.tasks import TaskLibrary

    library = TaskLibrary.builtin()
    for path in list(game_files(teach_data / "games" / "valid_seen"))[::9]:
        theirs = read_game(path).task
        ours = game_task(library.task(theirs.task_name, list(theirs.task_params)))
        assert (ours.task_id, ours.anchor, ours.nparams) == (theirs.task_id, theirs.anchor, theirs.nparams)
        assert set(ours.components) == set(theirs.components)
        for key, component in theirs.components.items():
            assert set(ours.components[key]) == set(component)
            assert ours.components[key].get("conditions") == component.get("conditions")
        assert [set(one) for one in ours.relations] == [set(one) for one in theirs.relations]
