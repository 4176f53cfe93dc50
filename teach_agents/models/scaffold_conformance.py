"""What every scaffold must do, as tests that an implementation inherits.

```python
class TestMyScaffold(ScaffoldContract):
    def make_scaffold(self) -> Scaffold:
        return MyScaffold(CODEC)

    def observations(self) -> Iterable[tuple[str, Any]]:
        yield "guest", my_world.observe("guest")
```
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from teach_agents.models.scaffold import Candidate, Scaffold


class ScaffoldContract(ABC):
    """Inherit, say how the scaffold is made and what seats see, and pytest runs the contract."""

    @abstractmethod
    def make_scaffold(self) -> Scaffold[Any]:
        """The scaffold."""

    @abstractmethod
    def observations(self) -> Iterable[tuple[str, Any]]:
        """Seats with what they see: at least one."""

    def _moments(self) -> list[tuple[Scaffold[Any], str, Any, list[Candidate]]]:
        made = self.make_scaffold()
        found = [(made, seat, seen, list(made.candidates(seen, seat))) for seat, seen in self.observations()]
        assert found, "the contract is tried on at least one observation"
        return found

    def test_an_observation_reads_as_text_and_shows_files(self) -> None:
        """Text, and PNG or JPEG files as bytes."""
        for scaffold, seat, seen, _ in self._moments():
            assert isinstance(scaffold.about(seat), str)
            assert isinstance(scaffold.text(seen), str) and scaffold.text(seen).strip()
            assert all(isinstance(one, bytes) and one for one in scaffold.pictures(seen))

    def test_candidates_differ_in_their_texts(self) -> None:
        """No two read the same, and none is blank."""
        for _, _, _, offered in self._moments():
            texts = [one.text for one in offered]
            assert all(text.strip() for text in texts) and len(set(texts)) == len(texts), texts

    def test_the_same_observation_offers_the_same(self) -> None:
        """In the same order, from a scaffold that was made anew, too."""
        for scaffold, seat, seen, offered in self._moments():
            again = [list(one.candidates(seen, seat)) for one in (scaffold, self.make_scaffold())]
            assert again == [offered, offered]

    def test_what_a_choice_does_are_actions_of_the_world(self) -> None:
        """One, or several."""
        for scaffold, _, seen, offered in self._moments():
            for candidate in offered:
                if not candidate.words:
                    chosen = scaffold.choose(candidate, seen)
                    actions = chosen if isinstance(chosen, list | tuple) else [chosen]
                    wrong = [scaffold.codec.problem_of(one) for one in actions]
                    assert actions and not any(wrong), f"{candidate.text!r}: {wrong}"

    def test_its_privileges_are_known(self) -> None:
        """Names, before anything begins."""
        assert all(isinstance(one, str) for one in frozenset(self.make_scaffold().privileges))
