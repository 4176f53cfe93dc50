"""What every agent must do, as tests that an implementation inherits.

```python
class TestMyAgent(AgentContract):
    seat, codec, privileges = "guide", MY_CODEC, ("map",)

    def make_agent(self) -> Agent:
        return MyAgent()

    def observation(self, agent: Agent, turn: int) -> Any:
        return ...  # what it may see in a turn, the same every time
```
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any

from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.agents.runner import Runner
from teach_agents.core.codec import Codec
from teach_agents.core.session.seats import Seated

_LIMIT_S = 60.0


class AgentContract(ABC):
    """Inherit, say how the agent is made, where it sits and what it may see, and pytest runs the contract."""

    seat: Any
    codec: Codec[Any, Any, Any]
    """The world's."""
    privileges: Collection[str] = ()
    """What the world has to grant."""

    def belongs(self, action: Any) -> bool:
        """Whether an action is one of the seat's."""
        return True

    @abstractmethod
    def make_agent(self) -> Agent:
        """A fresh agent."""

    @abstractmethod
    def observation(self, agent: Agent, turn: int) -> Any:
        """What the agent may see in a turn, with its privileges; the same every time."""

    def _answers(self, agent: Agent, turns: int, session: str = "session") -> list[Any]:
        """Begin a session, and what the agent does in its first turns."""
        runner = Runner("agent under test")

        def play() -> list[Any]:
            seated = Seated(agent, self.seat, runner, self.codec)
            seated.begin(Briefing(session, self.seat, 3), _LIMIT_S)
            return [seated.answer(self.observation(agent, turn), _LIMIT_S) for turn in range(turns)]

        try:
            answers = runner.run(play)
        finally:
            runner.stop()
        for turn, answer in enumerate(answers):
            assert not answer.problem, f"turn {turn}: {answer.problem}"
        return [answer.action for answer in answers]

    def test_it_declares_its_privileges(self) -> None:
        """Privileges are known before the session begins, and are the world's."""
        privileges = self.make_agent().privileges
        assert isinstance(privileges, frozenset)
        assert privileges <= frozenset(self.privileges)

    def test_it_answers_with_actions_of_its_seat(self) -> None:
        """For several turns."""
        for answer in self._answers(self.make_agent(), 5):
            assert self.belongs(answer), f"{answer!r} is no action of the {self.seat}"

    def test_the_same_seed_gives_the_same_answers(self) -> None:
        """What an agent draws, it draws by the briefing's seed."""
        assert self._answers(self.make_agent(), 4) == self._answers(self.make_agent(), 4)

    def test_a_new_session_forgets_the_last_one(self) -> None:
        """`begin` sets everything back."""
        agent = self.make_agent()
        assert self._answers(agent, 4) == self._answers(agent, 4, "another")
