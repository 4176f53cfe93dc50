"""What every agent must do, as tests that an implementation inherits.

```python
class TestMyAgent(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return MyAgent()
```
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.agents.conformance import AgentContract as CoreContract
from teach_agents.core.agents.contract import Agent
from teach_agents.core.codec import Codec
from teach_agents.observations import Observation, Pose, Privilege, Privileged, Segmentation, Utterance, Vec3, View

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


class AgentContract(CoreContract):
    """Inherit, say how the agent is made and which chair it takes, and pytest runs the contract.

    It is shown a room where nothing is to be seen, for several turns, after successes and failures.
    """

    role: ClassVar[Role]

    codec = Codec("teach", instance=object, actions=(Action,), observation=Observation)
    privileges = tuple(Privilege)

    @property
    def seat(self) -> Role:
        """The chair."""
        return self.role

    def belongs(self, action: Action) -> bool:
        """Whether it is an action of the chair's."""
        return action.allowed_for(self.role)

    def observation(self, agent: Agent, turn: int) -> Observation:
        """What is seen in a turn."""
        said = (Utterance(self.role.partner, "hello", 10),) if turn else ()
        done = {"last_action": Action.wait(), "last_result": ActionResult(turn % 2 == 0, "why")} if turn else {}
        return blank_observation(self.role, turn, agent.privileges, dialogue=said, **done)
