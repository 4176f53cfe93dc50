"""How a Follower begins: a person is asked what is wanted, a partner what the task is."""

from __future__ import annotations

import pytest

from teach_agents.actions import Role
from teach_agents.agents.dialogue.response_phrases import GREETING
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.specs import build
from teach_agents.household import Household
from teach_agents.live import make_scenario
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.understanding.english.understanding import understand_reports
from teach_agents.understanding.english.values import ReportKind
from tests.agents.planner.playing import scenario
from tests.live.support import heard, held, run, setting

FOLLOWERS = ("planner", "lm:model=oracle")


@pytest.mark.parametrize("follower", FOLLOWERS)
def test_a_person_is_greeted_once_and_asked_for_no_task(follower: str) -> None:
    agent: Agent = build("agent", follower, role=Role.FOLLOWER)
    household = Household(EmbeddedSimulator())
    household.reset(scenario("Coffee", room="FloorPlan7"))
    agent.begin(Briefing("test", Role.FOLLOWER, 0, person=True))
    said = []
    for turn in range(120):
        action = agent.act(household.observe(Role.FOLLOWER, agent.privileges, turn=turn))
        said += [action.utterance] if action.name == "Text" else []
        household.act(Role.FOLLOWER, action, time_ms=turn)
    assert said[0] == GREETING and len(said) > 1, "who is not answered asks again"
    assert [report.kind for text in said[1:] for report in understand_reports(text)] == [ReportKind.ASK_NEXT] * (
        len(said) - 1
    )


@pytest.mark.parametrize("follower", FOLLOWERS)
@pytest.mark.parametrize("commander", ["human", "planner"])
def test_who_sits_in_a_live_session_decides_how_a_follower_begins(follower: str, commander: str) -> None:
    async def play() -> None:
        played = make_scenario(None if commander == "human" else "Coffee", room="FloorPlan7")
        async with held(setting(commander, follower, scenario=played)) as live:
            at = -1
            while (said := await heard(live, "utterance", at)).role is not Role.FOLLOWER:
                at = said.seq
            asked = [report.kind for report in understand_reports(said.data["text"])]
            assert (said.data["text"] == GREETING) is (commander == "human")
            assert (asked == [ReportKind.ASK_TASK]) is (commander == "planner")

    run(play)
