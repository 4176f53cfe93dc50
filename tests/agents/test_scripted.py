from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent, ScriptedAgent
from teach_agents.agents.conformance import AgentContract, blank_observation
from teach_agents.errors import ActionError, InputError

SCRIPT = [Action("Forward"), Action.click("Pickup", 0.5, 0.25), Action.say("done")]


class TestScriptedAgent(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return ScriptedAgent(SCRIPT)


def _played(agent: ScriptedAgent, turns: int) -> list[Action]:
    return [agent.act(blank_observation(Role.FOLLOWER, turn)) for turn in range(turns)]


def test_it_plays_its_list_and_then_the_last_word() -> None:
    assert _played(ScriptedAgent(SCRIPT, then=Action.stop()), 5) == [*SCRIPT, Action.stop(), Action.stop()]
    assert _played(ScriptedAgent([]), 1) == [Action.wait()]


def test_a_script_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(
        '[{"name": "Forward"}, {"name": "Pickup", "x": 0.5, "y": 0.25}, {"name": "Text", "utterance": "done"}]'
    )
    assert _played(ScriptedAgent.from_file(str(file)), 3) == SCRIPT


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("[{", InputError, "cannot be read"),
        ("{}", InputError, "list of actions"),
        ('[{"name": "Forward"}, {"name": "Fly"}]', ActionError, "action 1.*unknown name"),
        ("[{}]", ActionError, "action 0"),
    ],
)
def test_a_bad_script_is_refused(tmp_path: Path, text: str, error: type[Exception], says: str) -> None:
    file = tmp_path / "script.json"
    file.write_text(text)
    with pytest.raises(error, match=says):
        ScriptedAgent.from_file(str(file))
    with pytest.raises(InputError, match="cannot be read"):
        ScriptedAgent.from_file(str(tmp_path / "missing.json"))


def test_what_is_no_action_is_refused_at_once() -> None:
    nonsense: Any = ["Forward"]
    with pytest.raises(ActionError, match="scripted action 0: must be an Action; got 'Forward'"):
        ScriptedAgent(nonsense)
