"""The Follower that asks an Episodic Transformer for every action."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from teach_agents.actions import STEPS, Action, Role
from teach_agents.agents.episodic.choosing import REPEATS, Choice, Targets, chosen
from teach_agents.agents.history import History
from teach_agents.agents.perceiving.detector_sights import ByDetector, TrueBoxes
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.errors import ModelError, SpecError
from teach_agents.models.episodic.sight import Sight
from teach_agents.models.episodic.trained import Trained, read_trained
from teach_agents.models.episodic.vocabulary import ACTION_NUMBER, ACTIONS, STOP
from teach_agents.models.vision import LabelMap, load_detector
from teach_agents.observations import Observation, View
from teach_agents.understanding.english.speaking import say_report
from teach_agents.understanding.english.values import Report, ReportKind

if TYPE_CHECKING:
    from teach_agents.models.episodic.reading import Likely, Reader


CLICKS = ("detector", "oracle")
"""Where clicks come from: a detector, or the true outlines of what is in view (the privilege `segmentation`)."""
_PATIENCE = 20
"""Turns that it waits for the Commander when it takes what was asked for to be done, or nothing was asked for yet."""
_LONGEST = 256
"""Steps since something was said, beyond which only the last ones count: longer stretches are hardly trained on."""


class EpisodicFollower(Agent):
    """Does what the network finds likeliest, given what was said, what it saw and what it did.

    It begins with the `history` of a session that others began, where there is one: it is then `alone`, and its `Stop`
    ends the episode. In company a `Stop` means that what was asked for is done, and that it is time to speak: it asks
    what is next, and waits for the Commander, `_PATIENCE` turns. (The network has no words.) Whenever something is
    said, the past is cut to as many steps as in training and read again. As in people's histories only what succeeded
    counts as done; what failed is not tried again until something succeeds, and nothing is done to a class more than
    `REPEATS` times before a step is taken or something said. `temperature` above 0 draws actions instead, by the
    session's seed.
    """

    def __init__(
        self,
        trained: Trained,
        targets: Targets,
        sight: Sight,
        *,
        history: History | None = None,
        temperature: float = 0.0,
    ) -> None:
        if isinstance(temperature, bool) or not 0 <= temperature < float("inf"):
            raise SpecError("episodic, temperature", "must be 0 or more", value=temperature)
        self.privileges = targets.privileges
        self._trained = trained
        self._targets = targets
        self._sight = sight
        self._history = history
        self._temperature = float(temperature)
        self._forget(0)

    @cached_property
    def provenance(self) -> Mapping[str, str]:  # type: ignore[override]  # known when it is asked for
        """The network and what it is shown, its eyes, and who finds what to click on."""
        told = {"model": "episodic", "model_hash": self._trained.hash, "inputs": self._trained.network.shape.inputs}
        seen = {name: str(self._trained.sight[name]) for name in ("encoder", "encoder_hash")}
        return MappingProxyType({**told, **seen, **self._targets.provenance})

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._forget(briefing.seed)

    def _forget(self, seed: int) -> None:
        self._seed = seed
        self._past: list[tuple[NDArray[np.floating], int]] | None = None
        self._reader: Reader | None = None
        self._heard = -1
        self._likely: Likely | None = None
        self._frame: NDArray[np.floating] | None = None
        self._doing: Choice | None = None
        self._barred: set[tuple[int, str]] = set()
        self._done_here: Counter[tuple[int, str]] = Counter()
        self._idle = 0
        self.thought = None

    def act(self, observation: Observation) -> Action:
        """What is likeliest now."""
        self._note(observation)
        if self._waits(observation):
            return self._wait()
        likely = self._look(observation)
        dice = random.Random(f"{self._seed} {observation.turn}")
        choice = chosen(
            likely,
            self._trained.vocabulary.objects,
            cache(lambda: self._targets.in_view(observation)),
            self._barred,
            {deed for deed, times in self._done_here.items() if times >= REPEATS},
            temperature=self._temperature,
            dice=dice,
        )
        self._tell(choice, likely)
        if choice.number == STOP and not self._history:
            self._idle, self._doing = 1, Choice(ACTION_NUMBER["Text"])
            return Action.say(say_report(Report(ReportKind.ASK_NEXT), dice))
        self._doing = choice
        return choice.action

    def _note(self, observation: Observation) -> None:
        """What became of the last action, and whether anything was said since."""
        done, result = self._doing, observation.last_result
        self._doing = None
        if done and result and result.success:
            assert self._past is not None and self._frame is not None
            self._past.append((self._frame, done.number))
            self._likely, self._frame = None, None
            self._barred.clear()
            if ACTIONS[done.number] in STEPS:
                self._done_here.clear()
            elif done.object_class:
                self._done_here[done.deed] += 1
        elif done:
            self._barred.add(done.deed)
        if len(observation.dialogue) == self._heard:
            return
        if any(said.speaker is Role.COMMANDER for said in observation.dialogue[max(self._heard, 0) :]):
            self._idle = 0
        self._heard = len(observation.dialogue)
        self._barred.clear()
        self._done_here.clear()
        self._reader = None

    def _waits(self, observation: Observation) -> bool:
        """Whether it is the Commander's turn to say something."""
        if self._history:
            return False
        return bool(self._idle) or all(said.speaker is Role.FOLLOWER for said in observation.dialogue)

    def _wait(self) -> Action:
        self._idle += 1
        return Action.wait() if self._idle <= _PATIENCE + 1 else Action.stop()

    def _look(self, observation: Observation) -> Likely:
        """What is likely now; kept until something was done or said."""
        if self._past is None:
            self._past = self._before()
        if self._reader is None or self._reader.steps > self._trained.context + _LONGEST:
            self._reader = self._listen(observation)
            self._likely = None
        if self._likely is None:
            if self._frame is None:
                self._frame = self._features([observation.view])[0]
            self._likely = self._reader.see(self._frame, self._past[-1][1] if self._reader.steps else None)
        return self._likely

    def _listen(self, observation: Observation) -> Reader:
        """Begin to read anew: all that was said, then the last steps of the past."""
        from teach_agents.models.episodic.reading import Reader

        assert self._past is not None
        reader = Reader(self._trained.network)
        reader.hear(self._trained.vocabulary.read((Role(said.speaker), said.text) for said in observation.dialogue))
        self._past = self._past[-self._trained.context :] if self._trained.context else []
        before = None
        for frame, number in self._past:
            reader.see(frame, before)
            before = number
        return reader

    def _before(self) -> list[tuple[NDArray[np.floating], int]]:
        """The steps of the session that others began, as far as they were seen."""
        history = self._history or History()
        if len(history.views) != len(history.actions):
            return []
        known = [number for number, one in enumerate(history.actions) if one.action in ACTION_NUMBER]
        last = known[-self._trained.context :] if self._trained.context else []
        frames = self._features([history.views[number] for number in last]) if last else ()
        return [*zip(frames, (ACTION_NUMBER[history.actions[number].action] for number in last), strict=True)]

    def _features(self, views: Sequence[View]) -> NDArray[np.floating]:
        """What is seen; nothing, and nothing is drawn, where the network is not shown it."""
        shape = self._trained.network.shape
        if not shape.sees:
            return np.zeros((len(views), shape.cells, shape.channels), np.float16)
        self._check_sight()
        return self._sight.look([one.rgb for one in views])

    def _check_sight(self) -> None:
        """Raises `ModelError` where pictures are not turned into what the network was trained on."""
        odd = [name for name, one in self._sight.identity.items() if self._trained.sight.get(name) != one]
        if odd:
            raise ModelError(f"episodic: the network was trained on features of another {', '.join(odd)}")

    def _tell(self, choice: Choice, likely: Likely) -> None:
        self.thought = MappingProxyType(
            {
                "action": ACTIONS[choice.number],
                "probability": round(float(likely.actions[choice.number]), 4),
                "stop": round(float(likely.actions[STOP]), 4),
                **({"object": choice.object_class} if choice.object_class else {}),
            }
        )


