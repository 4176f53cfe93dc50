"""A Follower's skills as tools of LangChain's agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import teach_agents as ta
from teach_agents.conventions.skill_tools import skill_privileges

pytest.importorskip("langchain_core")


class _Calls(ta.Agent):
    """Calls tools one after the other, then stops."""

    seats = ("follower",)
    privileges = skill_privileges()

    def __init__(self, *calls: tuple[str, Mapping[str, str]]) -> None:
        self.calls = calls
        self.answers: list[str] = []
        self.held: list[str] = []

    async def run(self, body: Any) -> None:
        tools = {tool.name: tool for tool in ta.skills_as_tools(body)}
        for name, given in self.calls:
            self.answers.append(await tools[name].ainvoke(dict(given)))
            rows = body.observation.privileged.lasting_objects
            self.held += [str(row["objectType"]) for row in rows if row.get("isPickedUp")]
        await body.do(ta.Action.stop())


def test_a_tool_does_what_its_skill_takes_and_tells_what_came_of_it() -> None:
    agent = _Calls(("pick_up", {"thing": "the mug"}), ("what_is_in_view", {}))
    ta.play("Coffee", room="FloorPlan7", follower=agent)
    assert agent.held and set(agent.held) == {"Mug"}
    assert all("mug" in answer for answer in agent.answers)


def test_what_names_nothing_is_told_and_costs_no_action() -> None:
    agent = _Calls(("pick_up", {"thing": ", ,"}))
    result = ta.play("Coffee", room="FloorPlan7", follower=agent)
    assert "names nothing" in agent.answers[0] and result.turns == 1


def test_tools_describe_their_parameters() -> None:
    class Asking(ta.Agent):
        seats, privileges = ("follower",), skill_privileges()

        async def run(self, body: Any) -> None:
            self.tools = {tool.name: tool for tool in ta.skills_as_tools(body)}
            await body.do(ta.Action.stop())

    agent = Asking()
    ta.play("Coffee", room="FloorPlan7", follower=agent)
    assert set(agent.tools["put"].args) == {"thing", "place"} and set(agent.tools["wash"].args) == {"thing"}
    assert all(tool.description for tool in agent.tools.values())
