"""Whole sessions, with people and agents in either chair, and what is left of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.planner import PlannerFollower
from teach_agents.benchmarks.fidelity.replay import measure_game
from teach_agents.core.agents.contract import Briefing
from teach_agents.data import read_game, write_game
from teach_agents.data.stats import session_stats
from teach_agents.household import Scenario
from teach_agents.live import HUMAN, LiveSession, LiveSetting, household_for, make_scenario, record_of
from teach_agents.session import game_of, read_record, replay, replay_game, to_game
from teach_agents.tasks import FREE_PLAY
from tests.live.support import Memory, heard, held, run, setting, until

COMMANDER, FOLLOWER = Role.COMMANDER, Role.FOLLOWER


async def _instruct(live: LiveSession, *requests: str) -> None:
    """A person in the Commander's chair: says one thing at a time, and waits until the agent has nothing to do."""
    for request in requests:
        await live.say(COMMANDER, request)
        await until(lambda: live.idle(FOLLOWER))


def _over(live: LiveSession) -> bool:
    return live.status == "ended"


def _left_behind(live: LiveSession, journal: Memory, folder: Path) -> None:
    """The record reads back, replays to the identical state, and makes a TEACh game that everything reads."""
    path = folder / "live.jsonl"
    live.write_record(path)
    record = read_record(path)
    assert record.result is not None and record.turns == live.record().turns
    kept = record_of(live.setting, journal.lines)
    assert (kept.header, kept.turns, kept.result) == (record.header, record.turns, record.result)
    household = household_for(live.setting)
    report = replay(record, household)
    assert report.identical, report.differences
    assert report.progress.success is record.result["success"]
    game, again = to_game(record, household)
    assert again.identical
    write_game(game, folder / "games" / "live1.game.json")
    game = read_game(folder / "games" / "live1.game.json")
    said = [event for event in live.events if event.kind == "utterance"]
    stats = session_stats(game, "live")
    assert stats.utterances == {role: sum(one.role is role for one in said) for role in Role}
    assert replay_game(game, household).failed == 0


def test_a_person_gets_coffee_from_the_planner_by_talk_alone(tmp_path: Path) -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(follower="planner"), journal) as live:
            await _instruct(live, "Hello! Please clean the mug", "Now make coffee in the mug")
            checked = await live.act(COMMANDER, Action.progress_check())
            assert checked.data["result"]["reply"]["success"]
            await live.act(COMMANDER, Action.finish())
            assert live.status == "ended" and live.events[-1].data["success"]
            _left_behind(live, journal, tmp_path)

    run(play)


def test_the_planner_commander_leads_a_person_to_coffee(tmp_path: Path) -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting(commander="planner"), journal) as live:
            person = PlannerFollower()
            person.begin(Briefing("live1", FOLLOWER, seed=1))
            turn = 0
            while not _over(live):
                action = person.act(await live.observe(FOLLOWER, person.privileges))
                turn += 1
                if action == Action.wait():
                    await until(lambda: not live.idle(COMMANDER) or _over(live))
                    await until(lambda: live.idle(COMMANDER) or _over(live))
                elif not _over(live):
                    await live.act(FOLLOWER, action, key=str(turn))
            assert live.events[-1].data == {
                "reason": "finished",
                "text": "the commander chose Finish",
                "success": True,
                "progress": {"success": True, "goal_conditions_total": 3, "goal_conditions_satisfied": 3},
            }
            _left_behind(live, journal, tmp_path)

    run(play)


def test_two_agents_play_by_themselves(tmp_path: Path) -> None:
    journal = Memory()

    async def play() -> None:
        async with held(setting("planner", "planner"), journal) as live:
            ended = await heard(live, "ended")
            assert ended.data["success"]
            _left_behind(live, journal, tmp_path)
            assert live.record().header.privileges[COMMANDER] == ("objects",)

    run(play)


def test_a_person_does_a_step_by_the_objects_that_are_lit() -> None:
    async def play() -> None:
        async with held(setting(scenario=make_scenario(room="FloorPlan1", seed=1))) as live:
            for _ in range(40):
                targets = [one for one in await live.targets() if "Pickup" in one["actions"]]
                if targets:
                    break
                moved = await live.act(FOLLOWER, Action("Forward"))
                if not moved.data["result"]["success"]:
                    await live.act(FOLLOWER, Action("Turn Left"))
            (first,) = targets[:1]
            (same,) = [one for one in await live.targets("Pickup") if one["object_id"] == first["object_id"]]
            left, top, right, bottom = same["box"]
            assert left <= same["x"] <= right and top <= same["y"] <= bottom
            taken = await live.act(FOLLOWER, Action.click("Pickup", same["x"], same["y"]))
            assert taken.data["result"]["object_id"] == same["object_id"]
            assert taken.data["held"] == same["object_type"]
            assert (await live.screen(COMMANDER))["held"] == same["object_type"]
            assert await live.targets("Pickup") == [], "the hand is full"

    run(play)


def test_free_play_asks_for_nothing_and_claims_no_success(tmp_path: Path) -> None:
    journal = Memory()
    scenario = make_scenario(room="FloorPlan212", seed=5)

    async def play() -> None:
        async with held(setting(scenario=scenario), journal) as live:
            await live.say(COMMANDER, "Just look around.")
            for name in ("Forward", "Turn Left", "Look Down"):
                await live.act(FOLLOWER, Action(name))
            checked = await live.act(COMMANDER, Action.progress_check())
            assert checked.data["result"]["reply"]["subgoals"] == [] and not checked.data["result"]["reply"]["success"]
            await live.act(COMMANDER, Action.finish())
            assert live.events[-1].data["success"] is False
            _left_behind(live, journal, tmp_path)

    run(play)
    made = tmp_path / "games" / "live1.game.json"
    assert read_game(made).task.task_name == FREE_PLAY
    measured = measure_game(made)
    assert measured.task == FREE_PLAY


def test_a_recorded_game_is_played_live_from_its_beginning(tmp_path: Path) -> None:
    made_of = setting()
    household = household_for(made_of)
    household.reset(made_of.scenario)
    write_game(game_of("abc", (), household, household.state_record(0.0)), tmp_path / "abc.game.json")
    scenario = make_scenario(game=tmp_path / "abc.game.json")
    assert isinstance(scenario, Scenario) and scenario.scene.stored is not None
    there = LiveSetting.from_json(setting(scenario=scenario).to_json())
    journal = Memory()

    async def play() -> None:
        async with held(there, journal) as live:
            before = await live.screen()
            await live.act(FOLLOWER, Action("Turn Left"))
            await live.end("time")
            assert before["room"] == "FloorPlan1" and live.setting.chairs[FOLLOWER] == HUMAN
            assert (live.record().result or {})["end_reason"] == "ended"
            _left_behind(live, journal, tmp_path)

    run(play)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_furnishes_the_same_room(seed: int) -> None:
    assert make_scenario("Coffee", room="FloorPlan2", seed=seed) == make_scenario("Coffee", (), "FloorPlan2", seed)