def episodic_follower(  # noqa: PLR0913  # one parameter of a SPEC each
    weights: str,
    clicks: str = "detector",
    detector: str = "household",
    labels: str = "",
    temperature: float = 0.0,
    device: str = "auto",
    history: History | None = None,
    allow_import: bool = False,
) -> EpisodicFollower:
    """A Follower by the network in the folder `weights`, as `teach-agents train episodic-transformer` writes it.

    It has no privileges where its `clicks` come from a `detector` (a SPEC; `labels` is a JSON file from its labels to
    object types, where ours do not do). With `clicks=oracle` they are points of the true outlines of what is in view.
    `temperature` above 0 draws actions. Raises `SpecError` for what cannot be meant, and what loading weights raises.
    """
    SpecError.check("episodic, clicks", clicks, CLICKS)
    trained = read_trained(Path(weights).expanduser(), device)
    truth = clicks == "oracle"
    source = TrueBoxes(masks=True) if truth else ByDetector(load_detector(detector, allow_import=allow_import))
    known = LabelMap.read(Path(labels).expanduser()) if labels else LabelMap()
    sight = Sight(str(trained.sight["encoder"]), int(trained.sight["channels"]))
    return EpisodicFollower(trained, Targets(source, known), sight, history=history, temperature=temperature)
