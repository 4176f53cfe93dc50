"""An instance of a benchmark that plays in a world, carried through: from agents' SPECs to a record to be scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from teach_agents.core.benchmark.costs import Costs, decided, spent, talk
from teach_agents.core.benchmark.lookup import make_agents
from teach_agents.core.benchmark.selection import instance_seed
from teach_agents.core.environment import Environment
from teach_agents.core.errors import TeachAgentsError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.plugins import DIALOGUE_HOOK
from teach_agents.core.registry import blamed
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.record import SessionRecord, read_record
from teach_agents.core.session.session import Session
from teach_agents.core.specs import build
from teach_agents.core.values import Say

if TYPE_CHECKING:
    from teach_agents.core.benchmark.contract import Benchmark, Setup
    from teach_agents.core.benchmark.stored import StoredRun


def played(benchmark: Benchmark[Any, Any], instance: Any, setup: Setup) -> JsonObject:
    """Play an instance in the benchmark's world, and tell what became of it, as JSON.

    All that a session's result holds is there, and besides: `status` (done, crashed, timed_out), `instance`, `steps`
    (in order, each action with `seat`, `turn`, its result, `cost` and `trace`), `events`, `world`, `marked` (somebody
    spoke into it from no seat), `charged` (what the world did, by seat) and `costs` (talk, decisions, model calls).
    """
    world = world_of(benchmark)
    agents = make_agents(benchmark, instance, setup)
    path = None if setup.folder is None else _path(setup.folder, instance.instance_id)
    session = Session(
        world, agents, policy=benchmark.policy(instance), timeouts=Timeouts(act_s=setup.call_time_limit_s), record=path
    )
    witness = _Witness()
    session.with_hook(witness)
    for name, hook in made_hooks(setup.hooks):
        session.with_hook(hook, name)
    result = session.play(instance, seed=instance_seed(setup.seed, instance.instance_id))
    if result.broken:
        benchmark.world = None  # what hangs may still hold it
    record = _told(world, instance, result.to_json(timed=False), witness.turns)
    costs = {seat: (_costs(seat, record["steps"]) + spent(agent)).to_json() for seat, agent in agents.items()}
    return {**record, "costs": costs}


def world_of(benchmark: Benchmark[Any, Any]) -> Environment[Any, Any, Any]:
    """One world a benchmark, for one instance after the other. Raises `PluginError` where it makes none."""
    if benchmark.world is None:
        with blamed(f"benchmark {benchmark.name!r}: its world could not be made:", TeachAgentsError):
            made: object = benchmark.environment()
            if not isinstance(made, Environment):
                raise TypeError(f"{made!r} is no Environment")
        benchmark.world = made
    return benchmark.world


def made_hooks(specs: Sequence[str]) -> list[tuple[str, DialogueHook]]:
    """Dialogue hooks by what results call them. Raises what `specs.build` raises."""
    return [(spec, build(DIALOGUE_HOOK, spec, allow_import=True)) for spec in specs]


class _Witness(DialogueHook):
    """Keeps a session's turns."""

    stamped = False

    def __init__(self) -> None:
        self.turns: list[Any] = []

    def turn_executed(self, record: Any) -> None:
        self.turns.append(record)


def _told(world: Environment[Any, Any, Any], instance: Any, result: JsonMapping, turns: Sequence[Any]) -> JsonObject:
    """What is scored of a session: the same when it was played and when its record is read."""
    end, codec = result["end_reason"], world.codec
    return {
        **result,
        "status": end if end in ("crashed", "timed_out") else "done",
        "reason": "\n".join(filter(None, (result["reason"], result["details"]))),
        "instance": codec.instance_to_json(instance),
        "world": {"name": codec.world, "version": codec.version, **result["about"]},
        "charged": result["costs"],
        "marked": bool(result["strangers"]),
        "steps": list(_written(world, turns)),
        "events": [
            {"turn": turn.turn, "kind": one.kind, "data": dict(one.data)} for turn in turns for one in turn.events
        ],
    }


def _written(world: Environment[Any, Any, Any], turns: Sequence[Any]) -> Iterator[JsonObject]:
    for turn in turns:
        for seat, done in turn.done.items():
            written = world.form.done_to_json(done)
            told = {"trace": dict(done.trace), "thought": done.thought, "cost": done.result.cost}
            yield {"turn": turn.turn, "seat": str(seat), **written, **told}


def _costs(seat: str, steps: Sequence[JsonMapping]) -> Costs:
    own = [step for step in steps if step["seat"] == seat]
    said = (step["action"]["text"] for step in own if step["action"] and step["action"].get("type") == Say.__name__)
    thoughts = (step["thought"] for step in own if step["thought"] is not None)
    invalid = Costs(invalid_actions=sum(step["action"] is None for step in own))
    return talk(said, (act for step in own for act in step.get("dialogue_acts", ()))) + invalid + decided(thoughts)


def as_file_name(instance_id: str) -> str:
    """An instance's id as files of it are named."""
    return quote(instance_id, safe=" ")


def _path(folder: Path, instance_id: str) -> Path:
    """Where the folder of a run keeps the record of an instance's session."""
    return folder / "records" / f"{as_file_name(instance_id)}.jsonl"


def _read(benchmark: Benchmark[Any, Any], run: StoredRun, instance_id: str) -> SessionRecord | None:
    path = _path(run.folder, instance_id)
    return read_record(path, world_of(benchmark).form) if path.exists() else None


def played_again(benchmark: Benchmark[Any, Any], run: StoredRun, line: JsonMapping) -> JsonObject | None:
    """A line scored again from the record of its session; `None` where there is none, or none of its end.

    Raises `RecordError` for a damaged record.
    """
    found = _read(benchmark, run, line["instance_id"])
    if found is None or found.result is None:
        return None
    record = _told(world_of(benchmark), found.header.instance, found.result, found.turns)
    if record["status"] != line["status"]:
        return None
    scores = benchmark.scores_of(record)
    return {**line, "success": benchmark.succeeded(record, scores), "scores": scores}


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a session: what was done, or said, and what came of it."""

    number: int
    seat: str
    action: JsonMapping | None
    success: bool
    message: str
    thought: JsonMapping | None = None
    utterance: int | None = None
    """The number of what was said in the session, strangers' words counted."""
    dialogue_acts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What kind of action it was."""
        return "no action" if self.action is None else str(self.action["type"])

    @property
    def said(self) -> str | None:
        """What was said, where it was heard."""
        return str(self.action["text"]) if self.action and self.name == Say.__name__ and self.success else None

    @property
    def words(self) -> str:
        """The whole action in words."""
        told = (str(value) for name, value in (self.action or {}).items() if name != "type" and value not in ("", None))
        return " ".join((self.name, *told))


def read_steps(run: StoredRun, instance_id: str) -> tuple[Step, ...]:
    """What was done in an instance; nothing where there is no record of it. Raises `RecordError` for a damaged one."""
    kind = run.kind
    found = _read(kind, run, instance_id)
    return () if found is None else tuple(_steps(world_of(kind), found.turns))


def _steps(world: Environment[Any, Any, Any], turns: Sequence[Any]) -> Iterator[Step]:
    spoken = 0
    for turn in turns:
        spoken += len(turn.before)
        for seat, done in turn.done.items():
            action = None if done.action is None else world.codec.action_to_json(done.action)
            result = done.result
            step = Step(turn.turn, str(seat), action, result.success, result.message, done.thought)
            says = step.said is not None
            yield replace(step, utterance=spoken if says else None, dialogue_acts=done.dialogue_acts)
            spoken += says
