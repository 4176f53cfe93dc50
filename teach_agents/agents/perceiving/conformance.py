"""What every Perception must do, as tests that an implementation inherits.

```python
class TestMySight(PerceptionContract):
    def make_perception(self) -> Perception:
        return MySight()
```
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from teach_agents.actions import Role
from teach_agents.agents.acting.knowledge import knowledge_of
from teach_agents.agents.conformance import blank_observation
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.observations import Observation, Privilege


class PerceptionContract(ABC):
    """Inherit, say how the perception is made and whose eyes it is, and pytest runs the contract in a black room."""

    role: ClassVar[Role] = Role.FOLLOWER

    @abstractmethod
    def make_perception(self) -> Perception:
        """A fresh perception."""

    def _begun(self) -> Perception:
        made = self.make_perception()
        made.begin(3)
        return made

    def _seen(self, eyes: Perception, turn: int = 0) -> tuple[Observation, Observation]:
        """What there is, and what it makes of it."""
        true = blank_observation(self.role, turn, eyes.privileges)
        return true, eyes.perceive(true)

    def test_it_says_its_tier_and_what_it_reads(self) -> None:
        """Results state both; what is judged is no part of what can be perceived."""
        made = self.make_perception()
        assert made.name and isinstance(made.privileges, frozenset)
        assert made.privileges <= frozenset(Privilege) - {Privilege.GROUND_TRUTH}

    def test_it_reads_no_more_than_it_declares(self) -> None:
        """An observation with just these privileges is enough, turn after turn."""
        eyes = self._begun()
        for turn in range(4):
            self._seen(eyes, turn)

    def test_only_the_privileged_part_is_its_own(self) -> None:
        """Who it is, where, what was said and done stay as they are."""
        for turn, eyes in enumerate([self._begun()] * 2):
            true, seen = self._seen(eyes, turn)
            kept = ("role", "turn", "pose", "view", "dialogue", "last_action", "last_result")
            assert all(getattr(seen, name) == getattr(true, name) for name in kept)
            assert seen.privileged is not true.privileged

    def test_objects_are_rows_as_ai2thors_metadata_has_them(self) -> None:
        """Each has its id and type; in a black room there may be none."""
        _, seen = self._seen(self._begun())
        assert Privilege.OBJECTS in seen.privileged.granted
        assert all(row["objectId"] and row["objectType"] for row in seen.privileged.objects)

    def test_a_followers_skills_are_told_what_is_known(self) -> None:
        """Where to stand, and what was never looked at."""
        if self.role is Role.FOLLOWER:
            _, seen = self._seen(self._begun())
            assert knowledge_of(seen) is not None and isinstance(seen.privileged.reachable, frozenset)

    def test_a_session_forgets_the_one_before(self) -> None:
        """The same observations after another `begin` show the same."""
        eyes = self._begun()
        first = [self._ids(eyes, turn) for turn in range(3)]
        eyes.begin(3)
        assert [self._ids(eyes, turn) for turn in range(3)] == first

    def _ids(self, eyes: Perception, turn: int) -> list[object]:
        return [row["objectId"] for row in self._seen(eyes, turn)[1].privileged.objects]

    def test_its_provenance_is_text_by_name(self) -> None:
        """It names the tier."""
        eyes = self._begun()
        self._seen(eyes)
        told = dict(eyes.provenance)
        assert told["perception"] == eyes.name
        assert all(isinstance(one, str) for pair in told.items() for one in pair)
