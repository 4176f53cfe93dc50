"""The household's scaffold: one action of TEACh's at a time, in the words of the language-model pair."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import starmap

from teach_agents.actions import MOTIONS, Action, Role
from teach_agents.agents.acting.body import Body
from teach_agents.agents.lm.candidates import STOP, WAIT, Kind, Situation, primitive_candidates
from teach_agents.agents.lm.follower_prompt import FollowerPrompt
from teach_agents.agents.lm.plan import Plan
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.models.scaffold import Candidate, Scaffold
from teach_agents.observations import Observation

_DOES = {WAIT.text: Action.wait(), STOP.text: Action.stop()}
_SAY = Candidate("say something", words=True)
_COMMANDS = (
    Candidate("check the progress", Action.progress_check()),
    _SAY,
    *(Candidate(name.lower(), Action(name)) for name in MOTIONS),
    Candidate("wait", Action.wait()),
    Candidate("finish", Action.finish()),
)


class HouseholdScaffold(Scaffold[Observation]):
    """What a seat sees is recognised as by `perception=oracle`, and nothing is remembered but what was said."""

    privileges = OraclePerception().privileges
    tells_past = True

    def about(self, seat: str) -> str:
        """What the pair's models are told."""
        from teach_agents_prompts import render

        return render(f"lm_{seat}_system")

    def text(self, observation: Observation) -> str:
        """What was said, what came of the last action, what is seen and held."""
        from teach_agents_prompts import load_prompts

        told = [f"({result.message or 'done'})"] if (result := observation.last_result) else []
        if observation.role is Role.COMMANDER:
            said = [f"{one.speaker}: {one.text}" for one in observation.dialogue]
            return "\n".join([*said, *told]) or "Nothing was said yet."
        seen = FollowerPrompt(load_prompts()).of(_situation(observation)).user.splitlines()
        return "\n".join([*seen[:-1], *told])

    def pictures(self, observation: Observation) -> Sequence[bytes]:
        """The view."""
        from PIL import Image

        file = io.BytesIO()
        Image.fromarray(observation.view.rgb).save(file, "PNG")
        return [file.getvalue()]

    def candidates(self, observation: Observation, seat: str) -> Sequence[Candidate]:
        """Motions, what can be done to things in view, to say something, to wait, to end."""
        if seat == Role.COMMANDER:
            return _COMMANDS
        return [
            *(
                Candidate(one.text, one.action)
                for one in primitive_candidates(_situation(observation))
                if one.kind is Kind.ACT
            ),
            _SAY,
            *starmap(Candidate, _DOES.items()),
        ]


def _situation(observation: Observation) -> Situation:
    body, plan = Body(), Plan()
    body.see(OraclePerception().perceive(observation))
    plan.hear(observation.dialogue)
    return Situation(body, plan)
