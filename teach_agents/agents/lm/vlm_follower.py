"""The vision-language Follower: it is shown what it sees and heard, and answers with an action and a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from teach_agents.actions import FOLLOWER_ACTIONS, OBJECT_ACTIONS, Action, Role
from teach_agents.agents.acting.body import Steps
from teach_agents.agents.lm.agent import LanguageAgent
from teach_agents.agents.lm.plan import Plan, outcome_of
from teach_agents.agents.lm.vlm_answers import ActionAnswer, ActionDecider, Scale
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.arrays import ByteArray
from teach_agents.core.agents.contract import Briefing
from teach_agents.errors import SpecError
from teach_agents.models.deciding import Asked
from teach_agents.observations import Observation, Privilege

if TYPE_CHECKING:
    from teach_agents_prompts import Prompts


PICTURE = 640
"""The longer side of the picture that a model is shown, pixels; larger views are made smaller."""
_SMALLEST = 16
_PATIENCE = 20
"""Turns that it waits for the Commander after it spoke, or chose to wait."""
_LOG = 700
"""Characters of what was said and done that are shown, about 200 tokens."""
_AROUND = 4
"""Turns to the right that show the whole room."""


class _BareEyes(Perception):
    """What the model itself makes of the picture, and nothing else."""

    name = "vlm"
    privileges = frozenset[Privilege]()

    def __init__(self, scale: Scale) -> None:
        self._scale = scale

    @property
    def provenance(self) -> Mapping[str, str]:
        """The tier, and on what scale the model's points are read."""
        return {"perception": self.name, "points": self._scale.value}

    def perceive(self, observation: Observation) -> Observation:
        """The observation as it is: who has no privileges is shown no more than the picture."""
        return observation


def model_eyes() -> Perception:
    """The tier's name belongs to agents whose model sees for itself. Raises `SpecError` for any other."""
    raise SpecError("perception 'vlm'", "is a model's own, which is shown the picture: take it with agent 'lm'")


class VisionFollower(LanguageAgent):
    """A Follower whose every action is a vision-language model's; it has no privileges.

    At each decision the model is shown the present picture, what was said and what was done so far. Where it names no
    action that can be done (a refusal, a caption, a point outside the picture) the decision counts as failed, and the
    Follower turns around to look; when it has seen the whole room so, it asks what to do, if anybody is there (`alone`
    says that nobody is, as in EDH and TfD). After speaking and after choosing to wait it waits for the Commander.

    `points` is the scale of the points that the model gives (`Scale`), `picture` the longer side of what it is shown,
    in pixels. Raises `SpecError` for what cannot be meant.
    """

    _decider: ActionDecider
    _now: Observation

    def __init__(
        self,
        decider: ActionDecider,
        prompts: Prompts,
        *,
        points: str = Scale.AUTO,
        picture: int = PICTURE,
        alone: bool = False,
    ) -> None:
        SpecError.check("lm, points", points, [one.value for one in Scale], "scale")
        if isinstance(picture, bool) or not isinstance(picture, int) or picture < _SMALLEST:
            raise SpecError("lm, picture", f"must be a whole number of pixels from {_SMALLEST} on", value=picture)
        self._prompts = prompts
        self._scale = Scale(points)
        self._picture = picture
        self._alone = alone
        super().__init__(decider, _BareEyes(self._scale))

    def _forget(self, briefing: Briefing) -> None:
        self._plan = Plan()
        self._failed = 0
        self._silence = 0
        self._holds = False
        self._turns = self._live()

    def _see(self, perceived: Observation) -> None:
        self._now = perceived

    def _question(self) -> tuple[Asked, Sequence[str]]:
        plan = self._plan.copy()
        plan.listen(self._now.dialogue)
        return self._asked(plan), FOLLOWER_ACTIONS

    def _live(self) -> Steps:
        while not self._decider.is_spent:
            self._listen()
            action = self._decide()
            yield from self._carry_out(action)
            if action.name == "Stop":
                break
            if action.name in ("Text", "NoOp") and not self._listen() and not self._alone:
                yield from self._wait()
        while True:
            yield Action.stop()

    def _decide(self) -> Action:
        shown = self._asked(self._plan)
        height, width = shown.images[0].shape[:2]
        decided = self._decider.answer(shown, ActionAnswer(self._scale, (width, height)), safe=self._safe())
        self._failed = self._failed + 1 if decided.failed else 0
        self.thought = MappingProxyType({**decided.thought, "plan": self._plan.to_json()})
        return decided.action

    def _safe(self) -> Action:
        """What is done in place of a decision that failed: look around; then ask."""
        if self._failed % (_AROUND + 1) < _AROUND or self._alone:
            return Action("Turn Right")
        return Action.say(" ".join(self._prompts.render("lm_vlm_lost").split()))

    def _carry_out(self, action: Action) -> Steps:
        if action.name == "Text":
            yield action
            return
        at = f" at {action.x:.2f}, {action.y:.2f}" if action.x is not None else ""
        self._plan.begin(action.name + at)
        yield action
        result = self._now.last_result
        if action.name in OBJECT_ACTIONS and result and result.success:
            self._holds = {"Pickup": True, "Place": False}.get(action.name, self._holds)
        self._plan.end(outcome_of(result))

    def _wait(self) -> Steps:
        for self._silence in range(1, _PATIENCE + 1):
            yield Action.wait()
            if self._listen():
                return

    def _listen(self) -> bool:
        """Take in what was said since; whether any of it was the Commander's."""
        heard = any(said.speaker is Role.COMMANDER for said in self._plan.listen(self._now.dialogue))
        self._silence = 0 if heard else self._silence
        return heard

    def _asked(self, plan: Plan) -> Asked:
        picture = _shrunk(self._now.view.rgb, self._picture)
        height, width = picture.shape[:2]
        system = self._prompts.render("lm_vlm_system", scale=self._scale.asked.value, width=width, height=height)
        user = self._prompts.render(
            "lm_vlm", log=plan.window(_LOG), holds=self._holds, silence=self._silence, alone=self._alone
        )
        return Asked(system, user, (picture,))


def _shrunk(picture: ByteArray, longest: int) -> ByteArray:
    """The picture, its longer side at most so many pixels."""
    height, width = picture.shape[:2]
    if max(height, width) <= longest:
        return picture
    import numpy as np
    from PIL import Image

    share = longest / max(height, width)
    size = max(1, round(width * share)), max(1, round(height * share))
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BOX))
