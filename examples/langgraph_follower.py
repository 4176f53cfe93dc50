"""A LangGraph graph as Follower (extra `langchain`): it listens, does what it can of what it heard, and asks for more.

python examples/langgraph_follower.py
"""

from contextlib import suppress
from typing import Any

from langgraph.graph import START, StateGraph

import teach_agents as ta
from teach_agents.agents.acting.body import Body, SkillError
from teach_agents.agents.acting.performing import perform
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.understanding.english.understanding import understand_instructions


class GraphFollower(ta.Agent):
    eyes, skills = perception_of("oracle"), Body()
    privileges = eyes.privileges

    async def run(self, body: Any) -> None:
        async def listen(state: dict[str, Any]) -> dict[str, Any]:
            return {"steps": [step for one in await body.heard() for step in understand_instructions(one.text)]}

        async def work(state: dict[str, Any]) -> None:
            self.skills.see(self.eyes.perceive(body.observation))
            with suppress(SkillError):
                for action in (action for step in state["steps"] for action in perform(self.skills, step)):
                    await body.do(action)
                    self.skills.see(self.eyes.perceive(body.observation))
            await body.say("What should I do next?")

        graph: Any = StateGraph(dict).add_sequence([listen, work]).add_edge(START, "listen")  # type: ignore[type-var]
        await graph.add_edge("work", "listen").compile().ainvoke({}, {"recursion_limit": 1000})


result = ta.play("Coffee", room="FloorPlan7", follower=GraphFollower())
print(f"{result.reason}; {result.turns} turns; complete: {result.success}")
