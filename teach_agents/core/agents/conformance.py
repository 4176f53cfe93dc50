"""What every agent must do, as tests that an implementation inherits.

```python
class TestMyAgent(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return MyAgent()
```
"""

from __future__ import annotations

import asyncio
import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation, Pose, Privilege, Privileged, Segmentation, Utterance, Vec3, View

__all__ = ["AgentContract", "blank_observation"]

_SIZE = 32


def _blank() -> View:
    import numpy as np

    return View.of(np.zeros((_SIZE, _SIZE, 3), dtype=np.uint8))


def _makers() -> dict[Privilege, Callable[[], object]]:
    import numpy as np

    return {
        Privilege.SEGMENTATION: lambda: Segmentation(np.full((_SIZE, _SIZE), -1, dtype=np.int32), ()),
        Privilege.DEPTH: lambda: np.full((_SIZE, _SIZE), 20.0, dtype=np.float32),
        Privilege.OBJECTS: tuple,
        Privilege.REACHABLE: frozenset,
    }


def blank_observation(
    role: Role, turn: int = 0, privileges: frozenset[Privilege] = frozenset(), **parts: Any
) -> Observation:
    """What `role` sees in an empty, black room; `parts` are other fields of the observation."""
    granted = {privilege: maker for privilege, maker in _makers().items() if privilege in privileges}
    views = {"follower_view": _blank()} if role is Role.COMMANDER else {}
    pose = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 30.0)
    return Observation(
        role, turn, pose, _blank(), overhead=_blank(), privileged=Privileged(granted), **{**views, **parts}
    )


class AgentContract(ABC):
    """Inherit, say how the agent is made and which chair it takes, and pytest runs the contract."""

    role: ClassVar[Role]

    @abstractmethod
    def make_agent(self) -> Agent:
        """A fresh agent."""

    def _begun(self, seed: int = 3) -> Agent:
        agent = self.make_agent()
        asyncio.run(_settled(lambda: agent.begin(Briefing("session", self.role, seed))))
        return agent

    def _answer(self, agent: Agent, turn: int = 0, **parts: Any) -> Action:
        observation = blank_observation(self.role, turn, agent.privileges, **parts)
        answer = asyncio.run(_settled(lambda: agent.act(observation)))
        assert isinstance(answer, Action), f"an agent answers with an Action, got {answer!r}"
        return answer

    def test_it_declares_its_privileges(self) -> None:
        """Privileges are known before the session begins."""
        privileges = self.make_agent().privileges
        assert isinstance(privileges, frozenset)
        assert all(isinstance(one, Privilege) for one in privileges)

    def test_it_answers_with_an_action_of_its_role(self) -> None:
        """In a room where nothing is to be seen, for several turns, after successes and failures."""
        agent = self._begun()
        for turn in range(5):
            said = (Utterance(self.role.partner, "hello", 10),) if turn else ()
            done = {"last_action": Action.wait(), "last_result": ActionResult(turn % 2 == 0, "why")} if turn else {}
            answer = self._answer(agent, turn, dialogue=said, **done)
            assert answer.allowed_for(self.role), f"{answer.name!r} is no action of the {self.role}"

    def test_the_same_seed_gives_the_same_answers(self) -> None:
        """What an agent draws, it draws by the briefing's seed."""
        first, second = ([self._answer(agent, turn) for turn in range(4)] for agent in (self._begun(), self._begun()))
        assert first == second

    def test_a_new_session_forgets_the_last_one(self) -> None:
        """`begin` sets everything back."""
        agent = self._begun()
        before = [self._answer(agent, turn) for turn in range(4)]
        asyncio.run(_settled(lambda: agent.begin(Briefing("another", self.role, 3))))
        assert [self._answer(agent, turn) for turn in range(4)] == before


async def _settled(call: Callable[[], object | Awaitable[object]]) -> object:
    answer = call()
    return await answer if inspect.isawaitable(answer) else answer
