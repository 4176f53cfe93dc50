"""What happened in one instance of a run, read from its records: the same for all of TEACh's benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.benchmarks.metrics import Outcome
from teach_agents.core.agents.thoughts import readings
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping
from teach_agents.observations import Pose, Utterance
from teach_agents.session import Done


@dataclass(frozen=True, slots=True)
class Step:
    """One step of one role: what it saw, apart from pictures, what it answered, and what came of it.

    `pose` is the role's own before the step, `heard` everything that was said by either since its last step (before
    its first: all there was). `action` is `None` where the answer was no action; `result` then says what it was.
    `last_action` and `last_result` are those of the role's step before. `thought` is what the agent told of the
    thinking behind the answer (`agents.thoughts`). Of a step that said something `utterance` is the number of that in
    the dialogue, `dialogue_acts` are the labels that hooks gave it.
    """

    number: int
    role: Role
    pose: Pose
    heard: tuple[Utterance, ...]
    last_action: Action | None
    last_result: ActionResult | None
    action: Action | None
    result: ActionResult
    thought: JsonMapping | None = None
    utterance: int | None = None
    dialogue_acts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Episode:
    """One instance as it was played.

    `agents` are SPECs and `privileges` what was read beyond TEACh's screens, by role. `dialogue` is everything that was
    said, what was said before the first step included. `steps` are in the order in which they were carried out.
    """

    benchmark: str
    outcome: Outcome
    task_params: tuple[str, ...]
    simulator: str
    agents: Mapping[Role, str]
    privileges: Mapping[Role, tuple[str, ...]]
    dialogue: tuple[Utterance, ...]
    steps: tuple[Step, ...]

    @property
    def readings(self) -> Mapping[int, JsonMapping]:
        """How utterances were read by who heard them, by their place in `dialogue`; see `agents.thoughts`."""
        return readings(step.thought for step in self.steps)


def read_episode(run: StoredRun, instance_id: str) -> Episode | None:
    """An instance that was played; `None` where there is no record of it.

    Raises `RecordError` or `GameFileError` for files that are damaged.
    """
    line = run.lines.get(instance_id)
    from teach_agents.benchmarks.base import kind_of

    return None if line is None else kind_of(run).episode(run, line)


def steps_of(
    poses: Mapping[Role, Pose], before: tuple[Utterance, ...], turns: Sequence[Mapping[Role, Done]]
) -> Iterator[Step]:
    """The steps of turns in which every role acts on what it saw before any of them did."""
    heard, spoken = before, len(before)
    last: dict[Role, Done] = {}
    for number, turn in enumerate(turns):
        for role, done in turn.items():
            then, says = last.get(role), any(said_in({role: done}))
            yield Step(
                number=number,
                role=role,
                pose=poses[role] if then is None else then.pose,
                heard=heard,
                last_action=then.action if then else None,
                last_result=then.result if then else None,
                action=done.action,
                result=done.result,
                thought=done.thought,
                utterance=spoken if says else None,
                dialogue_acts=done.dialogue_acts,
            )
            spoken += says
        heard = tuple(said_in(turn))
        last.update(turn)


def said_in(turn: Mapping[Role, Done]) -> Iterator[Utterance]:
    """What was said in a turn; everybody hears it in the next."""
    for role, done in turn.items():
        if done.action is not None and done.action.name == "Text" and done.result.success:
            yield Utterance(role, done.action.utterance, done.time_ms)
